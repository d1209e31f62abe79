// SPDX-License-Identifier: MIT
// Every kernel, once. A backend includes this file with SLV_KERNEL defined and so has all of them or
// does not build. Without SLV_KERNEL it includes the headers of all kernels. Deliberately without an include
// guard.
//
//     SLV_KERNEL(name, domain, traits, call)
//
// domain: what the rows of a launch and the elements of a row are (kernels/domains.h).
// traits: what backends may know of the kernel (slv_trait in runtime/step/kernel_id.h); 0 without any.
//     SLV_UNEVEN  rows differ much in work, or in how far apart the memory lies that they read
//     SLV_SORT    sorts points for the neighbor search; a backend that finds neighbors in another way need
//                 not run it
// call: may use state, table, body, launch, row and column; d in GRID_COMPONENTS; from and to in …_RANGES.
//
// Kernels over single particles come split, for grids, row by row as all kernels of a grid, so that a
// processor keeps its rows in its cache; and joined, for all other layouts.
#ifndef SLV_KERNEL
#include "kernels/averaged.h"
#include "kernels/compliant.h"
#include "kernels/graph.h"
#include "kernels/grid.h"
#include "kernels/limits.h"
#include "kernels/moves.h"
#include "kernels/neighbors.h"
#include "kernels/pairs.h"
#include "kernels/phantom.h"
#include "kernels/sleep.h"
#include "kernels/slots.h"
#include "kernels/tear.h"
#include "kernels/tetrahedron.h"
#include "kernels/wind.h"
#else
#define SLV_RED slv_grid_slot(body, 0, row, column)
#define SLV_BLACK slv_grid_slot(body, 1, row, column)
#define SLV_SLOT (row * SLV_BLOCK + column)
#define SLV_TILE_SLOT slv_tile_slot(body, row, column)

// NOLINTBEGIN(readability-non-const-parameter): all have the same parameters, whatever they write
SLV_KERNEL(integrate_split, GRID_COLUMNS, 0,
           (slv_integrate(state, body, launch, SLV_RED, 1),
            slv_integrate(state, body, launch, SLV_BLACK, 1)))
SLV_KERNEL(accept_split, GRID_COLUMNS, 0,
           (slv_accept(state, body, body->u, SLV_RED, 1),
            slv_accept(state, body, body->u, SLV_BLACK, 1)))
SLV_KERNEL(apply_split, GRID_COLUMNS, 0,
           (slv_apply(state, body, SLV_RED, 1), slv_apply(state, body, SLV_BLACK, 1)))
SLV_KERNEL(rollback_split, GRID_COLUMNS, 0,
           (slv_rollback(state, body, launch, SLV_RED, 1),
            slv_rollback(state, body, launch, SLV_BLACK, 1)))
SLV_KERNEL(check_divergence_split, GRID_RANGES, 0,
           slv_check_divergence_row(state, body, launch, row, from, to))
SLV_KERNEL(integrate_joined, SLOTS, 0, slv_integrate(state, body, launch, SLV_SLOT, 4))
SLV_KERNEL(accept_joined, SLOTS, 0,
           slv_accept(state, body, (launch->flags & SLV_TO_POSITIONS) != 0 ? body->q : body->u,
                      SLV_SLOT, 4))
SLV_KERNEL(apply_joined, SLOTS, 0, slv_apply(state, body, SLV_SLOT, 4))
SLV_KERNEL(rollback_joined, SLOTS, 0, slv_rollback(state, body, launch, SLV_SLOT, 4))
SLV_KERNEL(check_divergence_joined, SLOT_RANGES, 0,
           slv_check_divergence_block(state, body, launch, row, from, to))

SLV_KERNEL(move_fixed, MOVES, 0,
           slv_move_fixed(state, table, body, launch, row *SLV_LANES + column))

SLV_KERNEL(flat_project, GRID_COLUMNS, 0, slv_grid_project(state, table, body, row, column, 2))
SLV_KERNEL(solid_project, GRID_COLUMNS, 0, slv_grid_project(state, table, body, row, column, 3))
SLV_KERNEL(flat_relax, GRID_COMPONENTS, 0,
           slv_grid_relax(state, body, launch->relaxation, launch->index, row, column, d, 2))
SLV_KERNEL(solid_relax, GRID_COMPONENTS, 0,
           slv_grid_relax(state, body, launch->relaxation, launch->index, row, column, d, 3))
SLV_KERNEL(flat_jacobi, GRID_COMPONENTS, 0, slv_grid_jacobi(state, body, launch, row, column, d, 2))
SLV_KERNEL(solid_jacobi, GRID_COMPONENTS, 0,
           slv_grid_jacobi(state, body, launch, row, column, d, 3))
SLV_KERNEL(flat_sweep, ONCE, 0, slv_grid_sweep(state, body, launch->relaxation, 2))
SLV_KERNEL(solid_sweep, ONCE, 0, slv_grid_sweep(state, body, launch->relaxation, 3))

SLV_KERNEL(graph_project, SLICES, 0, slv_graph_project(state, table, body, row, column))
SLV_KERNEL(graph_relax, SLICES, 0,
           slv_graph_relax(state, table, body, launch->relaxation, row, column))
SLV_KERNEL(graph_jacobi, SLICES, 0, slv_graph_jacobi(state, table, body, launch, row, column))
SLV_KERNEL(graph_sweep, ONCE, 0, slv_graph_sweep(state, table, body, launch->relaxation))

SLV_KERNEL(average, SLICES, 0, slv_average(state, table, body, launch, row, column))
SLV_KERNEL(spring_project, SPRINGS, 0, slv_spring_project(state, table, body, launch, row, column))

