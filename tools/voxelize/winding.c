// SPDX-License-Identifier: MIT
#include "tools/voxelize/winding.h"

#include "tools/voxelize/caps.h"
#include "tools/voxelize/raster_triangle.h"
#include "tools/voxelize/solid_angle.h"

#include <math.h>

enum { BLOCK = 8, OPENINGS = 3 }; // samples along each edge of the largest blocks; openings below

// Distances from a cap over its radius beyond which its expansion is used, tried in this order. Larger openings use
// fewer expansions; the last uses none.
static const double openings[OPENINGS] = {2.0, 8.0, HUGE_VAL};

// Samples with |w| of at least this are inside. The margin absorbs rounding: a hole in a plane of
// samples, where |w| is 1/2, gives one complete layer.
static const double inside_threshold = 0.5 - 1e-6;

// Subtracted where |w| >= 1/2 whatever W is, so that the sum is not zero.
enum { ALWAYS_INSIDE = 1 << 20 };

slv_result slv_winding_create(const slv_snapped *surface, const slv_orientation *orientation,
                              unsigned threads, slv_winding *winding, slv_error *error) {
    *winding = (slv_winding){.surface = surface, .surface_weights = orientation->weights};
    slv_snapped caps;
    slv_snapped pieces = {.point_count = 0};
    slv_result result = slv_caps_create(surface, orientation, &caps, error);
    if (result == SLV_OK) {
        result = slv_caps_divide(&caps, &pieces, error);
    }
    if (result == SLV_OK) {
        result = slv_cap_tree_create(&caps, threads, &winding->fans, error);
    }
    if (result == SLV_OK) {
        result = slv_cap_tree_create(&pieces, threads, &winding->pieces, error);
    }
    slv_snapped_free(&caps);
    slv_snapped_free(&pieces);
    if (result != SLV_OK) {
        slv_winding_free(winding);
    }
    return result;
}

void slv_winding_free(slv_winding *winding) {
    slv_cap_tree_free(&winding->fans);
    slv_cap_tree_free(&winding->pieces);
    *winding = (slv_winding){0};
}

typedef struct block { // of samples
    uint32_t first[3], size[3];
} block;

typedef struct resolver {
    const slv_winding *winding;
    const slv_slab *slab;
    slv_crossings *crossings;
} resolver;

static bool is_resolved(const slv_cap_winding *c) {
    return fabs(c->value - rint(c->value)) + c->error < inside_threshold;
}

static void subtract_number(const resolver *s, const uint32_t sample[3], int32_t number) {
    const size_t row = slv_slab_row(s->slab, sample[1], sample[2]);
    if (number != 0) {
        slv_crossings_add(s->crossings, s->slab, row, sample[0], -number);
        slv_crossings_add(s->crossings, s->slab, row, (int64_t)sample[0] + 1, number);
    }
}

// A sample on a cap: w by summing all triangles and, where |w| is below the threshold, W in the
// same way. Rare, see caps.c.
static int32_t resolve_on_cap(const slv_winding *winding, const uint32_t sample[3]) {
    const slv_snapped *surfaces[2] = {winding->surface, &winding->fans.caps};
    const int8_t *weights[2] = {winding->surface_weights, winding->fans.weights};
    int64_t point[3];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (int64_t)sample[axis] << winding->surface->fraction_bits;
    }
    slv_solid_angle turn = slv_solid_angle_zero();
    int32_t crossings = 0;
    for (int which = 0; which < 2; which++) {
        for (uint32_t t = 0; t < surfaces[which]->triangle_count; t++) {
            const slv_raster_triangle face = slv_raster_triangle_make(surfaces[which], t);
            crossings += weights[which][t] * slv_raster_triangle_winding(&face, point);
            if (which == 0 && weights[0][t] != 0) {
                // A sample on the surface has distance 0; its sign is not used.
                (void)slv_solid_angle_add_exact(&turn, weights[0][t], face.corners, point);
            }
        }
    }
    return fabs(slv_solid_angle_winding(&turn)) < inside_threshold ? crossings : ALWAYS_INSIDE;
}

// The integer nearest to c at a single sample.
static int32_t resolve_sample(const slv_winding *winding, const uint32_t sample[3]) {
    slv_cap_winding c = {.error = 1.0};
    for (int i = 0; i < OPENINGS && !is_resolved(&c) && !c.on_cap; i++) {
        c = slv_cap_tree_winding_at_sample(&winding->fans, sample, openings[i]);
    }
    if (c.on_cap) {
        return resolve_on_cap(winding, sample);
    }
    return is_resolved(&c) ? (int32_t)rint(c.value) : ALWAYS_INSIDE;
}

static void resolve_block(const resolver *s, const block *b);

// Resolves the octants of the block; axes with one sample are not split.
static void resolve_octants(const resolver *s, const block *b) {
    for (unsigned part = 0; part < 8; part++) {
        block child = *b;
        bool empty = false;
        for (unsigned axis = 0; axis < 3; axis++) {
            const uint32_t lower = (b->size[axis] + 1) / 2;
            if ((part >> axis & 1) == 0) {
                child.size[axis] = lower;
            } else {
                child.first[axis] += lower;
                child.size[axis] -= lower;
                empty |= child.size[axis] == 0;
            }
        }
        if (!empty) {
            resolve_block(s, &child);
        }
    }
}

static void resolve_block(const resolver *s, const block *b) {
    double center[3];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double edge = 0.5 * (b->size[axis] - 1.0);
        center[axis] = b->first[axis] + edge;
        square += edge * edge;
    }
    if (square == 0.0) {
        subtract_number(s, b->first, resolve_sample(s->winding, b->first));
        return;
    }
    const slv_cap_winding c = slv_cap_tree_winding(&s->winding->pieces, center, sqrt(square), 1.0);
    // Away from the caps the integer is 0 for the whole block: nothing to subtract.
    if (!(fabs(c.value) + c.error < inside_threshold)) {
        resolve_octants(s, b);
    }
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void slv_winding_add(const slv_winding *winding, const slv_slab *slab, slv_crossings *crossings) {
    const slv_cap_tree *fans = &winding->fans;
    slv_crossings_add_surface(crossings, slab, &fans->caps, &fans->bvh, fans->weights);
    const resolver s = {winding, slab, crossings};
    for (uint32_t k = 0; k < slab->layers; k += BLOCK) {
        for (uint32_t j = 0; j < slab->cells[1]; j += BLOCK) {
            for (uint32_t i = 0; i < slab->cells[0]; i += BLOCK) {
                const block b = {.first = {i, j, slab->first_layer + k},
                                 .size = {least(BLOCK, slab->cells[0] - i),
                                          least(BLOCK, slab->cells[1] - j),
                                          least(BLOCK, slab->layers - k)}};
                resolve_block(&s, &b);
            }
        }
    }
}
