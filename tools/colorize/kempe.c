// SPDX-License-Identifier: MIT
#include "tools/colorize/coloring.h"

#include <stdlib.h>
#include <string.h>

// Fewer colors by Kempe chains. To give an element e of the last color the color b, its neighbors of color b
// become a, their neighbors of color a become b, and so on: a chain. Where the chain contains no neighbor of
// e of color a, the coloring stays proper and e gets b. The length of a chain and the work of all chains are
// limited in proportion to the elements, so the whole is linear. A limit that is reached costs a color, never
// correctness.

enum {
    CHAIN_LIMIT = 4000,   // elements of a chain
    EFFORT_ELEMENT = 30,  // neighbors looked at, per element of the graph
    EFFORT_BASE = 2000000 // added, so that small graphs are searched thoroughly
};

typedef struct chains {
    const slv_conflicts *conflicts;
    slv_coloring *coloring;
    uint32_t *near;   // by color: how many neighbors of the present element have it
    uint32_t *drawn;  // by element: number of the last chain that contains it
    uint32_t *beside; // by element: number of the last look in which it was a neighbor
    uint32_t chain[CHAIN_LIMIT];
    uint32_t length;
    uint32_t number; // of the present chain
    uint32_t look;   // number of the present look
    int64_t effort;  // left
    uint64_t random; // the same numbers every time
} chains;

// Counts the colors around e, each neighbor once, and marks the neighbors.
static void look_around(chains *k, uint32_t e) {
    memset(k->near, 0, k->coloring->color_count * sizeof *k->near);
    k->beside[e] = ++k->look;
    SLV_EACH_NEIGHBOR(k->conflicts, e, p, at, other) {
        k->effort--;
        if (k->beside[other] != k->look) {
            k->beside[other] = k->look;
            k->near[k->coloring->color[other]]++;
        }
    }
}

static bool draw(chains *k, uint32_t element) {
    if (k->length == CHAIN_LIMIT) {
        return false;
    }
    k->drawn[element] = k->number;
    k->chain[k->length++] = element;
    return true;
}

// Extends the chain by all connected elements of colors a and b. False where it becomes too long, or (where
// they are watched) where it reaches a neighbor of the present element with color a.
static bool grow(chains *k, uint32_t a, uint32_t b, bool watch) {
    const uint32_t *color = k->coloring->color;
    for (uint32_t i = 0; i < k->length; i++) {
        const uint32_t wanted = color[k->chain[i]] == a ? b : a;
        SLV_EACH_NEIGHBOR(k->conflicts, k->chain[i], p, at, other) {
            k->effort--;
            if (color[other] != wanted || k->drawn[other] == k->number) {
                continue;
            }
            if ((watch && wanted == a && k->beside[other] == k->look) || !draw(k, other)) {
                return false;
            }
        }
    }
    return true;
}

// Follows the chain from the b-colored neighbors of e. False where a neighbor of e with color a
// would become b, or the chain is too long.
static bool follow(chains *k, uint32_t e, uint32_t a, uint32_t b) {
    const uint32_t *color = k->coloring->color;
    k->number++;
    k->length = 0;
    SLV_EACH_NEIGHBOR(k->conflicts, e, p, at, other) {
        if (color[other] == b && k->drawn[other] != k->number && !draw(k, other)) {
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
static bool escape(chains *k, uint32_t e, uint32_t last) {
    look_around(k, e);
    for (uint32_t c = 0; c < last; c++) {
        if (k->near[c] == 0) {
            k->coloring->color[e] = c;
            return true;
        }
    }
    for (uint32_t b = 0; b < last; b++) {
        // The fewer neighbors have b, the shorter the chain; three at most are worth a try.
        for (uint32_t a = 0; k->near[b] <= 3 && a < last && k->effort > 0; a++) {
            if (a != b && follow(k, e, a, b)) {
                exchange(k, a, b);
                k->coloring->color[e] = b;
                return true;
            }
        }
    }
    return false;
}

// Exchanges two colors along the chain through an element near e. The coloring stays proper, and another try
// for e may succeed.
static void shake(chains *k, uint32_t e, uint32_t last) {
    k->random = k->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t first = k->conflicts->first_place[e];
    const uint32_t places = k->conflicts->first_place[e + 1] - first;
    const uint32_t place = k->conflicts->places[first + (uint32_t)(k->random >> 33) % places];
    const uint32_t begin = k->conflicts->first_element[place];
    const uint32_t count = k->conflicts->first_element[place + 1] - begin;
    const uint32_t start = k->conflicts->elements[begin + (uint32_t)(k->random >> 40) % count];
    const uint32_t a = k->coloring->color[start];
    const uint32_t b = (uint32_t)(k->random >> 48) % last;
    if (a == b || a >= last) {
        return;
    }
    k->number++;
    k->length = 0;
    (void)draw(k, start);
    if (grow(k, a, b, false)) {
        exchange(k, a, b);
    }
}

// Elements that keep the last color are tried again in the next round.
static bool empty_last(chains *k, uint32_t *members, uint32_t count) {
    enum { SHAKES = 400 }; // without success, before giving up
    const uint32_t last = k->coloring->color_count - 1;
    uint32_t idle = 0;
    while (count > 0 && idle < SHAKES && k->effort > 0) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (k->effort <= 0 || !escape(k, members[i], last)) {
                members[kept++] = members[i];
            }
        }
        idle = kept < count ? 0 : idle + 1;
        count = kept;
        for (uint32_t i = 0; i < count && k->effort > 0; i++) {
            shake(k, members[i], last);
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
        emptied = empty_last(k, members, count);
        k->coloring->color_count -= emptied ? 1 : 0;
    }
}

bool slv_coloring_reduce(const slv_conflicts *conflicts, uint32_t enough, slv_coloring *coloring) {
    const size_t count = conflicts->element_count;
    const uint32_t least = slv_conflicts_largest_place(conflicts);
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
        k->drawn = calloc(count + 1, sizeof *k->drawn);
        k->beside = calloc(count + 1, sizeof *k->beside);
        done = k->near && k->drawn && k->beside;
    }
    if (done) {
        reduce(k, enough, members);
    }
    if (k) {
        free(k->near);
        free(k->drawn);
        free(k->beside);
    }
    free(k);
    free(members);
    return done;
}
