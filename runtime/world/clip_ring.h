// SPDX-License-Identifier: MIT
// Groups of a clip's frames, decoded ahead by a worker thread into a ring. slv_clip_ring_get
// waits for a group that is not decoded yet, and counts the wait.
#ifndef SLV_RUNTIME_WORLD_CLIP_RING_H
#define SLV_RUNTIME_WORLD_CLIP_RING_H

#include "formats/collider_pack.h"
#include "runtime/base/memory.h"

enum { SLV_RING_SLOTS = 5, SLV_RING_REQUESTED = 4 };

typedef struct slv_clip_ring slv_clip_ring;

// pack must outlive it. NULL: out of memory. Where no thread can be started, slv_clip_ring_get
// decodes groups.
slv_clip_ring *slv_clip_ring_create(const slv_collider_pack *pack, slv_allocator allocator);
void slv_clip_ring_destroy(slv_clip_ring *ring); // NULL is fine

// Says which groups will be needed, most urgent first; those of the last call are kept until the next.
void slv_clip_ring_request(slv_clip_ring *ring, const uint32_t *groups, uint32_t count);

// Rows of a motion (formats/motion.h) in a group, which must be among the requested. NULL where the pack is
// damaged: *fault says how.
const float *slv_clip_ring_get(slv_clip_ring *ring, uint32_t group, slv_motion_kind motion,
                               const char **fault);

typedef struct slv_ring_counts {
    uint64_t decoded; // groups
    uint64_t waits;   // times that a group was not there when it was needed
    double wait_seconds;
} slv_ring_counts;
void slv_clip_ring_forget_waits(slv_clip_ring *ring);
slv_ring_counts slv_clip_ring_counts(slv_clip_ring *ring);

#endif
