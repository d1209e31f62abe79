// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/app/loaded_scene.h"

#include "formats/file_bytes.h"
#include "formats/layout.h"
#include "formats/sections.h"
#include "runtime/player/app/warnings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MESSAGE_SIZE 512

// What a file is, by its first bytes and not by its name.
typedef enum file_kind { SCENE_FILE, GARMENT_PACK, CHARACTER_PACK } file_kind;

static slv_result sniff(const char *path, file_kind *kind, slv_error *error) {
    slv_pack_header first = {.contents = 0};
    size_t size = 0;
    slv_error cause = {0};
    const slv_result result =
        slv_file_bytes_head(path, (char *)&first, sizeof first, &size, &cause);
    *kind = memcmp(first.magic, SLV_PACK_MAGIC, sizeof first.magic) != 0 ? SCENE_FILE
            : first.contents == SLV_CONTENTS_COLLIDER                    ? CHARACTER_PACK
                                                                         : GARMENT_PACK;
    return result == SLV_OK ? SLV_OK : slv_fail(error, result, "%.300s: %s", path, cause.text);
}

// Warns where a collision radius is too small for contacts between garments.
static void check_radii(slv_world *world, slv_console *console) {
    for (uint32_t i = 0; i < slv_world_get_garment_count(world); i++) {
        char message[MESSAGE_SIZE] = "";
        if (slv_garment_check_radius(world, slv_world_get_garment(world, i), message,
                                     sizeof message) == SLV_OK &&
            message[0] != '\0') {
            slv_console_warning(console, NULL, "garment %u: %s", i, message);
        }
    }
}

// --- A scene -------------------------------------------------------------------------------------

static slv_result open_scene(const slv_play_request *request, slv_console *console,
                             slv_loaded_scene *loaded, slv_error *error) {
    char message[MESSAGE_SIZE] = "";
    slv_scene_def scene = slv_default_scene_def();
    scene.path = request->files[0];
    scene.allow_paths = request->allow_paths;
    slv_result status = slv_scene_load_def(&scene, &loaded->scene, message, sizeof message);
    if (status != SLV_OK) {
        return slv_fail(error, status, "%s", message);
    }
    const slv_scene_settings settings = slv_scene_get_settings(loaded->scene);
    for (uint32_t i = 0; i < settings.warning_count; i++) {
        slv_console_warning(console, NULL, "%s", slv_scene_get_warning(loaded->scene, i));
    }
    slv_world_def def = slv_scene_get_world_def(loaded->scene);
    loaded->steps_per_frame = settings.steps_per_frame;
    slv_play_override(request, &def, &loaded->steps_per_frame);
    loaded->time_step = def.time_step;
    status = slv_scene_create_world(loaded->scene, &def, &loaded->world, message, sizeof message);
    if (status == SLV_OK) {
        check_radii(loaded->world, console);
    }
    return status == SLV_OK ? SLV_OK : slv_fail(error, status, "%s", message);
}

// --- Packs ---------------------------------------------------------------------------------------

// The items of --fixed; the names point into text.
typedef struct fixed_list {
    char *text;
    uint32_t *numbers;
    const char **names;
    uint32_t number_count, name_count;
} fixed_list;

static void free_fixed(fixed_list *list) {
    free(list->text);
    free(list->numbers);
    free(list->names);
}

static bool is_number(const char *text, uint32_t *number) {
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *number = (uint32_t)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value < UINT32_MAX;
}

