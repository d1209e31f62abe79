// SPDX-License-Identifier: MIT
// Random constraints between particles, for tests that compare with brute force.
#ifndef SLV_TESTS_RANDOM_CONSTRAINTS_H
#define SLV_TESTS_RANDOM_CONSTRAINTS_H

#include "tools/colorize/cliques.h"
#include "tools/colorize/coloring.h"

#include <stdlib.h>

typedef struct random_constraints {
    uint32_t arity, count, particles;
    uint32_t *ends[4];
    uint32_t *original_ends[4];
} random_constraints;

static inline uint32_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static inline random_constraints make_random(uint64_t seed, uint32_t arity, uint32_t count,
                                             uint32_t particles) {
    random_constraints made = {.arity = arity, .count = count, .particles = particles};
    for (uint32_t e = 0; e < arity; e++) {
        made.ends[e] = calloc((size_t)count + 1, 4);
        made.original_ends[e] = calloc((size_t)count + 1, 4);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < arity; e++) {
            bool again = true;
            while (again) {
                made.ends[e][i] = next_random(&seed) % particles;
                again = false;
                for (uint32_t f = 0; f < e; f++) {
                    again |= made.ends[f][i] == made.ends[e][i];
                }
            }
            made.original_ends[e][i] = made.ends[e][i];
        }
    }
    return made;
}

static inline void free_random(random_constraints *made) {
    for (uint32_t e = 0; e < made->arity; e++) {
        free(made->ends[e]);
        free(made->original_ends[e]);
    }
}

static inline bool do_conflict(const random_constraints *made, uint32_t one, uint32_t other) {
    for (uint32_t e = 0; e < made->arity; e++) {
        for (uint32_t f = 0; f < made->arity; f++) {
            if (made->ends[e][one] == made->ends[f][other]) {
                return one != other;
            }
        }
    }
    return false;
}

static inline slv_conflicts conflicts_of(const random_constraints *made, uint32_t particles) {
    slv_conflicts conflicts;
    if (!slv_conflicts_create((const uint32_t *const *)made->ends, made->arity, made->count,
                              particles, &conflicts)) {
        abort();
    }
    return conflicts;
}

static inline slv_coloring coloring_of(const slv_conflicts *conflicts) {
    slv_ordering ordering;
    slv_coloring coloring;
    if (!slv_smallest_last(conflicts, &ordering) ||
        !slv_coloring_create(conflicts, &ordering, 0, &coloring)) {
        abort();
    }
    slv_ordering_destroy(&ordering);
    return coloring;
}

static inline bool find_clique_number(const slv_conflicts *conflicts, uint32_t colors,
                                      int64_t effort, uint32_t *number, bool *exact) {
    slv_ordering ordering;
    const bool done = slv_smallest_last(conflicts, &ordering) &&
                      slv_clique_number(conflicts, &ordering, colors, effort, number, exact);
    slv_ordering_destroy(&ordering);
    return done;
}

#endif
