// SPDX-License-Identifier: MIT
// Faces joined over edges that no third face uses: the largest pieces of a surface that have one
// orientation. Neighbors within a patch are made to agree.
#ifndef SLV_VOXELIZE_PATCHES_H
#define SLV_VOXELIZE_PATCHES_H

#include "tools/voxelize/topology.h"

#define SLV_NO_FACE UINT32_MAX

typedef struct slv_patch {
    uint32_t first; // of its faces, among the members
    uint32_t face_count;
    uint32_t paired_count; // faces that the file has as often one way as the other
    uint32_t free_edges;   // that no other face uses
    bool open;             // uses some edge oftener in one direction than in the other
    int64_t votes;         // faces that stand in the file as they stand now, less those that do not
    double volume;         // cells cubed; of open patches with a fan to their middle
    double middle[3];
    bool reversed; // turned round as a whole
    bool left_out;
    bool marked;        // for what is to be done once all have been looked at
    bool turn, carried; // to be flipped; `carried`: because the patch around it is
    int64_t gain;       // how much shorter the boundary is without it, at edges of three and more
    int net;            // use of the edge being looked at; zero in between
} slv_patch;

typedef struct slv_patches {
    const slv_snapped *snapped; // not owned
    slv_topology topology;
    int8_t *signs;      // [face_count] +1 as its triangle stands, -1 the other way
    uint32_t *patch_of; // [face_count]
    uint32_t *members;  // [face_count] faces, those of one patch together
    uint32_t *face_of;  // [triangle_count] or SLV_NO_FACE
    uint32_t count;
    slv_patch *items; // [count], room for face_count
} slv_patches;

slv_result slv_patches_create(const slv_snapped *snapped, slv_patches *patches, slv_error *error);
void slv_patches_free(slv_patches *patches); // zeroes it

void slv_patch_reverse(slv_patch *patch);

// +1 where the file has the face oftener as its triangle stands, -1 the other way, 0 for neither.
int slv_face_vote(const slv_surface_face *face);

// How the face counts now: +1, -1, or 0 where its patch is left out.
int slv_patches_weight(const slv_patches *patches, uint32_t face);

// Sets net of all patches at the edge of the corners, to be cleared with slv_patches_clear_net;
// returns the sum over patches that are not left out.
int slv_patches_net(slv_patches *patches, const uint32_t *corners, uint32_t uses);
void slv_patches_clear_net(slv_patches *patches, const uint32_t *corners, uint32_t uses);

// One point in `stride`, by where it lies and not by its number: files that differ only in their
// order pick the same.
bool slv_is_picked(const int64_t point[3], uint32_t stride);

#endif
