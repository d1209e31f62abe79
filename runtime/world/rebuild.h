// SPDX-License-Identifier: MIT
// Making a new layout and plan.
#ifndef SLV_RUNTIME_WORLD_REBUILD_H
#define SLV_RUNTIME_WORLD_REBUILD_H

#include "runtime/world/world.h"

// Takes over parameters for the first `count` bodies: a new layout with the state of the old one where they differ,
// and a new plan. On failure nothing has changed.
slv_result slv_world_rebuild_layout(slv_world *world, uint32_t count,
                                    const slv_parameters *parameters);

// From now on, until slv_world_make_deferred_layout, only functions that add objects may be called, and they make no
// layout. A layout for each of n objects would take time in n². Where slv_world_make_deferred_layout fails the world can
// only be destroyed.
void slv_world_defer_layout(slv_world *world);
slv_result slv_world_make_deferred_layout(slv_world *world);

// Makes a layout that does not fit any more anew, with all that was written into it.
slv_result slv_world_renew_layout(slv_world *world);

#endif
