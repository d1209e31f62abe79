// SPDX-License-Identifier: MIT
// The loops over the kernels, for one instruction set: the including file says which by its compiler
// flags, names the table in SLV_CPU_TABLE, and tells in SLV_WIDE how many floats a register holds.
#include "runtime/backends/cpu/cpu_kernels.h"

#include "kernels/averaged.h"
#include "kernels/compliant.h"
#include "kernels/graph.h"
#include "kernels/grid.h"
#include "kernels/limits.h"
#include "kernels/moves.h"
#include "kernels/pairs.h"
#include "kernels/phantom.h"
#include "kernels/sleep.h"
#include "kernels/slots.h"
#include "kernels/tear.h"
#include "kernels/tetrahedron.h"
#include "kernels/wind.h"
#include "runtime/backends/cpu/cpu_rows.inl"
#include "runtime/backends/cpu/cpu_wide.inl"

// Need both, and some the ones before.
#include "runtime/backends/cpu/cpu_clusters.inl"

#include "runtime/backends/cpu/cpu_bins.inl"

#include "runtime/backends/cpu/cpu_contact.inl"

#include "runtime/backends/cpu/cpu_cull.inl"
#include "runtime/backends/cpu/cpu_limits.inl"
#include "runtime/backends/cpu/cpu_pairs.inl"
#include "runtime/backends/cpu/cpu_plain.inl"
#include "runtime/backends/cpu/cpu_pushes.inl"

// How each domain of kernels/list.h is walked. Elements of a row never touch one another, which the
// compiler cannot see where everything lies in one array; that rows are whole vectors it sees by the
// mask.
#define SLV_LOOP_PAIRS                                                                             \
    _Pragma("omp simd") for (int column = 0; column < (body->columns & -SLV_ROW_ALIGNMENT);        \
                             column++)
#define SLV_LOOP_COMPONENTS                                                                        \
    for (int d = 0; d < 3; d++)                                                                    \
    SLV_LOOP_PAIRS
#define SLV_LOOP_SLOTS _Pragma("omp simd") for (int column = 0; column < SLV_BLOCK; column++)
#define SLV_LOOP_SLICES for (int column = 0; column < SLV_LANES; column++)
#define SLV_LOOP_BATCHES for (int column = 0; column < SLV_LANES; column++)
#define SLV_LOOP_MOVES for (int column = 0; column < SLV_LANES; column++)
#define SLV_LOOP_TETRAHEDRA for (int column = 0; column < SLV_LANES; column++)
#define SLV_LOOP_LANES for (int column = 0; column < SLV_LANES; column++)
#define SLV_LOOP_TILES for (int column = 0; column < SLV_BLOCK; column++)
#define SLV_LOOP_POINTS SLV_LOOP_TILES
#define SLV_LOOP_ROWS
#define SLV_LOOP_BLOCKS const int from = 0, to = SLV_BLOCK;
#define SLV_LOOP_LINES const int from = 0, to = body->columns;
#define SLV_LOOP_STRIPS SLV_LOOP_PAIRS
#define SLV_LOOP_ONCE

// The first row left for the plain loop: some kernels have a faster form (cpu_rows.inl, cpu_wide.inl,
// cpu_contact.inl, cpu_cull.inl, cpu_clusters.inl, cpu_bins.inl, cpu_pairs.inl, cpu_pushes.inl).
#define SLV_FIRST_PAIRS(name) first
#define SLV_FIRST_STRIPS(name) wide_##name(state, table, body, launch, first, end)
#define SLV_FIRST_LINES(name) first
#define SLV_FIRST_COMPONENTS(name) first
#define SLV_FIRST_SLOTS(name) first
#define SLV_FIRST_SLICES(name) wide_##name(state, table, body, launch, first, end)
#define SLV_FIRST_BATCHES(name) wide_##name(state, table, body, launch, first, end)
#define SLV_FIRST_MOVES(name) first
#define SLV_FIRST_TETRAHEDRA(name) wide_##name(state, table, body, launch, first, end)
#define SLV_FIRST_LANES(name) first
#define SLV_FIRST_TILES(name) wide_##name(state, table, body, launch, first, end)
#define SLV_FIRST_POINTS(name) first
#define SLV_FIRST_ROWS(name) wide_##name(state, table, body, launch, first, end)
#define SLV_FIRST_BLOCKS(name) first
#define SLV_FIRST_ONCE(name) first

// The part and the launch are copied, so that no store into state can be taken for a change of them.
#define SLV_KERNEL(name, domain, call)                                                             \
    static void run_##name(float *state, int *table, const slv_body_layout *shared_body,           \
                           const slv_launch *shared_launch, int first, int end) {                  \
        const slv_body_layout own_body = *shared_body;                                             \
        const slv_launch own_launch = *shared_launch;                                              \
        const slv_body_layout *const body = &own_body;                                             \
        const slv_launch *const launch = &own_launch;                                              \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)launch;                                                                              \
        for (int row = SLV_FIRST_##domain(name); row < end; row++) {                               \
            SLV_LOOP_##domain {                                                                    \
                call;                                                                              \
            }                                                                                      \
        }                                                                                          \
    }
#include "kernels/list.h"
#undef SLV_KERNEL

#define SLV_KERNEL(name, domain, call) [SLV_ID_##name] = run_##name,
slv_cpu_kernel *const SLV_CPU_TABLE[SLV_KERNEL_COUNT] = {
#include "kernels/list.h"
};
#undef SLV_KERNEL
