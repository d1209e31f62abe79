// SPDX-License-Identifier: MIT
#include "tools/common/mesh_stream.h"

#include "formats/texture.h"
#include "tools/common/wire.h"

#include <stdlib.h>
#include <string.h>

void slv_import_result_free(slv_import_result *result) {
    slv_file_list_free(&result->files);
    slv_raw_mesh_free(&result->raw);
    *result = (slv_import_result){.hash = 0};
}

// --- writing -------------------------------------------------------------------------------------

void slv_import_result_write(const slv_import_result *result, FILE *out) {
    slv_wire_write_number(out, (uint32_t)result->error.code);
    if (result->error.code != SLV_OK) {
        slv_wire_write_text(out, result->error.text);
        return;
    }
    slv_wire_write_files(out, &result->files);
    (void)fwrite(&result->hash, sizeof result->hash, 1, out);
    const slv_raw_mesh *raw = &result->raw;
    slv_wire_write_array(out, raw->positions, raw->position_count, 3 * sizeof *raw->positions);
    slv_wire_write_array(out, raw->uvs, raw->uv_count, 2 * sizeof *raw->uvs);
    slv_wire_write_array(out, raw->normals, raw->normal_count, 3 * sizeof *raw->normals);
    slv_wire_write_array(out, raw->paint, raw->paint_count, 4 * sizeof *raw->paint);
    slv_wire_write_array(out, raw->corners, raw->corner_count, sizeof *raw->corners);
    slv_wire_write_array(out, raw->polygons, raw->polygon_count, sizeof *raw->polygons);
    slv_wire_write_number(out, raw->group_count);
    for (uint32_t g = 0; g < raw->group_count; g++) {
        slv_wire_write_number(out, raw->groups[g].first_polygon);
        slv_wire_write_text(out, raw->groups[g].name);
    }
    slv_wire_write_array(out, raw->texture, raw->texture_size, 1);
    slv_wire_write_text(out, raw->texture_note);
}

// --- reading -------------------------------------------------------------------------------------

static bool read_groups(FILE *in, slv_raw_mesh *raw) {
    uint32_t count;
    if (!slv_wire_read_number(in, &count)) {
        return false;
    }
    for (uint32_t g = 0; g < count; g++) {
        uint32_t first;
        char *name;
        if (!slv_wire_read_number(in, &first) || !slv_wire_read_text(in, &name)) {
            return false;
        }
        bool ok = slv_raw_mesh_add_group(raw, name, strlen(name));
        free(name);
        if (!ok) {
            return false;
        }
        slv_raw_group *last = &raw->groups[raw->group_count - 1];
        bool ascending = raw->group_count == 1 || last[-1].first_polygon <= first;
        if (!ascending || first > raw->polygon_count) {
            return false;
        }
        last->first_polygon = first;
    }
    return true;
}

static bool read_note(FILE *in, slv_raw_mesh *raw) {
    char *note;
    if (!slv_wire_read_text(in, &note)) {
        return false;
    }
    (void)snprintf(raw->texture_note, sizeof raw->texture_note, "%s", note);
    free(note);
    return true;
}

static bool read_raw(FILE *in, slv_raw_mesh *raw) {
    void *arrays[7] = {NULL};
    bool ok =
        slv_wire_read_array(in, &arrays[0], &raw->position_count, 3 * sizeof *raw->positions) &&
        slv_wire_read_array(in, &arrays[1], &raw->uv_count, 2 * sizeof *raw->uvs) &&
        slv_wire_read_array(in, &arrays[2], &raw->normal_count, 3 * sizeof *raw->normals) &&
        slv_wire_read_array(in, &arrays[6], &raw->paint_count, 4 * sizeof *raw->paint) &&
        slv_wire_read_array(in, &arrays[3], &raw->corner_count, sizeof *raw->corners) &&
        slv_wire_read_array(in, &arrays[4], &raw->polygon_count, sizeof *raw->polygons);
    raw->positions = arrays[0];
    raw->uvs = arrays[1];
    raw->normals = arrays[2];
    raw->corners = arrays[3];
    raw->polygons = arrays[4];
    raw->paint = arrays[6];
    ok = ok && read_groups(in, raw) && slv_wire_read_array(in, &arrays[5], &raw->texture_size, 1);
    raw->texture = arrays[5];
    return ok && read_note(in, raw);
}

static bool is_sound(const slv_raw_mesh *raw) {
    for (size_t p = 0; p < raw->polygon_count; p++) {
        slv_raw_polygon polygon = raw->polygons[p];
        if (polygon.corner_count < 3 || polygon.first_corner > raw->corner_count ||
            polygon.corner_count > raw->corner_count - polygon.first_corner) {
            return false;
        }
    }
    for (size_t c = 0; c < raw->corner_count; c++) {
        slv_raw_corner corner = raw->corners[c];
        if (corner.position >= raw->position_count ||
            (corner.uv != SLV_NO_INDEX && corner.uv >= raw->uv_count) ||
            (corner.normal != SLV_NO_INDEX && corner.normal >= raw->normal_count)) {
            return false;
        }
    }
    slv_texture_info info;
    slv_error ignored;
    if (raw->paint_count > raw->position_count) {
        return false;
    }
    return raw->texture_size == 0 ||
           slv_texture_check(raw->texture, raw->texture_size, &info, &ignored) == SLV_OK;
}

bool slv_import_result_read(FILE *in, slv_import_result *result) {
    *result = (slv_import_result){.hash = 0};
    uint32_t code;
    bool ok = slv_wire_read_number(in, &code);
    if (ok && code != SLV_OK) {
        ok = slv_wire_read_error(in, &result->error, code);
    } else if (ok) {
        ok = slv_wire_read_files(in, &result->files) &&
             fread(&result->hash, sizeof result->hash, 1, in) == 1 && read_raw(in, &result->raw) &&
             is_sound(&result->raw);
    }
    if (!ok || fgetc(in) != EOF) { // trailing bytes are an error too
        slv_import_result_free(result);
        return false;
    }
    return true;
}
