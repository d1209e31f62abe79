// SPDX-License-Identifier: MIT
// Room for lists of neighbors. Growing them changes no bit of the state: lists that are long enough hold the same.
#ifndef SLV_RUNTIME_WORLD_CONTACTS_H
#define SLV_RUNTIME_WORLD_CONTACTS_H

#include "runtime/world/world.h"

// Makes lists longer where the steps so far call for it. SLV_ERROR_MEMORY once where lists that are too short
// cannot grow; from then on they are cut.
slv_result slv_contacts_grow(slv_world *world);

// After a step that was rolled back: whether that was since lists were too short.
slv_result slv_contacts_check_lists(slv_world *world, bool *too_short);

#endif
