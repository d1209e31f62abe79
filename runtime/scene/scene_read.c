// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/scene/scene_data.h"

#include "runtime/scene/scene_rotation.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// From JSON to values, row by row of the key tables. One function a kind of key; each either stores a
// value that is in range or says in which line it is not.

typedef struct key_reader {
    slv_scene *scene;
    slv_error *error;
    const char *prefix;
    const slv_scene_key *key;
} key_reader;

SLV_PRINTF(4, 5)
static slv_result fail_value(const key_reader *reader, const slv_json_value *value, int64_t index,
                             const char *format, ...) {
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const slv_scene_place place = {reader->prefix, reader->key->name, index, value->line};
    return slv_scene_fail(reader->scene, place, reader->error, "%s", text);
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

// "a number above 0 and at most 1": what the key's row allows.
static const char *describe_range(const slv_scene_key *key, const char *what, char *text,
                                  size_t size) {
    if (key->min_open || key->max_open) {
        (void)snprintf(text, size, "%s %s %.10g and %s %.10g", what,
                       key->min_open ? "above" : "of at least", key->min,
                       key->max_open ? "below" : "at most", key->max);
    } else {
        (void)snprintf(text, size, "%s from %.10g to %.10g", what, key->min, key->max);
    }
    return text;
}

static slv_result check_range(const key_reader *reader, const slv_json_value *value, int64_t index,
                              const char *what, double number) {
    const slv_scene_key *key = reader->key;
    const bool low = key->min_open ? !(number > key->min) : !(number >= key->min);
    const bool high = key->max_open ? !(number < key->max) : !(number <= key->max);
    if (!low && !high) {
        return SLV_OK;
    }
    char range[120];
    return fail_value(reader, value, index, "%.40s is out of range; it must be %s", value->text,
                      describe_range(key, what, range, sizeof range));
}

static slv_result read_double(const key_reader *reader, const slv_json_value *value, int64_t index,
                              double *number) {
    slv_result result = expect(reader, value, index, SLV_JSON_NUMBER);
    if (result == SLV_OK) {
        *number = value->number;
        result = check_range(reader, value, index, "a number", value->number);
    }
    return result;
}

// As read_double, for what is kept as a float: the range holds after rounding too.
static slv_result read_float(const key_reader *reader, const slv_json_value *value, int64_t index,
                             float *number) {
    double exact = 0;
    slv_result result = read_double(reader, value, index, &exact);
    if (result == SLV_OK) {
        *number = (float)exact;
        result = check_range(reader, value, index, "a number", (double)*number);
    }
    return result;
}

static slv_result read_whole(const key_reader *reader, const slv_json_value *value, int64_t index,
                             uint32_t *number) {
    slv_result result = expect(reader, value, index, SLV_JSON_NUMBER);
    if (result == SLV_OK && value->number != floor(value->number)) {
        char range[120];
        return fail_value(reader, value, index, "%.40s is no whole number; it must be %s",
                          value->text, describe_range(reader->key, "one", range, sizeof range));
    }
    if (result == SLV_OK) {
        result = check_range(reader, value, index, "a whole number", value->number);
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
                          "a quaternion of length 0 turns nothing; [0, 0, 0, 1] stands still");
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

static slv_result read_solver(const key_reader *reader, const slv_json_value *value,
                              slv_solver *solver) {
    const char *name = NULL;
    slv_result result = read_text(reader, value, -1, &name);
    if (result != SLV_OK) {
        return result;
    }
    const slv_solver found = slv_solver_from_name(name);
    if (found != SLV_SOLVER_COUNT) {
        *solver = found;
        return SLV_OK;
    }
    char names[160] = "";
    size_t used = 0;
    for (int i = 0; i < SLV_SOLVER_COUNT && used < sizeof names; i++) {
        const int length = snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                    slv_solver_get_name((slv_solver)i));
        used += length > 0 ? (size_t)length : 0;
    }
    return fail_value(reader, value, -1, "\"%.40s\" is no solver; there are %s", name, names);
}

static slv_result read_shape(const key_reader *reader, const slv_json_value *value,
                             slv_collider_kind *kind) {
    const char *name = NULL;
    slv_result result = read_text(reader, value, -1, &name);
    *kind = result == SLV_OK ? slv_shape_from_name(name) : *kind;
    if (result == SLV_OK && slv_shape_name(*kind) == NULL) {
        result = fail_value(reader, value, -1,
                            "\"%.40s\" is no shape; there are plane, sphere, capsule, box, wedge, "
                            "funnel, field",
                            name);
    }
    return result;
}

static slv_result read_channel(const key_reader *reader, const slv_json_value *value,
                               slv_channel *channel) {
    const char *name = NULL;
    slv_result result = read_text(reader, value, -1, &name);
    *channel = result == SLV_OK ? slv_channel_from_name(name) : SLV_CHANNEL_NONE;
    if (result == SLV_OK && *channel == SLV_CHANNEL_NONE) {
        result =
            fail_value(reader, value, -1,
                       "\"%.40s\" is no channel of paint; there are red, green, blue, alpha", name);
    }
    return result;
}

// The folder of the scene file stands before a relative path.
static slv_result read_path(const key_reader *reader, const slv_json_value *value,
                            const char **path) {
    const char *text = NULL;
    slv_result result = read_text(reader, value, -1, &text);
    if (result != SLV_OK || text[0] == '/') {
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

static slv_result read_fixed(const key_reader *reader, const slv_json_value *value,
                             slv_garment_def *garment) {
    slv_result result = expect(reader, value, -1, SLV_JSON_ARRAY);
    if (result != SLV_OK || value->count == 0) {
        return result;
    }
    uint32_t *fixed = slv_scene_allocate(reader->scene, (size_t)value->count * sizeof *fixed);
    if (fixed == NULL) {
        return fail_memory(reader);
    }
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
    slv_result result = expect(reader, value, -1, SLV_JSON_ARRAY);
    if (result != SLV_OK || value->count == 0) {
        return result;
    }
    const char **names = slv_scene_allocate(reader->scene, (size_t)value->count * sizeof *names);
    if (names == NULL) {
        return fail_memory(reader);
    }
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

// {"hem": [0.1, 0.02]}: distance and backstop for a set of the pack, or for all of it (*).
static slv_result read_limits(const key_reader *reader, const slv_json_value *value,
                              slv_garment_def *garment) {
    slv_result result = expect(reader, value, -1, SLV_JSON_OBJECT);
    if (result != SLV_OK || value->count == 0) {
        return result;
    }
    slv_limit_def *limits =
        slv_scene_allocate(reader->scene, (size_t)value->count * sizeof *limits);
    if (limits == NULL) {
        return fail_memory(reader);
    }
    uint32_t count = 0;
    for (const slv_json_value *item = value->first; item && result == SLV_OK; item = item->next) {
        limits[count].set = strcmp(item->name, "*") == 0 ? NULL : item->name;
        result = expect_numbers(reader, item, 2, "{\"hem\": [0.1, 0.02]}");
        if (result == SLV_OK) {
            result = read_float(reader, item->first, count, &limits[count].max_distance);
        }
        if (result == SLV_OK) {
            result = read_float(reader, item->first->next, count, &limits[count].backstop);
        }
        if (limits[count].max_distance < 0.0f) {
            limits[count].max_distance = SLV_UNSET;
        }
        if (limits[count].backstop < 0.0f) {
            limits[count].backstop = SLV_UNSET;
        }
        count++;
    }
    garment->limits = limits;
    garment->limit_count = count;
    return result;
}

// --- Rows ----------------------------------------------------------------------------------------

static slv_result read_switch(const key_reader *reader, const slv_json_value *value, bool *target) {
    slv_result result = expect(reader, value, -1, SLV_JSON_BOOLEAN);
    if (result == SLV_OK) {
        *target = value->boolean;
    }
    return result;
}

static slv_result read_key(const key_reader *reader, const slv_json_value *value, void *record) {
    void *target = (char *)record + reader->key->offset;
    switch (reader->key->kind) {
    case SLV_KEY_NUMBER:
        return read_float(reader, value, -1, target);
    case SLV_KEY_SECONDS:
        return read_double(reader, value, -1, target);
    case SLV_KEY_COUNT:
        return read_whole(reader, value, -1, target);
    case SLV_KEY_SWITCH:
        return read_switch(reader, value, target);
    case SLV_KEY_VECTOR:
        return read_vector(reader, value, target);
    case SLV_KEY_GRAVITY:
        return read_gravity(reader, value, target);
    case SLV_KEY_ROTATION:
        return read_rotation(reader, value, target);
    case SLV_KEY_COLOR:
        return read_color(reader, value, target);
    case SLV_KEY_SOLVER:
        return read_solver(reader, value, target);
    case SLV_KEY_PATH:
        return read_path(reader, value, target);
    case SLV_KEY_FIXED:
        return read_fixed(reader, value, target);
    case SLV_KEY_SETS:
        return read_sets(reader, value, target);
    case SLV_KEY_NAMES:
        return read_names(reader, value, target);
    case SLV_KEY_LIMITS:
        return read_limits(reader, value, target);
    case SLV_KEY_SHAPE:
        return read_shape(reader, value, target);
    case SLV_KEY_COLLIDERS:
    case SLV_KEY_OBJECTS: // read last, when all defaults are known
        return expect(reader, value, -1, SLV_JSON_ARRAY);
    case SLV_KEY_CHANNEL:
        return read_channel(reader, value, target);
    case SLV_KEY_PAINT: // its members are read with the object's
        return expect(reader, value, -1, SLV_JSON_OBJECT);
    case SLV_KEY_REMARK:
        return expect(reader, value, -1, SLV_JSON_STRING);
    }
    return SLV_OK;
}

static slv_result add_warning(slv_scene *scene, const slv_json_value *value,
                              const slv_scene_key *key, slv_error *error) {
    const size_t size = strlen(scene->path) + strlen(key->name) + strlen(key->warning) + 32;
    char *text = slv_scene_allocate(scene, size);
    if (text == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    (void)snprintf(text, size, "%s:%u: %s: %s", scene->path, value->line, key->name, key->warning);
    scene->warnings[scene->values.settings.warning_count++] = text;
    return SLV_OK;
}

typedef struct key_table {
    const slv_scene_key *keys;
    size_t count;
    const char *prefix; // "softObjects[1]." or ""
} key_table;

static slv_result read_member(slv_scene *scene, const key_table *table,
                              const slv_json_value *member, void *record, slv_error *error) {
    const slv_scene_key *key = slv_find_scene_key(table->keys, table->count, member->name);
    if (key == NULL) {
        char name[48];
        (void)snprintf(name, sizeof name, "%.40s", member->name);
        const slv_scene_place place = {table->prefix, name, -1, member->name_line};
        const slv_scene_key *guess = slv_guess_scene_key(table->keys, table->count, member->name);
        return guess ? slv_scene_fail(scene, place, error, "unknown key; did you mean %s?",
                                      guess->name)
                     : slv_scene_fail(scene, place, error,
                                      "unknown key; docs/SCENES.md lists all there are");
    }
    const key_reader reader = {scene, error, table->prefix, key};
    slv_result result = read_key(&reader, member, record);
    if (result == SLV_OK && key->warning) {
        result = add_warning(scene, member, key, error);
    }
    return result;
}

// The paper's scenes name a folder of models there; what plays here is a collider pack.
static slv_result settle_model(slv_scene *scene, const slv_json_value *root, slv_error *error) {
    slv_scene_settings *settings = &scene->values.settings;
    const size_t length = settings->model_path ? strlen(settings->model_path) : 0;
    if (length == 0) {
        return SLV_OK;
    }
    if (length > 4 && strcmp(settings->model_path + length - 4, ".slv") == 0) {
        settings->model.pack_path = settings->model_path;
        return SLV_OK;
    }
    const slv_scene_key key = {.name = "modelPath",
                               .warning = "this is no collider pack (.slv), and is left out; "
                                          "selvage-bake-collider makes one of a model"};
    return add_warning(scene, slv_json_member(root, "modelPath"), &key, error);
}

static slv_result read_members(slv_scene *scene, const key_table *table,
                               const slv_json_value *object, void *record, slv_error *error) {
    slv_result result = SLV_OK;
    for (const slv_json_value *member = object->first; member && result == SLV_OK;
         member = member->next) {
        result = read_member(scene, table, member, record, error);
    }
    for (size_t i = 0; i < table->count && result == SLV_OK; i++) {
        const slv_scene_key *key = &table->keys[i];
        if (key->required && slv_json_member(object, key->name) == NULL) {
            const slv_scene_place place = {table->prefix, key->name, -1, object->line};
            result = slv_scene_fail(scene, place, error, "this key is missing and must be there");
        }
    }
    return result;
}

static slv_result read_object(slv_scene *scene, const slv_json_value *value, uint32_t index,
                              slv_error *error) {
    char prefix[40];
    key_table table = {.prefix = prefix};
    table.keys = slv_scene_object_keys(&table.count);
    if (value->type != SLV_JSON_OBJECT) {
        const slv_scene_place place = {"", "softObjects", index, value->line};
        return slv_scene_fail(scene, place, error, "expected an object, not %s",
                              slv_json_type_name(value->type));
    }
    (void)snprintf(prefix, sizeof prefix, "softObjects[%u].", index);
    slv_scene_object *object = &scene->objects[index];
    *object = (slv_scene_object){.garment = scene->values.garment, .color = {204, 204, 204}};
    slv_result result = read_members(scene, &table, value, object, error);
    const slv_json_value *paint = slv_json_member(value, "paint");
    if (result == SLV_OK && paint) {
        (void)snprintf(prefix, sizeof prefix, "softObjects[%u].paint.", index);
        table.keys = slv_scene_paint_keys(&table.count);
        result = read_members(scene, &table, paint, &object->garment.paint, error);
    }
    return result;
}

// --- Colliders -----------------------------------------------------------------------------------

static slv_result read_collider(slv_scene *scene, const slv_json_value *value, uint32_t index,
                                slv_error *error) {
    char prefix[32];
    key_table table = {.prefix = prefix};
    table.keys = slv_scene_collider_keys(&table.count);
    if (value->type != SLV_JSON_OBJECT) {
        const slv_scene_place place = {"", "colliders", index, value->line};
        return slv_scene_fail(scene, place, error, "expected an object, not %s",
                              slv_json_type_name(value->type));
    }
    (void)snprintf(prefix, sizeof prefix, "colliders[%u].", index);
    slv_scene_collider *collider = &scene->colliders[index];
    *collider = (slv_scene_collider){.def = slv_default_collider_def(),
                                     .low = {NAN, NAN, NAN},
                                     .high = {NAN, NAN, NAN},
                                     .normal = {NAN, NAN, NAN},
                                     .offset = NAN};
    slv_result result = read_members(scene, &table, value, collider, error);
    return result == SLV_OK ? slv_scene_finish_collider(scene, value, prefix, collider, error)
                            : result;
}

static slv_result read_colliders(slv_scene *scene, const slv_json_value *list, slv_error *error) {
    if (list == NULL || list->count == 0) {
        return SLV_OK;
    }
    scene->colliders = slv_scene_allocate(scene, (size_t)list->count * sizeof *scene->colliders);
    if (scene->colliders == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result result = SLV_OK;
    uint32_t index = 0;
    for (const slv_json_value *item = list->first; item && result == SLV_OK; item = item->next) {
        result = read_collider(scene, item, index++, error);
    }
    scene->values.settings.collider_count = index;
    return result;
}

slv_result slv_scene_read(slv_scene *scene, slv_error *error) {
    const slv_json_value *root = slv_json_root(scene->json);
    key_table table = {.prefix = ""};
    table.keys = slv_scene_keys(&table.count);
    if (root->type != SLV_JSON_OBJECT) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%s:%u: a scene is an object in braces, not %s",
                        scene->path, root->line, slv_json_type_name(root->type));
    }
    scene->warnings = slv_scene_allocate(scene, table.count * sizeof *scene->warnings);
    if (scene->warnings == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result result = read_members(scene, &table, root, &scene->values, error);
    if (result != SLV_OK) {
        return result;
    }
    scene->values.settings.has_camera_target =
        slv_json_member(root, "cameraTarget")->type != SLV_JSON_NULL;
    result = settle_model(scene, root, error);
    if (result == SLV_OK) {
        result = read_colliders(scene, slv_json_member(root, "colliders"), error);
    }
    if (result != SLV_OK) {
        return result;
    }
    const slv_json_value *list = slv_json_member(root, "softObjects");
    scene->objects = slv_scene_allocate(scene, (size_t)list->count * sizeof *scene->objects);
    if (scene->objects == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    uint32_t index = 0;
    for (const slv_json_value *item = list->first; item && result == SLV_OK; item = item->next) {
        result = read_object(scene, item, index++, error);
    }
    scene->values.settings.object_count = index;
    return result;
}