SLV_KERNEL(tetrahedron_project, LANES, 0,
           slv_tetrahedron_project(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(tetrahedron_correct, LANES, 0,
           slv_tetrahedron_correct(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(spring_correct, LANES, 0, slv_spring_correct(state, table, body, launch, row, column))
SLV_KERNEL(gather, LANES, 0, slv_gather(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(phantom_spread, LANES, 0,
           slv_phantom_spread(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(phantom_join, LANES, 0,
           slv_phantom_join(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(collider_move, ROWS, 0, slv_move_collider(state, table, body, launch, row))
SLV_KERNEL(rest_damping_split, GRID_COLUMNS, 0,
           (slv_rest_damp(state, body, launch, SLV_RED, 1),
            slv_rest_damp(state, body, launch, SLV_BLACK, 1)))
SLV_KERNEL(rest_damping_joined, SLOTS, 0, slv_rest_damp(state, body, launch, SLV_SLOT, 4))
SLV_KERNEL(contact_cull, ROWS, 0, slv_cull(state, table, body, launch, row))
SLV_KERNEL(contact_collide, POINTS, SLV_UNEVEN,
           slv_collide(state, table, body, launch, row, column))
SLV_KERNEL(contact_restitution, POINTS, 0,
           slv_apply_restitution(state, table, body, launch, row, column))
SLV_KERNEL(contact_save_starts, POINTS, 0, slv_save_start(state, body, launch, SLV_TILE_SLOT))
SLV_KERNEL(contact_restore_starts, POINTS, 0, slv_restore_start(state, body, SLV_TILE_SLOT))

SLV_KERNEL(bin_update, ROWS, SLV_UNEVEN, slv_bin_update(state, table, body, launch, row))
SLV_KERNEL(bin_scale, ROWS, 0, slv_bin_scale(state, table, body))
SLV_KERNEL(bin_key, POINTS, SLV_SORT, slv_bin_key(state, table, body, SLV_SLOT))
SLV_KERNEL(bin_histogram, ROWS, SLV_SORT, slv_bin_histogram(table, body, row))
SLV_KERNEL(bin_offsets, ROWS, SLV_SORT, slv_bin_offsets(table, body))
SLV_KERNEL(bin_scatter, ROWS, SLV_SORT, slv_bin_scatter(table, body, row))
SLV_KERNEL(bin_sort, ROWS, SLV_SORT, slv_bin_sort(state, table, body, row))
SLV_KERNEL(neighbor_find, POINTS, SLV_UNEVEN,
           slv_find_neighbors(state, table, body, launch, SLV_SLOT))
SLV_KERNEL(pair_find, POINTS, SLV_UNEVEN, slv_pair_find(state, table, body, launch, SLV_SLOT))
SLV_KERNEL(pair_fetch, POINTS, SLV_UNEVEN, slv_pair_fetch(state, table, body, SLV_SLOT))
SLV_KERNEL(pair_push, POINTS, SLV_UNEVEN, slv_pair_push(state, table, body, launch, SLV_SLOT))
SLV_KERNEL(pair_rest_damping, POINTS, SLV_UNEVEN, slv_pair_rest_damp(state, table, body, SLV_SLOT))

SLV_KERNEL(sleep_clear, ROWS, 0, slv_sleep_clear(state, table, body, row))
SLV_KERNEL(sleep_begin_step, ROWS, 0, slv_sleep_begin_step(state, table, body, launch, row))
SLV_KERNEL(sleep_set_presence, ROWS, 0, slv_sleep_set_presence(state, body, row))
SLV_KERNEL(sleep_update_points, ROWS, 0, slv_sleep_update_block(state, table, body, row))
SLV_KERNEL(sleep_mark_touching, POINTS, 0, slv_mark_touching(table, body, SLV_SLOT))
SLV_KERNEL(sleep_wake_touched, ROWS, 0, slv_sleep_wake_touched(state, table, body, launch, row))
SLV_KERNEL(sleep_integrate_split, GRID_RANGES, 0,
           slv_integrate_woken_row(state, body, launch, row, from, to))
SLV_KERNEL(sleep_integrate_joined, SLOT_RANGES, 0,
           slv_integrate_woken_block(state, body, launch, row, from, to))
SLV_KERNEL(sleep_measure, ROWS, 0, slv_sleep_measure(state, body, launch, row))
SLV_KERNEL(sleep_merge_boxes, ROWS, 0, slv_sleep_merge_boxes(state, body, row))
SLV_KERNEL(sleep_count, ONCE, 0, slv_sleep_count(state, table, body, launch))
SLV_KERNEL(sleep_stop_split, GRID_RANGES, 0, slv_sleep_stop_row(state, body, launch, row, from, to))
SLV_KERNEL(sleep_stop_joined, SLOT_RANGES, 0,
           slv_sleep_stop_block(state, body, launch, row, from, to))

SLV_KERNEL(tear_slice, ROWS, 0, slv_tear_slice(state, table, body, launch, row))
SLV_KERNEL(tear_batch, ROWS, 0, slv_tear_batch(state, table, body, launch, row))
SLV_KERNEL(wind_apply, POINTS, 0, slv_apply_wind(state, table, body, launch, SLV_TILE_SLOT))
SLV_KERNEL(limit_apply, POINTS, 0, slv_apply_limits(state, table, body, SLV_TILE_SLOT))
SLV_KERNEL(limit_strain, POINTS, 0, (void)slv_strain(state, table, body, SLV_TILE_SLOT))
SLV_KERNEL(limit_apply_strain, POINTS, 0, slv_apply_strain(state, body, SLV_TILE_SLOT))

// NOLINTEND(readability-non-const-parameter)
#undef SLV_RED
#undef SLV_BLACK
#undef SLV_SLOT
#undef SLV_TILE_SLOT
#endif
