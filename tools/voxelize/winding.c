// SPDX-License-Identifier: MIT
#include "tools/voxelize/winding.h"

#include "tools/voxelize/caps.h"
#include "tools/voxelize/face.h"
#include "tools/voxelize/solid_angle.h"

#include <math.h>

enum { BLOCK = 8 }; // samples along each edge of the largest blocks

// Half is inside; so is what rounding leaves a little below. A hole in a plane of samples then gives
// one whole layer, and not a pattern of rounding errors.
static const double half = 0.5 - 1e-6;

// Taken away where the winding number is half an odd number, so that W does not matter.
enum { INSIDE_ANYWAY = 1 << 20 };

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

typedef struct settling {
    const slv_winding *winding;
    const slv_slab *slab;
    slv_crossings *crossings;
} settling;

static bool is_settled(const slv_cap_view *view) {
    return fabs(view->value - rint(view->value)) + view->error < half;
}

static void take_away(const settling *s, const uint32_t sample[3], int32_t number) {
    const size_t row = slv_slab_row(s->slab, sample[1], sample[2]);
    if (number != 0) {
        slv_crossings_add(s->crossings, s->slab, row, sample[0], -number);
        slv_crossings_add(s->crossings, s->slab, row, (int64_t)sample[0] + 1, number);
    }
}

// A sample that lies on a cap: w triangle by triangle and, where that is less than half, W likewise.
// Seldom needed, see caps.c.
static int32_t settle_directly(const slv_winding *winding, const uint32_t sample[3]) {
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
            const slv_face face = slv_face_make(surfaces[which], t);
            crossings += weights[which][t] * slv_face_winding(&face, point);
            if (which == 0 && weights[0][t] != 0) {
                // On the surface itself distance 0 settles it.
                (void)slv_solid_angle_add_exact(&turn, weights[0][t], face.corners, point);
            }
        }
    }
    return fabs(slv_solid_angle_winding(&turn)) < half ? crossings : INSIDE_ANYWAY;
}

// The integer nearest to c at a single sample.
static int32_t settle_sample(const slv_winding *winding, const uint32_t sample[3]) {
    // Ever fewer branches as one; none in the end.
    static const double openings[] = {2.0, 8.0, HUGE_VAL};
    slv_cap_view view = {.error = 1.0};
    for (int i = 0; i < 3 && !is_settled(&view) && !view.on_cap; i++) {
        view = slv_cap_tree_view_sample(&winding->fans, sample, openings[i]);
    }
    if (view.on_cap) {
        return settle_directly(winding, sample);
    }
    return is_settled(&view) ? (int32_t)rint(view.value) : INSIDE_ANYWAY;
}

static void settle(const settling *s, const block *b);

// Halves of the block along all axes where it has more than one sample.
static void settle_parts(const settling *s, const block *b) {
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
            settle(s, &child);
        }
    }
}

static void settle(const settling *s, const block *b) {
    double centre[3];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double edge = 0.5 * (b->size[axis] - 1.0);
        centre[axis] = b->first[axis] + edge;
        square += edge * edge;
    }
    if (square == 0.0) {
        take_away(s, b->first, settle_sample(s->winding, b->first));
        return;
    }
    const slv_cap_view view = slv_cap_tree_view(&s->winding->pieces, centre, sqrt(square), 1.0);
    // Elsewhere than next to caps the integer is 0 and nothing needs doing.
    if (!(fabs(view.value) + view.error < half)) {
        settle_parts(s, b);
    }
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void slv_winding_add(const slv_winding *winding, const slv_slab *slab, slv_crossings *crossings) {
    const slv_cap_tree *fans = &winding->fans;
    slv_crossings_add_surface(crossings, slab, &fans->caps, &fans->bvh, fans->weights);
    const settling s = {winding, slab, crossings};
    for (uint32_t k = 0; k < slab->layers; k += BLOCK) {
        for (uint32_t j = 0; j < slab->cells[1]; j += BLOCK) {
            for (uint32_t i = 0; i < slab->cells[0]; i += BLOCK) {
                const block b = {.first = {i, j, slab->first_layer + k},
                                 .size = {least(BLOCK, slab->cells[0] - i),
                                          least(BLOCK, slab->cells[1] - j),
                                          least(BLOCK, slab->layers - k)}};
                settle(&s, &b);
            }
        }
    }
}
