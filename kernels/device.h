// SPDX-License-Identifier: MIT
// The kernels as a GPU runs them: one element a thread. CUDA and OpenCL compile this very text; the
// entries are made from list.h, so a kernel that is listed there is here too. Once a step has ended with the
// alarm raised, all that was launched behind it does nothing: the host may have sent many steps ahead. Nor
// does what is launched for a part that sleeps.
#ifndef SLV_KERNELS_DEVICE_H
#define SLV_KERNELS_DEVICE_H

#include "kernels/averaged.h"
#include "kernels/compliant.h"
#include "kernels/graph.h"
#include "kernels/grid.h"
#include "kernels/limits.h"
#include "kernels/moves.h"
#include "kernels/pairs.h"
#include "kernels/phantom.h"
#include "kernels/probe.h"
#include "kernels/sleep.h"
#include "kernels/slots.h"
#include "kernels/tear.h"
#include "kernels/tetrahedron.h"
#include "kernels/wind.h"

// Which element a thread has, by the domains of list.h: it finds row (first … end - 1) and column, and
// leaves where there is none. Grids are walked in two or three dimensions, since a division by a number
// known only at run time is dear; everything else along one.
#define SLV_WALK_PAIRS                                                                             \
    int column = SLV_THREAD(0);                                                                    \
    int row = first + SLV_THREAD(1);                                                               \
    if (column >= body->columns || row >= end) {                                                   \
        return;                                                                                    \
    }
#define SLV_WALK_STRIPS SLV_WALK_PAIRS
#define SLV_WALK_COMPONENTS                                                                        \
    SLV_WALK_PAIRS                                                                                 \
    int d = SLV_THREAD(2);
#define SLV_WALK_ALONG(width)                                                                      \
    int row = first + SLV_THREAD(0) / (width);                                                     \
    int column = SLV_THREAD(0) % (width);                                                          \
    if (row >= end) {                                                                              \
        return;                                                                                    \
    }                                                                                              \
    (void)column;
#define SLV_WALK_SLOTS SLV_WALK_ALONG(SLV_BLOCK)
#define SLV_WALK_SLICES SLV_WALK_ALONG(SLV_LANES)
#define SLV_WALK_BATCHES SLV_WALK_ALONG(SLV_LANES)
#define SLV_WALK_MOVES SLV_WALK_ALONG(SLV_LANES)
#define SLV_WALK_TETRAHEDRA SLV_WALK_ALONG(SLV_LANES)
#define SLV_WALK_LANES SLV_WALK_ALONG(SLV_LANES)
#define SLV_WALK_TILES SLV_WALK_ALONG(SLV_BLOCK)
#define SLV_WALK_POINTS SLV_WALK_ALONG(SLV_BLOCK)
#define SLV_WALK_ROWS SLV_WALK_ALONG(1)
#define SLV_WALK_LINES                                                                             \
    SLV_WALK_PAIRS                                                                                 \
    int from = column;                                                                             \
    int to = column + 1;
#define SLV_WALK_BLOCKS                                                                            \
    SLV_WALK_SLOTS                                                                                 \
    int from = column;                                                                             \
    int to = column + 1;
#define SLV_WALK_ONCE SLV_WALK_ALONG(1)

#define SLV_KERNEL(name, domain, call)                                                             \
    SLV_ENTRY slv_run_##name(                                                                      \
        SLV_GLOBAL float *state, SLV_GLOBAL int *table, SLV_ARGUMENT slv_body_layout body_values,  \
        SLV_ARGUMENT slv_launch launch_values, const int first, const int end) {                   \
        const SLV_PRIVATE slv_body_layout *body = &body_values;                                    \
        const SLV_PRIVATE slv_launch *launch = &launch_values;                                     \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)body;                                                                                \
        (void)launch;                                                                              \
        if (state[SLV_HALTED] > 0.0f || state[body->asleep] > 0.0f) {                              \
            return;                                                                                \
        }                                                                                          \
        SLV_WALK_##domain call;                                                                    \
    }
#include "kernels/list.h"
#undef SLV_KERNEL

// Ends a step: one more is done, unless it raised the alarm. Kernels that raise it do not look at it, so
// that none reads what another writes.
SLV_ENTRY slv_end_step(SLV_GLOBAL float *state) {
    if (SLV_THREAD(0) == 0) {
        if (state[SLV_DIVERGED] > 0.0f) {
            state[SLV_HALTED] = 1.0f;
        } else {
            state[SLV_STEPS_DONE] += 1.0f;
        }
    }
}

// Positions of a part in own order, three floats each, for whoever draws them.
SLV_ENTRY slv_share_positions(const SLV_GLOBAL float *state, const SLV_GLOBAL int *slots,
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
