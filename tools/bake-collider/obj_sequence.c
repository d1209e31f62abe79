// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/bake-collider/obj_sequence.h"

#include "tools/common/grow.h"
#include "tools/common/input_file.h"
#include "tools/common/obj_reader.h"
#include "tools/common/polygon.h"
#include "tools/common/raw_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

// --- Names --------------------------------------------------------------------------------------

// Position and length of the number before the extension: "walk_0001.obj" has 4 digits at 5.
static size_t find_digits(const char *path, size_t *count) {
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    size_t end = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    size_t first = end;
    while (first > 0 && path[first - 1] >= '0' && path[first - 1] <= '9' && end - first < 9) {
        first--;
    }
    *count = end - first;
    return first;
}

static slv_result add_file(slv_file_list *files, uint32_t *room, char *path, slv_error *error) {
    void *paths = files->paths;
    if (!path || !slv_grow(&paths, room, files->count + 1, sizeof *files->paths)) {
        free(path);
        return slv_no_memory(error);
    }
    files->paths = paths;
    files->paths[files->count++] = path;
    return SLV_OK;
}

static slv_result find_files(const char *path, slv_file_list *files, slv_error *error) {
    uint32_t room = 0;
    size_t digits = 0;
    const size_t first = find_digits(path, &digits);
    slv_result result = add_file(files, &room, strdup(path), error);
    unsigned long number = digits > 0 ? strtoul(path + first, NULL, 10) : 0;
    const size_t size = strlen(path) + 16;
    while (result == SLV_OK && digits > 0) {
        char *next = malloc(size);
        if (!next) {
            return slv_no_memory(error);
        }
        (void)snprintf(next, size, "%.*s%0*lu%s", (int)first, path, (int)digits, ++number,
                       path + first + digits);
        if (access(next, F_OK) != 0) {
            free(next);
            break;
        }
        result = add_file(files, &room, next, error);
    }
    return result;
}

// --- Topology -----------------------------------------------------------------------------------

static uint64_t hash_topology(const slv_raw_mesh *raw) {
    uint64_t hash = raw->position_count;
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        const slv_raw_polygon *polygon = &raw->polygons[p];
        hash = (hash ^ polygon->corner_count) * UINT64_C(0x9E3779B97F4A7C15);
        for (uint32_t c = 0; c < polygon->corner_count; c++) {
            hash ^= raw->corners[polygon->first_corner + c].position;
            hash = (hash ^ hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
        }
    }
    return hash;
}

static slv_result split_polygon(const slv_raw_mesh *raw, const slv_raw_polygon *polygon,
                                slv_polygon_scratch *scratch, double *corners, uint32_t *triangles,
                                slv_error *error) {
    for (uint32_t c = 0; c < polygon->corner_count; c++) {
        const uint32_t position = raw->corners[polygon->first_corner + c].position;
        memcpy(corners + 3 * (size_t)c, raw->positions + 3 * (size_t)position, 3 * sizeof *corners);
    }
    slv_result result =
        slv_polygon_split(corners, polygon->corner_count, triangles, scratch, error);
    for (uint32_t k = 0; result == SLV_OK && k < 3 * (polygon->corner_count - 2); k++) {
        triangles[k] = raw->corners[polygon->first_corner + triangles[k]].position;
    }
    return result;
}

static slv_result make_triangles(const slv_raw_mesh *raw, slv_obj_sequence *sequence,
                                 slv_error *error) {
    uint64_t count = 0;
    uint32_t widest = 0;
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        const uint32_t corners = raw->polygons[p].corner_count;
        count += corners - 2;
        widest = corners > widest ? corners : widest;
    }
    sequence->triangles = calloc((size_t)count + 1, 3 * sizeof *sequence->triangles);
    double *corners = calloc((size_t)widest + 1, 3 * sizeof *corners);
    slv_polygon_scratch scratch = {0};
    slv_result result =
        sequence->triangles && corners && count < UINT32_MAX ? SLV_OK : slv_no_memory(error);
    for (uint32_t p = 0; result == SLV_OK && p < raw->polygon_count; p++) {
        result = split_polygon(raw, &raw->polygons[p], &scratch, corners,
                               sequence->triangles + 3 * (size_t)sequence->triangle_count, error);
        sequence->triangle_count += raw->polygons[p].corner_count - 2;
    }
    slv_polygon_scratch_free(&scratch);
    free(corners);
    return result;
}

