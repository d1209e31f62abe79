// SPDX-License-Identifier: MIT
// Plain types shared by host, device and pack: the vocabulary of particles and constraints.
// Stays inside what C11, CUDA C and OpenCL C agree on; no pointers, no bool, no vector types.
#ifndef SLV_KERNELS_TYPES_H
#define SLV_KERNELS_TYPES_H

// "No particle" in a neighbor slot.
#define SLV_NO_NEIGHBOR (-1)

// A color that no solver may use: the work has not been colored yet.
#define SLV_UNCOLORED 0xFFFFFFFFu

// The six slots of a grid particle's neighbor table.
enum {
    SLV_SLOT_MINUS_X = 0,
    SLV_SLOT_PLUS_X = 1,
    SLV_SLOT_MINUS_Y = 2,
    SLV_SLOT_PLUS_Y = 3,
    SLV_SLOT_MINUS_Z = 4,
    SLV_SLOT_PLUS_Z = 5,
    SLV_SLOT_COUNT = 6
};

// Kinds of constraint. Packs, tools and the runtime loop over this list or look a kind up in it
// (slv_constraint_kinds in formats/sections.h). docs/DESIGN.md, "How to add a constraint kind". Columns:
//   NAME      of the constants SLV_CONSTRAINT_NAME, SLV_SECTION_NAME and SLV_BATCH_NAME
//   number    stands in packs (CGRP): never renumber, only add; numbers have no gaps
//   letters   of the section that holds the constraints
//   arity     particles of a constraint, 2 … SLV_ARITY_MAX. The section holds one u32 array of particle
//             numbers for each, then one f32 array of rest values. 0: the section has a layout of its own
//   name      of one constraint, in dumps, messages and names of kernels (NAME_project, NAME_correct)
//   plural    of all of them, in reports and as a name of --dump
//   quantity  that a constraint keeps at its rest value, for messages
//   power     of the scale of a garment that its rest values are multiplied by: 1 for lengths
//
// Kinds with three ends or more are solved in batches (slv_batch_layout), each kind by kernels of its own:
//   tetrahedron  (pb - pa) x (pc - pa) . (pd - pa) / 6 = rest, cubic metres
//   flexure      |sum K p| = rest, metres, over an edge ab and corners c and d opposite to it (kernels/flexure.h)
#define SLV_BATCHED_KINDS(X)                                                                       \
    X(TETRAHEDRON, 3, 'C', 'T', 'E', 'T', 4, tetrahedron, tetrahedra, "volume", 3)                 \
    X(FLEXURE, 5, 'C', 'F', 'L', 'X', 4, flexure, flexures, "deflection", 1)
//   distance     |pa - pb| = rest, metres
//   bending      |pa - pb| = rest, metres, across an edge that two triangles share; its own stiffness
//   phantom      copies of one particle are set to their barycenter (kernels/phantom.h)
#define SLV_CONSTRAINT_KINDS(X)                                                                    \
    X(DISTANCE, 1, 'C', 'D', 'S', 'T', 2, distance, distance, "rest length", 1)                    \
    X(BENDING, 2, 'C', 'B', 'N', 'D', 2, bending, bending, "rest length", 1)                       \
    X(PHANTOM, 4, 'C', 'P', 'H', 'M', 0, phantom, phantoms, "", 0)                                 \
    SLV_BATCHED_KINDS(X)

// All columns are named: OpenCL C has no variadic macros.
// NOLINTBEGIN(bugprone-macro-parentheses): the rows are parts of enumerations and sums
#define SLV_KIND_NUMBER(NAME, number, a, b, c, d, arity, name, plural, quantity, power)            \
    SLV_CONSTRAINT_##NAME = number,
#define SLV_KIND_BATCH(NAME, number, a, b, c, d, arity, name, plural, quantity, power)             \
    SLV_BATCH_##NAME,
#define SLV_KIND_ONE(NAME, number, a, b, c, d, arity, name, plural, quantity, power) +1
// NOLINTEND(bugprone-macro-parentheses)

enum {
    SLV_CONSTRAINT_KINDS(SLV_KIND_NUMBER) // of all kinds
    SLV_CONSTRAINT_FIRST = 1,
    SLV_CONSTRAINT_END = 1 SLV_CONSTRAINT_KINDS(SLV_KIND_ONE), // one above the last number
    SLV_ARITY_MAX = 4
};

enum { SLV_BATCHED_KINDS(SLV_KIND_BATCH) SLV_BATCH_COUNT };

#undef SLV_KIND_NUMBER
#undef SLV_KIND_BATCH
#undef SLV_KIND_ONE

#endif
