// SPDX-License-Identifier: MIT
#include "tools/colorize/smallest_last.h"

#include <stdlib.h>

// Bucket queue (Batagelj and Zaversnik 2003): elements are sorted by degree in one array with the
// start of each degree. Removing an element decrements the degree of a neighbor: it is swapped with
// the first element of its degree, and that start moves up by one.

typedef struct vertex {
    uint32_t degree;
    uint32_t at;   // in sorted
    uint32_t seen; // the last element for which it was counted as a neighbor, plus one
} vertex;

typedef struct queue {
    const slv_conflicts *conflicts;
    vertex *vertices;
    uint32_t *sorted;
    uint32_t *begin; // [largest degree + 2] of each degree in sorted
} queue;

static uint32_t count_degrees(queue *q) {
    uint32_t largest = 0;
    for (uint32_t e = 0; e < q->conflicts->element_count; e++) {
        uint32_t degree = 0;
        q->vertices[e].seen = e + 1;
        SLV_EACH_NEIGHBOR(q->conflicts, e, p, at, other) {
            if (q->vertices[other].seen != e + 1) {
                q->vertices[other].seen = e + 1;
                degree++;
            }
        }
        q->vertices[e].degree = degree;
        largest = degree > largest ? degree : largest;
    }
    return largest;
}

static void sort_by_degree(queue *q, uint32_t largest) {
    const uint32_t count = q->conflicts->element_count;
    for (uint32_t e = 0; e < count; e++) {
        q->begin[q->vertices[e].degree + 1]++;
    }
    for (uint32_t d = 0; d < largest + 1; d++) {
        q->begin[d + 1] += q->begin[d];
    }
    for (uint32_t e = 0; e < count; e++) { // begin[d] advances to the start of d + 1 …
        vertex *v = &q->vertices[e];
        v->at = q->begin[v->degree]++;
        v->seen = 0;
        q->sorted[v->at] = e;
    }
    for (uint32_t d = largest + 1; d > 0; d--) { // … and is restored
        q->begin[d] = q->begin[d - 1];
    }
    q->begin[0] = 0;
}

// Decrements the degree of e; elements before `left` are removed already.
static void decrement_degree(queue *q, uint32_t e, uint32_t left) {
    vertex *v = &q->vertices[e];
    uint32_t *begin = &q->begin[v->degree];
    uint32_t at = *begin > left ? *begin : left;
    *begin = at + 1;
    uint32_t displaced = q->sorted[at];
    q->sorted[v->at] = displaced;
    q->vertices[displaced].at = v->at;
    q->sorted[at] = e;
    v->at = at;
    v->degree--;
}

// Removes all elements in sorted order; elements after i remain.
static uint32_t remove_all(queue *q) {
    uint32_t degeneracy = 0;
    for (uint32_t i = 0; i < q->conflicts->element_count; i++) {
        uint32_t e = q->sorted[i];
        const uint32_t degree = q->vertices[e].degree;
        degeneracy = degree > degeneracy ? degree : degeneracy;
        SLV_EACH_NEIGHBOR(q->conflicts, e, p, at, other) {
            vertex *v = &q->vertices[other];
            if (v->at > i && v->seen != e + 1) {
                v->seen = e + 1;
                decrement_degree(q, other, i + 1);
            }
        }
    }
    return degeneracy;
}

static void finish(const queue *q, slv_ordering *ordering) {
    const uint32_t count = q->conflicts->element_count;
    for (uint32_t i = 0; i < count; i++) {
        ordering->sequence[count - 1 - i] = q->sorted[i];
        ordering->rank[q->sorted[i]] = count - 1 - i;
    }
}

bool slv_smallest_last(const slv_conflicts *conflicts, slv_ordering *ordering) {
    const size_t count = conflicts->element_count;
    queue q = {.conflicts = conflicts};
    *ordering = (slv_ordering){0};
    ordering->sequence = calloc(count + 1, sizeof *ordering->sequence);
    ordering->rank = calloc(count + 1, sizeof *ordering->rank);
    q.vertices = calloc(count + 1, sizeof *q.vertices);
    q.sorted = calloc(count + 1, sizeof *q.sorted);
    bool done = ordering->sequence && ordering->rank && q.vertices && q.sorted;
    if (done) {
        const uint32_t largest = count_degrees(&q);
        q.begin = calloc((size_t)largest + 2, sizeof *q.begin);
        done = q.begin != NULL;
        if (done) {
            sort_by_degree(&q, largest);
            ordering->degeneracy = remove_all(&q);
            finish(&q, ordering);
        }
    }
    free(q.vertices);
    free(q.sorted);
    free(q.begin);
    if (!done) {
        slv_ordering_destroy(ordering);
    }
    return done;
}

void slv_ordering_destroy(slv_ordering *ordering) {
    free(ordering->sequence);
    free(ordering->rank);
    *ordering = (slv_ordering){0};
}
