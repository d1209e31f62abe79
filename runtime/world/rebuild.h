// SPDX-License-Identifier: MIT
// Making a new layout and plan.
#ifndef SLV_RUNTIME_WORLD_REBUILD_H
#define SLV_RUNTIME_WORLD_REBUILD_H

#include "runtime/world/world.h"

// Takes over parameters for the first `count` bodies: a new layout with the state of the old one where they differ,
// and a new plan. On failure nothing has changed.
slv_result slv_world_rebuild_layout(slv_world *world, uint32_t count,
                                    const slv_parameters *parameters);

// The solver that another one, or SLV_SOLVER_AUTO, stands for with the first `count` bodies.
slv_solver slv_world_choose_solver(const slv_world *world, slv_solver solver, uint32_t count);

// The last body is new, or a body was removed: the layout is made when a call needs it. A layout for each of n objects
// would take time in n^2. Fails for a garment with constraints that the solver does not solve.
slv_result slv_world_change_bodies(slv_world *world, uint32_t count);
// Makes the layout for all objects.
slv_result slv_world_complete_layout(slv_world *world);

// Makes a layout that does not fit any more anew, with all that was written into it.
slv_result slv_world_renew_layout(slv_world *world);

#endif
