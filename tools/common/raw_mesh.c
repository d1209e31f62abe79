// SPDX-License-Identifier: MIT
#include "tools/common/raw_mesh.h"

#include "tools/common/grow.h"

#include <string.h>

void slv_raw_mesh_free(slv_raw_mesh *raw) {
    for (uint32_t g = 0; g < raw->group_count; g++) {
        free(raw->groups[g].name);
    }
    free(raw->positions);
    free(raw->uvs);
    free(raw->normals);
    free(raw->paint);
    free(raw->corners);
    free(raw->polygons);
    free(raw->groups);
    free(raw->texture.bytes);
    *raw = (slv_raw_mesh){.positions = NULL};
}

// Adds an item of size bytes. Returns the array, which may have moved; *count stays where there is no memory.
static inline void *add_item(void *array, uint32_t *capacity, uint32_t *count, const void *item,
                             size_t size, bool *ok) {
    *ok = slv_grow(&array, capacity, (uint64_t)*count + 1, size);
    if (*ok) {
        memcpy((char *)array + (size_t)*count * size, item, size);
        ++*count;
    }
    return array;
}

bool slv_raw_mesh_add_position(slv_raw_mesh *raw, const double position[3]) {
    bool ok;
    raw->positions = add_item(raw->positions, &raw->position_capacity, &raw->position_count,
                              position, 3 * sizeof *position, &ok);
    return ok;
}

bool slv_raw_mesh_add_uv(slv_raw_mesh *raw, const float uv[2]) {
    bool ok;
    raw->uvs = add_item(raw->uvs, &raw->uv_capacity, &raw->uv_count, uv, 2 * sizeof *uv, &ok);
    return ok;
}

bool slv_raw_mesh_add_normal(slv_raw_mesh *raw, const float normal[3]) {
    bool ok;
    raw->normals = add_item(raw->normals, &raw->normal_capacity, &raw->normal_count, normal,
                            3 * sizeof *normal, &ok);
    return ok;
}

bool slv_raw_mesh_add_paint(slv_raw_mesh *raw, const float paint[4]) {
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    void *array = raw->paint;
    bool ok = slv_grow(&array, &raw->paint_capacity, raw->position_count, 4 * sizeof *raw->paint);
    raw->paint = array;
    while (ok && raw->paint_count < raw->position_count) {
        const bool last = raw->paint_count + 1 == raw->position_count;
        memcpy(raw->paint + 4 * (size_t)raw->paint_count++, last ? paint : white, sizeof white);
    }
    return ok;
}

bool slv_raw_mesh_add_corner(slv_raw_mesh *raw, slv_raw_corner corner) {
    bool ok;
    raw->corners = add_item(raw->corners, &raw->corner_capacity, &raw->corner_count, &corner,
                            sizeof corner, &ok);
    return ok;
}

bool slv_raw_mesh_add_polygon(slv_raw_mesh *raw, uint32_t corner_count, uint32_t line) {
    const slv_raw_polygon polygon = {raw->corner_count - corner_count, corner_count, line};
    bool ok;
    raw->polygons = add_item(raw->polygons, &raw->polygon_capacity, &raw->polygon_count, &polygon,
                             sizeof polygon, &ok);
    return ok;
}

bool slv_raw_mesh_add_group(slv_raw_mesh *raw, uint32_t kind, const char *name, size_t length) {
    const uint32_t number = raw->last_group[kind];
    const slv_raw_group *last = number > 0 ? &raw->groups[number - 1] : NULL;
    if (last && strlen(last->name) == length && !memcmp(last->name, name, length)) {
        return true;
    }
    void *array = raw->groups;
    bool ok =
        slv_grow(&array, &raw->group_capacity, (uint64_t)raw->group_count + 1, sizeof *raw->groups);
    raw->groups = array;
    char *copy = ok ? malloc(length + 1) : NULL;
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    raw->groups[raw->group_count++] = (slv_raw_group){copy, raw->polygon_count, kind};
    raw->last_group[kind] = raw->group_count;
    return true;
}
