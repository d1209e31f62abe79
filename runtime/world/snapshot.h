// SPDX-License-Identifier: MIT
// The bytes of a snapshot: the head; a record of each collider; then of each body its head, [count][6] floats, their
// [count][6] remainders (kernels/remainder.h), count bytes of `fixed`, and its features (runtime/step/features.h); all packed and in own order, so that they do not
// depend on the layout in which the world is solved.
#ifndef SLV_RUNTIME_WORLD_SNAPSHOT_H
#define SLV_RUNTIME_WORLD_SNAPSHOT_H

#include "runtime/world/clip.h"
#include "runtime/world/world.h"

#define SLV_SNAPSHOT_MAGIC "SLVSTATE"
enum { SLV_SNAPSHOT_VERSION = 7 };

typedef struct slv_snapshot_head {
    char magic[8];
    uint64_t size;
    uint64_t checksum; // of all bytes after this number
    uint32_t version;
    uint32_t body_count;
    uint32_t collider_count;
    uint32_t zero;
    slv_parameters parameters;
    slv_clock clock;
    double origin[3]; // m; what all positions in the snapshot are relative to
    uint32_t clip_count;
    slv_clip_play plays[SLV_WORLD_CLIPS];
} slv_snapshot_head;

typedef struct slv_snapshot_collider {
    int32_t kind;
    float record[SLV_COLLIDER_FLOATS];
} slv_snapshot_collider;

typedef struct slv_snapshot_body {
    uint32_t count;
    slv_pose pose;
} slv_snapshot_body;

// Checksum of `size` bytes, of which the first are a head.
uint64_t slv_snapshot_get_checksum(const void *bytes, size_t size);

// Bytes of a body without its features.
size_t slv_snapshot_get_body_size(const slv_body *body);

// Refuses bytes that no world made the same way can have saved: every number that a restored world reads is within the
// range that the calls of the library keep it in. Changes nothing but the head that is read and the world's message.
slv_result slv_snapshot_check(slv_world *world, const char *bytes, size_t size,
                              slv_snapshot_head *head);

#endif
