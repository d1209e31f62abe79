// SPDX-License-Identifier: MIT
// A loaded scene: what the files of this folder share.
#ifndef SLV_RUNTIME_SCENE_SCENE_DATA_H
#define SLV_RUNTIME_SCENE_SCENE_DATA_H

#include "formats/result.h"
#include "runtime/base/json.h"
#include "runtime/scene/scene_keys.h"

#include <stdarg.h>

typedef struct slv_scene_memory slv_scene_memory;

struct slv_scene {
    const char *path; // as the caller wrote it
    bool allow_paths; // the file may name files outside of its folder
    slv_json *json;   // kept for the line numbers of errors that are found later
    slv_scene_values values;
    slv_scene_object *objects;     // [values.settings.object_count], copies one by one
    uint32_t *entries;             // [object_count]: the entry of softObjects that each is of
    slv_scene_collider *colliders; // [values.settings.collider_count]
    slv_scene_lock *locks;         // [values.settings.lock_count]
    const char **warnings;         // [values.settings.warning_count]
    slv_scene_memory *memory_list; // everything above but json
};

// Zeroed memory that is freed with the scene. NULL: out of memory.
void *slv_scene_allocate(slv_scene *scene, size_t size);

// "FILE:LINE: prefix key[index]: sentence", SLV_ERROR_CONTENT. prefix is "softObjects[1]." or "";
// index below 0 stands for none.
typedef struct slv_scene_location {
    const char *prefix;
    const char *key;
    int64_t index;
    uint32_t line;
} slv_scene_location;
slv_result slv_scene_fail(const slv_scene *scene, slv_scene_location location, slv_error *error,
                          const char *format, ...) SLV_PRINTF(4, 5);
slv_result slv_scene_fail_list(const slv_scene *scene, slv_scene_location location,
                               slv_error *error, const char *format, va_list arguments)
    SLV_PRINTF(4, 0);

// Reads values of the row's kind.
typedef struct slv_key_reader {
    slv_scene *scene;
    slv_error *error;
    const char *prefix; // as in slv_scene_location
    const slv_parameter *row;
} slv_key_reader;
slv_result slv_scene_read_value(const slv_key_reader *reader, const slv_json_value *value,
                                void *target);

// Turns the corners of a box or the normal of a plane into position and rotation. Refuses keys that the
// shape does not have, and missing ones that it needs.
slv_result slv_scene_finish_collider(const slv_scene *scene, const slv_json_value *value,
                                     const char *prefix, slv_scene_collider *collider,
                                     slv_error *error);

// Fills values, objects, colliders and warnings from scene->json.
slv_result slv_scene_read(slv_scene *scene, slv_error *error);

#endif
