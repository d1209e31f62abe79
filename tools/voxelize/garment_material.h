// SPDX-License-Identifier: MIT
// The material of a garment: that of a fabric, or a note of usual values.
#ifndef SLV_VOXELIZE_GARMENT_MATERIAL_H
#define SLV_VOXELIZE_GARMENT_MATERIAL_H

#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/voxelize_options.h"

// What a fabric decides of the other options: the density, and that vertices are particles.
void slv_resolve_fabric(slv_voxelize_options *options);
// After particles, constraints and the render mesh.
slv_result slv_add_material(const slv_voxelize_options *options, slv_garment_builder *builder,
                            slv_error *error);

#endif
