// SPDX-License-Identifier: MIT
// Every kernel, once. A backend includes this file with SLV_KERNEL defined and so has all of them or
// does not build. Deliberately without an include guard.
//
//     SLV_KERNEL(name, domain, call)
//
// `call` may use state, table, part, launch, row and column. The domain says what these count:
//     PAIRS      a row of a grid, a column of it with a cell of either color
//     STRIPS     the same, where a backend may have a faster form for whole rows
//     LINES      a row of a grid, both colors, its columns from … to - 1: all, or one a thread
//     COMPONENTS a row of a grid, a cell of it of color launch->color; and d, the component
//     SLOTS      a block of slots, a slot of it
//     BLOCKS     a block of slots, its slots from … to - 1: all, or one a thread
//     SLICES     a slice, a particle of it
//     BATCHES    SLV_LANES springs of group launch->color, a spring of them
//     MOVES      SLV_LANES moves, a move of them
//     TETRAHEDRA SLV_LANES of them, one of these
//     LANES      SLV_LANES elements of any list, an element of them
//     TILES      a tile of particles or block of points, one of its SLV_BLOCK elements; a backend may have
//                a faster form for whole tiles
//     POINTS     the same without such a form
//     ROWS       whatever is launched; one column; a backend may have a faster form
//     ONCE       nothing: one element does it all
// A row of a grid touches nothing but its own row and the rows beside it (of a solid grid: its own layer
// and the layers beside it); the CPU's waves rely on that.
// Kernels over particles by themselves come split, for grids, row by row as everything there, so that a
// processor keeps the rows it has; and joined, for the rest.
#define SLV_RED slv_grid_slot(body, 0, row, column)
#define SLV_BLACK slv_grid_slot(body, 1, row, column)
#define SLV_SLOT (row * SLV_BLOCK + column)
#define SLV_TILE_SLOT slv_tile_slot(body, row, column)

// NOLINTBEGIN(readability-non-const-parameter): all have the same parameters, whatever they write
SLV_KERNEL(integrate_split, PAIRS,
           (slv_integrate(state, body, launch, SLV_RED, 1),
            slv_integrate(state, body, launch, SLV_BLACK, 1)))
SLV_KERNEL(accept_split, PAIRS,
           (slv_accept(state, body, body->u, SLV_RED, 1),
            slv_accept(state, body, body->u, SLV_BLACK, 1)))
SLV_KERNEL(apply_split, PAIRS,
           (slv_apply(state, body, SLV_RED, 1), slv_apply(state, body, SLV_BLACK, 1)))
SLV_KERNEL(rollback_split, PAIRS,
           (slv_rollback(state, body, launch, SLV_RED, 1),
            slv_rollback(state, body, launch, SLV_BLACK, 1)))
SLV_KERNEL(check_divergence_split, LINES,
           slv_check_divergence_row(state, body, launch, row, from, to))
SLV_KERNEL(integrate_joined, SLOTS, slv_integrate(state, body, launch, SLV_SLOT, 4))
SLV_KERNEL(accept_joined, SLOTS,
           slv_accept(state, body, launch->index == 1 ? body->q : body->u, SLV_SLOT, 4))
SLV_KERNEL(apply_joined, SLOTS, slv_apply(state, body, SLV_SLOT, 4))
SLV_KERNEL(rollback_joined, SLOTS, slv_rollback(state, body, launch, SLV_SLOT, 4))
SLV_KERNEL(check_divergence_joined, BLOCKS,
           slv_check_divergence_block(state, body, launch, row, from, to))

SLV_KERNEL(move_fixed, MOVES, slv_move_fixed(state, table, body, launch, row *SLV_LANES + column))

SLV_KERNEL(flat_project, STRIPS, slv_grid_project(state, table, body, row, column, 2))
SLV_KERNEL(solid_project, PAIRS, slv_grid_project(state, table, body, row, column, 3))
SLV_KERNEL(flat_relax, COMPONENTS,
           slv_grid_relax(state, body, launch->relaxation, launch->index, row, column, d, 2))
SLV_KERNEL(solid_relax, COMPONENTS,
           slv_grid_relax(state, body, launch->relaxation, launch->index, row, column, d, 3))
SLV_KERNEL(flat_jacobi, COMPONENTS, slv_grid_jacobi(state, body, launch, row, column, d, 2))
SLV_KERNEL(solid_jacobi, COMPONENTS, slv_grid_jacobi(state, body, launch, row, column, d, 3))
SLV_KERNEL(flat_sweep, ONCE, slv_grid_sweep(state, body, launch->relaxation, 2))
SLV_KERNEL(solid_sweep, ONCE, slv_grid_sweep(state, body, launch->relaxation, 3))

SLV_KERNEL(graph_project, SLICES, slv_graph_project(state, table, body, row, column))
SLV_KERNEL(graph_relax, SLICES,
           slv_graph_relax(state, table, body, launch->relaxation, row, column))
SLV_KERNEL(graph_jacobi, SLICES, slv_graph_jacobi(state, table, body, launch, row, column))
SLV_KERNEL(graph_sweep, ONCE, slv_graph_sweep(state, table, body, launch->relaxation))

