// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/scene/scene_data.h"

#include "formats/named_path.h"
#include "runtime/scene/scene_rotation.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// From a JSON value to a field: one function a kind of value. Each stores a value that is in range, or fails
// with the line of the value.

typedef slv_key_reader key_reader;

SLV_PRINTF(4, 5)
static slv_result fail_value(const key_reader *reader, const slv_json_value *value, int64_t index,
                             const char *format, ...) {
    const slv_scene_location location = {reader->prefix, reader->row->key, index, value->line};
    va_list arguments;
    va_start(arguments, format);
    const slv_result result =
        slv_scene_fail_list(reader->scene, location, reader->error, format, arguments);
    va_end(arguments);
    return result;
}

static slv_result fail_memory(const key_reader *reader) {
    return slv_fail(reader->error, SLV_ERROR_MEMORY, "out of memory");
}

static slv_result expect(const key_reader *reader, const slv_json_value *value, int64_t index,
                         slv_json_type type) {
    return value->type == type
               ? SLV_OK
               : fail_value(reader, value, index, "expected %s, not %s", slv_json_type_name(type),
                            slv_json_type_name(value->type));
}

// --- Numbers -------------------------------------------------------------------------------------

// "a number from 0 to 1000", "0 or a number from 1e-06 to 1000".
static const char *describe_range(const slv_parameter *row, const char *what, char *text,
                                  size_t size) {
    char besides[32] = "";
    if (row->none_in_scene || row->zero_in_scene) {
        (void)snprintf(besides, sizeof besides, "%g or ", row->none_in_scene ? row->none : 0.0);
    }
    (void)snprintf(text, size, "%s%s from %.10g to %.10g", besides, what, row->min, row->max);
    return text;
}

// As it is stored: rounding to a float may lead out of the range.
static bool is_in_range(const slv_parameter *row, double number) {
    const bool is_double = row->kind == SLV_VALUE_DOUBLE || row->kind == SLV_VALUE_POSITION ||
                           row->kind == SLV_VALUE_COUNT;
    return slv_is_between(number, row->min, row->max) &&
           (is_double || slv_is_between((double)(float)number, row->min, row->max));
}

// A value besides the range.
static bool is_besides(const slv_parameter *row, double number) {
    return (row->none_in_scene && number == row->none) || (row->zero_in_scene && number == 0.0);
}

static slv_result check_range(const key_reader *reader, const slv_json_value *value, int64_t index,
                              const char *what) {
    const slv_parameter *row = reader->row;
    if (is_in_range(row, value->number) || is_besides(row, value->number)) {
        return SLV_OK;
    }
    char range[120];
    return fail_value(reader, value, index, "%.40s is out of range; it must be %s", value->text,
                      describe_range(row, what, range, sizeof range));
}

static slv_result read_double(const key_reader *reader, const slv_json_value *value, int64_t index,
                              double *number) {
    slv_result result = expect(reader, value, index, SLV_JSON_NUMBER);
    if (result == SLV_OK) {
        *number = value->number;
        result = check_range(reader, value, index, "a number");
    }
    return result;
}

static slv_result read_float(const key_reader *reader, const slv_json_value *value, int64_t index,
                             float *number) {
    double exact = 0;
    slv_result result = read_double(reader, value, index, &exact);
    if (result == SLV_OK) {
        *number = (float)exact;
    }
    return result;
}

static slv_result read_whole(const key_reader *reader, const slv_json_value *value, int64_t index,
                             uint32_t *number) {
    slv_result result = expect(reader, value, index, SLV_JSON_NUMBER);
    if (result == SLV_OK && value->number != floor(value->number)) {
        char range[120];
        return fail_value(reader, value, index, "%.40s is no whole number; it must be %s",
                          value->text, describe_range(reader->row, "one", range, sizeof range));
    }
    if (result == SLV_OK) {
        result = check_range(reader, value, index, "a whole number");
    }
    if (result == SLV_OK) {
        *number = (uint32_t)value->number;
    }
    return result;
}

