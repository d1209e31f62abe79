// SPDX-License-Identifier: MIT
// Which triangles meet where. Triangles over the same three points are one face; an edge lists the
// corners of all faces that use it.
#ifndef SLV_VOXELIZE_TOPOLOGY_H
#define SLV_VOXELIZE_TOPOLOGY_H

#include "tools/voxelize/snapped.h"

#include <stdbool.h>

#define SLV_NO_CORNER UINT32_MAX

typedef struct slv_surface_face {
    uint32_t triangle; // the first of those it stands for
    uint32_t same;     // how many are that way round, it included …
    uint32_t opposite; // … and the other way
} slv_surface_face;

// Corner 3 * face + c stands for the edge from corner c of the face's triangle to the next one.
typedef struct slv_topology {
    const slv_snapped *snapped; // not owned
    uint32_t face_count;
    slv_surface_face *faces;
    uint32_t *edge_corners; // [3 * face_count] sorted, so that those of one edge stand together
    uint32_t *mates;        // [3 * face_count] the other corner of an edge of two; or SLV_NO_CORNER
} slv_topology;

slv_result slv_topology_create(const slv_snapped *snapped, slv_topology *topology,
                               slv_error *error);
void slv_topology_free(slv_topology *topology); // zeroes it

// Ends of a corner's edge, in the direction of the face's triangle.
void slv_topology_edge(const slv_topology *topology, uint32_t corner, uint32_t *from, uint32_t *to);

// How many entries of edge_corners from `first` on belong to the same edge.
uint32_t slv_topology_edge_uses(const slv_topology *topology, uint32_t first);

// +1 where the face's triangle uses the edge from the lower to the higher point number; else -1.
int slv_topology_direction(const slv_topology *topology, uint32_t corner);

#endif
