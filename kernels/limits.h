// SPDX-License-Identifier: MIT
// How far cloth may go, whatever its springs say. A particle stays within `distance` of its target and,
// with a backstop, no further behind the plane through it; within its tether of the fixed particle that
// holds it; and no spring of the first class stays longer than `strain` times its length at rest.
#ifndef SLV_KERNELS_LIMITS_H
#define SLV_KERNELS_LIMITS_H

#include "kernels/contact.h"
#include "kernels/graph.h"

enum {
    SLV_LIMIT_FLOATS = 8 // target, distance (below 0: none), normal, backstop (below 0: none)
};

// A point no further than `distance` from a centre.
SLV_INLINE slv_vector slv_rein_in(slv_vector p, slv_vector centre, float distance) {
    slv_vector arm = slv_minus(p, centre);
    float length = slv_length(arm);
    float scale = length > distance ? distance / length : 1.0f;
    return length > distance ? slv_along(centre, scale, arm) : p;
}

SLV_INLINE void slv_limit(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                          const SLV_PRIVATE slv_body_layout *body, int slot) {
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    int anchor = body->tethers > 0 ? table[body->tethers + slot] : -1;
    int holder = body->stride == 1 ? anchor : anchor / SLV_PARTICLE_FLOATS;
    // Who was let go holds nobody: it is being moved itself.
    if (anchor >= 0 && !(state[body->inverse_mass + holder] > 0.0f)) {
        int at = body->q + anchor;
        slv_vector hold = slv_make_vector(state[at], state[at + body->component],
                                          state[at + 2 * body->component]);
        q = slv_rein_in(q, hold, state[body->tether_lengths + slot]);
    }
    if (body->limits > 0) {
        int limit = body->limits + slot * SLV_LIMIT_FLOATS;
        slv_vector target = slv_make_vector(state[limit], state[limit + 1], state[limit + 2]);
        slv_vector normal = slv_make_vector(state[limit + 4], state[limit + 5], state[limit + 6]);
        float backstop = state[limit + 7];
        if (state[limit + 3] >= 0.0f) {
            q = slv_rein_in(q, target, state[limit + 3]);
        }
        float behind = 0.0f - slv_dot(slv_minus(q, target), normal);
        if (backstop >= 0.0f && behind > backstop) {
            q = slv_along(q, behind - backstop, normal);
        }
    }
    slv_store_vector(state, body, body->q, slot, q);
}

// --- Strain ---------------------------------------------------------------------------------------------

// What a spring that is too long asks of its first end, added to a sum; 1 where it is.
SLV_INLINE int slv_strain_want(slv_vector way, float longest, float share,
                               SLV_PRIVATE slv_vector *sum) {
    if (!(slv_dot(way, way) > longest * longest)) {
        return 0;
    }
    *sum = slv_along(*sum, share * (longest / slv_length(way) - 1.0f), way);
    return 1;
}

// How long a spring may be, over its length at rest, between two slots.
SLV_INLINE float slv_strain_limit(const SLV_GLOBAL float *state,
                                  const SLV_PRIVATE slv_body_layout *body, int slot, int other) {
    return body->strain_limits > 0
               ? slv_smaller(state[body->strain_limits + slot], state[body->strain_limits + other])
               : body->strain;
}

SLV_INLINE int slv_strain_of_graph(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int slot,
                                   SLV_PRIVATE slv_vector *sum) {
    int slice = slot / SLV_LANES;
    int lane = slot % SLV_LANES;
    if (slice >= table[body->colors + body->color_count]) {
        return 0;
    }
    slv_span span = slv_graph_span(table, body, slice, 0);
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    float mass = state[body->inverse_mass + slot];
    int count = 0;
    for (int n = span.first; n < span.end; n++) {
        int at = n * SLV_LANES + lane;
        int place = table[body->neighbors + at];
        int there = body->q + place;
        float longest = slv_strain_limit(state, body, slot, place / SLV_PARTICLE_FLOATS);
        float rest = state[body->rests + at];
        slv_vector other = slv_make_vector(state[there], state[there + 1], state[there + 2]);
        if (rest >= 0.0f) {
            count += slv_strain_want(slv_minus(q, other), longest * rest,
                                     mass / state[body->end_inverse_masses + at], sum);
        }
    }
    return count;
}

SLV_INLINE int slv_strain_of_grid(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int slot,
                                  SLV_PRIVATE slv_vector *sum) {
    int color = slot >= body->color_step ? 1 : 0;
    int place = slot - color * body->color_step - body->origin;
    int layer = place / body->layer_step;
    int row = (place - layer * body->layer_step) / body->row_step;
    int column = place - layer * body->layer_step - row * body->row_step;
    slv_cell cell = slv_grid_cell(body, color, layer * body->rows + row, column);
    int present = table[body->present + slot];
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    float mass = state[body->inverse_mass + slot];
    int count = 0;
    for (int n = 0; n < 6; n++) {
        if ((present >> n & 1) != 0) {
            slv_vector other = slv_load_vector(state, body, body->q, cell.near[n]);
            float both = mass + state[body->inverse_mass + cell.near[n]];
            float longest = slv_strain_limit(state, body, slot, cell.near[n]);
            count += slv_strain_want(slv_minus(q, other), longest * body->rest, mass / both, sum);
        }
    }
    return count;
}

// The average of what a particle's springs ask of it, into b, which no solver needs between passes. How
// many of them are too long.
SLV_INLINE int slv_strain(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                          const SLV_PRIVATE slv_body_layout *body, int slot) {
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    int count = 0;
    if (slot < 0) {
        return count;
    }
    if (state[body->inverse_mass + slot] > 0.0f) {
        count = body->stride == 1 ? slv_strain_of_grid(state, table, body, slot, &sum)
                                  : slv_strain_of_graph(state, table, body, slot, &sum);
    }
    float share = count > 0 ? 1.0f / (float)count : 0.0f;
    float most = body->strain_step / slv_larger(slv_length(sum), 1e-30f);
    share = slv_smaller(share, most);
    slv_store_vector(state, body, body->b, slot,
                     slv_make_vector(share * sum.x, share * sum.y, share * sum.z));
    return count;
}

SLV_INLINE void slv_unstrain(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                             int slot) {
    if (slot >= 0 && state[body->inverse_mass + slot] > 0.0f) {
        slv_vector q = slv_load_vector(state, body, body->q, slot);
        slv_vector move = slv_load_vector(state, body, body->b, slot);
        slv_store_vector(state, body, body->q, slot, slv_along(q, 1.0f, move));
    }
}

#endif
