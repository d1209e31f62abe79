// SPDX-License-Identifier: MIT
// Clusters in a layout (kernels/match.h): small ones in rows of SLV_LANES, sorted by size; large ones in chunks.
#ifndef SLV_RUNTIME_LAYOUT_MATCH_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_MATCH_LAYOUT_H

#include "runtime/layout/layout.h"

// What of a layout the host writes later.
typedef struct slv_match_extents {
    slv_extent rotations;
    slv_extent weights;      // rests and shapes
    slv_extent weight_table; // which members are fixed
} slv_match_extents;

void slv_match_layout_reserve(slv_body_layout *body_layout, const slv_body *body,
                              slv_match_extents *extents, slv_layout_cursor *cursor);
// Members and weights. False without memory.
bool slv_match_layout_fill(slv_layout *layout, uint32_t index, const slv_body *body,
                           slv_memory *scratch);
// What depends on masses and on which particles are fixed.
void slv_match_layout_set_weights(slv_layout *layout, uint32_t index, const slv_body *body);

// Floats of all rotations, from the body or its layout; and what they are at the start: x, y, z, w, of length 1.
size_t slv_match_count_rotation_floats(const slv_cluster_set *set);
size_t slv_match_layout_count_rotations(const slv_body_layout *body_layout);
void slv_match_layout_set_rotations(slv_layout *layout, uint32_t index, const float rotation[4]);

#endif
