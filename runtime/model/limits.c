// SPDX-License-Identifier: MIT
#include "runtime/model/limits.h"

#include "kernels/limits.h"
#include "runtime/model/paint.h"

#include <float.h>
#include <string.h>

static slv_result out_of_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

// --- Paint ------------------------------------------------------------------------------------------

// A limit that means nothing is given at 1: as much of the rest as is painted.
static double loosened(const slv_body *body, float limit, slv_channel channel, uint32_t particle) {
    return 1.0 + (double)slv_paint_weight(body, channel, particle) * ((double)limit - 1.0);
}

static bool paint_strain(slv_body *body, const slv_garment_def *def) {
    body->strain_limits = slv_memory_take(&body->memory, body->count, sizeof *body->strain_limits);
    body->strain_least = def->strain_limit;
    for (uint32_t p = 0; body->strain_limits && p < body->count; p++) {
        const float limit = (float)loosened(body, def->strain_limit, def->paint.strain_limit, p);
        body->strain_limits[p] = limit;
        body->strain_least = limit < body->strain_least ? limit : body->strain_least;
    }
    return body->strain_limits != NULL;
}

// --- Tethers ----------------------------------------------------------------------------------------

// Dijkstra along the threads, from all fixed particles at once. The heap holds particles by length.
typedef struct tether_walk {
    double *length;      // [count]
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
    walk->length = slv_memory_take(scratch, n, sizeof *walk->length);
    walk->heap = slv_memory_take(scratch, n, sizeof *walk->heap);
    walk->heap_slot = slv_memory_take(scratch, n, sizeof *walk->heap_slot);
    walk->first = slv_memory_take(scratch, n + 2, sizeof *walk->first);
    walk->near = slv_memory_take(scratch, 2 * (size_t)body->stretch_count + 1, sizeof *walk->near);
    if (!walk->length || !walk->heap || !walk->heap_slot || !walk->first || !walk->near) {
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

static bool find_tethers(slv_body *body, const slv_garment_def *def, slv_memory *scratch) {
    tether_walk walk = {.heaped = 0};
    body->tether = slv_memory_take(&body->memory, body->count, sizeof *body->tether);
    body->tether_length = slv_memory_take(&body->memory, body->count, sizeof *body->tether_length);
    if (!body->tether || !body->tether_length || !begin_walk(&walk, body, scratch)) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        walk.length[p] = body->start_fixed[p] ? 0.0 : DBL_MAX;
        body->tether[p] = body->start_fixed[p] ? p : UINT32_MAX;
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
            double length = walk.length[p] + (double)spring->rest;
            if (length < walk.length[other]) {
                walk.length[other] = length;
                body->tether[other] = body->tether[p];
                if (walk.heap_slot[other] == 0) {
                    walk.heap[walk.heaped] = other;
                    sift_up(&walk, walk.heaped++);
                } else {
                    sift_up(&walk, walk.heap_slot[other] - 1);
                }
            }
        }
    }
    for (uint32_t p = 0; p < body->count; p++) {
        const double slack = loosened(body, def->tether_slack, def->paint.tether_slack, p);
        body->tether_length[p] = (float)(slack * (walk.length[p] < DBL_MAX ? walk.length[p] : 0));
    }
    return true;
}

// --- Limits by set ----------------------------------------------------------------------------------

void slv_limits_reset(slv_body *body) {
    for (uint32_t p = 0; body->limits && p < body->count; p++) {
        float *limit = body->limits + (size_t)p * SLV_LIMIT_FLOATS;
        memcpy(limit, body->start + 6 * (size_t)p, 3 * sizeof *limit);
        limit[3] = body->start_limits[2 * (size_t)p];
        limit[4] = limit[6] = 0.0f;
        limit[5] = 1.0f;
        limit[7] = body->start_limits[2 * (size_t)p + 1];
    }
}

static bool allocate_limits(slv_body *body) {
    size_t n = body->count;
    body->limits = slv_memory_take(&body->memory, n * SLV_LIMIT_FLOATS, sizeof *body->limits);
    body->start_limits = slv_memory_take(&body->memory, 2 * n, sizeof *body->start_limits);
    for (size_t i = 0; body->start_limits && i < 2 * n; i++) {
        body->start_limits[i] = -1.0f;
    }
    return body->limits && body->start_limits;
}

static float painted(const slv_body *body, float limit, slv_channel channel, uint32_t particle) {
    return limit < 0.0f ? limit : slv_paint_weight(body, channel, particle) * limit;
}

static void limit_particle(slv_body *body, uint32_t particle, const slv_limit_def *limit,
                           const slv_paint_def *paint) {
    float *start = body->start_limits + 2 * (size_t)particle;
    start[0] = painted(body, limit->max_distance, paint->max_distance, particle);
    start[1] = painted(body, limit->backstop, paint->backstop, particle);
}

static slv_result limit_set(slv_body *body, const slv_garment *garment, const slv_limit_def *limit,
                            const slv_paint_def *paint, slv_error *error) {
    for (uint32_t p = 0; !limit->set && p < body->count; p++) {
        limit_particle(body, p, limit, paint);
    }
    for (uint32_t i = 0; limit->set && i < garment->set_count; i++) {
        slv_named_set set = slv_garment_get_set(garment, i);
        if (set.name_length == strlen(limit->set) &&
            memcmp(set.name, limit->set, set.name_length) == 0) {
            for (uint32_t n = 0; n < set.count; n++) {
                limit_particle(body, garment->own_of_stored[set.particles[n]], limit, paint);
            }
            return SLV_OK;
        }
    }
    if (!limit->set) {
        return SLV_OK;
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "limits: the pack has no set '%s'", limit->set);
}

slv_result slv_limits_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                             slv_memory *scratch, slv_error *error) {
    slv_result status = SLV_OK;
    body->strain = def->strain_limit;
    if (def->tether_slack > 0.0f && !find_tethers(body, def, scratch)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK && def->paint.strain_limit != SLV_CHANNEL_NONE &&
        !paint_strain(body, def)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK && def->limit_count > 0 && !allocate_limits(body)) {
        status = out_of_memory(error);
    }
    for (uint32_t i = 0; status == SLV_OK && i < def->limit_count; i++) {
        status = limit_set(body, garment, &def->limits[i], &def->paint, error);
    }
    if (status == SLV_OK) {
        slv_limits_reset(body);
    }
    return status;
}
