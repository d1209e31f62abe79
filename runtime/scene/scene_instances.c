// SPDX-License-Identifier: MIT
#include "runtime/scene/scene_instances.h"

#include "runtime/base/check.h"

#include <math.h>
#include <string.h>

static const char key[] = "instances";

// A wrong value, with an example of a right one.
static slv_result refuse(const slv_scene *scene, const char *prefix, const slv_json_value *value,
                         int64_t index, slv_error *error) {
    const slv_scene_location location = {prefix, key, index, value->line};
    return slv_scene_fail(
        scene, location, error,
        "expected a list of positions, as [[0, 0, 0], [0, 1.5, 0]], or a grid, as "
        "{\"count\": [3, 2, 3], \"spacing\": [0.5, 0.5, 0.5]}");
}

static bool are_numbers(const slv_json_value *list, double low, double high, bool whole) {
    if (!list || list->type != SLV_JSON_ARRAY || list->count != 3) {
        return false;
    }
    bool right = true;
    for (const slv_json_value *item = list->first; item; item = item->next) {
        right = right && item->type == SLV_JSON_NUMBER && item->number >= low &&
                item->number <= high && (!whole || item->number == floor(item->number));
    }
    return right;
}

static void read_numbers(const slv_json_value *list, double numbers[3]) {
    int d = 0;
    for (const slv_json_value *item = list->first; item; item = item->next) {
        numbers[d++] = item->number;
    }
}

static slv_result count_positions(const slv_scene *scene, const slv_json_value *list,
                                  const char *prefix, double *count, slv_error *error) {
    int64_t index = 0;
    for (const slv_json_value *item = list->first; item; item = item->next) {
        if (!are_numbers(item, -SLV_POSITION_LIMIT, SLV_POSITION_LIMIT, false)) {
            return refuse(scene, prefix, item, index, error);
        }
        index++;
    }
    *count = (double)index;
    return index > 0 ? SLV_OK : refuse(scene, prefix, list, -1, error);
}

static slv_result count_grid(const slv_scene *scene, const slv_json_value *grid, const char *prefix,
                             double *count, slv_error *error) {
    double counts[3];
    if (grid->count != 2 ||
        !are_numbers(slv_json_member(grid, "count"), 1, SLV_INSTANCES_MOST, true) ||
        !are_numbers(slv_json_member(grid, "spacing"), -SLV_POSITION_LIMIT, SLV_POSITION_LIMIT,
                     false)) {
        return refuse(scene, prefix, grid, -1, error);
    }
    read_numbers(slv_json_member(grid, "count"), counts);
    *count = counts[0] * counts[1] * counts[2];
    return SLV_OK;
}

slv_result slv_scene_count_instances(const slv_scene *scene, const slv_json_value *object,
                                     const char *prefix, uint32_t *count, slv_error *error) {
    const slv_json_value *value = slv_json_member(object, key);
    double number = 1.0;
    slv_result result = SLV_OK;
    if (value && value->type == SLV_JSON_ARRAY) {
        result = count_positions(scene, value, prefix, &number, error);
    } else if (value && value->type == SLV_JSON_OBJECT) {
        result = count_grid(scene, value, prefix, &number, error);
    } else if (value) {
        result = refuse(scene, prefix, value, -1, error);
    }
    if (value && result == SLV_OK && number > SLV_INSTANCES_MOST) {
        const slv_scene_location location = {prefix, key, -1, value->line};
        result = slv_scene_fail(scene, location, error, "%.0f copies, at most %d are possible",
                                number, SLV_INSTANCES_MOST);
    }
    *count = result == SLV_OK ? (uint32_t)number : 0;
    return result;
}

static void copy_object(slv_scene_object *copies, uint32_t n, const double position[3],
                        const double offset[3]) {
    copies[n] = copies[0];
    for (int d = 0; d < 3; d++) {
        copies[n].garment.position[d] = position[d] + offset[d];
    }
}

void slv_scene_make_instances(const slv_json_value *object, slv_scene_object *copies,
                              uint32_t count) {
    const slv_json_value *value = slv_json_member(object, key);
    const bool grid = value && value->type == SLV_JSON_OBJECT;
    const slv_json_value *item = value && !grid ? value->first : NULL;
    double counts[3] = {1.0, 1.0, 1.0};
    double spacing[3] = {0.0, 0.0, 0.0};
    double position[3];
    memcpy(position, copies[0].garment.position, sizeof position);
    if (grid) {
        read_numbers(slv_json_member(value, "count"), counts);
        read_numbers(slv_json_member(value, "spacing"), spacing);
    }
    const uint32_t row = (uint32_t)counts[0];
    const uint32_t layer = row * (uint32_t)counts[1];
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t cell[3] = {n % row, n % layer / row, n / layer};
        double offset[3];
        for (int d = 0; d < 3; d++) {
            offset[d] = spacing[d] * (double)cell[d];
        }
        if (item) {
            read_numbers(item, offset);
            item = item->next;
        }
        copy_object(copies, n, position, offset);
    }
}
