// SPDX-License-Identifier: MIT
#include "runtime/scene/scene_data.h"

#include "runtime/scene/scene_instances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// From the JSON of a scene file to its values: each member of an object is found in a key list and read as
// its row says.

static slv_result add_warning(slv_scene *scene, const slv_json_value *value, const char *warning,
                              slv_error *error) {
    const size_t size = strlen(scene->path) + strlen(value->name) + strlen(warning) + 32;
    char *text = slv_scene_allocate(scene, size);
    if (text == NULL) {
        return slv_no_memory(error);
    }
    (void)snprintf(text, size, "%s:%u: %s: %s", scene->path, value->line, value->name, warning);
    scene->warnings[scene->values.settings.warning_count++] = text;
    return SLV_OK;
}

// An object of the file: the keys it may have, and its name in messages.
typedef struct object_reader {
    slv_scene *scene;
    const slv_key_list *keys;
    const char *prefix; // "softObjects[1]." or ""
} object_reader;

static slv_result read_member(const object_reader *reader, const slv_json_value *member,
                              void *record, slv_error *error) {
    const slv_key key = slv_find_key(reader->keys, member->name);
    if (key.row == NULL) {
        char name[48];
        (void)snprintf(name, sizeof name, "%.40s", member->name);
        const slv_scene_location location = {reader->prefix, name, -1, member->name_line};
        const slv_key guess = slv_guess_key(reader->keys, member->name);
        return guess.row ? slv_scene_fail(reader->scene, location, error,
                                          "unknown key; did you mean %s?", guess.row->key)
                         : slv_scene_fail(reader->scene, location, error,
                                          "unknown key; docs/SCENES.md lists all keys");
    }
    const slv_key_reader value = {reader->scene, error, reader->prefix, key.row};
    return slv_scene_read_value(&value, member, (char *)record + key.offset);
}

// Garments of a scene with a model collide with it and with each other, unless the scene says otherwise. The paper's
// scenes name a folder of models in modelPath; this loader plays collider packs.
static slv_result settle_model(slv_scene *scene, const slv_json_value *root, slv_error *error) {
    const char *path = scene->values.settings.model_path;
    const size_t length = path ? strlen(path) : 0;
    if (length == 0) {
        return SLV_OK;
    }
    if (length > 4 && strcmp(path + length - 4, ".slv") == 0) {
        scene->values.model.pack_path = path;
        if (slv_json_member(root, "garmentCollision") == NULL) {
            scene->values.garment.garment_collision = true;
        }
        return SLV_OK;
    }
    return add_warning(scene, slv_json_member(root, "modelPath"),
                       "this is no collider pack (.slv) and is left out; selvage-bake-collider "
                       "makes one of a model",
                       error);
}

static slv_result read_members(const object_reader *reader, const slv_json_value *object,
                               void *record, slv_error *error) {
    slv_result result = SLV_OK;
    for (const slv_json_value *member = object->first; member && result == SLV_OK;
         member = member->next) {
        result = read_member(reader, member, record, error);
    }
    slv_key key = slv_key_at(reader->keys, 0);
    for (size_t i = 1; key.row && result == SLV_OK; key = slv_key_at(reader->keys, i++)) {
        if (key.row->required && slv_json_member(object, key.row->key) == NULL) {
            const slv_scene_location location = {reader->prefix, key.row->key, -1, object->line};
            result = slv_scene_fail(reader->scene, location, error, "this key is missing");
        }
    }
    return result;
}

// Element `index` of the list `key` must be an object.
static slv_result expect_object(const slv_scene *scene, const char *key, uint32_t index,
                                const slv_json_value *value, slv_error *error) {
    const slv_scene_location location = {"", key, index, value->line};
    return value->type == SLV_JSON_OBJECT
               ? SLV_OK
               : slv_scene_fail(scene, location, error, "expected an object, not %s",
                                slv_json_type_name(value->type));
}

// An entry of softObjects: the first of its copies.
static slv_result read_object(slv_scene *scene, const slv_json_value *value, uint32_t entry,
                              slv_scene_object *object, slv_error *error) {
    char prefix[40];
    object_reader reader = {scene, &slv_object_keys, prefix};
    (void)snprintf(prefix, sizeof prefix, "softObjects[%u].", entry);
    slv_fill_record(&slv_object_keys, object);
    object->garment = scene->values.garment;
    slv_result result = read_members(&reader, value, object, error);
    const slv_json_value *paint = slv_json_member(value, "paint");
    if (result == SLV_OK && paint) {
        (void)snprintf(prefix, sizeof prefix, "softObjects[%u].paint.", entry);
        reader.keys = &slv_paint_keys;
        result = read_members(&reader, paint, &object->garment.paint, error);
    }
    return result;
}

