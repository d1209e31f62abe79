// SPDX-License-Identifier: MIT
// Launches that solvers and the step have in common.
#ifndef SLV_RUNTIME_STEP_LAUNCHES_H
#define SLV_RUNTIME_STEP_LAUNCHES_H

#include "runtime/step/plan.h"

// Rows of a grid, blocks of slots of a graph: all that a body has.
int slv_count_rows(const slv_body_layout *body_layout);
// Rows of SLV_LANES elements that hold `count` of them.
int slv_count_lanes(int count);

// All bodies: `split` over the rows of grids, `joined` over the blocks of graphs.
void slv_launch_blocks(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined);
// The same without bodies that no solver moves.
void slv_launch_solved(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined);

#endif
