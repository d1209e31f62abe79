// SPDX-License-Identifier: MIT
// Springs that break. A spring longer, at the start of a step, than `tearing` times its length at rest is
// no more: both ends see the same two positions and so decide alike, each for itself. Its particle answers
// the springs that are left. What was not one of the colors' business before is not now: no spring is
// added, so particles of one color stay strangers.
#ifndef SLV_KERNELS_TEAR_H
#define SLV_KERNELS_TEAR_H

#include "kernels/contact.h"
#include "kernels/graph.h"

// Tetrahedra among what is averaged: those do not tear.
SLV_BODY float slv_count_tetrahedra(const SLV_GLOBAL int *table, const SLV_PRIVATE slv_part *part,
                                    int slice, int lane) {
    float count = 0.0f;
    int none = (part->slots - 1) * SLV_PARTICLE_FLOATS;
    if (part->apex_count == 0) {
        return count;
    }
    int rows = part->apex_rows + slice;
    for (int n = table[rows]; n < table[rows + 1]; n++) {
        count += table[part->apex_others[0] + n * SLV_LANES + lane] == none ? 0.0f : 1.0f;
    }
    return count;
}

// How a particle answers inertia and the springs it has (kernels/body_layout.h). `inertia` is m/h² over the
// stiffness of the first class.
SLV_BODY void slv_answer_springs(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                 const SLV_PRIVATE slv_part *part, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    float pull = 0.0f;
    float degree = 0.0f;
    for (int c = 0; c < part->class_count; c++) {
        slv_span span = slv_graph_span(table, part, slice, c);
        float count = 0.0f;
        for (int n = span.first; n < span.end; n++) {
            count += state[part->rests + n * SLV_LANES + lane] < 0.0f ? 0.0f : 1.0f;
        }
        pull += part->ratio[c] * count;
        degree += count;
    }
    degree += slv_count_tetrahedra(table, part, slice, lane);
    state[part->degrees + slot] = slv_larger(degree, 1.0f);
    if (state[part->inverse_mass + slot] > 0.0f) {
        float inertia = state[part->inertia + slot];
        state[part->weight + slot] = slv_larger(1.0f / (inertia + pull), 1e-38f);
        state[part->anchor + slot] = inertia / (inertia + pull);
    }
}

SLV_BODY void slv_tear_particle(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                                const SLV_PRIVATE slv_part *part, int start, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    int torn = 0;
    slv_vector here = slv_load_vector(state, part, start, slot);
    int first = slv_graph_span(table, part, slice, 0).first;
    int end = slv_graph_span(table, part, slice, part->class_count - 1).end;
    for (int n = first; n < end; n++) {
        int at = n * SLV_LANES + lane;
        float rest = state[part->rests + at];
        int there = start + table[part->neighbors + at];
        slv_vector way = slv_make_vector(here.x - state[there], here.y - state[there + 1],
                                         here.z - state[there + 2]);
        if (rest > 0.0f && slv_dot(way, way) > part->tearing * rest * rest) {
            state[part->rests + at] = -1.0f;
            table[part->neighbors + at] = (part->slots - 1) * SLV_PARTICLE_FLOATS;
            torn = 1;
        }
    }
    if (torn) {
        slv_answer_springs(state, table, part, slice, lane);
    }
}

SLV_BODY void slv_tear_slice(SLV_GLOBAL float *state, SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                             int slice) {
    for (int lane = 0; lane < SLV_LANES; lane++) {
        slv_tear_particle(state, table, part, slv_step_start(part, launch), slice, lane);
    }
}

// The same springs one by one, in group launch->color: what is torn pulls with no mass.
SLV_BODY void slv_tear_batch(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                             const SLV_PRIVATE slv_part *part, const SLV_PRIVATE slv_launch *launch,
                             int batch) {
    int group = part->groups + 3 * launch->color;
    int start = slv_step_start(part, launch);
    for (int lane = 0; lane < SLV_LANES; lane++) {
        int number = batch * SLV_LANES + lane;
        int spring = table[group] + number;
        if (number >= table[group + 1]) {
            return;
        }
        int a = start + table[part->ends[0] + spring];
        int b = start + table[part->ends[1] + spring];
        float rest = state[part->lengths + spring];
        slv_vector way = slv_make_vector(state[a] - state[b], state[a + 1] - state[b + 1],
                                         state[a + 2] - state[b + 2]);
        if (rest > 0.0f && slv_dot(way, way) > part->tearing * rest * rest) {
            state[part->lengths + spring] = -1.0f;
            state[part->masses[0] + spring] = 0.0f;
            state[part->masses[1] + spring] = 0.0f;
        }
    }
}

#endif
