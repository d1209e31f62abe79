// SPDX-License-Identifier: MIT
// Constraints that are averaged (Jacobi). Either all of them: each particle sums over its constraints
// and moves by the mean, from one array of positions into the other, one launch an iteration. Or those
// that are left after the others were solved by color: each constraint writes corrections of its
// particles, then each particle sums its corrections. Sums have a fixed order, and corrections are
// divided by the number of averaged constraints of their particle.
#ifndef SLV_KERNELS_AVERAGED_H
#define SLV_KERNELS_AVERAGED_H

#include "kernels/compliant.h"
#include "kernels/tetrahedron.h"

// --- All of them ------------------------------------------------------------------------------------

// Sum of the corrections of particle `lane` of a slice by its springs, over its inverse mass. Both ends
// of a spring have a multiplier of their own, since each divides by its own number of constraints.
SLV_INLINE void slv_average_springs(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                    const SLV_PRIVATE slv_body_layout *body,
                                    const SLV_PRIVATE slv_launch *launch, int from, int slice,
                                    int lane, SLV_PRIVATE float *sum) {
    int slot = slice * SLV_LANES + lane;
    int own = from + slot * SLV_PARTICLE_FLOATS;
    float average = launch->relaxation / state[body->degrees + slot];
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float compliance = body->compliance[c];
        for (int n = span.first; n < span.end; n++) {
            int end = n * SLV_LANES + lane;
            int there = from + table[body->neighbors + end];
            float rest = state[body->rests + end];
            float dx = state[own] - state[there];
            float dy = state[own + 1] - state[there + 1];
            float dz = state[own + 2] - state[there + 2];
            float effective_mass = average / (state[body->end_inverse_masses + end] + compliance);
            float length = slv_square_root(dx * dx + dy * dy + dz * dz);
            float reciprocal = length > 0.0f ? 1.0f / length : 0.0f;
            float multiplier = launch->first ? 0.0f : state[body->multipliers + end];
            float error = length - rest + compliance * multiplier;
            float change = length > 0.0f && rest >= 0.0f ? effective_mass * error : 0.0f;
            float scale = change * reciprocal;
            state[body->multipliers + end] = multiplier - change;
            sum[0] += scale * dx;
            sum[1] += scale * dy;
            sum[2] += scale * dz;
        }
    }
}

// Sum of its corrections by its tetrahedra. It is the first corner of each; padding entries are flat
// and add nothing.
SLV_INLINE void slv_average_tetrahedra(const SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                       const SLV_PRIVATE slv_body_layout *body,
                                       const SLV_PRIVATE slv_launch *launch, int from, int slice,
                                       int lane, SLV_PRIVATE float *sum) {
    int slot = slice * SLV_LANES + lane;
    float average = launch->relaxation / state[body->degrees + slot];
    slv_volume volume;
    volume.corner[0] = from + slot * SLV_PARTICLE_FLOATS;
    volume.weight[0] = state[body->inverse_mass + slot];
    for (int n = table[body->vertex_rows + slice]; n < table[body->vertex_rows + slice + 1]; n++) {
        int at = n * SLV_LANES + lane;
        for (int c = 0; c < 3; c++) {
            volume.corner[c + 1] = from + table[body->vertex_others[c] + at];
            volume.weight[c + 1] = state[body->vertex_inverse_masses[c] + at];
        }
        slv_volume_measure(state, state[body->vertex_volumes + at], &volume);
        float scale = average * volume.change * volume.weight[0];
        for (int d = 0; d < 3; d++) {
            sum[d] += scale * volume.gradient[0][d];
        }
    }
}

