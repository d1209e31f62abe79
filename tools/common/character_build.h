// SPDX-License-Identifier: MIT
// Incremental construction of a character, for the importers.
#ifndef SLV_TOOLS_CHARACTER_BUILD_H
#define SLV_TOOLS_CHARACTER_BUILD_H

#include "tools/common/character.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct slv_character_build { // starts zeroed
    slv_character character;
    uint32_t node_room, part_room, position_room, uv_room, influence_room, first_room, normal_room,
        paint_room, triangle_room, joint_room, target_room, delta_room, clip_room, channel_room,
        time_room, value_room, name_room, pivot_room, point_room;
    bool shaded;    // set before reading: normals, colors and the texture are kept
    bool numbered;  // set before reading: vertices get numbers of the file in points
    bool no_memory; // an allocation failed; the character is incomplete
} slv_character_build;

// Each function appends zeroed elements and returns the first of them; NULL where memory is short.
slv_character_node *slv_build_nodes(slv_character_build *build, uint32_t count);
// Appends pivots for a node, all zero but for the matrices, which are identities; *number is theirs.
slv_character_pivots *slv_build_pivots(slv_character_build *build, uint32_t *number);
// Appends a part with its vertices (positions, UVs and influences zero) and the deltas of its
// targets.
slv_character_part *slv_build_part(slv_character_build *build, uint32_t vertex_count,
                                   uint32_t target_count);
// Appends the influences of a vertex of the last part. A skinned part needs one call per vertex, in
// order.
slv_character_influence *slv_build_influences(slv_character_build *build, uint32_t vertex,
                                              uint32_t count);
// Appends a triangle to the last part.
uint32_t *slv_build_triangle(slv_character_build *build);
// Appends a name, cut at 1024 bytes; length 0 where memory is short (see no_memory) or text is NULL.
slv_character_name slv_build_name(slv_character_build *build, const char *text);
slv_character_joint *slv_build_joint(slv_character_build *build);
slv_character_clip *slv_build_clip(slv_character_build *build, const char *name);
// Appends a channel to the last clip, with memory for its keys.
slv_character_channel *slv_build_channel(slv_character_build *build, uint32_t kind, uint32_t keys,
                                         uint32_t width, uint32_t time_count);

// Refuses the last clip; only the first reason is kept.
void slv_build_clip_refused(slv_character_build *build, const char *reason);
// Ends the last clip: it goes from 0, or from its first key if that is earlier, to its last key.
void slv_build_clip_end(slv_character_build *build);

#endif