// --- Reading ------------------------------------------------------------------------------------

static slv_result read_raw(const char *path, const slv_part_choice *choice, slv_raw_mesh *raw,
                           slv_part_counts *parts, uint64_t *hash, slv_error *error) {
    slv_input_file file;
    *raw = (slv_raw_mesh){.positions = NULL};
    slv_result result = slv_input_file_read(path, &file, error);
    if (result == SLV_OK) {
        *hash = XXH3_64bits(file.bytes, file.size);
        result = slv_obj_read(file.bytes, file.size, raw, error);
        slv_input_file_free(&file);
    }
    const uint32_t polygons = raw->polygon_count;
    if (result == SLV_OK && choice) {
        result = slv_raw_mesh_choose(raw, choice, parts, error);
    }
    if (result == SLV_OK && raw->polygon_count < polygons) {
        result = slv_raw_mesh_drop_unused(raw, error);
    }
    return result;
}

// One file: the hash of its bytes. Several files: the hash of their hashes.
static slv_result hash_files(slv_obj_sequence *sequence, uint64_t first, slv_error *error) {
    sequence->input_hash = first;
    for (size_t f = 1; f < sequence->files.count; f++) {
        slv_input_file file;
        slv_result result = slv_input_file_read(sequence->files.paths[f], &file, error);
        if (result != SLV_OK) {
            return result;
        }
        const uint64_t pair[2] = {sequence->input_hash, XXH3_64bits(file.bytes, file.size)};
        sequence->input_hash = XXH3_64bits(pair, sizeof pair);
        slv_input_file_free(&file);
    }
    return SLV_OK;
}

slv_result slv_obj_sequence_open(const char *path, const slv_import_options *options,
                                 slv_obj_sequence *sequence, slv_error *error) {
    *sequence = (slv_obj_sequence){.choice = options->choice};
    slv_raw_mesh raw;
    uint64_t hash = 0;
    slv_result result = read_raw(path, options->list ? NULL : &sequence->choice, &raw,
                                 &sequence->parts, &hash, error);
    if (result == SLV_OK && options->list) {
        const slv_import_space stated = slv_import_space_default();
        const slv_import_space space = slv_import_space_resolve(&stated, options);
        result = slv_raw_mesh_list(&raw, &space, &sequence->list, error);
    }
    if (result == SLV_OK) {
        sequence->vertex_count = raw.position_count;
        sequence->topology = hash_topology(&raw);
        result = make_triangles(&raw, sequence, error);
    }
    slv_raw_mesh_free(&raw);
    if (result == SLV_OK) {
        result = find_files(path, &sequence->files, error);
    }
    if (result == SLV_OK) {
        result = hash_files(sequence, hash, error);
    }
    if (result != SLV_OK) {
        slv_obj_sequence_close(sequence);
    }
    return result;
}

void slv_obj_sequence_close(slv_obj_sequence *sequence) {
    slv_file_list_free(&sequence->files);
    free(sequence->triangles);
    free(sequence->list);
    *sequence = (slv_obj_sequence){.triangles = NULL};
}

slv_result slv_obj_sequence_read(const slv_obj_sequence *sequence, uint32_t frame,
                                 double *positions, slv_error *error) {
    const char *path = sequence->files.paths[frame];
    slv_raw_mesh raw;
    uint64_t hash = 0;
    slv_error reason;
    slv_part_counts parts;
    slv_result result = read_raw(path, &sequence->choice, &raw, &parts, &hash, &reason);
    if (result != SLV_OK) {
        (void)slv_fail(error, result, "frame %u, %s: %s", frame, path, reason.text);
    } else if (hash_topology(&raw) != sequence->topology ||
               raw.position_count != sequence->vertex_count) {
        result = slv_fail(error, SLV_ERROR_CONTENT,
                          "frame %u, %s: its vertices or faces differ from those of the first "
                          "file; a sequence needs one topology",
                          frame, path);
    } else {
        memcpy(positions, raw.positions, 3 * sizeof *positions * (size_t)raw.position_count);
    }
    slv_raw_mesh_free(&raw);
    return result;
}
