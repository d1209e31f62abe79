// SPDX-License-Identifier: MIT
// The arguments of a kernel. All numbers of a world lie in one array of floats (`state`) and one of
// integers (`table`); a body layout says where in them the particles and springs of one body are. No
// pointers: the same struct is valid in the memory of every device.
//
// A kernel works on element (row, column) of a body. On a grid a row is one run of cells of one color
// and a column is a cell; elsewhere a row is SLV_LANES particles or springs that lie side by side.
#ifndef SLV_KERNELS_BODY_LAYOUT_H
#define SLV_KERNELS_BODY_LAYOUT_H

#include "kernels/platform.h"
#include "kernels/types.h"

// The first values of state belong to no body.
enum {
    SLV_ZERO = 0,       // always 0
    SLV_DIVERGED = 1,   // above 0 once a position is out of bounds or NaN
    SLV_STEPS_DONE = 2, // of a run; counted on GPUs only
    SLV_HALTED = 3, // above 0 once a step has diverged; on GPUs only, read by all later launches
    SLV_HEAD_FLOATS = 16
};

enum {
    SLV_LANES = 8,       // particles of a slice, springs of a batch: the floats of an AVX register
    SLV_CLASS_LIMIT = 8, // different stiffnesses within a body
    SLV_BLOCK = 64,      // slots of a row of kernels without neighbors
    // Particles of a tile, which lie near each other: SLV_BLOCK slots or, of both colors of a grid, so many rows of so
    // many columns. slv_tile_slot finds them by bits (kernels/contact.h).
    SLV_TILE_ROWS = 4,
    SLV_TILE_COLUMNS = 8, // SLV_LANES
    SLV_ROW_ALIGNMENT = 8 // columns: SLV_LANES
};

// How vectors of a body lie in an array: those of a particle side by side, with a zero as the fourth component; or
// the values of each component side by side, as grids have them.
enum { SLV_JOINED = 0, SLV_SPLIT = 1 };
enum { SLV_PARTICLE_FLOATS = 4 }; // of a joined vector

// The sleep state of a body (kernels/sleep.h), in state.
enum {
    SLV_SLEEP_ASLEEP = 0,       // above 0: asleep in this step
    SLV_SLEEP_STEPS = 1,        // [2] steps at rest so far; by parity
    SLV_SLEEP_STEPS_NEEDED = 3, // steps after which it falls asleep
    SLV_SLEEP_WAKE_BELOW = 4,   // a body that touches it with fewer steps at rest wakes it
    SLV_SLEEP_LIMIT_SQUARE =
        5, // square metres: a larger squared displacement while steps are counted is no rest
    SLV_SLEEP_MARGIN = 6,     // metres from colliders that wake it; below 0: collides with none
    SLV_SLEEP_REACH = 7,      // metres, of its points towards other bodies; below 0: none
    SLV_SLEEP_HAS_POINTS = 8, // 1: has points in the neighbor search
    SLV_SLEEP_DISTURBED = 9,  // above 0: a collider or a move acts on it in this step
    SLV_SLEEP_MOVED = 10,     // above 0: a particle moved too far
    SLV_SLEEP_WOKEN = 11,     // above 0: woken by a body in this step
    SLV_SLEEP_PRESENT = 12,   // above 0: in the broad phase of this step
    SLV_SLEEP_BOX = 13,       // [6] bounding box, low then high: now and a step later
    SLV_SLEEP_SURFACE = 19,   // metres, of its surface towards those of others; below 0: none
    SLV_SLEEP_FLOATS = 32
};

// Phases of a Gauss-Seidel iteration: springs, then each batched kind of constraint. Copies of particles are
// set to their barycenter after each.
enum {
    SLV_PHASE_SPRINGS = 0,
    SLV_PHASE_BATCHES = 1, // of the first batched kind
    SLV_PHASE_COUNT = SLV_PHASE_BATCHES + SLV_BATCH_COUNT,
    SLV_PHANTOM_INTS = 3 + SLV_PHASE_COUNT
};

// Constraints of a kind with three ends or more (SLV_BATCHED_KINDS), in groups that share no particle. Padding
// has no inverse masses.
typedef struct slv_batch_layout {
    int groups; // in table, 2 a group: first row and end, SLV_LANES constraints a row
    int group_count;
    int averaged_groups;               // 1: the last group is averaged
    int ends[SLV_ARITY_MAX];           // in table: offsets of the particles, as in neighbors
    int inverse_masses[SLV_ARITY_MAX]; // their inverse masses, 1/kg
    int rests;                         // rest values
    int corrections;                   // those of the first constraint, counted from the body's
} slv_batch_layout;

