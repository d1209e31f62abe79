// SPDX-License-Identifier: MIT
// Procedural garments, the usual test objects of papers. Each is a lattice with some samples
// removed, so all code for voxelized meshes applies.
#ifndef SLV_VOXELIZE_SHAPES_H
#define SLV_VOXELIZE_SHAPES_H

#include "formats/result.h"
#include "tools/voxelize/grid_index.h"
#include "tools/voxelize/sets.h"

typedef enum slv_shape_kind {
    SLV_SHAPE_GRID,   // flat, in the x-z plane
    SLV_SHAPE_PONCHO, // a grid with a square hole in the center
    SLV_SHAPE_ROPE,   // along x
    SLV_SHAPE_BOX,    // filled
} slv_shape_kind;

typedef struct slv_shape {
    slv_shape_kind kind;
    uint32_t cells[3];    // particles along x, y, z, including those of the hole
    uint32_t hole;        // side of the hole in particles; poncho only
    uint32_t hole_min[3]; // first sample of the hole
} slv_shape;

// Reads "grid:NXxNY", "rope:N", "box:NXxNYxNZ" or "poncho:NXxNY:HOLE". Fewer than 2^31 particles.
slv_result slv_shape_parse(const char *text, slv_shape *shape, slv_error *error);

// Fills the lattice, which starts at the origin, and its samples. *bits (for slv_grid_index_create)
// is to be freed by the caller.
slv_result slv_shape_sample(const slv_shape *shape, double spacing, slv_lattice *lattice,
                            uint64_t **bits, slv_error *error);

// grid, poncho: "corners", "edge-x-min", "edge-x-max", "edge-z-min", "edge-z-max"; poncho also "hole"
// (its rim). rope: "start", "end", "ends". box: its sides, as slv_add_side_sets.
slv_result slv_add_shape_sets(slv_set_list *list, const slv_shape *shape,
                              const slv_grid_index *index, slv_error *error);

// Adds the render mesh: quads between neighboring particles, two triangles each, every vertex bound
// to one particle. Grids face up; boxes have their outer surface; ropes have none (they are drawn
// as particles).
slv_result slv_add_shape_render_mesh(const slv_shape *shape, const slv_grid_index *index,
                                     slv_garment_builder *builder, slv_error *error);

#endif
