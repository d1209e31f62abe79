// SPDX-License-Identifier: MIT
// Room for lists of neighbors.
#ifndef SLV_RUNTIME_WORLD_CONTACTS_H
#define SLV_RUNTIME_WORLD_CONTACTS_H

#include "runtime/world/world.h"

// After a step that diverged: whether lists of neighbors were too short and now are longer, so that the step
// can be done again. *status tells of a failure on the way.
bool slv_contact_grow(slv_world *world, slv_result *status);

#endif
