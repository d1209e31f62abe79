// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/bake-collider/attach.h"

#include "formats/garment.h"
#include "formats/named_path.h"
#include "formats/value_check.h"
#include "tools/common/affine.h"
#include "tools/common/grow.h"
#include "tools/common/input_file.h"
#include "tools/common/json_memory.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slv_attachments_free(slv_attachments *attachments) {
    free(attachments->sets);
    free(attachments->targets);
    free(attachments->numbers);
    free(attachments->names);
    free(attachments->points);
    slv_file_list_free(&attachments->files);
    *attachments = (slv_attachments){0};
}

static slv_result add_file(slv_attachments *a, const char *path, slv_error *error) {
    char **paths = realloc(a->files.paths, (a->files.count + 1) * sizeof *paths);
    char *copy = strdup(path);
    if (paths) {
        a->files.paths = paths;
    }
    if (!paths || !copy) {
        free(copy);
        return slv_no_memory(error);
    }
    a->files.paths[a->files.count++] = copy;
    return SLV_OK;
}

// --- Sets ---------------------------------------------------------------------------------------

static slv_result check_name(const slv_attachments *a, const char *name, slv_error *error) {
    const size_t length = name ? strlen(name) : 0;
    if (length < 1 || length > 255 || !slv_is_utf8(name, length)) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "attachment %u: \"name\" must be a text of 1 to 255 bytes", a->set_count);
    }
    for (uint32_t i = 0; i < a->set_count; i++) {
        if (a->sets[i].name_length == length &&
            !memcmp(a->names + a->sets[i].name_offset, name, length)) {
            return slv_fail(error, SLV_ERROR_CONTENT, "two attachments are called '%s'", name);
        }
    }
    return SLV_OK;
}

static slv_result begin_set(slv_attachments *a, const char *name, slv_error *error) {
    slv_result result = check_name(a, name, error);
    if (result != SLV_OK) {
        return result;
    }
    const uint32_t length = (uint32_t)strlen(name);
    void *sets = a->sets;
    void *names = a->names;
    if (!slv_grow(&sets, &a->set_room, (uint64_t)a->set_count + 1, sizeof *a->sets)) {
        return slv_no_memory(error);
    }
    a->sets = sets;
    if (!slv_grow(&names, &a->name_room, (uint64_t)a->name_bytes + length, 1)) {
        return slv_no_memory(error);
    }
    a->names = names;
    memcpy(a->names + a->name_bytes, name, length);
    a->sets[a->set_count++] =
        (slv_particle_set){.name_offset = a->name_bytes, .name_length = length, .first = a->count};
    a->name_bytes += length;
    return SLV_OK;
}

// on: NULL for the nearest point of the surface.
static slv_result add_point(slv_attachments *a, uint32_t number, const double target[3],
                            const double *on, slv_error *error) {
    void *targets = a->targets;
    void *numbers = a->numbers;
    if (!slv_grow(&targets, &a->room, (uint64_t)a->count + 1, 6 * sizeof *a->targets)) {
        return slv_no_memory(error);
    }
    a->targets = targets;
    if (!slv_grow(&numbers, &a->number_room, (uint64_t)a->count + 1, sizeof *a->numbers)) {
        return slv_no_memory(error);
    }
    a->numbers = numbers;
    memcpy(a->targets + 6 * (size_t)a->count, target, 3 * sizeof *target);
    memcpy(a->targets + 6 * (size_t)a->count + 3, on ? on : target, 3 * sizeof *target);
    a->numbers[a->count++] = number;
    a->sets[a->set_count - 1].count++;
    return SLV_OK;
}

// --- Garments -----------------------------------------------------------------------------------

static bool read_vector(const cJSON *item, const char *key, int count, double *values) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(item, key);
    if (!array) {
        return true; // keeps the default
    }
    bool sound = cJSON_GetArraySize(array) == count;
    for (int i = 0; sound && i < count; i++) {
        const cJSON *number = cJSON_GetArrayItem(array, i);
        sound = cJSON_IsNumber(number) && fabs(number->valuedouble) < 1e9;
        values[i] = sound ? number->valuedouble : 0.0;
    }
    return sound;
}

