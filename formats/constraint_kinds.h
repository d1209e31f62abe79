// SPDX-License-Identifier: MIT
// The list of constraint kinds. Formats, tools and the runtime loop over it or look a kind up in it; a new
// kind is one row here (docs/DESIGN.md, "How to add a constraint kind").
#ifndef SLV_FORMATS_CONSTRAINT_KINDS_H
#define SLV_FORMATS_CONSTRAINT_KINDS_H

#include <stdint.h>

// Columns:
//   NAME      of the constants SLV_CONSTRAINT_NAME and SLV_SECTION_NAME
//   number    stands in packs (CGRP): never renumber, only add; numbers have no gaps
//   letters   of the section that holds the constraints
//   arity     particles of a constraint, 2 … SLV_ARITY_MAX. The section holds one u32 array of particle
//             numbers for each, then one f32 array of rest values. 0: the section has a layout of its own
//   name      of one constraint, in dumps and messages
//   plural    of all of them, in reports and as a name of --dump
//   quantity  that a constraint keeps at its rest value, for messages
//
//   distance     |pa - pb| = rest, metres
//   bending      |pa - pb| = rest, metres, across an edge that two triangles share; its own stiffness
//   tetrahedron  (pb - pa) x (pc - pa) . (pd - pa) / 6 = rest, cubic metres
//   phantom      copies of one particle meet in their barycentre (slv_phantom_constraints)
#define SLV_CONSTRAINT_KINDS(X)                                                                    \
    X(DISTANCE, 1, 'C', 'D', 'S', 'T', 2, "distance", "distance", "rest length")                   \
    X(BENDING, 2, 'C', 'B', 'N', 'D', 2, "bending", "bending", "rest length")                      \
    X(TETRAHEDRON, 3, 'C', 'T', 'E', 'T', 4, "tetrahedron", "tetrahedra", "volume")                \
    X(PHANTOM, 4, 'C', 'P', 'H', 'M', 0, "phantom", "phantoms", "")

enum {
#define SLV_CONSTRAINT_NUMBER(NAME, number, ...) SLV_CONSTRAINT_##NAME = (number),
    SLV_CONSTRAINT_KINDS(SLV_CONSTRAINT_NUMBER)
#undef SLV_CONSTRAINT_NUMBER
        SLV_CONSTRAINT_END, // one above the last number
    SLV_CONSTRAINT_FIRST = 1,
    SLV_ARITY_MAX = 4,
};

typedef struct slv_constraint_kind {
    const char *name;
    const char *plural;
    const char *quantity;
    uint32_t section; // SLV_SECTION_…
    uint32_t arity;
} slv_constraint_kind;

// By number, SLV_CONSTRAINT_FIRST … SLV_CONSTRAINT_END - 1. Number 0 is no kind: its arity is 0.
extern const slv_constraint_kind slv_constraint_kinds[SLV_CONSTRAINT_END];

#endif
