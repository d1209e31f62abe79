// SPDX-License-Identifier: MIT
// What a kernel is told. All floats of a world lie in one array (`state`), all its integers in another
// (`table`); a part says where in them one garment's particles and springs are. No pointers: the same
// bytes serve a GPU.
//
// A kernel works on element (row, column) of a part. On a grid a row is one run of cells of one color
// and a column is a cell; elsewhere a row is SLV_LANES particles or springs that lie side by side.
#ifndef SLV_KERNELS_BODY_LAYOUT_H
#define SLV_KERNELS_BODY_LAYOUT_H

#include "kernels/platform.h"
#include "kernels/types.h"

// state begins with what belongs to no part.
enum {
    SLV_NOTHING = 0,    // always 0
    SLV_DIVERGED = 1,   // above 0 once a position has blown up
    SLV_STEPS_DONE = 2, // of a run; GPUs count
    SLV_HALTED = 3, // above 0 once a step has ended with the alarm; on GPUs, where others read it
    SLV_HEAD_FLOATS = 16
};

enum {
    SLV_LANES = 8,       // particles of a slice, springs of a batch
    SLV_CLASS_LIMIT = 8, // different stiffnesses within a part
    SLV_BLOCK = 64,      // slots that kernels without neighbors take at a time
    SLV_ROW_ALIGNMENT = 8
};

// What is known of a part's sleep (kernels/sleep.h), in state.
enum {
    SLV_SLEEP_STILL = 0,   // above 0: asleep in this step
    SLV_SLEEP_REST = 1,    // [2] steps at rest so far; by parity
    SLV_SLEEP_NEED = 3,    // as many make it fall asleep
    SLV_SLEEP_CALL = 4,    // who touches it and has fewer wakes it
    SLV_SLEEP_LIMIT = 5,   // square metres: who goes further while steps are counted is not at rest
    SLV_SLEEP_MARGIN = 6,  // metres at which colliders matter; below 0 where none does
    SLV_SLEEP_RADIUS = 7,  // metres, of its particles; below 0 where it meets no other garment
    SLV_SLEEP_POINTS = 8,  // 1: it meets garments or itself
    SLV_SLEEP_STIRRED = 9, // above 0: something moves it in this step, however slowly
    SLV_SLEEP_MOVED = 10,  // above 0: somebody went too far
    SLV_SLEEP_WOKEN = 11,  // above 0: by a garment, in this step
    SLV_SLEEP_PRESENT = 12, // above 0: in the broad phase of this step
    SLV_SLEEP_BOX = 13,     // [6] lowest, highest: where it is and will be a step later
    SLV_SLEEP_FLOATS = 32
};

