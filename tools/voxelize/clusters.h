// SPDX-License-Identifier: MIT
// Turns the particles of a grid into a body: clusters of particles that keep a common shape take the place of distance
// constraints.
#ifndef SLV_VOXELIZE_CLUSTERS_H
#define SLV_VOXELIZE_CLUSTERS_H

#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/grid_index.h"
#include "tools/voxelize/voxelize_options.h"

// Makes what the options ask for of the particles of a grid: a rigid body, a soft one, or tetrahedra beside the distance
// constraints. A rigid body is one cluster. A soft one has a cluster for each box of cluster_side^3 samples, in steps of
// half a side: any two neighbors are in a common cluster. The particles of a box that neighbors do not connect within it
// are clusters of their own.
slv_result slv_fill_solid(const slv_voxelize_options *options, const slv_grid_index *index,
                          slv_garment_builder *builder, slv_error *error);

#endif
