// SPDX-License-Identifier: MIT
// Finding colliders.
#ifndef SLV_RUNTIME_WORLD_COLLIDER_H
#define SLV_RUNTIME_WORLD_COLLIDER_H

#include "runtime/world/world.h"

// The entry of an id, NULL (and the reason in the world) where there is none; its motion is up to date. Begins
// a call.
slv_collider_entry *slv_find_collider(slv_world *world, slv_collider_id id, slv_result *status);

#endif