// A list of exactly count numbers.
static slv_result expect_numbers(const key_reader *reader, const slv_json_value *value,
                                 uint32_t count, const char *example) {
    slv_result result = expect(reader, value, -1, SLV_JSON_ARRAY);
    if (result == SLV_OK && value->count != count) {
        result = fail_value(reader, value, -1, "expected %u numbers, not %u: write it like %s",
                            count, value->count, example);
    }
    return result;
}

static slv_result read_vector(const key_reader *reader, const slv_json_value *value,
                              float vector[3]) {
    slv_result result = expect_numbers(reader, value, 3, "[0, 1.5, 0]");
    const slv_json_value *item = result == SLV_OK ? value->first : NULL;
    for (int i = 0; item && result == SLV_OK; i++, item = item->next) {
        result = read_float(reader, item, i, &vector[i]);
    }
    return result;
}

static slv_result read_position(const key_reader *reader, const slv_json_value *value,
                                double position[3]) {
    slv_result result = expect_numbers(reader, value, 3, "[0, 1.5, 0]");
    const slv_json_value *item = result == SLV_OK ? value->first : NULL;
    for (int i = 0; item && result == SLV_OK; i++, item = item->next) {
        result = read_double(reader, item, i, &position[i]);
    }
    return result;
}

static slv_result read_gravity(const key_reader *reader, const slv_json_value *value,
                               float gravity[3]) {
    if (value->type == SLV_JSON_ARRAY) {
        return read_vector(reader, value, gravity);
    }
    if (value->type != SLV_JSON_NUMBER) {
        return fail_value(reader, value, -1,
                          "expected a number (downwards) or a list of three, not %s",
                          slv_json_type_name(value->type));
    }
    float down = 0;
    slv_result result = read_float(reader, value, -1, &down);
    if (result == SLV_OK) {
        gravity[0] = gravity[2] = 0;
        gravity[1] = down == 0.0f ? 0.0f : -down; // no negative zero
    }
    return result;
}

static slv_result read_rotation(const key_reader *reader, const slv_json_value *value,
                                float rotation[4]) {
    slv_result result = expect(reader, value, -1, SLV_JSON_ARRAY);
    if (result == SLV_OK && value->count != 3 && value->count != 4) {
        result = fail_value(reader, value, -1,
                            "expected three angles in degrees, like [90, 0, 0], or a quaternion "
                            "x, y, z, w of four numbers, not %u",
                            value->count);
    }
    double numbers[4] = {0};
    const slv_json_value *item = result == SLV_OK ? value->first : NULL;
    for (int i = 0; item && result == SLV_OK; i++, item = item->next) {
        result = read_double(reader, item, i, &numbers[i]);
    }
    if (result != SLV_OK) {
        return result;
    }
    if (value->count == 3) {
        slv_rotation_from_degrees(numbers, rotation);
    } else if (!slv_rotation_from_quaternion(numbers, rotation)) {
        return fail_value(reader, value, -1,
                          "a quaternion of length 0 is no rotation; [0, 0, 0, 1] is none");
    }
    return SLV_OK;
}

static slv_result read_color(const key_reader *reader, const slv_json_value *value,
                             uint8_t color[3]) {
    slv_result result = expect_numbers(reader, value, 3, "[255, 94, 85]");
    const slv_json_value *item = result == SLV_OK ? value->first : NULL;
    for (int i = 0; item && result == SLV_OK; i++, item = item->next) {
        uint32_t part = 0;
        result = read_whole(reader, item, i, &part);
        color[i] = (uint8_t)part;
    }
    return result;
}

// --- Texts ---------------------------------------------------------------------------------------

static slv_result read_text(const key_reader *reader, const slv_json_value *value, int64_t index,
                            const char **text) {
    slv_result result = expect(reader, value, index, SLV_JSON_STRING);
    if (result == SLV_OK && value->length == 0) {
        result = fail_value(reader, value, index, "this text is empty");
    } else if (result == SLV_OK && strlen(value->text) != value->length) {
        result = fail_value(reader, value, index, "\\u0000 may not stand in this text");
    } else if (result == SLV_OK) {
        *text = value->text;
    }
    return result;
}

