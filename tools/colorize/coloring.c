// SPDX-License-Identifier: MIT
#include "tools/colorize/coloring.h"

#include <stdlib.h>
#include <string.h>

enum { BALANCE_PASSES = 3 }; // over all elements, to even out the sizes of colors

void slv_coloring_destroy(slv_coloring *coloring) {
    free(coloring->color);
    *coloring = (slv_coloring){0};
}

// --- Greedy -----------------------------------------------------------------------------------------

bool slv_color_greedily(const slv_conflicts *conflicts, const uint32_t *sequence,
                        slv_coloring *coloring) {
    const uint32_t count = conflicts->element_count;
    *coloring = (slv_coloring){.element_count = count};
    uint32_t *taken = calloc((size_t)count + 1,
                             sizeof *taken); // by color: one more than the last element beside it
    coloring->color = malloc(((size_t)count + 1) * sizeof *coloring->color);
    if (!taken || !coloring->color) {
        free(taken);
        slv_coloring_destroy(coloring);
        return false;
    }
    memset(coloring->color, 0xFF, ((size_t)count + 1) * sizeof *coloring->color);
    for (uint32_t i = 0; i < count; i++) {
        SLV_EACH_NEIGHBOR(conflicts, sequence[i], p, at, other) {
            if (coloring->color[other] != UINT32_MAX) {
                taken[coloring->color[other]] = i + 1;
            }
        }
        uint32_t color = 0;
        while (taken[color] == i + 1) {
            color++;
        }
        coloring->color[sequence[i]] = color;
        if (color >= coloring->color_count) {
            coloring->color_count = color + 1;
        }
    }
    free(taken);
    return true;
}

// --- Balance ----------------------------------------------------------------------------------------

typedef struct balance {
    const slv_conflicts *conflicts;
    slv_coloring *coloring;
    uint32_t *size;  // [color_count]
    uint32_t *taken; // [color_count], by color: one more than the last element beside it
} balance;

// The permitted color with the fewest elements; the present color where none is smaller by two.
static uint32_t fewest(balance *b, uint32_t e) {
    const uint32_t own = b->coloring->color[e];
    uint32_t best = own;
    SLV_EACH_NEIGHBOR(b->conflicts, e, p, at, other) {
        b->taken[b->coloring->color[other]] = e + 1;
    }
    for (uint32_t c = 0; c < b->coloring->color_count; c++) {
        bool free = b->taken[c] != e + 1 && b->size[c] + 1 < b->size[own];
        if (free && (best == own || b->size[c] < b->size[best])) {
            best = c;
        }
    }
    return best;
}

static void even_out(balance *b, uint32_t mean) {
    memset(b->taken, 0, b->coloring->color_count * sizeof *b->taken);
    for (uint32_t e = 0; e < b->conflicts->element_count; e++) {
        uint32_t *color = &b->coloring->color[e];
        if (b->size[*color] > mean) {
            uint32_t better = fewest(b, e);
            b->size[*color]--;
            b->size[better]++;
            *color = better;
        }
    }
}

bool slv_coloring_balance(const slv_conflicts *conflicts, slv_coloring *coloring) {
    const uint32_t count = conflicts->element_count;
    const uint32_t colors = coloring->color_count;
    balance b = {.conflicts = conflicts, .coloring = coloring};
    b.size = calloc((size_t)colors + 1, sizeof *b.size);
    b.taken = calloc((size_t)colors + 1, sizeof *b.taken);
    bool done = b.size && b.taken;
    for (uint32_t e = 0; done && e < count; e++) {
        b.size[coloring->color[e]]++;
    }
    for (int pass = 0; done && colors > 1 && pass < BALANCE_PASSES; pass++) {
        even_out(&b, count / colors);
    }
    free(b.size);
    free(b.taken);
    return done;
}

// --- Proof ------------------------------------------------------------------------------------------

bool slv_coloring_check(const slv_conflicts *conflicts, const slv_coloring *coloring,
                        bool *is_proper) {
    // By color: one more than the last hyperedge with an element of that color.
    uint32_t *seen_in = calloc((size_t)coloring->color_count + 1, sizeof *seen_in);
    bool proper = seen_in != NULL;
    for (uint32_t e = 0; proper && e < coloring->element_count; e++) {
        proper = coloring->color[e] < coloring->color_count;
    }
    for (uint32_t p = 0; proper && p < conflicts->hyperedge_count; p++) {
        for (uint32_t at = conflicts->first_element[p];
             proper && at < conflicts->first_element[p + 1]; at++) {
            uint32_t color = coloring->color[conflicts->elements[at]];
            proper = seen_in[color] != p + 1;
            seen_in[color] = p + 1;
        }
    }
    *is_proper = proper;
    const bool done = seen_in != NULL;
    free(seen_in);
    return done;
}

bool slv_coloring_create(const slv_conflicts *conflicts, const slv_ordering *ordering,
                         uint32_t enough, slv_coloring *coloring) {
    const bool done = slv_color_greedily(conflicts, ordering->sequence, coloring) &&
                      slv_coloring_reduce(conflicts, enough, coloring) &&
                      slv_coloring_balance(conflicts, coloring);
    if (!done) {
        slv_coloring_destroy(coloring);
    }
    return done;
}
