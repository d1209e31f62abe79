// SPDX-License-Identifier: MIT
// What the mass-spring solvers have in common.
#ifndef SLV_RUNTIME_STEP_SOLVERS_MASS_SPRING_H
#define SLV_RUNTIME_STEP_SOLVERS_MASS_SPRING_H

#include "runtime/step/plan.h"

// Stiffness and damping of the springs of a body, for its kernels.
void slv_mass_spring_set(slv_body_layout *body_layout, const slv_body *body, double time_step);

// A kernel over all blocks of slots, or all slices, of all bodies that solvers move; then a barrier.
void slv_mass_spring_launch_blocks(slv_plan_writer *writer, slv_kernel_id kernel, int index);
void slv_mass_spring_launch_slices(slv_plan_writer *writer, slv_kernel_id kernel, int index);

#endif
