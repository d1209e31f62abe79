// SPDX-License-Identifier: MIT
// Every kernel, once, and the values that it needs of each body beside those that all have. A backend includes
// this file with SLV_KERNEL defined and so has all of them or does not build; kernels/body_layout.h includes it
// with SLV_FIELD, SLV_HOST_FIELD and SLV_LAUNCH_FIELD. All are undefined at the end. Deliberately without an include
// guard.
//
//     SLV_KERNEL(name, domain, traits, call)
//
// domain: what the rows of a launch and the elements of a row are (kernels/domains.h).
// traits: what backends may know of the kernel (slv_trait in runtime/step/kernel_id.h); 0 without any.
//     SLV_UNEVEN  rows differ much in work, or in how far apart the memory lies that they read
//     SLV_SORT    sorts points for the neighbor search; a backend with another neighbor search need
//                 not run it
//     SLV_DISTANT of a grid: reads rows further away than the rows beside its own
// call: may use state, table, body, launch, row and column; d in GRID_COMPONENTS; from and to in …_RANGES. A launch over
//     the body of a garment touches that garment's data only, and reads beside them what launches over the common
//     bodies write and nothing that launches over other garments write in the same stage.
//
//     SLV_FIELD(type, name)
//
// A field of slv_body_layout, 0 unless the feature or solver sets it. An int is an offset in state where not said
// otherwise. The struct is an argument of every launch: long values belong in state or table.
//
//     SLV_HOST_FIELD(type, name)
//
// The same for a field that only the host reads: plans, features, the CPU backend. Devices do not have it
// (SLV_HOST_MEMBER).
//
//     SLV_LAUNCH_FIELD(type, name)
//
// A field of slv_launch, 0 unless the feature sets it in set_launch: a value that all launches of a run have.
//
// Kernels over single particles come split, for grids, row by row as all kernels of a grid, so that a
// processor keeps its rows in its cache; and joined, for all other layouts.
#ifndef SLV_KERNEL
#define SLV_KERNEL(name, domain, traits, call)
#endif
#ifndef SLV_FIELD
#define SLV_FIELD(type, name)
#endif
#ifndef SLV_HOST_FIELD
#define SLV_HOST_FIELD(type, name)
#endif
#ifndef SLV_LAUNCH_FIELD
#define SLV_LAUNCH_FIELD(type, name)
#endif
#define SLV_RED slv_grid_slot(body, 0, row, column)
#define SLV_BLACK slv_grid_slot(body, 1, row, column)
#define SLV_SLOT (row * SLV_BLOCK + column)
#define SLV_TILE_SLOT slv_tile_slot(body, row, column)

// NOLINTBEGIN(readability-non-const-parameter): all have the same parameters, whatever they write
// --- Single particles (kernels/slots.h)
SLV_KERNEL(integrate_split, GRID_COLUMNS, 0,
           (slv_integrate(state, body, launch, SLV_RED, SLV_SPLIT),
            slv_integrate(state, body, launch, SLV_BLACK, SLV_SPLIT)))
SLV_KERNEL(accept_split, GRID_COLUMNS, 0,
           (slv_accept(state, body, body->u, SLV_RED, SLV_SPLIT),
            slv_accept(state, body, body->u, SLV_BLACK, SLV_SPLIT)))
SLV_KERNEL(apply_split, GRID_COLUMNS, 0,
           (slv_apply(state, body, launch, SLV_RED, SLV_SPLIT),
            slv_apply(state, body, launch, SLV_BLACK, SLV_SPLIT)))
SLV_KERNEL(rollback_split, GRID_COLUMNS, 0,
           (slv_rollback(state, body, launch, SLV_RED, SLV_SPLIT),
            slv_rollback(state, body, launch, SLV_BLACK, SLV_SPLIT)))
SLV_KERNEL(check_divergence_split, GRID_RANGES, 0,
           slv_check_divergence_row(state, body, launch, row, from, to))
