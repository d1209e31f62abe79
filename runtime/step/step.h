// SPDX-License-Identifier: MIT
// The step, as an algorithm: what is launched in each of its stages, in which order. Backends do not see
// this, only the plan that comes of it.
#ifndef SLV_RUNTIME_STEP_STEP_H
#define SLV_RUNTIME_STEP_STEP_H

#include "runtime/step/plan.h"

void slv_step_write(slv_plan_writer *writer, slv_stage stage);

#endif
