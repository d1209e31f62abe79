// SPDX-License-Identifier: MIT
// Limits of cloth that hold whatever its springs say. A particle stays within `distance` of its target
// and, with a backstop, no further behind the plane through the target; within the length of its tether
// of the fixed particle at its end; and no spring of the first class stays longer than `strain` times
// its rest length.
#ifndef SLV_KERNELS_LIMITS_H
#define SLV_KERNELS_LIMITS_H

#include "kernels/contact.h"
#include "kernels/graph.h"

enum {
    SLV_LIMIT_FLOATS = 8 // target, distance (below 0: none), normal, backstop (below 0: none)
};

#define SLV_STRAIN_LENGTH_LEAST 1e-30f // metres: only keeps a quotient finite

// The point nearest to p that is no further than `distance` from a center.
SLV_INLINE slv_vector slv_clamp_distance(slv_vector p, slv_vector center, float distance) {
    slv_vector offset = slv_subtract(p, center);
    float length = slv_length(offset);
    float scale = length > distance ? distance / length : 1.0f;
    return length > distance ? slv_add_scaled(center, scale, offset) : p;
}

SLV_INLINE void slv_apply_limits(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_body_layout *body, int slot) {
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    int anchor = body->tethers > 0 ? table[body->tethers + slot] : -1;
    int holder = slv_body_is_grid(body) ? anchor : anchor / SLV_PARTICLE_FLOATS;
    // A tether holds only while the particle at its end is fixed: a released one moves by itself.
    if (anchor >= 0 && !(state[body->inverse_mass + holder] > 0.0f)) {
        int at = body->q + anchor;
        slv_vector anchor_position = slv_make_vector(state[at], state[at + body->component],
                                                     state[at + 2 * body->component]);
        q = slv_clamp_distance(q, anchor_position, state[body->tether_lengths + slot]);
    }
    if (body->limits > 0) {
        int limit = body->limits + slot * SLV_LIMIT_FLOATS;
        slv_vector target = slv_make_vector(state[limit], state[limit + 1], state[limit + 2]);
        slv_vector normal = slv_make_vector(state[limit + 4], state[limit + 5], state[limit + 6]);
        float backstop = state[limit + 7];
        if (state[limit + 3] >= 0.0f) {
            q = slv_clamp_distance(q, target, state[limit + 3]);
        }
        float behind = 0.0f - slv_dot(slv_subtract(q, target), normal);
        if (backstop >= 0.0f && behind > backstop) {
            q = slv_add_scaled(q, behind - backstop, normal);
        }
    }
    slv_store_vector(state, body, body->q, slot, q);
}

// --- Strain ---------------------------------------------------------------------------------------------

// Adds the correction of the first end of a spring to a sum where the spring is longer than `longest`;
// returns 1 there, else 0. `mass_ratio` is that end's inverse mass over the sum of both.
SLV_INLINE int slv_add_strain_correction(slv_vector displacement, float longest, float mass_ratio,
                                         SLV_PRIVATE slv_vector *sum) {
    if (!(slv_dot(displacement, displacement) > longest * longest)) {
        return 0;
    }
    *sum = slv_add_scaled(*sum, mass_ratio * (longest / slv_length(displacement) - 1.0f),
                          displacement);
    return 1;
}

// The strain limit of the spring between two slots: longest length over rest length.
SLV_INLINE float slv_strain_limit(const SLV_GLOBAL float *state,
                                  const SLV_PRIVATE slv_body_layout *body, int slot, int other) {
    return body->strain_limits > 0
               ? slv_min(state[body->strain_limits + slot], state[body->strain_limits + other])
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
    float inverse_mass = state[body->inverse_mass + slot];
    int count = 0;
    for (int n = span.first; n < span.end; n++) {
        int at = n * SLV_LANES + lane;
        int offset = table[body->neighbors + at];
        int there = body->q + offset;
        float longest = slv_strain_limit(state, body, slot, offset / SLV_PARTICLE_FLOATS);
        float rest = state[body->rests + at];
        slv_vector other = slv_make_vector(state[there], state[there + 1], state[there + 2]);
        if (rest >= 0.0f) {
            count +=
                slv_add_strain_correction(slv_subtract(q, other), longest * rest,
                                          inverse_mass / state[body->end_inverse_masses + at], sum);
        }
    }
    return count;
}

SLV_INLINE int slv_strain_of_grid(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int slot,
                                  SLV_PRIVATE slv_vector *sum) {
    int color = slot >= body->color_step ? 1 : 0;
    int plane_index = slot - color * body->color_step - body->origin;
    int layer = plane_index / body->layer_step;
    int row = (plane_index - layer * body->layer_step) / body->row_step;
    int column = plane_index - layer * body->layer_step - row * body->row_step;
    slv_cell cell = slv_grid_cell(body, color, layer * body->rows + row, column);
    int present = table[body->present + slot];
    slv_vector q = slv_load_vector(state, body, body->q, slot);
    float inverse_mass = state[body->inverse_mass + slot];
    int count = 0;
    for (int n = 0; n < 6; n++) {
        if ((present >> n & 1) != 0) {
            slv_vector other = slv_load_vector(state, body, body->q, cell.near[n]);
            float both = inverse_mass + state[body->inverse_mass + cell.near[n]];
            float longest = slv_strain_limit(state, body, slot, cell.near[n]);
            count += slv_add_strain_correction(slv_subtract(q, other), longest * body->rest,
                                               inverse_mass / both, sum);
        }
    }
    return count;
}

// Writes the mean of the strain corrections of a particle's springs into b, which no solver needs
// between passes. Returns the number of springs that are too long.
SLV_INLINE int slv_strain(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                          const SLV_PRIVATE slv_body_layout *body, int slot) {
    slv_vector sum = slv_make_vector(0.0f, 0.0f, 0.0f);
    int count = 0;
    if (slot < 0) {
        return count;
    }
    if (state[body->inverse_mass + slot] > 0.0f) {
        count = slv_body_is_grid(body) ? slv_strain_of_grid(state, table, body, slot, &sum)
                                       : slv_strain_of_graph(state, table, body, slot, &sum);
    }
    float scale = count > 0 ? 1.0f / (float)count : 0.0f;
    float most = body->strain_step / slv_max(slv_length(sum), SLV_STRAIN_LENGTH_LEAST);
    scale = slv_min(scale, most);
    slv_store_vector(state, body, body->b, slot,
                     slv_make_vector(scale * sum.x, scale * sum.y, scale * sum.z));
    return count;
}

SLV_INLINE void slv_apply_strain(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                 int slot) {
    if (slot >= 0 && state[body->inverse_mass + slot] > 0.0f) {
        slv_vector q = slv_load_vector(state, body, body->q, slot);
        slv_vector move = slv_load_vector(state, body, body->b, slot);
        slv_store_vector(state, body, body->q, slot, slv_add_scaled(q, 1.0f, move));
    }
}

#endif