SLV_KERNEL(integrate_joined, SLOTS, 0, slv_integrate(state, body, launch, SLV_SLOT, SLV_JOINED))
SLV_KERNEL(accept_joined, SLOTS, 0,
           slv_accept(state, body, (launch->flags & SLV_TO_POSITIONS) != 0 ? body->q : body->u,
                      SLV_SLOT, SLV_JOINED))
SLV_KERNEL(apply_joined, SLOTS, 0, slv_apply(state, body, launch, SLV_SLOT, SLV_JOINED))
SLV_KERNEL(rollback_joined, SLOTS, 0, slv_rollback(state, body, launch, SLV_SLOT, SLV_JOINED))
SLV_KERNEL(check_divergence_joined, SLOT_RANGES, 0,
           slv_check_divergence_block(state, body, launch, row, from, to))

// --- Prescribed motion of fixed particles (kernels/moves.h)
SLV_FIELD(int, moves)          // in table, SLV_MOVE_INTS each
SLV_FIELD(int, move_ends)      // SLV_MOVE_FLOATS each
SLV_HOST_FIELD(int, move_room) // a multiple of SLV_LANES; unused entries have 0 steps
SLV_KERNEL(move_fixed, MOVES, 0,
           slv_move_fixed(state, table, body, launch, row *SLV_LANES + column))

// --- Projective dynamics (kernels/grid.h, graph.h)
SLV_KERNEL(flat_project, GRID_COLUMNS, 0,
           slv_grid_project(state, table, body, launch, row, column, 2))
SLV_KERNEL(solid_project, GRID_COLUMNS, 0,
           slv_grid_project(state, table, body, launch, row, column, 3))
SLV_KERNEL(flat_relax, GRID_COMPONENTS, 0,
           slv_grid_relax(state, body, launch->relaxation, launch->index, row, column, d, 2))
SLV_KERNEL(solid_relax, GRID_COMPONENTS, 0,
           slv_grid_relax(state, body, launch->relaxation, launch->index, row, column, d, 3))
SLV_KERNEL(flat_jacobi, GRID_COMPONENTS, 0, slv_grid_jacobi(state, body, launch, row, column, d, 2))
SLV_KERNEL(solid_jacobi, GRID_COMPONENTS, 0,
           slv_grid_jacobi(state, body, launch, row, column, d, 3))
SLV_KERNEL(flat_sweep, ONCE, 0, slv_grid_sweep(state, body, launch->relaxation, 2))
SLV_KERNEL(solid_sweep, ONCE, 0, slv_grid_sweep(state, body, launch->relaxation, 3))

SLV_KERNEL(graph_project, SLICES, 0, slv_graph_project(state, table, body, launch, row, column))
SLV_KERNEL(graph_relax, SLICES, 0,
           slv_graph_relax(state, table, body, launch->relaxation, row, column))
SLV_KERNEL(graph_jacobi, SLICES, 0, slv_graph_jacobi(state, table, body, launch, row, column))
SLV_KERNEL(graph_sweep, ONCE, 0, slv_graph_sweep(state, table, body, launch->relaxation))

// --- Flat grids with shear and bending (kernels/cloth.h)
SLV_FIELD(float, shear)      // stiffness of diagonals over that of threads; 0: none
SLV_FIELD(float, shear_rest) // metres
SLV_FIELD(float, bend)       // stiffness of bending over that of threads; 0: none
SLV_FIELD(float, bend_rest)  // metres
SLV_KERNEL(shear_project, GRID_COLUMNS, 0,
           slv_cloth_project(state, table, body, launch, row, column, 0))
SLV_KERNEL(bend_project, GRID_COLUMNS, SLV_DISTANT,
           slv_cloth_project(state, table, body, launch, row, column, 1))
SLV_KERNEL(bend_lag, GRID_COMPONENTS, SLV_DISTANT, slv_cloth_lag(state, body, row, column, d))
SLV_KERNEL(cloth_relax, GRID_COMPONENTS, 0, slv_cloth_relax(state, body, launch, row, column, d))