static slv_result read_pose(const cJSON *item, slv_affine *pose, slv_error *error) {
    double at[3] = {0.0};
    double rotation[4] = {0.0, 0.0, 0.0, 1.0};
    const cJSON *scale = cJSON_GetObjectItemCaseSensitive(item, "scale");
    const double factor = cJSON_IsNumber(scale) ? scale->valuedouble : 1.0;
    if (!read_vector(item, "at", 3, at) || !read_vector(item, "rotation", 4, rotation) ||
        !(factor > 0.0 && factor < 1e9)) {
        return slv_fail(
            error, SLV_ERROR_CONTENT,
            "\"at\" must be three numbers, \"rotation\" four (x, y, z, w), \"scale\" one "
            "above 0");
    }
    const double scales[3] = {factor, factor, factor};
    *pose = slv_affine_compose(at, rotation, scales);
    return SLV_OK;
}

static int compare_numbers(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static slv_result add_set(slv_attachments *a, const slv_garment *garment, slv_named_set set,
                          const slv_affine *pose, const double *on, slv_error *error) {
    uint32_t *own = calloc((size_t)set.count + 1, sizeof *own);
    if (!own) {
        return slv_no_memory(error);
    }
    for (uint32_t i = 0; i < set.count; i++) {
        own[i] = garment->own_of_stored[set.particles[i]];
    }
    qsort(own, set.count, sizeof *own, compare_numbers);
    slv_result result = SLV_OK;
    for (uint32_t i = 0; result == SLV_OK && i < set.count; i++) {
        const uint32_t stored = garment->stored_of_own[own[i]];
        const double rest[3] = {garment->info.frame[0] + (double)garment->x[stored],
                                garment->info.frame[1] + (double)garment->y[stored],
                                garment->info.frame[2] + (double)garment->z[stored]};
        double target[3];
        slv_affine_apply(pose, rest, target);
        result = add_point(a, own[i], target, on, error);
    }
    free(own);
    return result;
}

static slv_result add_garment_set(slv_attachments *a, const slv_pack *pack, const char *name,
                                  const slv_affine *pose, const double *on, slv_error *error) {
    slv_garment garment;
    slv_result result = slv_garment_open(pack, &garment, error);
    for (uint32_t i = 0; result == SLV_OK && i < garment.set_count; i++) {
        const slv_named_set set = slv_garment_get_set(&garment, i);
        if (set.name_length == strlen(name) && !memcmp(set.name, name, set.name_length)) {
            return add_set(a, &garment, set, pose, on, error);
        }
    }
    return result == SLV_OK
               ? slv_fail(error, SLV_ERROR_CONTENT, "it has no particle set called '%.100s'", name)
               : result;
}

static slv_result add_garment(slv_attachments *a, const char *path, const cJSON *item,
                              const double *on, slv_error *error) {
    const char *garment = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "garment"));
    const char *set = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "set"));
    const char *slash = strrchr(path, '/');
    const int folder = slash && garment && garment[0] != '/' ? (int)(slash - path) + 1 : 0;
    if (!garment || !set) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "attachment %u needs a \"position\", or a \"garment\" and its \"set\"",
                        a->set_count - 1);
    }
    if (!a->allow_paths) {
        const slv_result allowed = slv_named_path_check(path, garment, error);
        if (allowed != SLV_OK) {
            return allowed;
        }
    }
    const size_t size = (size_t)folder + strlen(garment) + 1;
    char *name = malloc(size);
    if (!name) {
        return slv_no_memory(error);
    }
    (void)snprintf(name, size, "%.*s%s", folder, path, garment);
    slv_affine pose;
    slv_error reason;
    slv_pack *pack = NULL;
    slv_result result = read_pose(item, &pose, error);
    if (result == SLV_OK) {
        result = slv_pack_open(name, NULL, &pack, &reason);
        result = result == SLV_OK ? add_garment_set(a, pack, set, &pose, on, &reason) : result;
        if (result != SLV_OK) {
            (void)slv_fail(error, result, "%.200s: %s", name, reason.text);
        }
    }
    if (result == SLV_OK) {
        result = add_file(a, name, error);
    }
    slv_pack_close(pack);
    free(name);
    return result;
}

