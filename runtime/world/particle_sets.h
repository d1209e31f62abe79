// SPDX-License-Identifier: MIT
// Named sets of particles, kept when a garment is added, as its pack is closed afterwards.
#ifndef SLV_RUNTIME_WORLD_PARTICLE_SETS_H
#define SLV_RUNTIME_WORLD_PARTICLE_SETS_H

#include "runtime/world/world.h"

// Copies the named sets of a pack; false without memory.
bool slv_garment_keep_sets(slv_garment_entry *entry, const slv_garment *garment);

#endif
