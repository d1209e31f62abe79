// SPDX-License-Identifier: MIT
// The constraints of a garment by kind and material, between own numbers of particles. For coloring
// they are sorted canonically, so that a pack that was colored before gives the same sets and the
// same result. With `keep` they stay as stored.
#ifndef SLV_COLORIZE_CONSTRAINT_SETS_H
#define SLV_COLORIZE_CONSTRAINT_SETS_H

#include "formats/garment.h"
#include "tools/colorize/phantoms.h"

typedef struct slv_constraint_set {
    uint32_t kind; // SLV_CONSTRAINT_…
    uint32_t material;
    uint32_t arity, count;
    // Own numbers; numbers from particle_count on are copies made by phantoms.
    uint32_t *ends[SLV_ARITY_MAX];
    float *rest;

    // Results of the coloring.
    slv_coloring coloring;
    uint32_t
        solved_colors; // colors solved one after the other; the remaining constraints are averaged
    uint32_t greedy_colors; // colors without phantoms
    uint32_t clique_number;
    bool clique_exact; // otherwise it is a lower bound
    slv_split split;
} slv_constraint_set;

typedef struct slv_constraint_sets {
    uint32_t count;
    slv_constraint_set *sets; // by kind, then material; none empty
    uint64_t constraints;     // of all sets
} slv_constraint_sets;

// With `keep`, colors and copies are those of the pack; phantoms, created by the caller, receives
// the copies. Otherwise there are none. SLV_ERROR_MEMORY where memory is short,
// SLV_ERROR_UNSUPPORTED for 2^30 constraints of a kind or more.
slv_result slv_constraint_sets_create(const slv_garment *garment, bool keep, slv_phantoms *phantoms,
                                      slv_constraint_sets *sets, slv_error *error);
void slv_constraint_sets_destroy(slv_constraint_sets *sets);

#endif
