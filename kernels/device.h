// SPDX-License-Identifier: MIT
// The kernels as a GPU runs them: one element a thread. CUDA and OpenCL compile this text. The entries
// are made from list.h, so every kernel that is listed there is here too. After a step that diverged,
// entries do nothing, since the host may have sent many steps ahead; nor do entries of a sleeping body.
#ifndef SLV_KERNELS_DEVICE_H
#define SLV_KERNELS_DEVICE_H

#include "kernels/all.h"

// The domains of kernels/domains.h, as constants that a compiler sees: slv_columns_NAME and
// SLV_DIMENSIONS_NAME.
#define SLV_DOMAIN(name, columns, dimensions)                                                      \
    enum { SLV_DIMENSIONS_##name = dimensions };                                                   \
    SLV_INLINE int slv_columns_##name(const SLV_PRIVATE slv_body_layout *body) {                   \
        (void)body;                                                                                \
        return columns;                                                                            \
    }
#include "kernels/domains.h"
#undef SLV_DOMAIN

// A thread finds the row (first … end - 1) and the column of its element, and returns where there is none.
#define SLV_KERNEL(name, domain, traits, call)                                                     \
    SLV_ENTRY slv_run_##name(                                                                      \
        SLV_GLOBAL float *state, SLV_GLOBAL int *table, SLV_ARGUMENT slv_body_layout body_values,  \
        SLV_ARGUMENT slv_launch launch_values, const int first, const int end) {                   \
        const SLV_PRIVATE slv_body_layout *body = &body_values;                                    \
        const SLV_PRIVATE slv_launch *launch = &launch_values;                                     \
        const int columns = slv_columns_##domain(body);                                            \
        const int is_grid = SLV_DIMENSIONS_##domain > 1;                                           \
        const int row = first + (is_grid ? SLV_THREAD(1) : SLV_THREAD(0) / columns);               \
        const int column = is_grid ? SLV_THREAD(0) : SLV_THREAD(0) % columns;                      \
        const int d = SLV_DIMENSIONS_##domain > 2 ? SLV_THREAD(2) : 0;                             \
        const int from = column;                                                                   \
        const int to = column + 1;                                                                 \
        if (state[SLV_HALTED] > 0.0f || state[body->asleep] > 0.0f) {                              \
            return;                                                                                \
        }                                                                                          \
        if (row >= end || column >= columns) {                                                     \
            return;                                                                                \
        }                                                                                          \
        (void)table;                                                                               \
        (void)launch;                                                                              \
        (void)d;                                                                                   \
        (void)from;                                                                                \
        (void)to;                                                                                  \
        call;                                                                                      \
    }
#include "kernels/list.h"

// Comes after the check for divergence: counts the step, or halts all that follows. Kernels that set
// SLV_DIVERGED do not read it, so there is no data race.
SLV_ENTRY slv_end_step(SLV_GLOBAL float *state) {
    if (SLV_THREAD(0) == 0) {
        if (state[SLV_DIVERGED] > 0.0f) {
            state[SLV_HALTED] = 1.0f;
        } else {
            state[SLV_STEPS_DONE] += 1.0f;
        }
    }
}

// Positions of a body in the order of its particles, three floats each, for drawing.
SLV_ENTRY slv_export_positions(const SLV_GLOBAL float *state, const SLV_GLOBAL int *slots,
                               SLV_GLOBAL float *shared, SLV_ARGUMENT slv_body_layout body,
                               const int count) {
    int p = SLV_THREAD(0);
    if (p < count) {
        int at = body.q + slots[p] * body.stride;
        shared[3 * p] = state[at];
        shared[3 * p + 1] = state[at + body.component];
        shared[3 * p + 2] = state[at + 2 * body.component];
    }
}

SLV_ENTRY slv_probe_rounding(const SLV_GLOBAL float *in, SLV_GLOBAL float *out, const int count) {
    if (SLV_THREAD(0) < count) {
        slv_probe(in, out, SLV_THREAD(0));
    }
}

#endif