static slv_result count_objects(slv_scene *scene, const slv_json_value *list, uint64_t *count,
                                slv_error *error) {
    slv_result result = SLV_OK;
    uint32_t entry = 0;
    *count = 0;
    for (const slv_json_value *item = list->first; item && result == SLV_OK; item = item->next) {
        char prefix[40];
        uint32_t copies = 0;
        (void)snprintf(prefix, sizeof prefix, "softObjects[%u].", entry);
        result = expect_object(scene, "softObjects", entry++, item, error);
        if (result == SLV_OK) {
            result = slv_scene_count_instances(scene, item, prefix, &copies, error);
        }
        *count += copies;
    }
    if (result == SLV_OK && *count > SLV_INSTANCES_MOST && *count > list->count) {
        const slv_scene_location location = {"", "softObjects", -1, list->line};
        result = slv_scene_fail(scene, location, error,
                                "%llu objects with their copies, at most %d are possible",
                                (unsigned long long)*count, SLV_INSTANCES_MOST);
    }
    return result;
}

static slv_result read_objects(slv_scene *scene, const slv_json_value *list, slv_error *error) {
    uint64_t count = 0;
    slv_result result = count_objects(scene, list, &count, error);
    if (result != SLV_OK) {
        return result;
    }
    scene->objects = slv_scene_allocate(scene, (size_t)count * sizeof *scene->objects);
    scene->entries = slv_scene_allocate(scene, (size_t)count * sizeof *scene->entries);
    if (scene->objects == NULL || scene->entries == NULL) {
        return slv_no_memory(error);
    }
    uint32_t entry = 0;
    uint32_t first = 0;
    for (const slv_json_value *item = list->first; item && result == SLV_OK; item = item->next) {
        uint32_t copies = 0;
        (void)slv_scene_count_instances(scene, item, "", &copies, error);
        result = read_object(scene, item, entry, &scene->objects[first], error);
        slv_scene_make_instances(item, scene->objects + first, copies);
        for (uint32_t n = first; n < first + copies; n++) {
            scene->entries[n] = entry;
        }
        first += copies;
        entry++;
    }
    scene->values.settings.object_count = first;
    return result;
}

// --- Origin --------------------------------------------------------------------------------------

// Metres between origins that are chosen. A scene that is moved by a multiple of it plays bit for bit as before. Garments
// are at most half of it from the origin where they are close together; there the last bit of a float is 0.5 um.
static const double origin_spacing = 16.0;

// The multiple nearest to the center of the garments and the model.
static void choose_origin(slv_scene *scene) {
    const slv_clip_def *model = &scene->values.model;
    for (int d = 0; d < 3; d++) {
        double low = model->pack_path ? model->position[d] : HUGE_VAL;
        double high = model->pack_path ? model->position[d] : -HUGE_VAL;
        for (uint32_t i = 0; i < scene->values.settings.object_count; i++) {
            low = fmin(low, scene->objects[i].garment.position[d]);
            high = fmax(high, scene->objects[i].garment.position[d]);
        }
        const double center = 0.5 * (low + high);
        scene->values.world.origin[d] = origin_spacing * rint(center / origin_spacing) + 0.0;
    }
}

// --- Colliders -----------------------------------------------------------------------------------

static slv_result read_collider(slv_scene *scene, const slv_json_value *value, uint32_t index,
                                slv_error *error) {
    char prefix[32];
    const object_reader reader = {scene, &slv_collider_keys, prefix};
    slv_result result = expect_object(scene, "colliders", index, value, error);
    if (result != SLV_OK) {
        return result;
    }
    (void)snprintf(prefix, sizeof prefix, "colliders[%u].", index);
    slv_scene_collider *collider = &scene->colliders[index];
    slv_fill_record(&slv_collider_keys, collider);
    collider->def = slv_default_collider_def();
    result = read_members(&reader, value, collider, error);
    return result == SLV_OK ? slv_scene_finish_collider(scene, value, prefix, collider, error)
                            : result;
}

