// SPDX-License-Identifier: MIT
// Cloth from a mesh: a particle at each point, distance constraints along edges, bending
// constraints between the two points opposite an edge. A general graph, not colored.
#ifndef SLV_VOXELIZE_SURFACE_GARMENT_H
#define SLV_VOXELIZE_SURFACE_GARMENT_H

#include "tools/common/mesh.h"
#include "tools/voxelize/garment_builder.h"

// Measurements of the mesh.
typedef struct slv_surface_facts {
    uint8_t *boundary; // [point_count]: lies on an edge of only one triangle; memory of the builder
    double *areas; // [point_count]: a third of the area of its triangles, m²; memory of the builder
    uint32_t boundary_edges; // edges that only one triangle uses
    double area;             // of all triangles, m²
} slv_surface_facts;

// Fills particles (without masses), orders, the single uncolored range, both kinds of constraints,
// groups, bounds and spacing of the builder. Constraints are sorted by their ends, the lower first.
// Where more than two triangles share an edge, each pairs with the next.
slv_result slv_make_surface_garment(const slv_mesh *mesh, slv_garment_builder *builder,
                                    slv_surface_facts *facts, slv_error *error);

#endif
