// SPDX-License-Identifier: MIT
// Adjacency of triangles. Triangles over the same three points are one face; each edge lists the
// half-edges of all faces that use it.
#ifndef SLV_VOXELIZE_TOPOLOGY_H
#define SLV_VOXELIZE_TOPOLOGY_H

#include "tools/voxelize/snapped.h"

#include <stdbool.h>

#define SLV_NO_CORNER UINT32_MAX

typedef struct slv_surface_face {
    uint32_t triangle; // the first triangle of the face
    uint32_t same;     // number of triangles with the same winding, itself included …
    uint32_t opposite; // … and with the opposite winding
} slv_surface_face;

// Half-edge 3 * face + c, also called corner, goes from corner c of the triangle to the next
// corner.
typedef struct slv_topology {
    const slv_snapped *snapped; // not owned
    uint32_t face_count;
    slv_surface_face *faces;
    uint32_t *edge_corners; // [3 * face_count] half-edges, grouped by edge
    uint32_t
        *twins; // [3 * face_count] the other half-edge of an edge of two faces, or SLV_NO_CORNER
} slv_topology;

slv_result slv_topology_create(const slv_snapped *snapped, slv_topology *topology,
                               slv_error *error);
void slv_topology_free(slv_topology *topology); // zeroes it

// Ends of a half-edge, in the direction of the triangle.
void slv_topology_edge(const slv_topology *topology, uint32_t corner, uint32_t *from, uint32_t *to);

// How many entries of edge_corners from `first` on belong to the same edge.
uint32_t slv_topology_edge_uses(const slv_topology *topology, uint32_t first);

// +1 where the face's triangle uses the edge from the lower to the higher point number; else -1.
int slv_topology_direction(const slv_topology *topology, uint32_t corner);

#endif
