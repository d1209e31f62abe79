// SPDX-License-Identifier: MIT
// The layout in which all bodies of a world are solved: one array of floats, one of integers, one
// slv_body_layout a body (kernels/body_layout.h). A body whose springs are those of a grid lies as a grid when
// the solver supports grids; every other lies as a graph with index tables. The state is positions, previous
// positions and what features add; a new layout takes these over, bit for bit.
#ifndef SLV_RUNTIME_LAYOUT_LAYOUT_H
#define SLV_RUNTIME_LAYOUT_LAYOUT_H

#include "runtime/model/body.h"

#include <stdint.h>

// What of a body changes hands between the library and an engine that has memory of its own.
typedef enum slv_aspect {
    SLV_ASPECT_POSITIONS,  // q
    SLV_ASPECT_PREVIOUS,   // prev, both
    SLV_ASPECT_REMAINDERS, // u and remainders
    SLV_ASPECT_RESPONSE,   // weight, anchor and inverse masses, here and beside springs
    SLV_ASPECT_CORNERS,    // inverse masses beside ends of batches
    SLV_ASPECT_PREDICTED,  // predicted
    SLV_ASPECT_COARSE,     // what coarse levels know of weights
    SLV_ASPECT_NEIGHBORS,  // of the common body: the block of the neighbor search
    SLV_ASPECT_FEATURES,   // those of features from here on (runtime/step/feature.h)
    SLV_ASPECT_COUNT = 31  // bits of an unsigned, less one
} slv_aspect;

// A run of state or table.
typedef struct slv_extent {
    size_t first, count;
} slv_extent;

// Where in state and table an aspect of a body lies; and which aspects have been written here since an engine last took
// them (bit n for aspect n).
typedef struct slv_body_extents {
    slv_extent state[SLV_ASPECT_COUNT];
    slv_extent table[SLV_ASPECT_COUNT];
    unsigned written;
    unsigned parts; // SLV_PART_… that the body has
} slv_body_extents;

// Ends of the two arrays while ranges of them are reserved. Offsets beyond an int mark the layout as failed.
typedef struct slv_layout_cursor {
    size_t state, table;
    bool too_large;
} slv_layout_cursor;

// Where the staged arrays are written: in state and table or, where an engine has memory from which its device takes
// them without a detour, there.
typedef struct slv_staging {
    float *state; // NULL: none
    int *table;
} slv_staging;

struct slv_layout_hooks;

// What a layout holds for a solver beside springs between particles.
enum {
    SLV_PART_GRID = 1 << 0,     // bodies that are grids lie as such; without it all are graphs
    SLV_PART_BATCHES = 1 << 1,  // constraints with three ends or more, in groups
    SLV_PART_AVERAGES = 1 << 2, // groups of springs and batches that are averaged
    SLV_PART_PHANTOMS = 1 << 3, // copies of particles
    SLV_PART_VERTEX_TETRAHEDRA = 1 << 4, // tetrahedra as seen from each corner
    SLV_PART_STENCIL = 1 << 5            // flat grids with shear and bending lie as grids too
};

// What building needs to know of the world.
typedef struct slv_layout_settings {
    slv_solver solver;
    unsigned parts; // SLV_PART_… that the solver needs
    bool indexed;   // graphs only, no grids
    double time_step;
    float stiffness; // slv_parameters'; bodies know it as `stiffening`
    const struct slv_layout_hooks *hooks;
    // What the hooks need to know of the world (runtime/step/step_settings.h); only while a layout is made.
    const struct slv_step_settings *step;
} slv_layout_settings;

