// SPDX-License-Identifier: MIT
// Connected pieces of the particles on a lattice, and parts of the mesh that the lattice is too coarse for.
#ifndef SLV_VOXELIZE_PIECES_H
#define SLV_VOXELIZE_PIECES_H

#include "formats/result.h"
#include "tools/common/console.h"
#include "tools/common/mesh.h"
#include "tools/voxelize/lattice.h"
#include "tools/voxelize/voxelize_options.h"

typedef struct slv_pieces {
    uint32_t count;   // pieces, joined along the axes
    uint32_t largest; // samples of the largest one
    uint32_t loose;   // pieces of one sample
    uint32_t removed; // samples that were not kept
} slv_pieces;

// Counts the pieces of the marked samples (rows padded to words as in grid_index.h), then clears the bits of those that are
// not kept. *pieces has the counts before that.
slv_result slv_pieces_keep(const slv_lattice *lattice, uint64_t *bits, slv_keep keep,
                           slv_pieces *pieces, slv_error *error);

typedef struct slv_lost_parts {
    uint32_t parts;     // connected parts of the mesh
    uint32_t lost;      // those with no marked sample in their bounds
    double least_ratio; // metres: the least volume over area of those; 0 where one has no volume
} slv_lost_parts;

slv_result slv_find_lost_parts(const slv_mesh *mesh, const slv_lattice *lattice,
                               const uint64_t *bits, slv_lost_parts *lost, slv_error *error);

// Warns where there are more pieces than parts of the mesh, and where parts are lost.
void slv_warn_of_pieces(slv_console *console, const char *file, const slv_pieces *pieces,
                        const slv_lost_parts *lost, double spacing);

// The error of a grid without particles: why, and the spacing that would give some.
slv_result slv_fail_without_particles(const slv_mesh *mesh, const slv_lattice *lattice,
                                      slv_voxelize_mode mode, slv_error *error);

#endif
