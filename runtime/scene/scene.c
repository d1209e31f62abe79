// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/scene/scene_data.h"

#include "formats/file_bytes.h"
#include "formats/garment.h"
#include "runtime/base/float_modes.h"
#include "runtime/world/rebuild.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A scene holds the values of its file and the JSON that they were read from. The JSON gives the line of a
// value that turns out to be wrong later, such as a number in "fixed" beyond the particles of the pack.

enum { SCENE_COOKIE = 0x5C3E41D7 };

#define LONGEST_SHOWN_PATH 200 // bytes of a path in messages, from its end

struct slv_scene_memory {
    slv_scene_memory *next;
    max_align_t bytes[];
};

void *slv_scene_allocate(slv_scene *scene, size_t size) {
    slv_scene_memory *memory =
        size > SIZE_MAX - sizeof *memory ? NULL : calloc(1, sizeof *memory + size);
    if (memory == NULL) {
        return NULL;
    }
    memory->next = scene->memory_list;
    scene->memory_list = memory;
    return memory->bytes;
}

void slv_scene_destroy(slv_scene *scene) {
    if (scene == NULL) {
        return;
    }
    for (slv_scene_memory *memory = scene->memory_list; memory;) {
        slv_scene_memory *next = memory->next;
        free(memory);
        memory = next;
    }
    slv_json_free(scene->json);
    free(scene);
}

static const char *shown_path(const char *path) {
    const size_t length = strlen(path);
    return length > LONGEST_SHOWN_PATH ? path + (length - LONGEST_SHOWN_PATH) : path;
}

slv_result slv_scene_fail(const slv_scene *scene, slv_scene_location location, slv_error *error,
                          const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const slv_result result = slv_scene_fail_list(scene, location, error, format, arguments);
    va_end(arguments);
    return result;
}

slv_result slv_scene_fail_list(const slv_scene *scene, slv_scene_location location,
                               slv_error *error, const char *format, va_list arguments) {
    char text[320];
    (void)vsnprintf(text, sizeof text, format, arguments);
    char element[24] = "";
    if (location.index >= 0) {
        (void)snprintf(element, sizeof element, "[%lld]", (long long)location.index);
    }
    return slv_fail(error, SLV_ERROR_CONTENT, "%s:%u: %s%s%s: %s", shown_path(scene->path),
                    location.line, location.prefix, location.key, element, text);
}

// --- Loading -------------------------------------------------------------------------------------

static slv_result tell(slv_result status, const char *text, char *message, size_t size) {
    if (message && size > 0) {
        (void)snprintf(message, size, "%s", text);
    }
    return status;
}

static void set_defaults(slv_scene *scene) {
    slv_fill_record(&slv_scene_keys, &scene->values);
    scene->values.world = slv_default_world_def();
    scene->values.garment = slv_default_garment_def();
    scene->values.model = slv_default_clip_def();
}

// The size is checked before memory is allocated for the file. The file is copied, not mapped: another
// program may truncate it meanwhile.
static slv_result copy_file(const char *path, slv_file_bytes *file, slv_error *cause) {
    size_t size = 0;
    char first;
    slv_result result = slv_file_bytes_head(path, &first, sizeof first, &size, cause);
    if (result == SLV_OK && size > SLV_JSON_MAX_SIZE) {
        return slv_fail(cause, SLV_ERROR_CONTENT, "has %zu bytes, a scene file has at most %u",
                        size, SLV_JSON_MAX_SIZE);
    }
    return result == SLV_OK ? slv_file_bytes_copy(path, file, cause) : result;
}

static slv_result read_file(slv_scene *scene, slv_error *error) {
    slv_file_bytes file = {0};
    slv_error cause = {0};
    slv_result result = copy_file(scene->path, &file, &cause);
    if (result != SLV_OK) {
        return slv_fail(error, result, "%s: %s", shown_path(scene->path), cause.text);
    }
    result = slv_json_parse(file.bytes ? file.bytes : "", file.size, &scene->json, &cause);
    slv_file_bytes_free(&file);
    if (result != SLV_OK) {
        return slv_fail(error, result, "%s:%s", shown_path(scene->path), cause.text);
    }
    return slv_scene_read(scene, error);
}

slv_scene_def slv_default_scene_def(void) {
    return (slv_scene_def){.cookie = SCENE_COOKIE};
}

