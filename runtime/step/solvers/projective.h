// SPDX-License-Identifier: MIT
// What the solvers of projective dynamics share.
#ifndef SLV_RUNTIME_STEP_SOLVERS_PROJECTIVE_H
#define SLV_RUNTIME_STEP_SOLVERS_PROJECTIVE_H

#include "runtime/step/solver.h"

// Writes the outer iterations. Each finds directions, calls `correct` where there is one, and then `relax` once for
// every inner iteration.
void slv_projective_write(slv_plan_writer *writer, void (*correct)(slv_plan_writer *),
                          void (*relax)(slv_plan_writer *));

// The largest number of colors of a body.
int slv_projective_count_colors(const slv_layout *layout);

#endif
