// SPDX-License-Identifier: MIT
// Coarse grids (kernels/coarse.h) in vectors: the plain functions of one node, over runs of nodes of a row.
#include <string.h>

// The part of a row of nodes that rows first … end - 1 of a launch have: columns from … to - 1.
typedef struct slv_node_run {
    int from, to;
} slv_node_run;

static inline slv_node_run find_node_run(slv_coarse_level level, int row, int first, int end) {
    const int begin = row * level.step;
    const int low = first * SLV_LANES - begin;
    const int high = end * SLV_LANES - begin;
    slv_node_run run;
    run.from = low > 0 ? low : 0;
    run.to = high < level.columns ? high : level.columns;
    return run;
}

static inline int first_node_row(slv_coarse_level level, int first) {
    return first * SLV_LANES / level.step;
}

static inline int end_node_row(slv_coarse_level level, int end) {
    return (end * SLV_LANES + level.step - 1) / level.step;
}

static inline int wide_coarse_gather(float *state, const int *table, const slv_body_layout *body,
                                     const slv_launch *launch, int first, int end) {
    (void)launch;
    const slv_coarse_level level = slv_coarse_get_level(table, body, 0);
    for (int j = first_node_row(level, first); j < end_node_row(level, end); j++) {
        const slv_node_run run = find_node_run(level, j, first, end);
        for (int d = 0; d < 3; d++) {
#pragma omp simd
            for (int i = run.from; i < run.to; i++) {
                slv_coarse_gather(state, body, level, i, j, d);
            }
        }
    }
    return end;
}
#define SLV_FORM_coarse_gather SLV_FORM(coarse_gather)

static inline int wide_coarse_restrict(float *state, const int *table, const slv_body_layout *body,
                                       const slv_launch *launch, int first, int end) {
    const slv_coarse_level finer = slv_coarse_get_level(table, body, launch->index - 1);
    const slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    for (int j = first_node_row(level, first); j < end_node_row(level, end); j++) {
        const slv_node_run run = find_node_run(level, j, first, end);
        for (int d = 0; d < 3; d++) {
#pragma omp simd
            for (int i = run.from; i < run.to; i++) {
                slv_coarse_restrict(state, body, finer, level, i, j, d);
            }
        }
    }
    return end;
}
#define SLV_FORM_coarse_restrict SLV_FORM(coarse_restrict)

// All nodes of the level at a time, so that the inverse is read in order.
static inline int wide_coarse_solve(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    const slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    const int count = level.rows * level.step;
    const int low = first * SLV_LANES;
    const int nodes = (end - first) * SLV_LANES;
    for (int d = 0; d < 3; d++) {
        const float *f = state + body->coarse_f + d * body->coarse_nodes + level.first;
        float sums[SLV_COARSE_SOLVED] = {0.0f};
        for (int m = 0; m < count; m++) {
            const float *inverse = state + body->coarse_inverse + m * count + low;
            const float value = f[m];
#pragma omp simd
            for (int n = 0; n < nodes; n++) {
                sums[n] += inverse[n] * value;
            }
        }
        memcpy(state + body->coarse_u + d * body->coarse_nodes + level.first + low, sums,
               (size_t)nodes * sizeof *sums);
    }
    return end;
}
#define SLV_FORM_coarse_solve SLV_FORM(coarse_solve)

// A node of the coarser level gives two: one at it and one between it and the next.
static inline void interpolate_pairs(float *restrict to, const float *restrict one,
                                     const float *restrict two, int from, int end) {
#pragma omp simd
    for (int c = from; c < end; c++) {
        to[2 * c] = 0.25f * ((one[c] + one[c]) + (two[c] + two[c]));
        to[2 * c + 1] = 0.25f * ((one[c] + one[c + 1]) + (two[c] + two[c + 1]));
    }
}

static inline int wide_coarse_interpolate(float *state, const int *table,
                                          const slv_body_layout *body, const slv_launch *launch,
                                          int first, int end) {
    const slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    const slv_coarse_level coarser = slv_coarse_get_level(table, body, launch->index + 1);
    for (int j = first_node_row(level, first); j < end_node_row(level, end); j++) {
        const slv_node_run run = find_node_run(level, j, first, end);
        const slv_coarse_rows rows = slv_coarse_rows_at(coarser, j);
        const int pairs = run.to / 2;
        for (int d = 0; d < 3; d++) {
            float *u = state + body->coarse_u + d * body->coarse_nodes;
            interpolate_pairs(u + level.first + j * level.step, u + rows.one, u + rows.two,
                              run.from / 2, pairs);
            for (int i = run.to & ~1; i < run.to; i++) {
                slv_coarse_interpolate(state, body, level, coarser, i, j, d);
            }
        }
    }
    return end;
}
#define SLV_FORM_coarse_interpolate SLV_FORM(coarse_interpolate)

static inline int wide_coarse_relax(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    const slv_coarse_level level = slv_coarse_get_level(table, body, launch->index);
    for (int j = first_node_row(level, first); j < end_node_row(level, end); j++) {
        const slv_node_run run = find_node_run(level, j, first, end);
        const int node = level.first + j * level.step;
        for (int d = 0; d < 3; d++) {
#pragma omp simd
            for (int i = run.from; i < run.to; i++) {
                slv_coarse_relax(state, body, launch, level.step, node + i, d);
            }
        }
    }
    return end;
}
#define SLV_FORM_coarse_relax SLV_FORM(coarse_relax)
