// SPDX-License-Identifier: MIT
// Tears (kernels/tear.h) in the layout and in the step. The layout has them while steps run; snapshots, new
// layouts and the drawn surface take them from the body (runtime/model/tears.h).
#ifndef SLV_RUNTIME_STEP_FEATURES_TEAR_H
#define SLV_RUNTIME_STEP_FEATURES_TEAR_H

#include "runtime/step/plan.h"

void slv_tear_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor);
// Writes which springs there are, and the weights of particles that follow from them.
void slv_tear_write(slv_layout *layout, uint32_t index, const slv_body *body, double time_step);

// Where rest lengths lie in state; that of a torn spring is below 0.
slv_extent slv_tear_get_lengths(const slv_layout *layout, uint32_t index, const slv_body *body);
// Takes over which springs of a body that can tear are torn.
void slv_tear_read(const slv_layout *layout, uint32_t index, slv_body *body);

void slv_tear_launch(slv_plan_writer *writer);

#endif
