// SPDX-License-Identifier: MIT
// Locks: pairs of particles of any bodies that keep a distance (kernels/lock.h).
#ifndef SLV_RUNTIME_STEP_FEATURES_LOCKS_H
#define SLV_RUNTIME_STEP_FEATURES_LOCKS_H

#include "runtime/step/plan.h"

bool slv_locks_exist(const slv_layout *layout);

// Marks bodies that a lock joins as touching each other, where any body can sleep.
void slv_locks_launch_touch(slv_plan_writer *writer);

#endif
