// SPDX-License-Identifier: MIT
// The beginning of a public call.
#ifndef SLV_RUNTIME_WORLD_BEGIN_H
#define SLV_RUNTIME_WORLD_BEGIN_H

#include "runtime/world/status.h"

// Begins a call that adds or removes objects: forgets the last message. SLV_ERROR_ARGUMENT without a world. The layout
// may lack objects that were added and have some that were removed (slv_world.incomplete): it is made once for all.
slv_result slv_begin_objects(slv_world *world);

// Begins any other call: the layout has all objects. Fails where it cannot be made.
slv_result slv_begin(slv_world *world);

// slv_begin, for a call with a pointer that must not be NULL: "hash is NULL".
slv_result slv_begin_with(slv_world *world, const void *given, const char *name);

// Begins a call on a garment: its body, or NULL and what the call must return.
slv_body *slv_begin_garment(slv_world *world, slv_garment_id id, slv_result *status);
// The same with a pointer that must not be NULL.
slv_body *slv_begin_body(slv_world *world, slv_garment_id id, const void *given, const char *name,
                         slv_result *status);

#endif