static slv_result add_item(slv_attachments *a, const char *path, const cJSON *item,
                           slv_error *error) {
    slv_result result =
        begin_set(a, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name")), error);
    if (result != SLV_OK) {
        return result;
    }
    double surface_point[3] = {0.0};
    const double *on = cJSON_GetObjectItemCaseSensitive(item, "on") ? surface_point : NULL;
    if (!read_vector(item, "on", 3, surface_point)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "attachment %u: \"on\" must be three numbers",
                        a->set_count - 1);
    }
    if (!cJSON_GetObjectItemCaseSensitive(item, "position")) {
        return add_garment(a, path, item, on, error);
    }
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, "particle");
    double target[3] = {0.0};
    const double particle = cJSON_IsNumber(number) ? number->valuedouble : 0.0;
    if (!read_vector(item, "position", 3, target) || !(particle >= 0.0) || particle > 4e9) {
        return slv_fail(
            error, SLV_ERROR_CONTENT,
            "attachment %u: \"position\" must be three numbers, \"particle\" one of the "
            "garment's own",
            a->set_count - 1);
    }
    return add_point(a, (uint32_t)particle, target, on, error);
}

// --- The file -----------------------------------------------------------------------------------

static slv_result read_root(slv_attachments *a, const char *path, const cJSON *root,
                            slv_error *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "attachments");
    const char *pose = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "pose"));
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "must be an object with a list of \"attachments\"");
    }
    if (pose && strcmp(pose, "rest") != 0 && strcmp(pose, "start") != 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "\"pose\" is \"start\" or \"rest\"");
    }
    a->at_rest = pose && !strcmp(pose, "rest");
    slv_result result = add_file(a, path, error);
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
        if (result == SLV_OK) {
            result = add_item(a, path, item, error);
        }
    }
    return result;
}

slv_result slv_attachments_read(const char *path, bool allow_paths, slv_attachments *attachments,
                                slv_error *error) {
    slv_input_file file;
    slv_result result = slv_input_file_read(path, &file, error);
    if (result != SLV_OK) {
        return result;
    }
    attachments->allow_paths = allow_paths;
    slv_json_begin();
    cJSON *root = cJSON_ParseWithLength(file.bytes, file.size);
    result = root                       ? read_root(attachments, path, root, error)
             : slv_json_out_of_memory() ? slv_no_memory(error)
                                        : slv_fail(error, SLV_ERROR_CONTENT, "is not JSON");
    cJSON_Delete(root);
    slv_input_file_free(&file);
    return result;
}

slv_result slv_attachments_bind(slv_attachments *attachments, const slv_frames *frames,
                                slv_error *error) {
    double *positions = calloc(3 * (size_t)frames->vertex_count + 1, sizeof *positions);
    attachments->points = calloc((size_t)attachments->count + 1, sizeof *attachments->points);
    slv_result result = positions && attachments->points ? SLV_OK : slv_no_memory(error);
    if (result == SLV_OK && attachments->at_rest && frames->at_rest_known) {
        slv_frames_read_rest(frames, positions);
    } else if (result == SLV_OK) {
        result = slv_frames_read(frames, 0, 0, positions, error);
    }
    for (uint32_t i = 0; result == SLV_OK && i < attachments->count; i++) {
        double targets[6];
        for (int d = 0; d < 6; d++) {
            targets[d] = attachments->targets[6 * (size_t)i + (size_t)d] - frames->origin[d % 3];
        }
        attachments->points[i] = slv_points_bind(frames->triangles, frames->triangle_count,
                                                 positions, targets + 3, targets);
    }
    free(positions);
    return result;
}
