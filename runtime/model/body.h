// SPDX-License-Identifier: MIT
// A garment as its pack describes it, for every layout: particles in own order, springs between them, and
// how both begin. Made once from a pack, which may be closed afterwards.
#ifndef SLV_RUNTIME_MODEL_BODY_H
#define SLV_RUNTIME_MODEL_BODY_H

#include "formats/garment.h"
#include "kernels/body_layout.h"
#include "runtime/base/memory.h"
#include "runtime/model/batches.h"
#include "runtime/model/clusters.h"
#include "runtime/model/phantoms.h"
#include "runtime/model/surface.h"

typedef slv_constraint slv_spring; // as the public header shows it

typedef slv_structure_group slv_spring_group;

enum { SLV_FEATURE_ROOM = 16 }; // features of a step that may exist

// A fixed particle that moves along a line: at the end of step number n, counted from when the move was
// made, it has gone (n - begin) / length of it, and is there after `total` of them.
typedef struct slv_move {
    uint32_t particle;
    uint32_t done, total; // steps
} slv_move;

// That line, as kernels read it (kernels/moves.h).
typedef struct slv_move_path {
    float from[3], to[3]; // metres
    float begin, length;  // steps; begin is between 0 and 1
} slv_move_path;

// Where a garment's own frame lies.
typedef struct slv_pose {
    float position[3]; // metres
    float rotation[4]; // unit quaternion
} slv_pose;

// What springs are for: which of a garment's stiffnesses they have.
typedef enum slv_spring_role {
    SLV_SPRING_STRETCH,
    SLV_SPRING_SHEAR,
    SLV_SPRING_BENDING,
    SLV_SPRING_ROLES
} slv_spring_role;

// Springs that were made together, in the order of making.
typedef struct slv_spring_run {
    uint32_t first, count;
    slv_spring_role role;
    double pack_stiffness; // N/m, where none is given
    bool buckles;          // Choi and Ko's (kernels/springs.h); a class of their own
} slv_spring_run;

// What all springs of a kind share.
typedef struct slv_stencil_kind {
    bool exists;
    uint32_t stiffness_class;
    float rest; // metres
} slv_stencil_kind;

typedef struct slv_stencil {
    // The body is a flat grid; distance constraints join all neighbors along its threads, with one rest length and of
    // the first class; all other springs are of these two kinds, and none is there twice.
    bool regular;
    slv_stencil_kind shear, bend;
    uint16_t *
        directions; // [count], where regular: bit n set for a spring in direction n (kernels/cloth.h)
} slv_stencil;

// A flexure at rest (runtime/model/flexures.c).
typedef struct slv_flexure_rest {
    double factors[4]; // K of its corners
    double area;       // m², of both triangles over three times their weight
} slv_flexure_rest;

// How the factor of a body lies in passes (kernels/factor.h); by column.
typedef struct slv_factor_shape {
    uint32_t *level;  // [count]
    uint32_t *counts; // [SLV_FACTOR_PASSES][count] numbers of a row
    uint32_t level_count;
    uint32_t widest;     // columns of a block, at most
    size_t number_count; // of all passes, with padding
} slv_factor_shape;

typedef struct slv_body {
    slv_memory memory; // of everything below but the moves
    uint32_t count;
    slv_pose pose;
    slv_pose start_pose;
    double start_origin
        [3]; // m; of the world when the body was added: start and start_pose are relative to it
    float *start;        // [count][6]: position at the start, displacement of a step; metres
    float *mass;         // [count] kg as in the pack; 0 of a particle that cannot move
    float particle_mass; // kg, of all particles that can move; below 0: that of the pack
    uint8_t *fixed;      // [count] now
    uint8_t *start_fixed;
    double *stiffness_sum;   // [count] N/m: stiffness of all springs of a particle
    uint32_t *storage_order; // [count] own numbers in the order of the pack, which suits caches

    slv_spring *springs;
    uint32_t spring_count;
    uint32_t stretch_count; // of these, the first are the pack's distance constraints
    slv_spring_group *groups;
    uint32_t group_count;
    uint32_t averaged_group_count; // of these, the last: all at once, corrections averaged
    slv_spring_run *runs;          // [run_count]
    uint32_t run_count;
    uint32_t class_count;
    uint64_t neighbor_ends;            // of the grid's pack: neighbors of all particles
    double stiffness[SLV_CLASS_LIMIT]; // N/m by class
    bool buckles[SLV_CLASS_LIMIT];     // by class, at most one
    double stiffening;                 // times this (slv_parameters)
    double spring_damping;             // s, damping of springs over their stiffness
    double buckling_rigidity;          // N m², of springs that buckle
    double flexural_rigidity;          // N m, of flexures
    slv_flexure_rest *flexures;        // [batches[SLV_BATCH_FLEXURE].count]

    uint32_t cells[3]; // of the grid; all 0 without one
    uint32_t *cell;    // [count], NULL without a grid
    uint8_t *present;  // [count], where neighborly: bit n set for a spring in direction n
    slv_stencil stencil;
    uint32_t *color; // [count]: no spring joins two of a color
    uint32_t color_count;

    float stretch; // of the start, over rest
    float spacing; // metres, mean length of its distance constraints

    // Data of features of a step, by their number; in `memory` (runtime/step/feature.h).
    void *feature_data[SLV_FEATURE_ROOM];
    uint8_t *paint; // [count][4], or NULL (runtime/model/paint.h)

    slv_surface surface;
    slv_constraint_batch batches[SLV_BATCH_COUNT];
    slv_phantom_set phantoms;
    slv_cluster_set clusters;
    slv_factor factor; // in `memory` (runtime/model/factor.h)
    slv_factor_shape factor_shape;

    slv_memory move_memory;
    slv_move *moves;
    slv_move_path
        *paths; // of the moves, where the engine takes them from (runtime/layout/layout.h)
    uint32_t move_count;
    uint32_t move_room;
    uint32_t *move_of;  // [count]: one more than the number of a particle's move, 0 = none
    bool moves_changed; // since they were last written into the layout
    bool neighborly;    // springs of the first class join neighbors of the grid, none twice
    bool lattice;       // all springs do, with one rest length, and none is missing
} slv_body;

void slv_body_destroy(slv_body *body);

// kg; 0 of a particle that cannot move.
static inline float slv_body_get_mass(const slv_body *body, uint32_t particle) {
    const float own = body->mass[particle];
    return own > 0.0f && body->particle_mass > 0.0f ? body->particle_mass : own;
}

// Makes room for count moves more; false without memory.
bool slv_body_grow_moves(slv_body *body, uint32_t count);
// The number of the particle's move under way, which is about to change; of a new one where there is none.
// There must be room for it, in the layout too.
uint32_t slv_body_find_move(slv_body *body, uint32_t particle);
// Drops moves that have come to their end, and those of particles that are no longer fixed.
void slv_body_forget_moves(slv_body *body);

// How a particle answers its springs and its inertia (kernels/body_layout.h).
typedef struct slv_response {
    float weight, anchor, inverse_mass;
} slv_response;
slv_response slv_body_response(const slv_body *body, uint32_t particle, double time_step);

// Coordinates (i, j, k) of a particle in its grid.
void slv_body_get_grid_coordinates(const slv_body *body, uint32_t particle,
                                   uint32_t grid_coordinates[3]);

// The direction (SLV_SLOT_…) from a spring's end a to b where these are neighbors of a grid, else -1.
int slv_body_direction(const slv_body *body, const slv_spring *spring);

#endif