// Projective dynamics solves, for each particle p with springs to p' of relative stiffness r,
//     x = weight * sum r (x' + L d) + anchor * y,
// where weight = k / (m/h² + sum k), anchor = (m/h²) / (m/h² + sum k). An outer iteration takes the float q
// as given and solves for the correction u to it, with x = q + u:
//     u = weight * sum r u' + b,  b = weight * sum r (q' - q + L d) + anchor * (y - q).
// Both are the same in exact arithmetic. In floats, positions far from the origin would be rounded in
// every sum, and cloth at rest there would drift; corrections are small, and so are their errors. y - q is
// `predicted` less q's displacement since the start of the step, which is finer than the last bit of a
// position. What rounding leaves of u when it is applied stays in u (kernels/remainder.h). A particle that never moves has weight 0 and y = q. A slot without a particle has
// weight and anchor 0 and stays at zero, which adds nothing to a sum.
typedef struct slv_body_layout {
    int arrangement; // of vector arrays: SLV_JOINED or SLV_SPLIT
    // Component d of slot s of a vector array lies at array + s * stride + d * component.
    int stride;
    int component;
    int slots;        // of each array, those without a particle included; a multiple of SLV_BLOCK
    int q;            // positions, metres
    int predicted;    // displacements of the step by inertia and external forces alone, metres
    int prev[2];      // positions a step ago and, for a rollback, two steps ago; by parity
    int u;            // corrections of q by projective solvers; else remainders of positions
    int remainders;   // of the starts of this step and the last (kernels/remainder.h)
    int b;            // constant part of these corrections
    int next;         // result of a Jacobi iteration: of u, or of q where it is position based
    int weight;       // one float a slot
    int inverse_mass; // 1/kg, 0 for fixed particles; one float a slot
    int anchor;
    int degrees; // springs of each slot, at least 1; one float a slot

    // Grids: cells of one color side by side, one plane a color. Flat grids have one layer, and rows
    // along their second axis.
    int columns;    // of a row, padded to SLV_ROW_ALIGNMENT
    int rows;       // of a layer
    int layers;     // 1 where flat
    int row_step;   // slots from a row to the next
    int layer_step; // slots from a layer to the next
    int color_step; // slots from red to black
    int origin;     // slot of the first cell of a plane
    int cells;      // along a row, both colors
    int present;    // in table, one a slot: bit n set where there is a neighbor in direction n
    float rest;     // metres, of all springs

    // All other layouts: slices of SLV_LANES particles. Springs of a slice lie slot by slot, SLV_LANES
    // to a slot; class by class, each an even number of slots since sums take them in pairs.
    int colors; // in table: first slice of each color, and the end
    int slices; // in table, 1 + SLV_CLASS_LIMIT a slice: first spring end, then the ends of classes
    int neighbors; // in table: offset of the other end from the first particle, floats
    int rests;     // rest length in metres, beside neighbors; below 0 where there is no spring
    int end_inverse_masses; // sum of both ends' inverse masses, beside neighbors
    int order;              // in table: slot of each particle in own order
    int color_count;
    int class_count;
    float ratio[SLV_CLASS_LIMIT];      // stiffness of a class over the reference in weight
    float compliance[SLV_CLASS_LIMIT]; // 1 / (k h²), 1/kg

    // The same springs as constraints, in groups that share no particle.
    int groups;            // in table, 3 a group: first spring, count, class
    int ends[2];           // in table: offsets of both particles, as in neighbors
    int inverse_masses[2]; // their inverse masses, 1/kg
    int lengths;           // rest, metres

    int particles;    // number of them
    int asleep;       // in state: above 0 while the body sleeps (kernels/sleep.h); or SLV_ZERO
    int tiles;        // blocks of SLV_BLOCK particles that lie near each other
    int tile_columns; // of a grid's row

    slv_batch_layout batches[SLV_BATCH_COUNT]; // by kind

    // What kernels of single features and solvers need beside these.
#define SLV_FIELD(type, name) type name;
#include "kernels/list.h"

    // What only the host needs. It comes last: kernels get the SLV_BODY_ARGUMENT_BYTES before it.
    SLV_HOST_MEMBER(int, inert)       // 1: all are fixed; only moves (kernels/moves.h) change them
    SLV_HOST_MEMBER(int, end_count)   // length of neighbors
    SLV_HOST_MEMBER(int, group_count) // of springs
#define SLV_HOST_FIELD(type, name) SLV_HOST_MEMBER(type, name)
#include "kernels/list.h"
} slv_body_layout;

// On the host.
#define SLV_BODY_ARGUMENT_BYTES offsetof(slv_body_layout, inert)

// Whether a body is laid out as a grid.
SLV_INLINE int slv_body_is_grid(const SLV_PRIVATE slv_body_layout *body) {
    return body->arrangement == SLV_SPLIT;
}

// The part of a spring that is too long, of its rest length over its length: -1 less than that quotient, in units of
// 2^-22. A spring whose length is right but for its last two bits does not pull. Such springs would pull at random, and
// iterations that have not converged do not conserve momentum.
SLV_INLINE float slv_spring_error(float quotient) {
    return (quotient + 2.0f) - 3.0f;
}

// Flags of a launch.
enum {
    SLV_FROM_NEXT = 1,    // averaged Jacobi: from next to q, in place of from q to next
    SLV_TO_POSITIONS = 2, // accept: next becomes q, in place of u
    SLV_LAST_PASS = 4,    // contacts: the last pass of a step, which has no friction
    SLV_ONLY_WOKEN = 8,   // neighbor lists: only of bodies that were woken in this step
    SLV_BEGINS = 16       // conjugate gradients: the first sum of a solve
};

typedef struct slv_launch {
    int index;  // color of a grid, group of constraints, phase of copies, request of neighbor lists
    int flags;  // SLV_FROM_NEXT …
    int parity; // which prev is the present one
    int step;   // steps done since moves were written
    int first;  // 1 in the first iteration of a step
    int damped; // Jacobi: 1 divides by the number of springs too
    float relaxation;
    float velocity_factor; // of a step: 1 less damping
    float gravity_step[4]; // gravity * h², metres; and a zero
    float limit;           // metres; positions beyond count as diverged
    float overlap_step;    // part of an overlap at its start that a step resolves

    // What kernels of single features need beside these.
#define SLV_LAUNCH_FIELD(type, name) type name;
#include "kernels/list.h"
} slv_launch;

// Where positions at the start of the step are kept, and those a step before.
SLV_INLINE int slv_step_start(const SLV_PRIVATE slv_body_layout *body,
                              const SLV_PRIVATE slv_launch *launch) {
    return launch->parity ? body->prev[0] : body->prev[1];
}

SLV_INLINE int slv_step_before(const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch) {
    return launch->parity ? body->prev[1] : body->prev[0];
}

#endif
