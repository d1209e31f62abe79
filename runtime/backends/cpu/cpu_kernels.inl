// SPDX-License-Identifier: MIT
// The loops over the kernels, for one instruction set: the including file selects it by its compiler
// flags, names the table in SLV_CPU_TABLE, and defines SLV_WIDE as the number of floats of a register.
#include "runtime/backends/cpu/cpu_kernels.h"

#include "kernels/all.h"

// A kernel may have a faster form of its own: a function wide_NAME that runs rows first … end - 1 or some of
// them and returns the first row that is left for the plain loop. The file that has it announces it with
//     #define SLV_FORM_NAME SLV_FORM(NAME)
#define SLV_FORM(name) ~, wide_##name(state, table, body, launch, first, end)
// The same for a form that uses the tables of clusters.
#define SLV_CLUSTER_FORM(name) ~, wide_##name(clusters, state, table, body, launch, first, end)
// The same for a form that uses the flags of strained tiles.
#define SLV_STRAIN_FORM(name) ~, wide_##name(strained, state, table, body, launch, first, end)

#include "runtime/backends/cpu/cpu_rows.inl"
#include "runtime/backends/cpu/cpu_vectors.inl"

#include "runtime/backends/cpu/cpu_wide.inl"

// These need them all, and some need the ones before.
#include "runtime/backends/cpu/cpu_cloth.inl"

#include "runtime/backends/cpu/cpu_coarse.inl"

#include "runtime/backends/cpu/cpu_aggregate.inl"

#include "runtime/backends/cpu/cpu_clusters.inl"

#include "runtime/backends/cpu/cpu_bins.inl"

#include "runtime/backends/cpu/cpu_contact.inl"

#include "runtime/backends/cpu/cpu_cull.inl"
#include "runtime/backends/cpu/cpu_implicit.inl"
#include "runtime/backends/cpu/cpu_limits.inl"
#include "runtime/backends/cpu/cpu_match.inl"
#include "runtime/backends/cpu/cpu_neighbors.inl"
#include "runtime/backends/cpu/cpu_pushes.inl"
#include "runtime/backends/cpu/cpu_springs.inl"

#include "runtime/backends/cpu/cpu_factor.inl"

// The loop over a row, for each domain of kernels/domains.h. Elements of a row never touch one another, which the
// compiler cannot see where everything lies in one array: `omp simd` tells it. That rows are whole vectors it
// sees by the mask.
#define SLV_LOOP_GRID_COLUMNS                                                                      \
    _Pragma("omp simd") for (int column = 0; column < (body->columns & -SLV_ROW_ALIGNMENT);        \
                             column++)
#define SLV_LOOP_GRID_RANGES const int from = 0, to = body->columns;
#define SLV_LOOP_GRID_COMPONENTS                                                                   \
    for (int d = 0; d < 3; d++)                                                                    \
    SLV_LOOP_GRID_COLUMNS
#define SLV_LOOP_SLOTS _Pragma("omp simd") for (int column = 0; column < SLV_BLOCK; column++)
#define SLV_LOOP_SLOT_RANGES const int from = 0, to = SLV_BLOCK;
#define SLV_LOOP_SLICES SLV_LOOP_LANES
#define SLV_LOOP_SPRINGS SLV_LOOP_LANES
#define SLV_LOOP_MOVES SLV_LOOP_LANES
#define SLV_LOOP_LANES for (int column = 0; column < SLV_LANES; column++)
#define SLV_LOOP_POINTS for (int column = 0; column < SLV_BLOCK; column++)
#define SLV_LOOP_ROWS
#define SLV_LOOP_ONCE

// The first row left for the plain loop. Where SLV_FORM_NAME is not defined, it counts as one argument and the
// second is `first`; where it is, it brings a comma, and the second is the call of the faster form.
#define SLV_SECOND_ARGUMENT(one, two, ...) two
#define SLV_SECOND(...) SLV_SECOND_ARGUMENT(__VA_ARGS__)
#define SLV_FIRST_ROW(name) SLV_SECOND(SLV_FORM_##name, first, ~)

// Body layout and launch are copied, so that the compiler knows that no store into state changes them.
#define SLV_KERNEL(name, domain, traits, call)                                                     \
    static void run_##name(const slv_cpu_arrays *arrays, const slv_body_layout *shared_body,       \
                           const slv_launch *shared_launch, int first, int end) {                  \
        float *const state = arrays->state;                                                        \
        int *const table = arrays->table;                                                          \
        slv_cpu_clusters *const clusters = arrays->clusters;                                       \
        int *const strained = arrays->strained;                                                    \
        const slv_body_layout own_body = *shared_body;                                             \
        const slv_launch own_launch = *shared_launch;                                              \
        const slv_body_layout *const body = &own_body;                                             \
        const slv_launch *const launch = &own_launch;                                              \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)clusters;                                                                            \
        (void)strained;                                                                            \
        (void)launch;                                                                              \
        for (int row = SLV_FIRST_ROW(name); row < end; row++) {                                    \
            SLV_LOOP_##domain {                                                                    \
                call;                                                                              \
            }                                                                                      \
        }                                                                                          \
    }
#include "kernels/list.h"

#define SLV_KERNEL(name, domain, traits, call) [SLV_ID_##name] = run_##name,
slv_cpu_kernel *const SLV_CPU_TABLE[SLV_KERNEL_COUNT] = {
#include "kernels/list.h"
};