// --- Coarse grids (kernels/coarse.h)
SLV_FIELD(int, coarse)             // in table: the levels, SLV_COARSE_LEVEL_INTS each
SLV_HOST_FIELD(int, coarse_levels) // number of them; 0: no coarse grids
SLV_FIELD(int, coarse_nodes)       // of all levels, with those that are always zero
SLV_FIELD(int, coarse_scale)       // 1 / weight, or 0; one float a slot
SLV_FIELD(int, coarse_f)           // right-hand sides; 3 * coarse_nodes
SLV_FIELD(int, coarse_u)           // corrections; 3 * coarse_nodes
SLV_FIELD(int, coarse_next)        // the same after an odd number of iterations
SLV_FIELD(int, coarse_links)       // SLV_COARSE_LINKS * coarse_nodes
SLV_FIELD(int, coarse_diagonal)    // its reciprocal, or 0; coarse_nodes
SLV_FIELD(int, coarse_inverse)     // matrix of the coarsest level, inverted
SLV_KERNEL(coarse_gather, LANES, 0,
           slv_coarse_gather_node(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(coarse_restrict, LANES, 0,
           slv_coarse_restrict_node(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(coarse_solve, LANES, 0,
           slv_coarse_solve_node(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(coarse_interpolate, LANES, 0,
           slv_coarse_interpolate_node(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(coarse_relax, LANES, 0,
           slv_coarse_relax_node(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(coarse_spread, GRID_COMPONENTS, 0,
           slv_coarse_spread(state, body, slv_coarse_get_level(table, body, 0), row, column, d))

// --- Coarse levels of graphs (kernels/aggregate.h)
SLV_FIELD(int, aggregates)            // in table: the levels, SLV_AGGREGATE_LEVEL_INTS each
SLV_HOST_FIELD(int, aggregate_levels) // number of them; 0: no coarse levels
SLV_FIELD(int, aggregate_f)           // right-hand sides, a joined vector a node of all levels
SLV_FIELD(int, aggregate_u)           // corrections
SLV_FIELD(int, aggregate_next)        // the same after an odd number of iterations
SLV_FIELD(int, aggregate_diagonal)    // its reciprocal, or 0; one float a node
SLV_FIELD(int, aggregate_columns) // in table: offsets of vectors, beside the entries of matrices
SLV_FIELD(int, aggregate_values)  // those entries, in rows of SLV_LANES
SLV_KERNEL(aggregate_restrict, LANES, 0,
           slv_aggregate_restrict(state, table, body, launch, row, column))
SLV_KERNEL(aggregate_solve, LANES, 0, slv_aggregate_solve(state, table, body, launch, row, column))
SLV_KERNEL(aggregate_interpolate, LANES, 0,
           slv_aggregate_interpolate(state, table, body, launch, row, column))
SLV_KERNEL(aggregate_relax, LANES, 0, slv_aggregate_relax(state, table, body, launch, row, column))
SLV_KERNEL(aggregate_spread, SLICES, 0, slv_aggregate_spread(state, table, body, row, column))

// --- Position based dynamics by Jacobi (kernels/averaged.h)
SLV_FIELD(int, multipliers) // beside neighbors
// The tetrahedra of a batch by corner: in slices, as springs are.
SLV_FIELD(int, vertex_rows)      // in table, one a slice and one more: its first row of SLV_LANES
SLV_FIELD(int, vertex_others[3]) // in table: offsets of the other corners, as in neighbors
SLV_FIELD(int, vertex_inverse_masses[3]) // their inverse masses, 1/kg
SLV_FIELD(int, vertex_volumes)           // six times the rest volume, cubic metres
SLV_FIELD(int, vertex_entry_count)       // entries, empty ones included
SLV_KERNEL(average, SLICES, 0, slv_average(state, table, body, launch, row, column))

// --- Position based dynamics by Gauss-Seidel (kernels/compliant.h, tetrahedron.h, flexure.h)
SLV_FIELD(int, tensions) // multipliers, one a spring of groups
SLV_KERNEL(spring_project, SPRINGS, 0, slv_spring_project(state, table, body, launch, row, column))
SLV_KERNEL(tetrahedron_project, LANES, 0,
           slv_tetrahedron_project(state, table, body, launch, row *SLV_LANES + column))

// --- Bending of surfaces (kernels/flexure.h)
SLV_FIELD(float, flexure_compliance)   // 1 / (flexural rigidity h²), 1/(kg m²)
SLV_FIELD(int, flexure_areas)          // of both triangles over 3 w, m²; one a flexure
SLV_FIELD(int, flexure_factors[4])     // K of each corner; one a flexure
SLV_FIELD(int, flexure_multipliers[3]) // x, y, z of the multiplier, kg m; one a flexure
SLV_KERNEL(flexure_project, LANES, 0,
           slv_flexure_project(state, table, body, launch, row *SLV_LANES + column))

// --- Constraints that are averaged after the others: the last groups of springs and of batches
// (kernels/averaged.h)
SLV_HOST_FIELD(int, averaged_groups) // number of those of springs
SLV_FIELD(int, corrections)          // 4 floats an end; first of springs, then of batches
SLV_FIELD(int, end_tensions)         // multipliers, 2 a spring
SLV_FIELD(int, averaged_counts)      // averaged constraints of a slot, at least 1; one float a slot
SLV_FIELD(int, gather_first)         // in table, a slot and one more: its first entry in gather
SLV_FIELD(int, gather)               // in table: offsets in corrections
SLV_KERNEL(spring_correct, LANES, 0, slv_spring_correct(state, table, body, launch, row, column))
SLV_KERNEL(tetrahedron_correct, LANES, 0,
           slv_tetrahedron_correct(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(flexure_correct, LANES, 0,
           slv_flexure_correct(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(gather, LANES, 0, slv_gather(state, table, body, row *SLV_LANES + column))

// --- Clusters that keep a common shape (kernels/match.h)
SLV_HOST_FIELD(float,
               match_stiffness) // part of the way to the goals in a step, 0 … 1; 0: no clusters
SLV_FIELD(float, match_linear)  // weight of linear deformation, 0 … 1
SLV_FIELD(int, match_rotations) // quaternions, in rows of SLV_LANES clusters
SLV_FIELD(int, match_rotations_before) // the same at the start of the step
SLV_FIELD(int, match_shapes)           // SLV_MATCH_SHAPE_FLOATS a cluster, in such rows
SLV_FIELD(int, match_members)          // in table: offsets of particles, in rows
SLV_FIELD(int, match_outputs)          // in table, beside them: SLV_MATCH_MOVES …
SLV_FIELD(int, match_rests)            // SLV_MATCH_REST_FLOATS a member, in the same rows
SLV_FIELD(int, match_rows) // in table, 2 a row of small clusters: first row of members, count
SLV_HOST_FIELD(int, match_row_count) // rows of small clusters
SLV_FIELD(int, match_large)          // in table, SLV_MATCH_LARGE_INTS a large cluster
SLV_HOST_FIELD(int, match_large_count)
SLV_FIELD(int, match_large_row) // first row of their members
SLV_FIELD(int, match_chunks)    // in table: the large cluster of each chunk
SLV_HOST_FIELD(int, match_chunk_count)
SLV_FIELD(int, match_sums)        // SLV_MATCH_SUM_FLOATS a lane of a chunk
SLV_FIELD(int, match_records)     // SLV_MATCH_RECORD_FLOATS a large cluster
SLV_FIELD(int, match_corrections) // of members that are in several clusters
SLV_FIELD(int, match_shared)      // in table, 3 a particle of several clusters
SLV_FIELD(int, match_shared_count)
SLV_KERNEL(match_project, LANES, 0, slv_match_project(state, table, body, launch, row, column))
SLV_KERNEL(match_sum, LANES, 0, slv_match_sum(state, table, body, launch, row, column))
SLV_KERNEL(match_turn, ROWS, 0, slv_match_turn(state, table, body, launch, row))
SLV_KERNEL(match_pull, LANES, 0, slv_match_pull(state, table, body, launch, row, column))
SLV_KERNEL(match_balance, ROWS, 0, slv_match_balance(state, table, body, row))
SLV_KERNEL(match_finish, LANES, 0, slv_match_finish(state, table, body, launch, row, column))
SLV_KERNEL(match_gather, LANES, 0,
           slv_match_gather(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(match_keep, LANES, 0, slv_match_keep(state, body, launch, row *SLV_LANES + column))

// --- Copies of particles (kernels/phantom.h). Each phase of an iteration has copies of its own, which share the
// mass while it is solved
SLV_FIELD(int, copies) // in table: offsets of the particles they are copies of, as in neighbors
SLV_FIELD(int, copy_count)
SLV_FIELD(int, copy_slot) // slot of the first copy
// In table, SLV_PHANTOM_INTS a particle with copies: its offset; its first copy, their end; the end of its members
// of each phase, which begin where those of the particle before end.
SLV_FIELD(int, phantoms)
SLV_FIELD(int, phantom_count)
SLV_FIELD(int, members[SLV_PHASE_COUNT]) // in table: offsets of the copies of a phase
// In table, one a slot: number of the phase's copies and 1; where there are copies.
SLV_HOST_FIELD(int, pieces[SLV_PHASE_COUNT])
SLV_KERNEL(phantom_spread, LANES, 0,
           slv_phantom_spread(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(phantom_join, LANES, 0,
           slv_phantom_join(state, table, body, launch, row *SLV_LANES + column))

// --- Mass-spring cloth: integrators without a constraint solver (kernels/springs.h)
SLV_FIELD(float, spring_response) // stiffness of the first class times h², kg
SLV_FIELD(float, spring_damping)  // damping over stiffness, in steps
SLV_FIELD(int, buckling_class)    // class of springs that buckle
SLV_FIELD(float, buckling)        // four times their rigidity over their stiffness, m³; 0: none do
SLV_FIELD(int, stage_positions[2])  // vectors, of the stages of an integrator in turn
SLV_FIELD(int, stage_velocities[2]) // displacements of a step, metres
SLV_FIELD(int, external)      // displacement of a step by gravity and wind, metres; 0: not needed
SLV_FIELD(int, position_sums) // weighted sums of the stages, metres
SLV_FIELD(int, velocity_sums)
SLV_KERNEL(springs_begin, SLOTS, 0, slv_springs_begin(state, body, launch, SLV_SLOT))
SLV_KERNEL(springs_advance, SLICES, 0, slv_springs_advance(state, table, body, launch, row, column))
SLV_KERNEL(springs_evaluate, SLICES, 0,
           slv_springs_evaluate(state, table, body, launch, row, column))
SLV_KERNEL(springs_end, SLOTS, 0, slv_springs_end(state, body, launch, SLV_SLOT))

// --- Mass-spring cloth: implicit Euler (kernels/implicit.h)
SLV_FIELD(int, gradients)       // numbers of the solve, SLV_GRADIENTS_…
SLV_FIELD(int, spring_blocks)   // 4 floats a spring end, by lanes
SLV_FIELD(int, block_inverses)  // 8 floats a slot: inverse of its diagonal block, 1/kg
SLV_FIELD(int, step_velocities) // displacements since the start of the step, metres
SLV_FIELD(int, residuals)       // kg m
SLV_FIELD(int, directions)
SLV_FIELD(int, products) // matrix times direction
SLV_FIELD(int, solution) // metres
SLV_KERNEL(implicit_measure, SLOTS, 0, slv_implicit_measure(state, body, launch, SLV_SLOT))
SLV_KERNEL(implicit_linearize, SLICES, 0,
           slv_implicit_linearize(state, table, body, launch, row, column))
SLV_KERNEL(implicit_accept, SLOTS, 0, slv_implicit_accept(state, body, SLV_SLOT))
SLV_KERNEL(gradients_begin, ROWS, 0, slv_gradients_begin(state, body, row))
SLV_KERNEL(gradients_multiply, SLICES, 0, slv_gradients_multiply(state, table, body, row, column))
SLV_KERNEL(gradients_measure, ROWS, 0, slv_gradients_measure(state, body, row))
SLV_KERNEL(gradients_advance, ROWS, 0, slv_gradients_advance(state, body, row))
SLV_KERNEL(gradients_turn, ROWS, 0, slv_gradients_turn(state, body, row))
SLV_KERNEL(gradients_reduce, ROWS, 0, slv_gradients_reduce(state, body, launch, row))
SLV_KERNEL(gradients_find_alpha, ONCE, 0, slv_gradients_find_alpha(state, body, launch))
SLV_KERNEL(gradients_find_beta, ONCE, 0, slv_gradients_find_beta(state, body, launch))

// --- Mass-spring cloth: steps with a constant matrix (kernels/constant_matrix.h, factor.h)
SLV_HOST_FIELD(int, factor_fits) // 1: of the pack's factor
SLV_FIELD(int, factor_rows)      // in table, one a particle, level by level: its offset in vectors
SLV_HOST_FIELD(int, factor_levels) // in table: first row of each level, and the end
SLV_FIELD(int, factor_ends[4]) // in table, a row of a pass and one more: its first number, the end
SLV_FIELD(int, factor_columns) // in table, beside the numbers: offsets of particles in vectors
SLV_FIELD(int, factor_numbers) // of all passes
SLV_HOST_FIELD(int, factor_level_count) // 0: the pack has no factor
SLV_KERNEL(constant_prepare, SLICES, 0, slv_constant_prepare(state, table, body, row, column))
SLV_KERNEL(constant_evaluate, SLICES, 0,
           slv_constant_evaluate(state, table, body, launch, row, column))
SLV_KERNEL(constant_local, SLICES, 0, slv_local_evaluate(state, table, body, launch, row, column))
SLV_KERNEL(factor_apply, ROWS, 0, slv_factor_apply(state, table, body, launch, row))

// --- Cloth of distance constraints by one solve over all of them (kernels/lagrange.h)
SLV_FIELD(int, end_multipliers) // SLV_LAGRANGE_FLOATS a spring end, by lanes
SLV_FIELD(int, slot_sums)       // one float a slot
SLV_KERNEL(lagrange_linearize, SLICES, 0,
           slv_lagrange_linearize(state, table, body, launch, row, column))
SLV_KERNEL(lagrange_spread, SLICES, 0, slv_lagrange_spread(state, table, body, row, column))
SLV_KERNEL(lagrange_multiply, SLICES, 0, slv_lagrange_multiply(state, table, body, row, column))
SLV_KERNEL(lagrange_advance, SLICES, 0,
           slv_lagrange_advance(state, table, body, launch, row, column))
SLV_KERNEL(lagrange_turn, SLICES, 0, slv_lagrange_turn(state, table, body, row, column))
SLV_KERNEL(lagrange_sum, ROWS, 0, slv_lagrange_sum(state, body, row))
SLV_KERNEL(lagrange_finish, SLICES, 0, slv_lagrange_finish(state, table, body, row, column))

// --- Contacts with colliders (kernels/collider.h, inside.h, contact.h)
SLV_FIELD(int, contact)       // in table: the world's contact block
SLV_HOST_FIELD(int, collides) // 1: collides with colliders
SLV_FIELD(int, lists)       // in table, a list a tile: number of near colliders, then the colliders
SLV_FIELD(int, starts)      // copies of positions at the start of the step
SLV_FIELD(float, thickness) // metres kept from colliders
SLV_FIELD(float, push_step) // metres that a particle inside a collider is moved out in a step
SLV_FIELD(float, reach)     // metres from a collider at which it counts as near
SLV_FIELD(float, rest_displacement) // metres a step below which rest damping acts; 0: never
SLV_FIELD(float, rest_damping)      // fraction of the velocity that it removes in a step, at most
SLV_FIELD(float, friction)          // static
SLV_FIELD(float, kinetic)           // kinetic friction
SLV_FIELD(float, restitution)
SLV_KERNEL(collider_move, ROWS, 0, slv_move_collider(state, table, body, launch, row))
SLV_KERNEL(rest_damping_split, GRID_COLUMNS, 0,
           (slv_rest_damp(state, body, launch, SLV_RED, SLV_SPLIT),
            slv_rest_damp(state, body, launch, SLV_BLACK, SLV_SPLIT)))
SLV_KERNEL(rest_damping_joined, SLOTS, 0, slv_rest_damp(state, body, launch, SLV_SLOT, SLV_JOINED))
SLV_KERNEL(contact_cull, ROWS, 0, slv_cull(state, table, body, launch, row))
SLV_KERNEL(contact_collide, POINTS, SLV_UNEVEN,
           slv_collide(state, table, body, launch, row, column))
SLV_KERNEL(contact_restitution, POINTS, 0,
           slv_apply_restitution(state, table, body, launch, row, column))
SLV_KERNEL(contact_save_starts, POINTS, 0, slv_save_start(state, body, launch, SLV_TILE_SLOT))
SLV_KERNEL(contact_restore_starts, POINTS, 0, slv_restore_start(state, body, SLV_TILE_SLOT))

// --- Contacts of triangles with colliders (kernels/triangle_contact.h)
SLV_HOST_FIELD(int, triangle_rows) // number of rows of SLV_LANES triangles; 0: no such contacts
SLV_FIELD(int, triangle_corners)   // in table, 3 a triangle: slots of its corners; -1: no triangle
SLV_FIELD(int, triangle_tiles)     // in table, one a triangle: tile and SLV_TRIANGLE_EDGES
SLV_FIELD(int, triangle_moves)     // SLV_TRIANGLE_FLOATS a triangle
SLV_FIELD(int, triangle_first) // in table, a slot and one more: its first entry in triangle_fans
SLV_FIELD(int, triangle_fans)  // in table: offsets in state of its corrections by triangles
SLV_KERNEL(triangle_collide, LANES, SLV_UNEVEN,
           slv_triangle_collide(state, table, body, launch, row *SLV_LANES + column))
SLV_KERNEL(triangle_apply, POINTS, 0, slv_triangle_apply(state, table, body, SLV_TILE_SLOT))

// --- Neighbor search and contacts between particles (kernels/bins.h, neighbors.h, pairs.h)
SLV_FIELD(int, search) // in table: the block of the neighbor search (kernels/bins.h)
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

// --- Contacts between surfaces (kernels/surfaces.h, surface_find.h, surface_contact.h)
SLV_FIELD(int, surfaces) // in table: the block of all surfaces; of the common body
SLV_KERNEL(surface_begin_step, ONCE, 0, slv_surface_begin_step(state, table, body))
SLV_KERNEL(surface_begin_pass, ONCE, 0, slv_surface_begin_pass(state, table, body))
SLV_KERNEL(surface_load, POINTS, 0, slv_surface_load(state, table, body, launch, SLV_SLOT))
SLV_KERNEL(surface_fetch, POINTS, 0, slv_surface_fetch(state, table, body, SLV_SLOT))
SLV_KERNEL(surface_note, POINTS, 0, slv_surface_note(state, table, body, SLV_SLOT))
SLV_KERNEL(surface_bound, LANES, 0, slv_surface_bound(state, table, body, row *SLV_LANES + column))
SLV_KERNEL(surface_merge, ROWS, 0, slv_surface_merge(state, table, body, launch->index, row))
SLV_KERNEL(surface_find, ROWS, SLV_UNEVEN, slv_surface_find(state, table, body, row))
SLV_KERNEL(surface_push, LANES, SLV_UNEVEN, slv_surface_push(state, table, body, row, column))
SLV_KERNEL(surface_apply, POINTS, 0, slv_surface_apply(state, table, body, SLV_SLOT))
SLV_KERNEL(surface_check, LANES, SLV_UNEVEN,
           slv_surface_check(state, table, body, launch, row, column))
SLV_KERNEL(surface_stop, POINTS, 0, slv_surface_stop(state, table, body, SLV_SLOT))

// --- Locks between particles of any bodies (kernels/lock.h); of the common body
SLV_FIELD(int, locks) // in table, SLV_LOCK_INTS each
SLV_KERNEL(lock_project, ROWS, 0, slv_lock_project(state, table, body, row))
SLV_KERNEL(lock_touch, ROWS, 0, slv_lock_touch(table, body, row))

// --- Sleep (kernels/sleep.h)
SLV_FIELD(int, sleep_states) // of all bodies, and one more for what all share; 0: no body sleeps
SLV_FIELD(int, sleep_state_count)
SLV_FIELD(int, touch_marks)    // in table, SLV_TOUCH_MARKS a body: not 0 where it touches another
SLV_FIELD(int, rest_positions) // vectors: positions when the count of steps at rest began
SLV_FIELD(int, rest_boxes)     // 6 floats a tile
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

// --- Tearing (kernels/tear.h)
SLV_FIELD(float, tearing) // square of the length over rest length at which a spring tears; 0: never
SLV_FIELD(int, inertia)   // m/h² over the first class's stiffness; one float a slot
SLV_KERNEL(tear_slice, ROWS, 0, slv_tear_slice(state, table, body, launch, row))
SLV_KERNEL(tear_batch, ROWS, 0, slv_tear_batch(state, table, body, launch, row))

// --- Wind (kernels/wind.h)
SLV_FIELD(float, drag)          // drag coefficient; 0: no drag
SLV_FIELD(float, wind_pressure) // N s/m³ times the step; 0: none of it
SLV_FIELD(int, fans)            // in table: first triangle around each slot, and the end
SLV_FIELD(int, fan_ends) // in table, 2 a triangle: offsets of its other corners, as in neighbors
SLV_LAUNCH_FIELD(float, wind[4]) // metres a step; and a zero
SLV_KERNEL(wind_apply, POINTS, 0, slv_apply_wind(state, table, body, launch, SLV_TILE_SLOT))

// --- Speed limit (kernels/speed.h)
SLV_LAUNCH_FIELD(float, speed_limit) // metres a step, of each component
SLV_KERNEL(speed_clamp, POINTS, 0, slv_clamp_speed(state, body, launch, SLV_TILE_SLOT))

// --- Limits (kernels/limits.h)
SLV_FIELD(float, strain)            // longest length over rest length; 0: no limit
SLV_HOST_FIELD(float, strain_least) // least of strain_limits, or strain
SLV_FIELD(int, strain_limits)       // one a slot: as strain, for its springs; 0: the same for all
SLV_FIELD(float, strain_step)       // metres that a strain pass moves a particle at most
SLV_HOST_FIELD(int, strained_last)  // 1: strain is limited before the last contact passes only
SLV_FIELD(int, tethers) // in table, one a slot: offset of the fixed end, as in neighbors; -1: none
SLV_FIELD(int, tether_lengths) // metres, one a slot
SLV_FIELD(int, limits)         // SLV_LIMIT_FLOATS a slot
SLV_KERNEL(limit_apply, POINTS, 0, slv_apply_limits(state, table, body, SLV_TILE_SLOT))
SLV_KERNEL(limit_strain, POINTS, 0, (void)slv_strain(state, table, body, SLV_TILE_SLOT))
SLV_KERNEL(limit_apply_strain, POINTS, 0, slv_apply_strain(state, body, SLV_TILE_SLOT))

// NOLINTEND(readability-non-const-parameter)
#undef SLV_RED
#undef SLV_BLACK
#undef SLV_SLOT
#undef SLV_TILE_SLOT
#undef SLV_KERNEL
#undef SLV_FIELD
#undef SLV_HOST_FIELD
#undef SLV_LAUNCH_FIELD