static slv_result split_fixed(const char *text, fixed_list *list, slv_error *error) {
    const size_t most = strlen(text) / 2 + 1; // items have at least one byte and a comma
    list->text = strdup(text);
    list->numbers = calloc(most, sizeof *list->numbers);
    list->names = calloc(most, sizeof *list->names);
    if (!list->text || !list->numbers || !list->names) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    char *rest = NULL;
    for (char *part = strtok_r(list->text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
        if (is_number(part, &list->numbers[list->number_count])) {
            list->number_count++;
        } else {
            list->names[list->name_count++] = part;
        }
    }
    return SLV_OK;
}

static slv_result add_garment(const char *path, const fixed_list *fixed, bool collides,
                              slv_world *world) {
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = path;
    garment.fixed = fixed->numbers;
    garment.fixed_count = fixed->number_count;
    garment.fixed_sets = fixed->names;
    garment.fixed_set_count = fixed->name_count;
    garment.garment_collision = collides;
    return slv_world_add_garment(world, &garment, NULL);
}

static slv_result add_character(const char *path, slv_world *world) {
    slv_clip_def clip = slv_default_clip_def();
    clip.pack_path = path;
    return slv_world_add_clip(world, &clip, NULL);
}

// Beside a character garments collide with it and with each other, as in scenes with a model.
static slv_result add_packs(const slv_play_request *request, const fixed_list *fixed,
                            slv_world *world, slv_error *error) {
    bool any_character = false;
    for (size_t i = 0; i < request->file_count; i++) {
        file_kind kind = GARMENT_PACK;
        any_character |= sniff(request->files[i], &kind, error) == SLV_OK && kind == CHARACTER_PACK;
    }
    for (size_t i = 0; i < request->file_count; i++) {
        file_kind kind = GARMENT_PACK;
        slv_result status = sniff(request->files[i], &kind, error);
        if (status != SLV_OK) {
            return status;
        }
        status = kind == CHARACTER_PACK
                     ? add_character(request->files[i], world)
                     : add_garment(request->files[i], fixed, any_character, world);
        if (status != SLV_OK) {
            return slv_fail(error, status, "%.300s: %s", request->files[i],
                            slv_world_get_message(world));
        }
    }
    return SLV_OK;
}

static slv_result open_packs(const slv_play_request *request, slv_loaded_scene *loaded,
                             slv_error *error) {
    char message[MESSAGE_SIZE] = "";
    slv_world_def def = slv_default_world_def();
    slv_parameter_info steps = {.initial = {0}};
    (void)slv_find_parameter_info(SLV_GROUP_SCENE, "steps_per_frame", &steps);
    loaded->steps_per_frame = (uint32_t)steps.initial[0];
    slv_play_override(request, &def, &loaded->steps_per_frame);
    loaded->time_step = def.time_step;
    const slv_result status = slv_world_create(&def, &loaded->world, message, sizeof message);
    if (status != SLV_OK) {
        return slv_fail(error, status, "%s", message);
    }
    fixed_list fixed = {0};
    slv_result result = split_fixed(request->fixed ? request->fixed : "", &fixed, error);
    if (result == SLV_OK) {
        result = add_packs(request, &fixed, loaded->world, error);
    }
    free_fixed(&fixed);
    return result;
}

// --- Either --------------------------------------------------------------------------------------

// A mesh or a model in place of a pack.
static slv_result refuse_mesh(const char *path, slv_error *error) {
    static const char *const meshes[] = {".obj", ".stl", ".ply", ".fbx", ".gltf",
                                         ".glb", ".dae", ".off", ".vrm"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof meshes / sizeof *meshes; i++) {
        if (strcasecmp(ending, meshes[i]) == 0) {
            return slv_fail(
                error, SLV_ERROR_ARGUMENT,
                "%.300s: a mesh, not a pack or a scene; selvage-voxelize makes a garment "
                "pack of it, selvage-bake-collider one of an animated character",
                path);
        }
    }
    return SLV_OK;
}

static slv_result open_files(const slv_play_request *request, slv_console *console,
                             slv_loaded_scene *loaded, slv_error *error) {
    *loaded = (slv_loaded_scene){.scene = NULL};
    size_t packs = 0;
    for (size_t i = 0; i < request->file_count; i++) {
        file_kind kind = SCENE_FILE;
        slv_result result = sniff(request->files[i], &kind, error);
        if (result == SLV_OK && kind == SCENE_FILE) {
            result = refuse_mesh(request->files[i], error);
        }
        if (result != SLV_OK) {
            return result;
        }
        packs += kind != SCENE_FILE;
    }
    if (packs == request->file_count) {
        return open_packs(request, loaded, error);
    }
    if (request->file_count > 1) {
        return slv_fail(
            error, SLV_ERROR_ARGUMENT,
            "expected one scene file or any number of packs, not both and not several scenes");
    }
    if (request->fixed) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--fixed: only for packs; a scene lists its fixed particles itself");
    }
    return open_scene(request, console, loaded, error);
}

