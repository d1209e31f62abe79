// SPDX-License-Identifier: MIT
// Where a pack comes from, as JSON: tool, version, the options that shaped it, the input's name and
// hash. No dates, no folders, nothing that differs between two machines doing the same work.
#ifndef SLV_VOXELIZE_PROVENANCE_H
#define SLV_VOXELIZE_PROVENANCE_H

#include "tools/common/mesh.h"
#include "tools/voxelize/draft.h"
#include "tools/voxelize/voxelize.h"

// Adds it to the draft. mesh is NULL for shapes; lattice NULL where particles come from no grid.
slv_result slv_add_provenance(const slv_voxelize_options *options, slv_voxelize_mode mode,
                              const slv_mesh *mesh, const slv_lattice *lattice, slv_draft *draft,
                              slv_error *error);

#endif
