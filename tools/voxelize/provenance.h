// SPDX-License-Identifier: MIT
// Provenance of a pack as JSON: tool, version, the options that shaped it, name and hash of the
// input. It contains no dates and no directories, so that equal work gives equal bytes on every
// machine.
#ifndef SLV_VOXELIZE_PROVENANCE_H
#define SLV_VOXELIZE_PROVENANCE_H

#include "tools/common/mesh.h"
#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/lattice.h"
#include "tools/voxelize/voxelize_options.h"

// Adds it to the builder. mesh is NULL for shapes; lattice NULL where particles come from no grid.
slv_result slv_add_provenance(const slv_voxelize_options *options, slv_voxelize_mode mode,
                              const slv_mesh *mesh, const slv_lattice *lattice,
                              slv_garment_builder *builder, slv_error *error);

#endif