// Steps for the seconds of --settle, while clips stand still.
static slv_result settle(const slv_play_request *request, const slv_loaded_scene *loaded,
                         slv_error *error) {
    slv_world *world = loaded->world;
    const uint32_t clips = slv_world_get_clip_count(world);
    const uint64_t steps = (uint64_t)(request->settle / loaded->time_step + 0.5);
    const double speed = loaded->scene ? slv_scene_get_settings(loaded->scene).model.speed
                                       : slv_default_clip_def().speed;
    slv_result status = SLV_OK;
    for (uint32_t i = 0; status == SLV_OK && i < clips; i++) {
        status = slv_clip_set_speed(world, slv_world_get_clip(world, i), 0.0);
    }
    for (uint64_t done = 0; status == SLV_OK && done < steps;) {
        const uint32_t some = steps - done < 1000 ? (uint32_t)(steps - done) : 1000;
        status = slv_world_step(world, some);
        done += some;
    }
    for (uint32_t i = 0; status == SLV_OK && i < clips; i++) {
        status = slv_clip_set_speed(world, slv_world_get_clip(world, i), speed);
    }
    return status == SLV_OK ? SLV_OK
                            : slv_fail(error, status, "--settle: %s", slv_world_get_message(world));
}

slv_result slv_loaded_scene_open(const slv_play_request *request, slv_console *console,
                                 slv_loaded_scene *loaded, slv_error *error) {
    char warning[SLV_WARNING_SIZE];
    slv_result result = open_files(request, console, loaded, error);
    if (result == SLV_OK && request->settle > 0.0) {
        result = settle(request, loaded, error);
    }
    if (result == SLV_OK) {
        loaded->inside =
            slv_find_inside_warning(request, loaded->scene, loaded->world, "at the start", warning);
        if (warning[0] != '\0') {
            slv_console_warning(console, NULL, "%s", warning);
        }
    }
    return result;
}

void slv_loaded_scene_close(slv_loaded_scene *loaded) {
    slv_world_destroy(loaded->world);
    slv_scene_destroy(loaded->scene);
}

bool slv_loaded_scene_on_gpu(const slv_loaded_scene *loaded) {
    return strcmp(slv_world_get_device(loaded->world).backend, "cpu") != 0;
}

const char **slv_loaded_scene_list_files(const slv_play_request *request,
                                         const slv_loaded_scene *loaded, size_t *count) {
    const slv_scene_settings settings = slv_scene_get_settings(loaded->scene);
    const size_t most =
        request->file_count + 2 * (size_t)settings.object_count + settings.collider_count + 2;
    const char **inputs = calloc(most, sizeof *inputs);
    if (inputs == NULL) {
        return NULL;
    }
    memcpy(inputs, request->files, request->file_count * sizeof *inputs);
    *count = request->file_count;
    for (uint32_t i = 0; i < settings.object_count; i++) {
        slv_scene_object object;
        (void)slv_scene_get_object(loaded->scene, i, &object);
        inputs[(*count)++] = object.garment.pack_path;
        if (object.texture_path != NULL && request->mode != SLV_PLAY_HEADLESS) {
            inputs[(*count)++] = object.texture_path;
        }
    }
    for (uint32_t i = 0; i < settings.collider_count; i++) {
        slv_collider_def collider;
        (void)slv_scene_get_collider(loaded->scene, i, &collider);
        if (collider.pack_path != NULL) { // a field
            inputs[(*count)++] = collider.pack_path;
        }
    }
    if (settings.model.pack_path != NULL) {
        inputs[(*count)++] = settings.model.pack_path;
    }
    if (request->replay != NULL) {
        inputs[(*count)++] = request->replay;
    }
    return inputs;
}
