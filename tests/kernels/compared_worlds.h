// SPDX-License-Identifier: MIT
// Worlds in which the kernels of all instruction sets are compared with the plain kernels.
#ifndef SLV_TESTS_COMPARED_WORLDS_H
#define SLV_TESTS_COMPARED_WORLDS_H

#include "runtime/backends/cpu/cpu_kernels.h"
#include "tests/common/test_world.h"

enum { COMPARED_SETS = 3 };
extern const char *const compared_sets[COMPARED_SETS]; // instruction sets

// NULL where this processor lacks it, with a message.
const slv_instruction_set *find_set(const char *name);

typedef slv_world *world_maker(const char *instruction_set, slv_solver solver);

// Compares the state after some steps of every set with that of the plain kernels.
void compare_steps(world_maker *make, slv_solver solver, uint32_t steps);

// A world of one thread.
slv_world *make_single(const char *instruction_set, slv_solver solver, uint32_t outer_iterations,
                       uint32_t inner_iterations);
// Rigid and soft bodies: clusters of several sizes side by side, large ones, flat ones, one of a single particle; some
// fixed, all but one deformable. One thread.
slv_world *make_body_world(const char *instruction_set, slv_solver solver);

#endif
