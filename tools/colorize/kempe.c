// SPDX-License-Identifier: MIT
#include "tools/colorize/coloring.h"

#include <stdlib.h>
#include <string.h>

// Reduction of colors by Kempe chains. To give an element e of the last color the color b, its
// neighbors of color b become a, their neighbors of color a become b, and so on. Where this chain
// contains no neighbor of e with color a, the coloring stays proper and e gets b. The length of a
// chain and the total work are limited in proportion to the elements, so the time is linear. A
// reached limit may cost a color, never correctness.

enum {
    CHAIN_LIMIT = 4000,    // elements of a chain
    EFFORT_ELEMENT = 30,   // budget in visited neighbors, per element of the graph
    EFFORT_BASE = 2000000, // constant part of the budget, for small graphs
    PERTURBATIONS = 400    // attempts without success before the color is kept
};

typedef struct chains {
    const slv_conflicts *conflicts;
    slv_coloring *coloring;
    uint32_t *near;          // by color: neighbors of the current element that have it
    uint32_t *in_chain;      // by element: number of the last chain that contains it
    uint32_t *neighbor_mark; // by element: the last mark it got as a neighbor
    uint32_t chain[CHAIN_LIMIT];
    uint32_t length;
    uint32_t number; // number of the current chain
    uint32_t mark;   // current mark
    int64_t effort;  // remaining budget
    uint64_t random; // state of a generator with a fixed seed
} chains;

// Counts the colors around e, each neighbor once, and marks the neighbors.
static void mark_neighbors(chains *k, uint32_t e) {
    memset(k->near, 0, k->coloring->color_count * sizeof *k->near);
    k->neighbor_mark[e] = ++k->mark;
    SLV_EACH_NEIGHBOR(k->conflicts, e, p, at, other) {
        k->effort--;
        if (k->neighbor_mark[other] != k->mark) {
            k->neighbor_mark[other] = k->mark;
            k->near[k->coloring->color[other]]++;
        }
    }
}

static bool add_to_chain(chains *k, uint32_t element) {
    if (k->length == CHAIN_LIMIT) {
        return false;
    }
    k->in_chain[element] = k->number;
    k->chain[k->length++] = element;
    return true;
}

// Extends the chain by all connected elements of colors a and b. False where it becomes too long
// or, with watch, reaches a neighbor of the current element with color a.
static bool grow(chains *k, uint32_t a, uint32_t b, bool watch) {
    const uint32_t *color = k->coloring->color;
    for (uint32_t i = 0; i < k->length; i++) {
        const uint32_t wanted = color[k->chain[i]] == a ? b : a;
        SLV_EACH_NEIGHBOR(k->conflicts, k->chain[i], p, at, other) {
            k->effort--;
            if (color[other] != wanted || k->in_chain[other] == k->number) {
                continue;
            }
            if ((watch && wanted == a && k->neighbor_mark[other] == k->mark) ||
                !add_to_chain(k, other)) {
                return false;
            }
        }
    }
    return true;
}

// Builds the chain from the neighbors of e with color b. False where a neighbor of e with color a
// would become b, or the chain is too long.
static bool build_chain(chains *k, uint32_t e, uint32_t a, uint32_t b) {
    const uint32_t *color = k->coloring->color;
    k->number++;
    k->length = 0;
    SLV_EACH_NEIGHBOR(k->conflicts, e, p, at, other) {
        if (color[other] == b && k->in_chain[other] != k->number && !add_to_chain(k, other)) {
            return false;
        }
    }
    return grow(k, a, b, true);
}

static void exchange(chains *k, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < k->length; i++) {
        uint32_t *color = &k->coloring->color[k->chain[i]];
        *color = *color == a ? b : a;
    }
}

