// SPDX-License-Identifier: MIT
#include "runtime/model/tethers.h"

#include <float.h>

// Dijkstra along the threads, from all fixed particles at once. The heap holds particles by length.
typedef struct tether_walk {
    double *length;      // [count], given
    uint32_t *heap;      // [count]
    uint32_t *heap_slot; // [count]: one more than where in the heap; 0 = not in it
    uint32_t *first;     // [count + 1]
    uint32_t *near;      // [2 * springs]: spring numbers by particle
    uint32_t heaped;
} tether_walk;

static void sift_up(tether_walk *walk, uint32_t at) {
    uint32_t particle = walk->heap[at];
    while (at > 0 && walk->length[walk->heap[(at - 1) / 2]] > walk->length[particle]) {
        walk->heap[at] = walk->heap[(at - 1) / 2];
        walk->heap_slot[walk->heap[at]] = at + 1;
        at = (at - 1) / 2;
    }
    walk->heap[at] = particle;
    walk->heap_slot[particle] = at + 1;
}

static uint32_t take_nearest(tether_walk *walk) {
    uint32_t nearest = walk->heap[0];
    uint32_t moved = walk->heap[--walk->heaped];
    uint32_t at = 0;
    walk->heap_slot[nearest] = 0;
    for (uint32_t child; (child = 2 * at + 1) < walk->heaped; at = child) {
        if (child + 1 < walk->heaped &&
            walk->length[walk->heap[child + 1]] < walk->length[walk->heap[child]]) {
            child++;
        }
        if (!(walk->length[walk->heap[child]] < walk->length[moved])) {
            break;
        }
        walk->heap[at] = walk->heap[child];
        walk->heap_slot[walk->heap[at]] = at + 1;
    }
    if (walk->heaped > 0) {
        walk->heap[at] = moved;
        walk->heap_slot[moved] = at + 1;
    }
    return nearest;
}

static bool begin_walk(tether_walk *walk, const slv_body *body, slv_memory *scratch) {
    size_t n = body->count;
    walk->heap = slv_memory_take(scratch, n, sizeof *walk->heap);
    walk->heap_slot = slv_memory_take(scratch, n, sizeof *walk->heap_slot);
    walk->first = slv_memory_take(scratch, n + 2, sizeof *walk->first);
    walk->near = slv_memory_take(scratch, 2 * (size_t)body->stretch_count + 1, sizeof *walk->near);
    if (!walk->heap || !walk->heap_slot || !walk->first || !walk->near) {
        return false;
    }
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        walk->first[body->springs[s].a + 2]++;
        walk->first[body->springs[s].b + 2]++;
    }
    for (size_t p = 0; p < n; p++) {
        walk->first[p + 2] += walk->first[p + 1];
    }
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        walk->near[walk->first[body->springs[s].a + 1]++] = s;
        walk->near[walk->first[body->springs[s].b + 1]++] = s;
    }
    return true;
}

bool slv_find_tethers(const slv_body *body, uint32_t *nearest, double *length,
                      slv_memory *scratch) {
    tether_walk walk = {.length = length};
    if (!begin_walk(&walk, body, scratch)) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        length[p] = body->start_fixed[p] ? 0.0 : DBL_MAX;
        nearest[p] = body->start_fixed[p] ? p : UINT32_MAX;
        if (body->start_fixed[p]) {
            walk.heap[walk.heaped] = p;
            sift_up(&walk, walk.heaped++);
        }
    }
    while (walk.heaped > 0) {
        uint32_t p = take_nearest(&walk);
        for (uint32_t n = walk.first[p]; n < walk.first[p + 1]; n++) {
            const slv_spring *spring = &body->springs[walk.near[n]];
            uint32_t other = spring->a == p ? spring->b : spring->a;
            double way = length[p] + (double)spring->rest;
            if (way < length[other]) {
                length[other] = way;
                nearest[other] = nearest[p];
                if (walk.heap_slot[other] == 0) {
                    walk.heap[walk.heaped] = other;
                    sift_up(&walk, walk.heaped++);
                } else {
                    sift_up(&walk, walk.heap_slot[other] - 1);
                }
            }
        }
    }
    return true;
}
