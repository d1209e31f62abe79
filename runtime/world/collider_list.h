// SPDX-License-Identifier: MIT
// The colliders of a world: one record of floats each (kernels/collider.h), kept beside the layout in the
// host's memory, since forms come and go.
#ifndef SLV_RUNTIME_WORLD_COLLIDER_LIST_H
#define SLV_RUNTIME_WORLD_COLLIDER_LIST_H

#include "formats/result.h"
#include "kernels/collider.h"
#include "runtime/layout/layout.h"
#include "runtime/world/handles.h"

typedef struct slv_collider_entry {
    int kind;      // SLV_SHAPE_…; SLV_SHAPE_NONE where it was removed
    int shape;     // what it was before
    uint32_t slot; // of its handle
    void *user_data;
    size_t first_sample, sample_count; // of a field, among all samples
    size_t pack_size;                  // of a field, bytes of its file
    float record[SLV_COLLIDER_FLOATS]; // motion as of the last fetch
    float start[SLV_COLLIDER_FLOATS];  // as it was added
    double start_origin[3];            // m; of the world then: `start` is relative to it
} slv_collider_entry;

typedef struct slv_collider_list {
    slv_memory memory;
    slv_collider_entry *entries; // [room]
    uint32_t count;              // entries in use, gaps of removed ones included
    uint32_t room;               // a multiple of SLV_LANES
    slv_handle_list handles;
    slv_memory field_memory;
    float *samples; // of all fields
    size_t sample_count;
    size_t sample_room;
    uint32_t gap_count; // entries that were removed
} slv_collider_list;

// Writes all records, kinds and samples into a layout that has room for them. The engine of the layout takes
// them with the next run.
void slv_colliders_write(const slv_collider_list *list, slv_layout *layout);
// The same for one collider, while the layout has the motion of all: after it has been read.
void slv_colliders_write_one(const slv_collider_list *list, const slv_collider_entry *entry,
                             slv_layout *layout);
// Takes the motion of all colliders over from a layout.
void slv_colliders_read(slv_collider_list *list, const slv_layout *layout);
void slv_colliders_reset(slv_collider_list *list);

#endif