// Gives e a color below `last`, which it has now.
static bool recolor(chains *k, uint32_t e, uint32_t last) {
    mark_neighbors(k, e);
    for (uint32_t c = 0; c < last; c++) {
        if (k->near[c] == 0) {
            k->coloring->color[e] = c;
            return true;
        }
    }
    for (uint32_t b = 0; b < last; b++) {
        // Few neighbors with color b give short chains; at most three colors are tried.
        for (uint32_t a = 0; k->near[b] <= 3 && a < last && k->effort > 0; a++) {
            if (a != b && build_chain(k, e, a, b)) {
                exchange(k, a, b);
                k->coloring->color[e] = b;
                return true;
            }
        }
    }
    return false;
}

// Exchanges two colors along the chain through an element near e. The coloring stays proper, and
// another attempt for e may succeed.
static void perturb(chains *k, uint32_t e, uint32_t last) {
    k->random = k->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t first = k->conflicts->first_hyperedge[e];
    const uint32_t hyperedges = k->conflicts->first_hyperedge[e + 1] - first;
    const uint32_t hyperedge =
        k->conflicts->hyperedges[first + (uint32_t)(k->random >> 33) % hyperedges];
    const uint32_t begin = k->conflicts->first_element[hyperedge];
    const uint32_t count = k->conflicts->first_element[hyperedge + 1] - begin;
    const uint32_t start = k->conflicts->elements[begin + (uint32_t)(k->random >> 40) % count];
    const uint32_t a = k->coloring->color[start];
    const uint32_t b = (uint32_t)(k->random >> 48) % last;
    if (a == b || a >= last) {
        return;
    }
    k->number++;
    k->length = 0;
    (void)add_to_chain(k, start);
    if (grow(k, a, b, false)) {
        exchange(k, a, b);
    }
}

// Elements that keep the last color are retried in the next round.
static bool remove_last_color(chains *k, uint32_t *members, uint32_t count) {
    const uint32_t last = k->coloring->color_count - 1;
    uint32_t idle = 0;
    while (count > 0 && idle < PERTURBATIONS && k->effort > 0) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (k->effort <= 0 || !recolor(k, members[i], last)) {
                members[kept++] = members[i];
            }
        }
        idle = kept < count ? 0 : idle + 1;
        count = kept;
        for (uint32_t i = 0; i < count && k->effort > 0; i++) {
            perturb(k, members[i], last);
        }
    }
    return count == 0;
}

static void reduce(chains *k, uint32_t enough, uint32_t *members) {
    bool emptied = true;
    while (emptied && k->coloring->color_count > enough && k->coloring->color_count > 1) {
        uint32_t count = 0;
        for (uint32_t e = 0; e < k->conflicts->element_count; e++) {
            if (k->coloring->color[e] == k->coloring->color_count - 1) {
                members[count++] = e;
            }
        }
        emptied = remove_last_color(k, members, count);
        k->coloring->color_count -= emptied ? 1 : 0;
    }
}

bool slv_coloring_reduce(const slv_conflicts *conflicts, uint32_t enough, slv_coloring *coloring) {
    const size_t count = conflicts->element_count;
    const uint32_t least = slv_conflicts_largest_hyperedge(conflicts);
    enough = enough > least ? enough : least;
    if (coloring->color_count <= enough) {
        return true;
    }
    chains *k = calloc(1, sizeof *k);
    uint32_t *members = calloc(count + 1, sizeof *members);
    bool done = k && members;
    if (done) {
        k->conflicts = conflicts;
        k->coloring = coloring;
        k->effort = EFFORT_BASE + (int64_t)count * EFFORT_ELEMENT;
        k->near = calloc((size_t)coloring->color_count + 1, sizeof *k->near);
        k->in_chain = calloc(count + 1, sizeof *k->in_chain);
        k->neighbor_mark = calloc(count + 1, sizeof *k->neighbor_mark);
        done = k->near && k->in_chain && k->neighbor_mark;
    }
    if (done) {
        reduce(k, enough, members);
    }
    if (k) {
        free(k->near);
        free(k->in_chain);
        free(k->neighbor_mark);
    }
    free(k);
    free(members);
    return done;
}
