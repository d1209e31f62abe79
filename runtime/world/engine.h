// SPDX-License-Identifier: MIT
// A world and its engine: which one it has, and what goes to it and comes back.
#ifndef SLV_RUNTIME_WORLD_ENGINE_H
#define SLV_RUNTIME_WORLD_ENGINE_H

#include "runtime/world/world.h"

// Makes the engine that def asks for, or another where def allows it; world->note says why.
slv_result slv_engine_open(slv_world *world, const slv_world_def *def, slv_error *error);
void slv_engine_close(slv_world *world);

// Loads a layout (NULL: the one it has) and a plan.
slv_result slv_engine_load(slv_world *world, slv_layout *layout, const slv_plan *plan);

// Makes room in a layout for a copy of its state, which slv_world_keep needs.
slv_result slv_engine_make_room(slv_world *world, slv_layout *layout);

// Hands on what was written into the layout, where the engine has memory of its own.
slv_result slv_engine_upload(slv_world *world);

// Brings aspects of the layout up to date (bit n for aspect n) where it lies behind.
slv_result slv_engine_fetch(slv_world *world, unsigned aspects);

// After a failure: the CPU goes on with the layout where slv_world_def.fallback is set. False: the engine stays.
bool slv_engine_replace(slv_world *world, slv_error *cause);

#endif
