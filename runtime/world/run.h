// SPDX-License-Identifier: MIT
// Runs of steps on the engine, and what happens when a GPU fails. Then the world still has its last good state
// and, where slv_world_def.fallback is set, goes on with the CPU from there.
#ifndef SLV_RUNTIME_WORLD_RUN_H
#define SLV_RUNTIME_WORLD_RUN_H

#include "runtime/world/world.h"

// Does steps and sets the clock forward. On failure none is done, and the layout is as it was before.
slv_result slv_world_run(slv_world *world, const slv_run *run, slv_outcome *outcome);

// Reads the new state back. Half of it is worth nothing: where the device fails meanwhile, the layout becomes
// what it was. Bodies and colliders follow when all downloads are done, which cannot fail.
slv_result slv_world_keep(slv_world *world);

#endif