slv_result slv_scene_load(const char *path, slv_scene **scene, char *message, size_t size) {
    slv_scene_def def = slv_default_scene_def();
    def.path = path;
    return slv_scene_load_def(&def, scene, message, size);
}

slv_result slv_scene_load_def(const slv_scene_def *def, slv_scene **scene, char *message,
                              size_t size) {
    SLV_DEFAULT_FLOAT_MODES;
    if (scene) {
        *scene = NULL;
    }
    if (def == NULL || def->cookie != SCENE_COOKIE) {
        return tell(SLV_ERROR_ARGUMENT, "def: a definition must come from slv_default_scene_def",
                    message, size);
    }
    const char *path = def->path;
    if (path == NULL || scene == NULL) {
        return tell(SLV_ERROR_ARGUMENT, "path and scene must not be NULL", message, size);
    }
    slv_scene *made = calloc(1, sizeof *made);
    char *copy = made ? slv_scene_allocate(made, strlen(path) + 1) : NULL;
    if (copy == NULL) {
        slv_scene_destroy(made);
        return tell(SLV_ERROR_MEMORY, "out of memory", message, size);
    }
    memcpy(copy, path, strlen(path) + 1);
    made->path = copy;
    made->allow_paths = def->allow_paths;
    set_defaults(made);
    slv_error error = {0};
    slv_result result = read_file(made, &error);
    if (result != SLV_OK) {
        slv_scene_destroy(made);
        return tell(result, error.text, message, size);
    }
    *scene = made;
    return tell(SLV_OK, "", message, size);
}

// --- Getters -------------------------------------------------------------------------------------

slv_scene_settings slv_scene_get_settings(const slv_scene *scene) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_scene_settings settings = {0};
    if (scene) {
        settings = scene->values.settings;
        settings.parameters = scene->values.world.parameters;
        settings.time_step = scene->values.world.time_step;
        settings.model = scene->values.model;
        settings.tearing_threshold = scene->values.garment.tearing_threshold;
    }
    return settings;
}

slv_result slv_scene_get_object(const slv_scene *scene, uint32_t index, slv_scene_object *object) {
    if (scene == NULL || object == NULL || index >= scene->values.settings.object_count) {
        return SLV_ERROR_ARGUMENT;
    }
    *object = scene->objects[index];
    return SLV_OK;
}

slv_result slv_scene_get_collider(const slv_scene *scene, uint32_t index,
                                  slv_collider_def *collider) {
    if (scene == NULL || collider == NULL || index >= scene->values.settings.collider_count) {
        return SLV_ERROR_ARGUMENT;
    }
    *collider = scene->colliders[index].def;
    return SLV_OK;
}

slv_result slv_scene_get_lock(const slv_scene *scene, uint32_t index, slv_scene_lock *lock) {
    if (scene == NULL || lock == NULL || index >= scene->values.settings.lock_count) {
        return SLV_ERROR_ARGUMENT;
    }
    *lock = scene->locks[index];
    return SLV_OK;
}

const char *slv_scene_get_warning(const slv_scene *scene, uint32_t index) {
    return scene && index < scene->values.settings.warning_count ? scene->warnings[index] : NULL;
}

slv_world_def slv_scene_get_world_def(const slv_scene *scene) {
    SLV_DEFAULT_FLOAT_MODES;
    return scene ? scene->values.world : slv_default_world_def();
}

// --- Making a world ------------------------------------------------------------------------------

static const slv_json_value *nth_child(const slv_json_value *list, uint32_t n) {
    const slv_json_value *child = list ? list->first : NULL;
    while (child && n-- > 0) {
        child = child->next;
    }
    return child;
}

static bool has_set(const slv_garment *garment, const char *name) {
    for (uint32_t i = 0; i < garment->set_count; i++) {
        const slv_named_set set = slv_garment_get_set(garment, i);
        if (strlen(name) == set.name_length && !memcmp(set.name, name, set.name_length)) {
            return true;
        }
    }
    return false;
}

