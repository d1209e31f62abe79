// SPDX-License-Identifier: MIT
// Waking garments that sleep.
#ifndef SLV_RUNTIME_WORLD_SLEEPING_H
#define SLV_RUNTIME_WORLD_SLEEPING_H

#include "runtime/world/world.h"

// A body, or all of them, has been changed by a call and is awake from now on.
slv_result slv_sleep_wake(slv_world *world, uint32_t index);
slv_result slv_sleep_wake_all(slv_world *world);

#endif