typedef struct slv_layout {
    slv_memory memory;
    float *state; // begins with SLV_HEAD_FLOATS of no body
    size_t state_count;
    int *table;
    size_t table_count;
    slv_body_layout *bodies;   // [body_count + 2]: two more for what belongs to none
    slv_body_extents *extents; // [body_count + 1]: the last is the common body's
    uint32_t **slots;          // [body_count]: slot of each particle in own order
    uint32_t body_count;
    slv_extent staged_state, staged_table; // arrays that the host writes before most runs
    slv_staging staging;                   // of these two
    int parity;                            // which prev is the present one
    bool plan_behind; // bodies have changed so that another plan is due (runtime/world/rebuild.c)
    float
        *kept; // room for positions and previous positions of all bodies, where an engine may fail
    slv_layout_settings settings;
    // Data of the neighbor search and, by their number, of features; in `memory` (runtime/step).
    struct slv_neighbor_layout *neighbors;
    void *feature_data[SLV_FEATURE_ROOM];
    // With PD_MULTIGRID: room for the matrices of coarse levels (runtime/layout/coarse_layout.h), or NULL; and what
    // those of graphs are made from, [body_count] (runtime/layout/aggregate_layout.h).
    double *coarse_sums;
    struct slv_aggregate_layout *aggregates;
} slv_layout;

// Bodies for what belongs to none: what is never left out, and what is left out while all bodies with points in
// the neighbor search are.
static inline uint32_t slv_layout_common_body(const slv_layout *layout) {
    return layout->body_count;
}
static inline uint32_t slv_layout_search_body(const slv_layout *layout) {
    return layout->body_count + 1;
}

// Floats of a slot in a vector array.
static inline int slv_body_slot_floats(const slv_body_layout *body_layout) {
    return slv_body_is_grid(body_layout) ? 3 : body_layout->stride;
}

// What the solver and the features of a step add to a layout (runtime/step/features.h); all are needed.
typedef struct slv_layout_hooks {
    // Whether a body must lie as a graph.
    bool (*needs_graph)(const slv_body *body);
    // Reserves room, when the bodies' own arrays have theirs. False without memory.
    bool (*reserve)(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor);
    // Fills that room, when the bodies' own arrays are filled. False without memory.
    bool (*fill)(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch);
    // Follows a change of which particles of a body are fixed.
    void (*set_response)(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step);
} slv_layout_hooks;

// Position (0 … 2) and previous position (3 … 5) of particles first … first + count - 1 in own order:
// [count][6].
void slv_layout_read(const slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                     float *values);
// Writing them sets their remainders to zero.
void slv_layout_write(slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                      const float *values);

// Remainders (kernels/remainder.h) of the same: [count][6]. Written after the positions.
void slv_layout_read_remainders(const slv_layout *layout, uint32_t index, uint32_t first,
                                uint32_t count, int16_t *remainders);
void slv_layout_write_remainders(slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                                 const int16_t *remainders);

// Position and previous position of one particle with their remainders. Writing what was read may round positions to
// another float where a remainder is more than half a unit in the last place.
void slv_layout_read_exactly(const slv_layout *layout, uint32_t index, uint32_t particle,
                             double values[6]);
void slv_layout_write_exactly(slv_layout *layout, uint32_t index, uint32_t particle,
                              const double values[6]);

// Position and velocity of a body at the start.
void slv_layout_write_start(slv_layout *layout, uint32_t index, const slv_body *body);

// Velocity zero: previous positions become the present ones.
void slv_layout_stop(slv_layout *layout, uint32_t index);

// From now on the staged arrays are written there; what is written comes along. Without memory: in state and table.
void slv_layout_stage(slv_layout *layout, slv_staging staging);

// --- Building -----------------------------------------------------------------------------------------

int slv_reserve_state(slv_layout_cursor *cursor, size_t count);
int slv_reserve_table(slv_layout_cursor *cursor, size_t count);

// The arrays every body has, for body_layout->slots slots; and masses beside springs and their ends, where
// the layout has those.
void slv_reserve_vectors(slv_layout_cursor *cursor, slv_body_layout *body_layout,
                         slv_body_extents *extents, size_t springs, size_t ends);

// Springs of all groups, each padded to batches of SLV_LANES.
size_t slv_springs_count_room(const slv_body *body);

// Floats of an array with one vector a slot.
static inline size_t slv_count_vector_floats(const slv_body_layout *body_layout) {
    return (size_t)slv_body_slot_floats(body_layout) * (size_t)body_layout->slots;
}

void slv_layout_destroy(slv_layout *layout);

#endif