static slv_result read_choice(const key_reader *reader, const slv_json_value *value, int *choice) {
    const char *name = NULL;
    slv_result result = read_text(reader, value, -1, &name);
    if (result != SLV_OK) {
        return result;
    }
    const char *const *choices = reader->row->choices;
    const int found = slv_find_name(choices, name);
    if (found >= 0) {
        *choice = reader->row->first_choice + found;
        return SLV_OK;
    }
    char names[320] = ""; // of all solvers
    size_t used = 0;
    for (int i = 0; choices[i] && used < sizeof names; i++) {
        const int length =
            snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", choices[i]);
        used += length > 0 ? (size_t)length : 0;
    }
    return fail_value(reader, value, -1, "\"%.40s\" is none of the values there are: %s", name,
                      names);
}

static slv_result check_path(const key_reader *reader, const slv_json_value *value,
                             const char *name) {
    slv_error cause = {0};
    const slv_result result = slv_named_path_check(reader->scene->path, name, &cause);
    return result == SLV_OK             ? SLV_OK
           : result == SLV_ERROR_MEMORY ? fail_memory(reader)
                                        : fail_value(reader, value, -1, "%s", cause.text);
}

// A relative path is relative to the folder of the scene file.
static slv_result read_path(const key_reader *reader, const slv_json_value *value,
                            const char **path) {
    const char *text = NULL;
    slv_result result = read_text(reader, value, -1, &text);
    if (result == SLV_OK && text && !reader->scene->allow_paths) {
        result = check_path(reader, value, text);
    }
    if (result != SLV_OK || text == NULL || text[0] == '/') {
        *path = text;
        return result;
    }
    const char *slash = strrchr(reader->scene->path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - reader->scene->path) : 0;
    char *joined = slv_scene_allocate(reader->scene, folder + strlen(text) + 1);
    if (joined == NULL) {
        return fail_memory(reader);
    }
    memcpy(joined, reader->scene->path, folder);
    memcpy(joined + folder, text, strlen(text) + 1);
    *path = joined;
    return SLV_OK;
}

// --- Fixed particles -----------------------------------------------------------------------------

// Room for the items of a list or an object, of size bytes each. *items stays NULL where the value is of another
// type, is empty, or there is no memory.
static slv_result take_items(const key_reader *reader, const slv_json_value *value,
                             slv_json_type type, size_t size, void **items) {
    const slv_result result = expect(reader, value, -1, type);
    if (result != SLV_OK || value->count == 0) {
        return result;
    }
    *items = slv_scene_allocate(reader->scene, (size_t)value->count * size);
    return *items ? SLV_OK : fail_memory(reader);
}

static slv_result read_fixed(const key_reader *reader, const slv_json_value *value,
                             slv_garment_def *garment) {
    void *items = NULL;
    slv_result result = take_items(reader, value, SLV_JSON_ARRAY, sizeof(uint32_t), &items);
    if (items == NULL) {
        return result;
    }
    uint32_t *fixed = items;
    uint32_t count = 0;
    for (const slv_json_value *item = value->first; item && result == SLV_OK; item = item->next) {
        result = read_whole(reader, item, count, &fixed[count]);
        count++;
    }
    garment->fixed = fixed;
    garment->fixed_count = count;
    return result;
}

static slv_result read_names(const key_reader *reader, const slv_json_value *value,
                             slv_scene_names *target) {
    void *items = NULL;
    slv_result result = take_items(reader, value, SLV_JSON_ARRAY, sizeof(char *), &items);
    if (items == NULL) {
        return result;
    }
    const char **names = items;
    uint32_t count = 0;
    for (const slv_json_value *item = value->first; item && result == SLV_OK; item = item->next) {
        result = read_text(reader, item, count, &names[count]);
        count++;
    }
    *target = (slv_scene_names){names, count};
    return result;
}

static slv_result read_sets(const key_reader *reader, const slv_json_value *value,
                            slv_garment_def *garment) {
    slv_scene_names names = {garment->fixed_sets, garment->fixed_set_count};
    slv_result result = read_names(reader, value, &names);
    garment->fixed_sets = names.names;
    garment->fixed_set_count = names.count;
    return result;
}

