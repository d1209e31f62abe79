// SPDX-License-Identifier: MIT
// A world and its engine: which one it has, what goes to it and comes back, and what happens when a GPU
// fails. Then the world still has its last good state and, where that was asked for, goes on with the
// CPU from there.
#ifndef SLV_RUNTIME_WORLD_ENGINE_H
#define SLV_RUNTIME_WORLD_ENGINE_H

#include "runtime/world/world.h"

// Makes the engine that def asks for, or another where def allows it; world->note says why.
slv_result slv_engine_open(slv_world *world, const slv_world_def *def, slv_error *error);
void slv_engine_close(slv_world *world);

// Loads a layout (NULL: the one it has) and a plan.
slv_result slv_engine_load(slv_world *world, slv_layout *layout, const slv_plan *plan);

// Does steps and sets the clock forward. On failure none is done, and the layout is as it was before.
slv_result slv_engine_run(slv_world *world, const slv_run *run, slv_outcome *outcome);

// Brings aspects of the layout up to date (bit n for aspect n) where it lies behind.
slv_result slv_engine_fetch(slv_world *world, unsigned aspects);

#endif
