// SPDX-License-Identifier: MIT
#include "tools/common/mesh_stream.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT 65536u          // bytes of a path or a name
#define MAX_FILES 65536u         // that one import may read
#define CHUNK ((size_t)16 << 20) // memory is taken as data arrives, not as a count promises

void slv_import_result_free(slv_import_result *result) {
    slv_file_list_free(&result->files);
    slv_raw_mesh_free(&result->raw);
    *result = (slv_import_result){.hash = 0};
}

// --- writing -------------------------------------------------------------------------------------

static void write_number(FILE *out, uint32_t number) {
    (void)fwrite(&number, sizeof number, 1, out);
}

static void write_text(FILE *out, const char *text) {
    size_t length = strlen(text);
    length = length < MAX_TEXT ? length : MAX_TEXT;
    write_number(out, (uint32_t)length);
    (void)fwrite(text, 1, length, out);
}

static void write_array(FILE *out, const void *array, uint32_t count, size_t size) {
    write_number(out, count);
    if (count > 0) {
        (void)fwrite(array, size, count, out);
    }
}

void slv_import_result_write(const slv_import_result *result, FILE *out) {
    write_number(out, (uint32_t)result->error.code);
    if (result->error.code != SLV_OK) {
        write_text(out, result->error.text);
        return;
    }
    write_number(out, (uint32_t)result->files.count);
    for (size_t f = 0; f < result->files.count; f++) {
        write_text(out, result->files.paths[f]);
    }
    (void)fwrite(&result->hash, sizeof result->hash, 1, out);
    const slv_raw_mesh *raw = &result->raw;
    write_array(out, raw->positions, raw->position_count, 3 * sizeof *raw->positions);
    write_array(out, raw->uvs, raw->uv_count, 2 * sizeof *raw->uvs);
    write_array(out, raw->normals, raw->normal_count, 3 * sizeof *raw->normals);
    write_array(out, raw->corners, raw->corner_count, sizeof *raw->corners);
    write_array(out, raw->polygons, raw->polygon_count, sizeof *raw->polygons);
    write_number(out, raw->group_count);
    for (uint32_t g = 0; g < raw->group_count; g++) {
        write_number(out, raw->groups[g].first_polygon);
        write_text(out, raw->groups[g].name);
    }
}

// --- reading -------------------------------------------------------------------------------------

static bool read_number(FILE *in, uint32_t *number) {
    return fread(number, sizeof *number, 1, in) == 1;
}

// The caller frees *text.
static bool read_text(FILE *in, char **text) {
    uint32_t length;
    if (!read_number(in, &length) || length > MAX_TEXT) {
        return false;
    }
    *text = malloc((size_t)length + 1);
    if (*text == NULL || fread(*text, 1, length, in) != length) {
        free(*text);
        *text = NULL;
        return false;
    }
    (*text)[length] = '\0';
    return true;
}

static bool read_array(FILE *in, void **array, uint32_t *count, size_t size) {
    uint32_t promised;
    if (!read_number(in, &promised) || promised == UINT32_MAX || promised > SIZE_MAX / size) {
        return false;
    }
    if (promised == 0) {
        return true;
    }
    size_t total = size * promised;
    size_t got = 0;
    do {
        size_t room = total - got > CHUNK + got ? 2 * got + CHUNK : total;
        void *grown = realloc(*array, room);
        if (grown == NULL) {
            return false;
        }
        *array = grown;
        if (fread((char *)grown + got, 1, room - got, in) != room - got) {
            return false;
        }
        got = room;
    } while (got < total);
    *count = promised;
    return true;
}

static bool read_files(FILE *in, slv_file_list *files) {
    uint32_t count;
    if (!read_number(in, &count) || count > MAX_FILES) {
        return false;
    }
    files->paths = calloc((size_t)count + 1, sizeof *files->paths);
    for (uint32_t f = 0; files->paths && f < count; f++) {
        if (!read_text(in, &files->paths[f])) {
            return false;
        }
        files->count++;
    }
    return files->paths != NULL;
}

static bool read_groups(FILE *in, slv_raw_mesh *raw) {
    uint32_t count;
    if (!read_number(in, &count)) {
        return false;
    }
    for (uint32_t g = 0; g < count; g++) {
        uint32_t first;
        char *name;
        if (!read_number(in, &first) || !read_text(in, &name)) {
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

static bool read_raw(FILE *in, slv_raw_mesh *raw) {
    void *arrays[5] = {NULL};
    bool ok = read_array(in, &arrays[0], &raw->position_count, 3 * sizeof *raw->positions) &&
              read_array(in, &arrays[1], &raw->uv_count, 2 * sizeof *raw->uvs) &&
              read_array(in, &arrays[2], &raw->normal_count, 3 * sizeof *raw->normals) &&
              read_array(in, &arrays[3], &raw->corner_count, sizeof *raw->corners) &&
              read_array(in, &arrays[4], &raw->polygon_count, sizeof *raw->polygons);
    raw->positions = arrays[0];
    raw->uvs = arrays[1];
    raw->normals = arrays[2];
    raw->corners = arrays[3];
    raw->polygons = arrays[4];
    return ok && read_groups(in, raw);
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
    return true;
}

static bool read_error(FILE *in, slv_error *error, uint32_t code) {
    char *text;
    if (code > SLV_ERROR_UNSUPPORTED || !read_text(in, &text)) {
        return false;
    }
    (void)slv_fail(error, (slv_result)code, "%s", text);
    free(text);
    return true;
}

bool slv_import_result_read(FILE *in, slv_import_result *result) {
    *result = (slv_import_result){.hash = 0};
    uint32_t code;
    bool ok = read_number(in, &code);
    if (ok && code != SLV_OK) {
        ok = read_error(in, &result->error, code);
    } else if (ok) {
        ok = read_files(in, &result->files) &&
             fread(&result->hash, sizeof result->hash, 1, in) == 1 && read_raw(in, &result->raw) &&
             is_sound(&result->raw);
    }
    if (!ok || fgetc(in) != EOF) { // more than was promised is as wrong as less
        slv_import_result_free(result);
        return false;
    }
    return true;
}