// From -1 to below 0: no limit.
static slv_result read_limit(const key_reader *reader, const slv_json_value *value, int64_t index,
                             float *limit) {
    if (value->type == SLV_JSON_NUMBER && value->number >= (double)SLV_UNSET && value->number < 0) {
        *limit = SLV_UNSET;
        return SLV_OK;
    }
    return read_float(reader, value, index, limit);
}

// {"hem": [0.1, 0.02]}: distance and backstop for a set of the pack, or for all of it (*).
static slv_result read_limits(const key_reader *reader, const slv_json_value *value,
                              slv_garment_def *garment) {
    void *items = NULL;
    slv_result result = take_items(reader, value, SLV_JSON_OBJECT, sizeof(slv_limit_def), &items);
    if (items == NULL) {
        return result;
    }
    slv_limit_def *limits = items;
    uint32_t count = 0;
    for (const slv_json_value *item = value->first; item && result == SLV_OK; item = item->next) {
        limits[count].set = strcmp(item->name, "*") == 0 ? NULL : item->name;
        result = expect_numbers(reader, item, 2, "{\"hem\": [0.1, 0.02]}");
        if (result == SLV_OK) {
            result = read_limit(reader, item->first, count, &limits[count].max_distance);
        }
        if (result == SLV_OK) {
            result = read_limit(reader, item->first->next, count, &limits[count].backstop);
        }
        count++;
    }
    garment->limits = limits;
    garment->limit_count = count;
    return result;
}

static slv_garment_def *garment_of(void *field, size_t offset) {
    return (slv_garment_def *)(void *)((char *)field - offset);
}

// --- Kinds ---------------------------------------------------------------------------------------

static slv_result read_switch(const key_reader *reader, const slv_json_value *value, bool *target) {
    slv_result result = expect(reader, value, -1, SLV_JSON_BOOLEAN);
    if (result == SLV_OK) {
        *target = value->boolean;
    }
    return result;
}

slv_result slv_scene_read_value(const slv_key_reader *reader, const slv_json_value *value,
                                void *target) {
    switch (reader->row->kind) {
    case SLV_VALUE_FLOAT:
        return read_float(reader, value, -1, target);
    case SLV_VALUE_DOUBLE:
        return read_double(reader, value, -1, target);
    case SLV_VALUE_COUNT:
        return read_whole(reader, value, -1, target);
    case SLV_VALUE_SWITCH:
        return read_switch(reader, value, target);
    case SLV_VALUE_VECTOR:
        return read_vector(reader, value, target);
    case SLV_VALUE_POSITION:
        return read_position(reader, value, target);
    case SLV_VALUE_GRAVITY:
        return read_gravity(reader, value, target);
    case SLV_VALUE_ROTATION:
        return read_rotation(reader, value, target);
    case SLV_VALUE_COLOR:
        return read_color(reader, value, target);
    case SLV_VALUE_CHOICE:
        return read_choice(reader, value, target);
    case SLV_VALUE_PATH:
        return read_path(reader, value, target);
    case SLV_VALUE_NAMES:
        return read_names(reader, value, target);
    case SLV_VALUE_FIXED: // these three set a field and its count
        return read_fixed(reader, value, garment_of(target, offsetof(slv_garment_def, fixed)));
    case SLV_VALUE_SETS:
        return read_sets(reader, value, garment_of(target, offsetof(slv_garment_def, fixed_sets)));
    case SLV_VALUE_LIMITS:
        return read_limits(reader, value, garment_of(target, offsetof(slv_garment_def, limits)));
    case SLV_VALUE_INSTANCES: // read when objects are counted (scene_instances.c)
        break;
    case SLV_VALUE_COLLIDERS:
    case SLV_VALUE_LOCKS:
    case SLV_VALUE_OBJECTS: // read last, when the defaults of all objects are known
        return expect(reader, value, -1, SLV_JSON_ARRAY);
    case SLV_VALUE_PAINT: // its members are read with a key list of their own
        return expect(reader, value, -1, SLV_JSON_OBJECT);
    case SLV_VALUE_REMARK:
        return expect(reader, value, -1, SLV_JSON_STRING);
    case SLV_VALUE_TEXT:
    case SLV_VALUE_OTHER: // have no key
        break;
    }
    return SLV_OK;
}