// One iteration for particle `lane` of a slice: from q to next, or with SLV_FROM_NEXT from next to q.
SLV_INLINE void slv_average(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                            const SLV_PRIVATE slv_body_layout *body,
                            const SLV_PRIVATE slv_launch *launch, int slice, int lane) {
    int from = (launch->flags & SLV_FROM_NEXT) != 0 ? body->next : body->q;
    int to = (launch->flags & SLV_FROM_NEXT) != 0 ? body->q : body->next;
    int slot = slice * SLV_LANES + lane;
    float springs[3] = {0.0f, 0.0f, 0.0f};
    float volumes[3] = {0.0f, 0.0f, 0.0f};
    slv_average_springs(state, table, body, launch, from, slice, lane, springs);
    if (body->vertex_entry_count > 0) {
        slv_average_tetrahedra(state, table, body, launch, from, slice, lane, volumes);
    }
    float inverse_mass = state[body->inverse_mass + slot];
    for (int d = 0; d < 3; d++) {
        int at = slot * SLV_PARTICLE_FLOATS + d;
        state[to + at] = state[from + at] + (volumes[d] - inverse_mass * springs[d]);
    }
}

// --- Those that are left ----------------------------------------------------------------------------

// Spring `lane` of batch `batch` in group launch->index. Both ends have a multiplier of their own here
// too.
SLV_INLINE void slv_spring_correct(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                   const SLV_PRIVATE slv_body_layout *body,
                                   const SLV_PRIVATE slv_launch *launch, int batch, int lane) {
    int group = body->groups + 3 * launch->index;
    int number = batch * SLV_LANES + lane;
    if (number >= table[group + 1]) {
        return;
    }
    int spring = table[group] + number;
    float compliance = body->compliance[table[group + 2]];
    float displacement[3];
    int ends[2];
    float masses[2];
    for (int e = 0; e < 2; e++) {
        ends[e] = table[body->ends[e] + spring];
        masses[e] = state[body->inverse_masses[e] + spring];
    }
    for (int d = 0; d < 3; d++) {
        displacement[d] = state[body->q + ends[0] + d] - state[body->q + ends[1] + d];
    }
    float length =
        slv_square_root(displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                        displacement[2] * displacement[2]);
    float reciprocal = length > 0.0f ? 1.0f / length : 0.0f;
    float softness = masses[0] + masses[1] + compliance;
    for (int e = 0; e < 2; e++) {
        int tension = body->end_tensions + 2 * spring + e;
        float relaxation =
            launch->relaxation / state[body->averaged_counts + ends[e] / SLV_PARTICLE_FLOATS];
        float multiplier = launch->first ? 0.0f : state[tension];
        float error = length - state[body->lengths + spring] + compliance * multiplier;
        float change = length > 0.0f ? relaxation * error / softness : 0.0f;
        float scale = masses[e] * change * reciprocal;
        state[tension] = multiplier - change;
        int at = body->corrections + 8 * spring + 4 * e;
        for (int d = 0; d < 3; d++) {
            state[at + d] = e == 0 ? 0.0f - scale * displacement[d] : scale * displacement[d];
        }
    }
}

// The same for the corners of a tetrahedron.
SLV_INLINE void slv_tetrahedron_correct(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                                        const SLV_PRIVATE slv_body_layout *body,
                                        const SLV_PRIVATE slv_launch *launch, int number) {
    slv_volume volume = slv_tetrahedron_measure(state, table, body, number);
    int at = body->corrections + body->batches[SLV_BATCH_TETRAHEDRON].corrections + 16 * number;
    for (int c = 0; c < 4; c++) {
        int slot = (volume.corner[c] - body->q) / SLV_PARTICLE_FLOATS;
        float relaxation = launch->relaxation / state[body->averaged_counts + slot];
        float scale = relaxation * volume.change * volume.weight[c];
        for (int d = 0; d < 3; d++) {
            state[at + 4 * c + d] = scale * volume.gradient[c][d];
        }
    }
}

// Adds the corrections of a slot to its position.
SLV_INLINE void slv_gather(SLV_GLOBAL float *state, const SLV_GLOBAL int *table,
                           const SLV_PRIVATE slv_body_layout *body, int slot) {
    int first = table[body->gather_first + slot];
    int end = table[body->gather_first + slot + 1];
    int to = body->q + slot * SLV_PARTICLE_FLOATS;
    if (first == end) {
        return;
    }
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int n = first; n < end; n++) {
        int from = body->corrections + table[body->gather + n];
        for (int d = 0; d < 3; d++) {
            sum[d] += state[from + d];
        }
    }
    for (int d = 0; d < 3; d++) {
        state[to + d] += sum[d];
    }
}

#endif
