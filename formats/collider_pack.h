// SPDX-License-Identifier: MIT
// What a collider pack means: an animated character as particles on its surface, points to hang garments
// on, and the mesh to draw, frame by frame. After slv_collider_pack_open every number is in range; the coded
// groups themselves are verified as they are decoded.
#ifndef SLV_FORMATS_COLLIDER_PACK_H
#define SLV_FORMATS_COLLIDER_PACK_H

#include "formats/layout.h"
#include "formats/motion.h"
#include "formats/named_sets.h"
#include "formats/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum slv_motion_kind {
    SLV_MOTION_PARTICLES = 0,
    SLV_MOTION_ATTACHMENTS = 1,
    SLV_MOTION_MESH = 2,
    SLV_MOTION_COUNT = 3
} slv_motion_kind;

// A view into the pack, which must outlive it.
typedef struct slv_collider_pack {
    slv_clip_info info;
    slv_motion motions[SLV_MOTION_COUNT]; // count 0 where there is none
    slv_named_sets attachments; // of each, the garment's own particle numbers; points of the
                                // motion in the same order
    const uint32_t *triangles;  // [triangle_count][3] of the mesh's vertices
    const float *uvs;           // [vertex_count][2], or NULL
    const char *provenance;     // JSON, not terminated
    size_t provenance_size;
    void *tables[SLV_MOTION_COUNT]; // memory of the view
} slv_collider_pack;

slv_result slv_collider_pack_open(const slv_pack *pack, slv_collider_pack *collider,
                                  slv_error *error);
void slv_collider_pack_close(slv_collider_pack *collider); // zeroes it; not the pack

// Bytes of memory that the view takes, with one decoder for each motion.
size_t slv_collider_pack_get_memory(const slv_collider_pack *collider);

slv_motion_kinds slv_motion_get_sections(slv_motion_kind kind);

// Decodes every group of every motion, the only check that opening omits.
slv_result slv_collider_pack_verify_groups(const slv_collider_pack *collider, slv_error *error);

#ifdef __cplusplus
}
#endif

#endif
