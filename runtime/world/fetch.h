// SPDX-License-Identifier: MIT
// Bringing the layout, the bodies and the colliders up to date with the engine.
#ifndef SLV_RUNTIME_WORLD_FETCH_H
#define SLV_RUNTIME_WORLD_FETCH_H

#include "runtime/world/world.h"

// Brings the layout up to date where the engine is ahead: positions or, with slv_world_fetch_state, the whole state.
slv_result slv_world_fetch_positions(slv_world *world);
slv_result slv_world_fetch_state(slv_world *world);
// The same for what bodies know of it: which springs are torn.
slv_result slv_world_fetch_bodies(slv_world *world);
// The same for the motion of colliders.
slv_result slv_world_fetch_colliders(slv_world *world);
// State, bodies and colliders.
slv_result slv_world_fetch_all(slv_world *world);

#endif
