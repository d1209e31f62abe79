// SPDX-License-Identifier: MIT
// Which values of a material are in force: those of the definition, else of its fabric, else of the pack, else defaults.
#ifndef SLV_RUNTIME_WORLD_MATERIAL_CHOICE_H
#define SLV_RUNTIME_WORLD_MATERIAL_CHOICE_H

#include "runtime/world/world.h"

// Gives the values of a definition that are not given, and says where each field of slv_garment_material is from.
slv_result slv_choose_material(const slv_garment *garment, slv_garment_def *def,
                               uint8_t sources[SLV_MATERIAL_FIELDS], slv_error *error);

// After a change of the material: a field that is not given keeps its value from before; what changed is the caller's.
void slv_keep_material(const slv_garment_def *before, slv_garment_def *after,
                       uint8_t sources[SLV_MATERIAL_FIELDS]);

#endif
