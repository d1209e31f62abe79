// SPDX-License-Identifier: MIT
#include "tools/colorize/colouring.h"

#include <stdlib.h>
#include <string.h>

void slv_colouring_destroy(slv_colouring *colouring) {
    free(colouring->colour);
    *colouring = (slv_colouring){0};
}

// --- Greedy -----------------------------------------------------------------------------------------

bool slv_colour_greedily(const slv_conflicts *conflicts, const uint32_t *sequence,
                         slv_colouring *colouring) {
    const uint32_t count = conflicts->element_count;
    *colouring = (slv_colouring){.element_count = count};
    uint32_t *taken = calloc((size_t)count + 1, sizeof *taken); // by colour: the last who met it
    colouring->colour = malloc(((size_t)count + 1) * sizeof *colouring->colour);
    if (!taken || !colouring->colour) {
        free(taken);
        slv_colouring_destroy(colouring);
        return false;
    }
    memset(colouring->colour, 0xFF, ((size_t)count + 1) * sizeof *colouring->colour);
    for (uint32_t i = 0; i < count; i++) {
        SLV_EACH_NEIGHBOUR(conflicts, sequence[i], p, at, other) {
            if (colouring->colour[other] != UINT32_MAX) {
                taken[colouring->colour[other]] = i + 1;
            }
        }
        uint32_t colour = 0;
        while (taken[colour] == i + 1) {
            colour++;
        }
        colouring->colour[sequence[i]] = colour;
        if (colour >= colouring->colour_count) {
            colouring->colour_count = colour + 1;
        }
    }
    free(taken);
    return true;
}

// --- Balance ----------------------------------------------------------------------------------------

typedef struct balance {
    const slv_conflicts *conflicts;
    slv_colouring *colouring;
    uint32_t *size;  // [colour_count]
    uint32_t *taken; // [colour_count], by colour: one more than the last element that met it
} balance;

// The permissible colour of fewest elements; its own where none is better by two.
static uint32_t fewest(balance *b, uint32_t e) {
    const uint32_t own = b->colouring->colour[e];
    uint32_t best = own;
    SLV_EACH_NEIGHBOUR(b->conflicts, e, p, at, other) {
        b->taken[b->colouring->colour[other]] = e + 1;
    }
    for (uint32_t c = 0; c < b->colouring->colour_count; c++) {
        bool free = b->taken[c] != e + 1 && b->size[c] + 1 < b->size[own];
        if (free && (best == own || b->size[c] < b->size[best])) {
            best = c;
        }
    }
    return best;
}

static void even_out(balance *b, uint32_t mean) {
    memset(b->taken, 0, b->colouring->colour_count * sizeof *b->taken);
    for (uint32_t e = 0; e < b->conflicts->element_count; e++) {
        uint32_t *colour = &b->colouring->colour[e];
        if (b->size[*colour] > mean) {
            uint32_t better = fewest(b, e);
            b->size[*colour]--;
            b->size[better]++;
            *colour = better;
        }
    }
}

bool slv_colouring_balance(const slv_conflicts *conflicts, slv_colouring *colouring) {
    enum { PASSES = 3 };
    const uint32_t count = conflicts->element_count;
    const uint32_t colours = colouring->colour_count;
    balance b = {.conflicts = conflicts, .colouring = colouring};
    b.size = calloc((size_t)colours + 1, sizeof *b.size);
    b.taken = calloc((size_t)colours + 1, sizeof *b.taken);
    bool done = b.size && b.taken;
    for (uint32_t e = 0; done && e < count; e++) {
        b.size[colouring->colour[e]]++;
    }
    for (int pass = 0; done && colours > 1 && pass < PASSES; pass++) {
        even_out(&b, count / colours);
    }
    free(b.size);
    free(b.taken);
    return done;
}

// --- Proof ------------------------------------------------------------------------------------------

bool slv_colouring_is_proper(const slv_conflicts *conflicts, const slv_colouring *colouring) {
    uint32_t *met =
        calloc((size_t)colouring->colour_count + 1, sizeof *met); // by colour: the place
    bool proper = met != NULL;
    for (uint32_t e = 0; proper && e < colouring->element_count; e++) {
        proper = colouring->colour[e] < colouring->colour_count;
    }
    for (uint32_t p = 0; proper && p < conflicts->place_count; p++) {
        for (uint32_t at = conflicts->first_element[p];
             proper && at < conflicts->first_element[p + 1]; at++) {
            uint32_t colour = colouring->colour[conflicts->elements[at]];
            proper = met[colour] != p + 1;
            met[colour] = p + 1;
        }
    }
    free(met);
    return proper;
}

bool slv_colouring_create(const slv_conflicts *conflicts, const slv_ordering *ordering,
                          uint32_t enough, slv_colouring *colouring) {
    const bool done = slv_colour_greedily(conflicts, ordering->sequence, colouring) &&
                      slv_colouring_reduce(conflicts, enough, colouring) &&
                      slv_colouring_balance(conflicts, colouring);
    if (!done) {
        slv_colouring_destroy(colouring);
    }
    return done;
}