static slv_result read_colliders(slv_scene *scene, const slv_json_value *list, slv_error *error) {
    if (list == NULL || list->count == 0) {
        return SLV_OK;
    }
    scene->colliders = slv_scene_allocate(scene, (size_t)list->count * sizeof *scene->colliders);
    if (scene->colliders == NULL) {
        return slv_no_memory(error);
    }
    slv_result result = SLV_OK;
    uint32_t index = 0;
    for (const slv_json_value *item = list->first; item && result == SLV_OK; item = item->next) {
        result = read_collider(scene, item, index++, error);
    }
    scene->values.settings.collider_count = index;
    return result;
}

// --- Locks ---------------------------------------------------------------------------------------

// Objects are known; particles are not, before packs are read.
static slv_result check_object(const slv_scene *scene, const slv_json_value *value,
                               const char *prefix, const char *key, uint32_t object,
                               slv_error *error) {
    const slv_scene_location location = {prefix, key, -1, slv_json_member(value, key)->line};
    const uint32_t count = scene->values.settings.object_count;
    return object < count
               ? SLV_OK
               : slv_scene_fail(scene, location, error,
                                "%u is out of range; the scene has %u objects, counted from 0",
                                object, count);
}

static slv_result read_lock(slv_scene *scene, const slv_json_value *value, uint32_t index,
                            slv_error *error) {
    char prefix[32];
    const object_reader reader = {scene, &slv_lock_keys, prefix};
    slv_result result = expect_object(scene, "locks", index, value, error);
    if (result != SLV_OK) {
        return result;
    }
    (void)snprintf(prefix, sizeof prefix, "locks[%u].", index);
    slv_scene_lock *lock = &scene->locks[index];
    slv_fill_record(&slv_lock_keys, lock);
    lock->def = slv_default_lock_def();
    result = read_members(&reader, value, lock, error);
    if (result == SLV_OK) {
        result = check_object(scene, value, prefix, "object", lock->object, error);
    }
    return result == SLV_OK
               ? check_object(scene, value, prefix, "otherObject", lock->other_object, error)
               : result;
}

static slv_result read_locks(slv_scene *scene, const slv_json_value *list, slv_error *error) {
    if (list == NULL || list->count == 0) {
        return SLV_OK;
    }
    scene->locks = slv_scene_allocate(scene, (size_t)list->count * sizeof *scene->locks);
    if (scene->locks == NULL) {
        return slv_no_memory(error);
    }
    slv_result result = SLV_OK;
    uint32_t index = 0;
    for (const slv_json_value *item = list->first; item && result == SLV_OK; item = item->next) {
        result = read_lock(scene, item, index++, error);
    }
    scene->values.settings.lock_count = index;
    return result;
}

slv_result slv_scene_read(slv_scene *scene, slv_error *error) {
    const slv_json_value *root = slv_json_root(scene->json);
    const object_reader reader = {scene, &slv_scene_keys, ""};
    if (root->type != SLV_JSON_OBJECT) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%s:%u: a scene is an object in braces, not %s",
                        scene->path, root->line, slv_json_type_name(root->type));
    }
    scene->warnings =
        slv_scene_allocate(scene, sizeof *scene->warnings); // modelPath has the only one
    if (scene->warnings == NULL) {
        return slv_no_memory(error);
    }
    slv_result result = read_members(&reader, root, &scene->values, error);
    if (result != SLV_OK) {
        return result;
    }
    scene->values.settings.has_camera_target = slv_json_member(root, "cameraTarget") != NULL;
    result = settle_model(scene, root, error);
    if (result == SLV_OK) {
        result = read_objects(scene, slv_json_member(root, "softObjects"), error);
    }
    if (result == SLV_OK && slv_json_member(root, "origin") == NULL) {
        choose_origin(scene);
    }
    for (int d = 0; d < 3 && slv_json_member(root, "cameraPos") == NULL; d++) {
        scene->values.settings.camera_position[d] += scene->values.world.origin[d];
    }
    if (result == SLV_OK) { // corners of boxes are relative to the origin
        result = read_colliders(scene, slv_json_member(root, "colliders"), error);
    }
    return result == SLV_OK ? read_locks(scene, slv_json_member(root, "locks"), error) : result;
}
