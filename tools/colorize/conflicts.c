// SPDX-License-Identifier: MIT
#include "tools/colorize/conflicts.h"

#include <stdlib.h>
#include <string.h>

static bool allocate(slv_conflicts *conflicts, uint64_t ends) {
    size_t elements = (size_t)conflicts->element_count + 1;
    size_t hyperedges = (size_t)conflicts->hyperedge_count + 2;
    conflicts->first_hyperedge = calloc(elements, sizeof *conflicts->first_hyperedge);
    conflicts->hyperedges = calloc((size_t)ends + 1, sizeof *conflicts->hyperedges);
    conflicts->first_element = calloc(hyperedges, sizeof *conflicts->first_element);
    conflicts->elements = calloc((size_t)ends + 1, sizeof *conflicts->elements);
    return conflicts->first_hyperedge && conflicts->hyperedges && conflicts->first_element &&
           conflicts->elements;
}

bool slv_conflicts_create(const uint32_t *const *ends, uint32_t arity, uint32_t count,
                          uint32_t particle_count, slv_conflicts *conflicts) {
    uint64_t end_count = (uint64_t)arity * count;
    *conflicts = (slv_conflicts){.element_count = count, .hyperedge_count = particle_count};
    if (end_count >= UINT32_MAX || !allocate(conflicts, end_count)) {
        slv_conflicts_destroy(conflicts);
        return false;
    }
    uint32_t *next =
        conflicts->first_element + 1; // shifted into first_element while hyperedges are filled
    for (uint32_t i = 0; i < count; i++) {
        conflicts->first_hyperedge[i + 1] = (i + 1) * arity;
        for (uint32_t e = 0; e < arity; e++) {
            conflicts->hyperedges[i * arity + e] = ends[e][i];
            next[ends[e][i] + 1]++;
        }
    }
    for (uint32_t p = 0; p < particle_count; p++) {
        next[p + 1] += next[p];
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < arity; e++) {
            conflicts->elements[next[ends[e][i]]++] = i;
        }
    }
    return true;
}

void slv_conflicts_destroy(slv_conflicts *conflicts) {
    free(conflicts->first_hyperedge);
    free(conflicts->hyperedges);
    free(conflicts->first_element);
    free(conflicts->elements);
    *conflicts = (slv_conflicts){0};
}

slv_conflicts slv_conflicts_transpose(const slv_conflicts *conflicts) {
    return (slv_conflicts){
        .element_count = conflicts->hyperedge_count,
        .hyperedge_count = conflicts->element_count,
        .first_hyperedge = conflicts->first_element,
        .hyperedges = conflicts->elements,
        .first_element = conflicts->first_hyperedge,
        .elements = conflicts->hyperedges,
    };
}

uint32_t slv_conflicts_largest_hyperedge(const slv_conflicts *conflicts) {
    uint32_t largest = conflicts->element_count > 0 ? 1 : 0;
    for (uint32_t p = 0; p < conflicts->hyperedge_count; p++) {
        uint32_t count = conflicts->first_element[p + 1] - conflicts->first_element[p];
        largest = count > largest ? count : largest;
    }
    return largest;
}
