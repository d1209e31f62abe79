// SPDX-License-Identifier: MIT
// Copies of an object of a scene: a list of positions, or a grid. Both are relative to the object's own position.
#ifndef SLV_RUNTIME_SCENE_SCENE_INSTANCES_H
#define SLV_RUNTIME_SCENE_SCENE_INSTANCES_H

#include "runtime/scene/scene_data.h"

// Most copies of one object.
enum { SLV_INSTANCES_MOST = 100000 };

// How many there are: 1 where the object does not say. Refuses values that are wrong. `prefix` is as in
// slv_scene_location.
slv_result slv_scene_count_instances(const slv_scene *scene, const slv_json_value *object,
                                     const char *prefix, uint32_t *count, slv_error *error);

// Makes all of them, counted before, of the first, which has been read.
void slv_scene_make_instances(const slv_json_value *object, slv_scene_object *copies,
                              uint32_t count);

#endif