// Finds the number in "fixed" or the name in "fixedSets" that the pack does not have, with its line.
static bool find_wrong_fixed(const slv_scene *scene, uint32_t index, const slv_json_value *object,
                             const slv_garment *garment, slv_error *error) {
    const slv_garment_def *def = &scene->objects[index].garment;
    char prefix[32];
    (void)snprintf(prefix, sizeof prefix, "softObjects[%u].", scene->entries[index]);
    for (uint32_t i = 0; i < def->fixed_count; i++) {
        if (def->fixed[i] >= garment->info.particle_count) {
            const slv_json_value *item = nth_child(slv_json_member(object, "fixed"), i);
            const slv_scene_location location = {prefix, "fixed", i, item->line};
            (void)slv_scene_fail(scene, location, error,
                                 "%u is out of range; the pack has %u particles, counted from 0",
                                 def->fixed[i], garment->info.particle_count);
            return true;
        }
    }
    for (uint32_t i = 0; i < def->fixed_set_count; i++) {
        if (!has_set(garment, def->fixed_sets[i])) {
            const slv_json_value *item = nth_child(slv_json_member(object, "fixedSets"), i);
            const slv_scene_location location = {prefix, "fixedSets", i, item->line};
            (void)slv_scene_fail(scene, location, error,
                                 "the pack has no set \"%.60s\"; selvage-inspect PACK --dump sets "
                                 "lists them",
                                 def->fixed_sets[i]);
            return true;
        }
    }
    return false;
}

static bool find_wrong_key(const slv_scene *scene, uint32_t index, const slv_json_value *object,
                           slv_error *error) {
    slv_pack *pack = NULL;
    slv_garment garment;
    bool found = false;
    if (slv_pack_open(scene->objects[index].garment.pack_path, NULL, &pack, NULL) == SLV_OK &&
        slv_garment_open(pack, &garment, NULL) == SLV_OK) {
        found = find_wrong_fixed(scene, index, object, &garment, error);
    }
    slv_pack_close(pack);
    return found;
}

// Why the world refused an object, with the key and line where they are known.
static void explain(const slv_scene *scene, uint32_t index, slv_result status, const char *reason,
                    slv_error *error) {
    const slv_json_value *list = slv_json_member(slv_json_root(scene->json), "softObjects");
    const uint32_t entry = scene->entries[index];
    const slv_json_value *object = nth_child(list, entry);
    if (status == SLV_ERROR_FILE || status == SLV_ERROR_CONTENT) {
        char prefix[32];
        (void)snprintf(prefix, sizeof prefix, "softObjects[%u].", entry);
        const slv_scene_location location = {prefix, "src", -1,
                                             slv_json_member(object, "src")->line};
        (void)slv_scene_fail(scene, location, error, "%s: %s",
                             shown_path(scene->objects[index].garment.pack_path), reason);
    } else if (status != SLV_ERROR_ARGUMENT || !find_wrong_key(scene, index, object, error)) {
        const slv_scene_location location = {"", "softObjects", entry, object->line};
        (void)slv_scene_fail(scene, location, error, "%s", reason);
    }
}

static slv_result add_model(const slv_scene *scene, slv_world *world, slv_clip_id *clip,
                            slv_error *error) {
    const slv_json_value *root = slv_json_root(scene->json);
    slv_result status = SLV_OK;
    if (scene->values.model.pack_path) {
        status = slv_world_add_clip(world, &scene->values.model, clip);
    }
    if (status != SLV_OK) {
        const slv_scene_location location = {"", "modelPath", -1,
                                             slv_json_member(root, "modelPath")->line};
        (void)slv_scene_fail(scene, location, error, "%s: %s",
                             shown_path(scene->values.settings.model_path),
                             slv_world_get_message(world));
    }
    return status;
}

// Garment i of the world is object i of the scene.
static slv_result attach_objects(const slv_scene *scene, slv_world *world, slv_clip_id clip,
                                 slv_error *error) {
    const slv_json_value *root = slv_json_root(scene->json);
    for (uint32_t i = 0; i < scene->values.settings.object_count; i++) {
        const slv_scene_names *names = &scene->objects[i].attachments;
        for (uint32_t k = 0; k < names->count; k++) {
            if (slv_clip_attach(world, clip, names->names[k], slv_world_get_garment(world, i)) !=
                SLV_OK) {
                const uint32_t entry = scene->entries[i];
                const slv_json_value *object =
                    nth_child(slv_json_member(root, "softObjects"), entry);
                char prefix[32];
                (void)snprintf(prefix, sizeof prefix, "softObjects[%u].", entry);
                const slv_scene_location location = {prefix, "attachedTo", k,
                                                     slv_json_member(object, "attachedTo")->line};
                (void)slv_scene_fail(scene, location, error, "%s", slv_world_get_message(world));
                return SLV_ERROR_CONTENT;
            }
        }
    }
    return SLV_OK;
}

