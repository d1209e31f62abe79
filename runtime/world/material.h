// SPDX-License-Identifier: MIT
// The material of a garment, changed while it exists: its body gets the values as if it had been added with them,
// and a new layout is made from it.
#ifndef SLV_RUNTIME_WORLD_MATERIAL_H
#define SLV_RUNTIME_WORLD_MATERIAL_H

#include "runtime/world/world.h"

// The material in a definition.
slv_garment_material slv_material_of(const slv_garment_def *def);

#endif
