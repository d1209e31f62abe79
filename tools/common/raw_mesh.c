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
    free(raw->texture);
    *raw = (slv_raw_mesh){.positions = NULL};
}

bool slv_raw_mesh_add_position(slv_raw_mesh *raw, const double position[3]) {
    void *array = raw->positions;
    bool ok = slv_grow(&array, &raw->position_capacity, (uint64_t)raw->position_count + 1,
                       3 * sizeof *raw->positions);
    raw->positions = array;
    if (ok) {
        memcpy(raw->positions + 3 * (size_t)raw->position_count++, position, 3 * sizeof *position);
    }
    return ok;
}

bool slv_raw_mesh_add_uv(slv_raw_mesh *raw, const float uv[2]) {
    void *array = raw->uvs;
    bool ok =
        slv_grow(&array, &raw->uv_capacity, (uint64_t)raw->uv_count + 1, 2 * sizeof *raw->uvs);
    raw->uvs = array;
    if (ok) {
        memcpy(raw->uvs + 2 * (size_t)raw->uv_count++, uv, 2 * sizeof *uv);
    }
    return ok;
}

bool slv_raw_mesh_add_normal(slv_raw_mesh *raw, const float normal[3]) {
    void *array = raw->normals;
    bool ok = slv_grow(&array, &raw->normal_capacity, (uint64_t)raw->normal_count + 1,
                       3 * sizeof *raw->normals);
    raw->normals = array;
    if (ok) {
        memcpy(raw->normals + 3 * (size_t)raw->normal_count++, normal, 3 * sizeof *normal);
    }
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
    void *array = raw->corners;
    bool ok = slv_grow(&array, &raw->corner_capacity, (uint64_t)raw->corner_count + 1,
                       sizeof *raw->corners);
    raw->corners = array;
    if (ok) {
        raw->corners[raw->corner_count++] = corner;
    }
    return ok;
}

bool slv_raw_mesh_add_polygon(slv_raw_mesh *raw, uint32_t corner_count, uint32_t line) {
    void *array = raw->polygons;
    bool ok = slv_grow(&array, &raw->polygon_capacity, (uint64_t)raw->polygon_count + 1,
                       sizeof *raw->polygons);
    raw->polygons = array;
    if (ok) {
        raw->polygons[raw->polygon_count++] =
            (slv_raw_polygon){raw->corner_count - corner_count, corner_count, line};
    }
    return ok;
}

bool slv_raw_mesh_add_group(slv_raw_mesh *raw, const char *name, size_t length) {
    const slv_raw_group *last = raw->group_count ? &raw->groups[raw->group_count - 1] : NULL;
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
    raw->groups[raw->group_count++] = (slv_raw_group){copy, raw->polygon_count};
    return true;
}
