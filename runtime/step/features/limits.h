// SPDX-License-Identifier: MIT
// What a garment may do beside what its springs say, in the form and in the step: air (kernels/wind.h), and
// limits to distance and strain (kernels/limits.h).
#ifndef SLV_RUNTIME_STEP_FEATURES_LIMITS_H
#define SLV_RUNTIME_STEP_FEATURES_LIMITS_H

#include "runtime/step/plan.h"

void slv_limits_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor);
void slv_limits_fill(slv_layout *layout, slv_body *const *bodies);
// Takes over where targets and limits are.
void slv_limits_write(slv_layout *layout, uint32_t index, const slv_body *body);

void slv_wind_launch(slv_plan_writer *writer);
void slv_limits_launch(slv_plan_writer *writer);
// Before the last passes over contacts.
void slv_limits_launch_last(slv_plan_writer *writer);

#endif
