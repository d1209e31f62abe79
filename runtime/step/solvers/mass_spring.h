// SPDX-License-Identifier: MIT
// What the mass-spring solvers have in common.
#ifndef SLV_RUNTIME_STEP_SOLVERS_MASS_SPRING_H
#define SLV_RUNTIME_STEP_SOLVERS_MASS_SPRING_H

#include "runtime/layout/layout_build.h"
#include "runtime/step/plan.h"

// Stiffness and damping of the springs of a body, for its kernels.
void slv_mass_spring_set(slv_body_layout *body_layout, const slv_body *body, double time_step);

// A kernel over all blocks of slots, or all slices, of all bodies that solvers move; then a barrier.
void slv_mass_spring_launch_blocks(slv_plan_writer *writer, slv_kernel_id kernel, int index);
void slv_mass_spring_launch_slices(slv_plan_writer *writer, slv_kernel_id kernel, int index);

// Arrays of all bodies for conjugate gradients (kernels/implicit.h).
void slv_gradients_reserve(slv_layout *layout, slv_body *const *bodies,
                           const slv_layout_settings *settings, slv_layout_cursor *cursor);
// A solve: residuals, blocks and inverse diagonals are there.
void slv_gradients_launch(slv_plan_writer *writer);
// Adds the sums of blocks, and finds a number of the solve from the result.
void slv_gradients_launch_sum(slv_plan_writer *writer, slv_kernel_id find);

#endif