// Projective dynamics solves, for each particle p with springs to p' of relative stiffness r,
//     q = weight * sum r (q' + L d) + anchor * y,
// where weight = k / (m/h² + sum k), anchor = (m/h²) / (m/h² + sum k). An outer iteration takes q as
// it is and looks for the correction u to it:
//     u = weight * sum r u' + b,  b = weight * sum r (q' - q + L d) + anchor * (y - q).
// The same in exact arithmetic; but in floats positions far from the origin would be rounded in every
// sum, and a garment at rest there would begin to drift. Corrections are small, and so are their errors.
// A particle that never moves has weight 0 and y = q; a slot without a particle has weight and anchor 0
// and stays at zero, harmless in any sum.
typedef struct slv_body_layout {
    // Component d of slot s of a vector array lies at array + s * stride + d * component.
    int stride;
    int component;
    int slots;        // of each array, those without a particle included; a multiple of SLV_BLOCK
    int q;            // positions
    int y;            // where inertia alone would take them
    int prev[2];      // positions a step ago and, for taking a step back, two steps ago, by turns
    int u;            // corrections of the present outer iteration
    int b;            // their constant part
    int next;         // what Jacobi will make of u, or of q where it is position based
    int weight;       // one float a slot
    int inverse_mass; // 1/kg, 0 where nothing moves; one float a slot
    int anchor;
    int degrees; // springs of each slot, at least 1; one float a slot

    // Grids: cells of one color side by side, one plane a color. Flat ones have their rows along the
    // second axis they have and one layer.
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

    // Anything else: slices of SLV_LANES particles. Springs of a slice lie slot by slot, SLV_LANES to
    // a slot; class by class, each an even number of slots since sums take them in pairs.
    int colors; // in table: first slice of each color, and the end
    int slices; // in table, 1 + SLV_CLASS_LIMIT a slice: first spring end, then the ends of classes
    int neighbors; // in table: place of the other end, counted in floats from the first particle
    int rests;     // rest length in metres, beside neighbors; below 0 where there is no spring
    int end_inverse_masses; // sum of both ends' inverse masses, beside neighbors
    int multipliers;        // of position based Jacobi, beside neighbors
    int order;              // in table: slot of each particle in own order
    int color_count;
    int class_count;
    float ratio[SLV_CLASS_LIMIT];      // stiffness of a class over the reference in weight
    float compliance[SLV_CLASS_LIMIT]; // 1 / (k h²), 1/kg

    // The same springs one by one, in groups that share no particle.
    int groups;            // in table, 3 a group: first spring, count, class
    int ends[2];           // in table: places of both particles, as neighbors
    int inverse_masses[2]; // their inverse masses, 1/kg
    int lengths;           // rest, metres
    int tensions;          // multipliers of position based Gauss-Seidel
    int group_count;

    // Fixed particles on their way (kernels/moves.h).
    int moves;     // in table, SLV_MOVE_INTS each
    int move_ends; // SLV_MOVE_FLOATS each
    int move_room; // a multiple of SLV_LANES; what is not in use says 0 steps

    // Contacts (kernels/collider.h, contact.h).
    int contact;             // in table: the world's contact block
    int collides;            // 1: meets colliders
    int tiles;               // blocks of SLV_BLOCK particles that lie near each other
    int tile_columns;        // of a grid's row
    int lists;               // in table, 1 + room a tile: how many colliders are near, and which
    int starts;              // copies of positions at the start of the step
    float thickness;         // metres kept from colliders
    float reach;             // metres from colliders at which they are looked at
    float rest_displacement; // metres a step below which motion calms down; 0: it never does
    float rest_damping;      // share of it that is lost in a step
    float friction;          // static
    float kinetic;           // friction when sliding
    float bounce;            // restitution

    // Tears (kernels/tear.h).
    float
        tearing; // the square of the share of its length at rest at which a spring breaks; 0: never
    int inertia; // m/h² over the first class's stiffness; one float a slot

    // Air and limits (kernels/wind.h, limits.h); 0 where there are none.
    float drag;         // over that of a plate
    int fans;           // in table: first triangle around each slot, and the end
    int fan_ends;       // in table, 2 a triangle: its other corners, as neighbors
    float strain;       // longest length over that at rest
    float strain_least; // of strain_limits, or strain
    int strain_limits;  // where they differ, one a slot: as strain, of its springs; 0: they do not
    float strain_step;  // metres that one look at strain moves a particle at most
    int strained_last;  // 1: looked at before the last passes over contacts only
    int strains;        // in table, for the CPU, one a tile: not 0 where a spring was too long
    int tethers;        // in table, one a slot: place of what holds it, as neighbors; -1 = nothing
    int tether_lengths; // metres, one a slot
    int limits;         // SLV_LIMIT_FLOATS a slot

    int particles; // in own order
    int inert;     // 1: none of them can move by itself; only moves (kernels/moves.h) lead them

    // Sleep (kernels/sleep.h).
    int asleep;   // in state: above 0 while it sleeps: its own of the sleepers, or SLV_NOTHING
    int sleepers; // of all parts, and one more for what all share; 0: nobody ever sleeps
    int sleeper_count;
    int meetings;       // in table, SLV_MEETINGS a part: not 0 where it meets another
    int rest_positions; // vectors: where particles were when the count began
    int rest_boxes;     // 6 floats a tile

    // Tetrahedra one by one, in groups that share no particle (kernels/tetrahedron.h).
    int tetrahedra; // in table, 2 a group: first row and end, SLV_LANES tetrahedra a row
    int corners[4]; // in table: places of the particles, as neighbors
    int corner_inverse_masses[4]; // their inverse masses, 1/kg
    int volumes;                  // six times the rest volume, cubic metres
    int tetrahedron_groups;

    // The same from each particle's own corner, where all are averaged: in slices, as springs are.
    int vertex_rows;              // in table, one a slice and one more: its first row of SLV_LANES
    int vertex_others[3];         // in table: places of the other corners, as neighbors
    int vertex_inverse_masses[3]; // their inverse masses, 1/kg
    int vertex_volumes;           // six times the rest volume, cubic metres
    int vertex_entry_count;       // entries, empty ones included

    // What is averaged (kernels/averaged.h) after the rest: the last groups of springs and of tetrahedra.
    int averaged_groups;
    int averaged_tetrahedra;
    int corrections;        // what constraints want: 8 floats a spring, then 16 a tetrahedron
    int corner_corrections; // of the first tetrahedron, counted from corrections
    int end_tensions;       // multipliers, 2 a spring
    int averaged_counts;    // averaged constraints of a slot, at least 1; one float a slot
    int gather_first;       // in table, a slot and one more: its first entry in gather
    int gather;             // in table: places in corrections

    // Copies of particles (kernels/phantom.h).
    int copies; // in table: places of the particles they are copies of
    int copy_count;
    int copy_slot; // slot of the first copy
    // Springs come first, then tetrahedra: each kind has copies of its own, which share the mass while
    // it is solved.
    int phantoms; // in table, 5 a particle with copies: its place; its first copy, their end; the end of
                  // its members of either kind, which begin where those before it ended
    int phantom_count;
    int members[2]; // in table: places of the kind's copies
    int pieces[2];  // in table, one a slot: itself and the kind's copies; where there are copies
} slv_body_layout;

typedef struct slv_launch {
    int index;  // by kernel: color of a grid, group of constraints, kind of phantoms, or pass
    int parity; // which prev is the present one
    int step;   // steps done since moves were written down
    int first;  // 1 in the first iteration of a step
    int damped; // Jacobi: 1 divides by the number of springs too
    float relaxation;
    float keep;     // share of velocity left after a step
    float drift[4]; // gravity * h², metres; and a zero
    float limit;    // metres; positions beyond have blown up
    float wind[4];  // metres a step; and a zero
} slv_launch;

#endif
