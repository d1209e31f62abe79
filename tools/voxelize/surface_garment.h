// SPDX-License-Identifier: MIT
// Cloth straight from a mesh: a particle at each point, distance constraints along edges, bending
// pairs between the points on either side of an edge. A general graph, left uncolored.
#ifndef SLV_VOXELIZE_SURFACE_GARMENT_H
#define SLV_VOXELIZE_SURFACE_GARMENT_H

#include "tools/common/mesh.h"
#include "tools/voxelize/draft.h"

// What the making found out on the way.
typedef struct slv_surface_facts {
    uint8_t *boundary;       // [point_count]: lies on an edge of only one triangle; in the draft
    double *areas;           // [point_count]: a third of the triangles around it, m²; in the draft
    uint32_t boundary_edges; // edges that only one triangle uses
    double area;             // of all triangles, m²
} slv_surface_facts;

// Fills particles (but for their masses), orders, the single uncolored range, both kinds of
// constraints, groups, bounds and spacing of the draft. Constraints are sorted by their ends, the
// first end being the lower. Where more than two triangles share an edge, each pairs with the next.
slv_result slv_make_surface_garment(const slv_mesh *mesh, slv_draft *draft,
                                    slv_surface_facts *facts, slv_error *error);

#endif
