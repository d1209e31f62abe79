// SPDX-License-Identifier: MIT
// Tearing of springs. A spring longer, at the start of a step, than `tearing` times its rest length is
// removed. Both ends see the same two positions and so decide alike, each for itself; then each end's
// response is computed from the springs that are left. No spring is added, so the coloring stays valid.
#ifndef SLV_KERNELS_TEAR_H
#define SLV_KERNELS_TEAR_H

#include "kernels/contact.h"
#include "kernels/graph.h"

// Number of a particle's averaged tetrahedra, which do not tear.
SLV_INLINE float slv_count_tetrahedra(const SLV_GLOBAL int *table,
                                      const SLV_PRIVATE slv_body_layout *body, int slice,
                                      int lane) {
    float count = 0.0f;
    int none = (body->slots - 1) * SLV_PARTICLE_FLOATS;
    if (body->vertex_entry_count == 0) {
        return count;
    }
    int rows = body->vertex_rows + slice;
    for (int n = table[rows]; n < table[rows + 1]; n++) {
        count += table[body->vertex_others[0] + n * SLV_LANES + lane] == none ? 0.0f : 1.0f;
    }
    return count;
}

// Computes how a particle responds to inertia and to its springs (kernels/body_layout.h). `inertia` is
// m/h² over the stiffness of the first class.
SLV_INLINE void slv_update_response(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    float stiffness_sum = 0.0f;
    float degree = 0.0f;
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float count = 0.0f;
        for (int n = span.first; n < span.end; n++) {
            count += state[body->rests + n * SLV_LANES + lane] < 0.0f ? 0.0f : 1.0f;
        }
        stiffness_sum += body->ratio[c] * count;
        degree += count;
    }
    degree += slv_count_tetrahedra(table, body, slice, lane);
    state[body->degrees + slot] = slv_max(degree, 1.0f);
    if (state[body->inverse_mass + slot] > 0.0f) {
        float inertia = state[body->inertia + slot];
        state[body->weight + slot] = slv_max(1.0f / (inertia + stiffness_sum), 1e-38f);
        state[body->anchor + slot] = inertia / (inertia + stiffness_sum);
    }
}

SLV_INLINE void slv_tear_particle(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                  const SLV_PRIVATE slv_body_layout *body, int start, int slice,
                                  int lane) {
    int slot = slice * SLV_LANES + lane;
    int torn = 0;
    slv_vector here = slv_load_vector(state, body, start, slot);
    int first = slv_graph_span(table, body, slice, 0).first;
    int end = slv_graph_span(table, body, slice, body->class_count - 1).end;
    for (int n = first; n < end; n++) {
        int at = n * SLV_LANES + lane;
        float rest = state[body->rests + at];
        int there = start + table[body->neighbors + at];
        slv_vector displacement = slv_make_vector(here.x - state[there], here.y - state[there + 1],
                                                  here.z - state[there + 2]);
        if (rest > 0.0f && slv_dot(displacement, displacement) > body->tearing * rest * rest) {
            state[body->rests + at] = -1.0f;
            table[body->neighbors + at] = (body->slots - 1) * SLV_PARTICLE_FLOATS;
            torn = 1;
        }
    }
    if (torn) {
        slv_update_response(state, table, body, slice, lane);
    }
}

SLV_INLINE void slv_tear_slice(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int slice) {
    for (int lane = 0; lane < SLV_LANES; lane++) {
        slv_tear_particle(state, table, body, slv_step_start(body, launch), slice, lane);
    }
}

// The offset of the particle that lies, or whose copy lies, at an offset. Copies (kernels/phantom.h) have no
// positions of their own at the start of a step.
SLV_INLINE int slv_original_offset(const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body, int offset) {
    int copy = offset / SLV_PARTICLE_FLOATS - body->copy_slot;
    return copy >= 0 && copy < body->copy_count ? table[body->copies + copy] : offset;
}

// The same springs as constraints of group launch->index: a torn one has no inverse masses.
SLV_INLINE void slv_tear_batch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                               const SLV_PRIVATE slv_body_layout *body,
                               const SLV_PRIVATE slv_launch *launch, int batch) {
    int group = body->groups + 3 * launch->index;
    int start = slv_step_start(body, launch);
    for (int lane = 0; lane < SLV_LANES; lane++) {
        int number = batch * SLV_LANES + lane;
        int spring = table[group] + number;
        if (number >= table[group + 1]) {
            return;
        }
        int a = start + slv_original_offset(table, body, table[body->ends[0] + spring]);
        int b = start + slv_original_offset(table, body, table[body->ends[1] + spring]);
        float rest = state[body->lengths + spring];
        slv_vector displacement = slv_make_vector(state[a] - state[b], state[a + 1] - state[b + 1],
                                                  state[a + 2] - state[b + 2]);
        if (rest > 0.0f && slv_dot(displacement, displacement) > body->tearing * rest * rest) {
            state[body->lengths + spring] = -1.0f;
            state[body->inverse_masses[0] + spring] = 0.0f;
            state[body->inverse_masses[1] + spring] = 0.0f;
        }
    }
}

#endif
