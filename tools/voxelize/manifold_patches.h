// SPDX-License-Identifier: MIT
// Manifold patches: the largest sets of faces connected through edges that exactly two faces use.
// Each patch has one orientation; adjacent faces of a patch are made to agree with each other.
#ifndef SLV_VOXELIZE_MANIFOLD_PATCHES_H
#define SLV_VOXELIZE_MANIFOLD_PATCHES_H

#include "tools/voxelize/topology.h"

#define SLV_NO_FACE UINT32_MAX

typedef struct slv_manifold_patch {
    uint32_t first; // index of its first face in members
    uint32_t face_count;
    uint32_t double_sided_count;  // faces that occur equally often with both windings in the file
    uint32_t boundary_edge_count; // edges that no other face uses
    bool open;                    // the directed uses of some edge do not cancel
    int64_t votes; // faces with the winding of the file, minus faces with the opposite one
    double volume; // signed, cells cubed; open patches are closed by a fan to the centroid
    double centroid[3];
    bool reversed; // all its faces are flipped
    bool excluded;
    bool selected;            // scratch: chosen by the current pass, applied at its end
    bool flip;                // chosen to be flipped
    bool flip_with_container; // to be flipped because its container is
    // Boundary edges removed by excluding it, at edges of three faces and more.
    int64_t boundary_reduction;
    int edge_balance; // scratch: signed uses of the current edge; zero between edges
} slv_manifold_patch;

typedef struct slv_manifold_patches {
    const slv_snapped *snapped; // not owned
    slv_topology topology;
    int8_t *signs;      // [face_count] +1 for the winding of its triangle, -1 flipped
    uint32_t *patch_of; // [face_count]
    uint32_t *members;  // [face_count] faces, grouped by patch
    uint32_t *face_of;  // [triangle_count] or SLV_NO_FACE
    uint32_t count;
    slv_manifold_patch *items; // [count], allocated for face_count
} slv_manifold_patches;

slv_result slv_manifold_patches_create(const slv_snapped *snapped, slv_manifold_patches *patches,
                                       slv_error *error);
void slv_manifold_patches_free(slv_manifold_patches *patches); // zeroes it

void slv_manifold_patch_reverse(slv_manifold_patch *patch);

// Majority winding of the triangles of a face: +1 as its first triangle, -1 the opposite, 0 for a
// tie.
int slv_face_vote(const slv_surface_face *face);

// Current orientation of the face: +1, -1, or 0 where its patch is excluded.
int slv_manifold_patches_weight(const slv_manifold_patches *patches, uint32_t face);

// Sums the signed uses of one edge into edge_balance of each patch; corners are its half-edges. Returns
// the sum over patches that are not excluded. Reset with slv_manifold_patches_clear_balance.
int slv_manifold_patches_balance(slv_manifold_patches *patches, const uint32_t *corners,
                                 uint32_t uses);
void slv_manifold_patches_clear_balance(slv_manifold_patches *patches, const uint32_t *corners,
                                        uint32_t uses);

// Pseudo-random sample of about one point in `stride`, chosen by a hash of the coordinates. Files
// that differ only in the order of their points get the same sample.
bool slv_is_sampled_point(const int64_t point[3], uint32_t stride);

#endif
