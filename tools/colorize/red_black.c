// SPDX-License-Identifier: MIT
#include "tools/colorize/red_black.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    const slv_conflicts *conflicts;
    uint32_t *color; // UINT32_MAX where it has no color yet
    uint32_t *from;  // by element: its predecessor; itself at the start
    uint32_t *queue;
} search;

// Colors the component of e by breadth-first search. False where two neighbors, *a and *b, have
// distances of the same parity: an odd cycle.
static bool color_component(search *w, uint32_t e, uint32_t *a, uint32_t *b) {
    uint32_t end = 0;
    w->color[e] = 0;
    w->from[e] = e;
    w->queue[end++] = e;
    for (uint32_t i = 0; i < end; i++) {
        const uint32_t here = w->queue[i];
        SLV_EACH_NEIGHBOR(w->conflicts, here, p, at, other) {
            if (other == here) {
                continue;
            }
            if (w->color[other] == w->color[here]) {
                *a = here;
                *b = other;
                return false;
            }
            if (w->color[other] == UINT32_MAX) {
                w->color[other] = 1 - w->color[here];
                w->from[other] = here;
                w->queue[end++] = other;
            }
        }
    }
    return true;
}

static uint32_t steps(const search *w, uint32_t e) {
    uint32_t count = 0;
    for (; w->from[e] != e; e = w->from[e]) {
        count++;
    }
    return count;
}

// Builds the cycle from both elements back to their common ancestor.
static bool close_cycle(const search *w, uint32_t a, uint32_t b, slv_odd_cycle *cycle) {
    uint32_t steps_a = steps(w, a);
    uint32_t steps_b = steps(w, b);
    cycle->elements = calloc((size_t)steps_a + steps_b + 1, sizeof *cycle->elements);
    if (!cycle->elements) {
        return false;
    }
    uint32_t front = 0;
    uint32_t back = steps_a + steps_b + 1; // the branch of b is written from the end
    const uint32_t end = back;
    while (a != b) {
        if (steps_a >= steps_b) {
            cycle->elements[front++] = a;
            a = w->from[a];
            steps_a--;
        } else {
            cycle->elements[--back] = b;
            b = w->from[b];
            steps_b--;
        }
    }
    cycle->elements[front++] = a;
    memmove(cycle->elements + front, cycle->elements + back,
            (end - back) * sizeof *cycle->elements);
    cycle->count = front + end - back;
    return true;
}

bool slv_color_red_black(const slv_conflicts *conflicts, slv_coloring *coloring,
                         slv_odd_cycle *cycle) {
    const size_t count = conflicts->element_count;
    search w = {.conflicts = conflicts};
    uint32_t a = 0;
    uint32_t b = 0;
    *coloring = (slv_coloring){0};
    *cycle = (slv_odd_cycle){0};
    w.color = malloc((count + 1) * sizeof *w.color);
    w.from = calloc(count + 1, sizeof *w.from);
    w.queue = calloc(count + 1, sizeof *w.queue);
    bool done = w.color && w.from && w.queue;
    bool even = done;
    if (done) {
        memset(w.color, 0xFF, (count + 1) * sizeof *w.color);
    }
    for (uint32_t e = 0; even && e < count; e++) {
        if (w.color[e] == UINT32_MAX) {
            even = color_component(&w, e, &a, &b);
        }
    }
    if (done && !even) {
        done = close_cycle(&w, a, b, cycle);
    }
    if (even) {
        *coloring = (slv_coloring){(uint32_t)count, count > 0 ? 2 : 0, w.color};
        w.color = NULL;
    }
    free(w.color);
    free(w.from);
    free(w.queue);
    return done;
}

void slv_odd_cycle_destroy(slv_odd_cycle *cycle) {
    free(cycle->elements);
    *cycle = (slv_odd_cycle){0};
}