SLV_KERNEL(average, SLICES, slv_average(state, table, body, launch, row, column))
SLV_KERNEL(spring_project, BATCHES, slv_spring_project(state, table, body, launch, row, column))

SLV_KERNEL(tetrahedron_project, TETRAHEDRA,
           slv_tetrahedron_project(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(tetrahedron_correct, LANES,
           slv_tetrahedron_correct(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(spring_correct, LANES, slv_spring_correct(state, table, body, launch, row, column))
SLV_KERNEL(gather, LANES, slv_gather(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(phantom_spread, LANES, slv_phantom_spread(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(phantom_join, LANES,
           slv_phantom_join(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(collider_move, ROWS, slv_move_collider(state, table, body, launch, row))
SLV_KERNEL(rest_damping_split, PAIRS,
           (slv_rest_damp(state, body, launch, SLV_RED, 1),
            slv_rest_damp(state, body, launch, SLV_BLACK, 1)))
SLV_KERNEL(rest_damping_joined, SLOTS, slv_rest_damp(state, body, launch, SLV_SLOT, 4))
SLV_KERNEL(contact_cull, ROWS, slv_cull(state, table, body, launch, row))
SLV_KERNEL(contact_collide, TILES, slv_collide(state, table, body, launch, row, column))
SLV_KERNEL(contact_bounce, POINTS, slv_bounce(state, table, body, launch, row, column))
SLV_KERNEL(contact_remember, POINTS, slv_remember(state, body, launch, SLV_TILE_SLOT))
SLV_KERNEL(contact_unbounce, POINTS, slv_unbounce(state, body, SLV_TILE_SLOT))

SLV_KERNEL(bin_spread, ROWS, slv_bin_spread(state, table, body, launch, row))
SLV_KERNEL(bin_scale, ROWS, slv_bin_scale(state, table, body))
SLV_KERNEL(bin_key, TILES, slv_bin_key(state, table, body, SLV_SLOT))
SLV_KERNEL(bin_tally, ROWS, slv_bin_tally(table, body, row))
SLV_KERNEL(bin_offsets, ROWS, slv_bin_offsets(table, body))
SLV_KERNEL(bin_deal, ROWS, slv_bin_deal(table, body, row))
SLV_KERNEL(bin_sort, ROWS, slv_bin_sort(state, table, body, row))
SLV_KERNEL(pair_find, TILES, slv_pair_find(state, table, body, SLV_SLOT))
SLV_KERNEL(pair_fetch, TILES, slv_pair_fetch(state, table, body, SLV_SLOT))
SLV_KERNEL(pair_push, TILES, slv_pair_push(state, table, body, launch, SLV_SLOT))
SLV_KERNEL(pair_rest_damping, TILES, slv_pair_rest_damp(state, table, body, SLV_SLOT))

SLV_KERNEL(sleep_clear, ROWS, slv_sleep_clear(state, table, body, row))
SLV_KERNEL(sleep_wake, ROWS, slv_sleep_on(state, table, body, launch, row))
SLV_KERNEL(sleep_gate, ROWS, slv_sleep_gate(state, body, row))
SLV_KERNEL(sleep_seat, ROWS, slv_seat_block(state, table, body, row))
SLV_KERNEL(sleep_meet, POINTS, slv_meet_others(table, body, SLV_SLOT))
SLV_KERNEL(sleep_rouse, ROWS, slv_sleep_rouse(state, table, body, launch, row))
SLV_KERNEL(sleep_rise_split, LINES, slv_sleep_rise_row(state, body, launch, row, from, to))
SLV_KERNEL(sleep_rise_joined, BLOCKS, slv_sleep_rise_block(state, body, launch, row, from, to))
SLV_KERNEL(sleep_find, TILES, slv_find_late(state, table, body, SLV_SLOT))
SLV_KERNEL(sleep_look, ROWS, slv_sleep_look(state, body, launch, row))
SLV_KERNEL(sleep_fold, ROWS, slv_sleep_fold(state, body, row))
SLV_KERNEL(sleep_count, ONCE, slv_sleep_count(state, table, body, launch))
SLV_KERNEL(sleep_settle_split, LINES, slv_sleep_settle_row(state, body, launch, row, from, to))
SLV_KERNEL(sleep_settle_joined, BLOCKS, slv_sleep_settle_block(state, body, launch, row, from, to))

SLV_KERNEL(tear_slice, ROWS, slv_tear_slice(state, table, body, launch, row))
SLV_KERNEL(tear_batch, ROWS, slv_tear_batch(state, table, body, launch, row))
SLV_KERNEL(wind_blow, POINTS, slv_blow(state, table, body, launch, SLV_TILE_SLOT))
SLV_KERNEL(limit_keep, POINTS, slv_limit(state, table, body, SLV_TILE_SLOT))
SLV_KERNEL(limit_strain, TILES, (void)slv_strain(state, table, body, SLV_TILE_SLOT))
SLV_KERNEL(limit_unstrain, TILES, slv_unstrain(state, body, SLV_TILE_SLOT))

// NOLINTEND(readability-non-const-parameter)
#undef SLV_RED
#undef SLV_BLACK
#undef SLV_SLOT
#undef SLV_TILE_SLOT
