// SPDX-License-Identifier: MIT
// Evaluates the surface of a character at a time of a clip.
#ifndef SLV_TOOLS_CHARACTER_POSE_H
#define SLV_TOOLS_CHARACTER_POSE_H

#include "tools/common/character.h"

#define SLV_AT_REST UINT32_MAX // in place of a clip: as the file has it without one

typedef struct
    slv_pose_frame { // of a node with pivots: linear part of its world transform = turn · stretch · scale
    double turn[3][3], stretch[3][3];
} slv_pose_frame;

// Scratch memory for one evaluation at a time.
typedef struct slv_pose_scratch {
    slv_character_node *nodes;    // with the current values of the clip
    slv_affine *world_transforms; // world transforms of nodes
    slv_pose_frame *frames;       // NULL where no node has pivots
    slv_affine *joints;
    double *weights; // of morph targets
} slv_pose_scratch;

slv_result slv_pose_scratch_create(const slv_character *character, slv_pose_scratch *scratch,
                                   slv_error *error);
void slv_pose_scratch_free(slv_pose_scratch *scratch); // zeroes it

// Fills the scratch memory: transforms and morph weights of that time.
void slv_character_transforms(const slv_character *character, uint32_t clip, double seconds,
                              slv_pose_scratch *scratch);

// positions: [vertex_count][3]. Times outside the keys use the first or last key.
void slv_character_pose(const slv_character *character, uint32_t clip, double seconds,
                        slv_pose_scratch *scratch, double *positions);

#endif