static slv_result add_colliders(const slv_scene *scene, slv_world *world, slv_error *error) {
    slv_result status = SLV_OK;
    const slv_json_value *list = slv_json_member(slv_json_root(scene->json), "colliders");
    for (uint32_t i = 0; status == SLV_OK && i < scene->values.settings.collider_count; i++) {
        status = slv_world_add_collider(world, &scene->colliders[i].def, NULL);
        if (status != SLV_OK) {
            const slv_scene_location location = {"", "colliders", i, nth_child(list, i)->line};
            (void)slv_scene_fail(scene, location, error, "%s", slv_world_get_message(world));
        }
    }
    return status;
}

// Object i of the scene is garment i of the world.
static slv_result add_locks(const slv_scene *scene, slv_world *world, slv_error *error) {
    slv_result status = SLV_OK;
    const slv_json_value *list = slv_json_member(slv_json_root(scene->json), "locks");
    const slv_json_value *item = list ? list->first : NULL;
    for (uint32_t i = 0; status == SLV_OK && item; i++) {
        slv_lock_def def = scene->locks[i].def;
        def.garment = slv_world_get_garment(world, scene->locks[i].object);
        def.other_garment = slv_world_get_garment(world, scene->locks[i].other_object);
        status = slv_world_add_lock(world, &def, NULL);
        if (status != SLV_OK) {
            const slv_scene_location location = {"", "locks", i, item->line};
            (void)slv_scene_fail(scene, location, error, "%s", slv_world_get_message(world));
        }
        item = item->next;
    }
    return status;
}

static slv_result add_objects(const slv_scene *scene, slv_world *world, slv_error *error) {
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i < scene->values.settings.object_count; i++) {
        status = slv_world_add_garment(world, &scene->objects[i].garment, NULL);
        if (status != SLV_OK) {
            explain(scene, i, status, slv_world_get_message(world), error);
        }
    }
    return status;
}

static slv_result make_layout(const slv_scene *scene, slv_world *world, slv_error *error) {
    const slv_result status = slv_world_complete_layout(world);
    if (status != SLV_OK) {
        const slv_json_value *list = slv_json_member(slv_json_root(scene->json), "softObjects");
        const slv_scene_location location = {"", "softObjects", -1, list->line};
        (void)slv_scene_fail(scene, location, error, "%s", slv_world_get_message(world));
    }
    return status;
}

// One layout for all objects.
static slv_result fill_world(const slv_scene *scene, slv_world *world, slv_error *error) {
    slv_clip_id clip = {0};
    slv_result status = add_colliders(scene, world, error);
    if (status == SLV_OK) {
        status = add_objects(scene, world, error);
    }
    if (status == SLV_OK) {
        status = add_model(scene, world, &clip, error);
    }
    if (status == SLV_OK) {
        status = make_layout(scene, world, error);
    }
    if (status == SLV_OK) { // they measure distances in the layout
        status = add_locks(scene, world, error);
    }
    return status == SLV_OK ? attach_objects(scene, world, clip, error) : status;
}

slv_result slv_scene_create_world(const slv_scene *scene, const slv_world_def *def,
                                  slv_world **world, char *message, size_t size) {
    SLV_DEFAULT_FLOAT_MODES;
    if (world) {
        *world = NULL;
    }
    if (scene == NULL || world == NULL) {
        return tell(SLV_ERROR_ARGUMENT, "scene and world must not be NULL", message, size);
    }
    const slv_world_def own = slv_scene_get_world_def(scene);
    slv_world *made = NULL;
    slv_result status = slv_world_create(def ? def : &own, &made, message, size);
    if (status == SLV_OK) {
        slv_error error = {0};
        status = fill_world(scene, made, &error);
        // A wrong value is wrong content of the file.
        status = status == SLV_ERROR_ARGUMENT ? SLV_ERROR_CONTENT : status;
        (void)tell(status, error.text, message, size);
    }
    if (status != SLV_OK) {
        slv_world_destroy(made);
        return status;
    }
    *world = made;
    return tell(SLV_OK, "", message, size);
}
