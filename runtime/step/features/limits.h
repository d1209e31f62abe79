// SPDX-License-Identifier: MIT
// Limits to strain and to the distance from fixed particles and targets (kernels/limits.h).
#ifndef SLV_RUNTIME_STEP_FEATURES_LIMITS_H
#define SLV_RUNTIME_STEP_FEATURES_LIMITS_H

#include "runtime/layout/layout.h"

// Takes over a body's targets and limits, where it has any.
void slv_limits_write(slv_layout *layout, uint32_t index, const slv_body *body);

#endif
