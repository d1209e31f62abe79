// SPDX-License-Identifier: MIT
// Making a body from the garment of a pack.
#ifndef SLV_RUNTIME_MODEL_BODY_BUILD_H
#define SLV_RUNTIME_MODEL_BODY_BUILD_H

#include "runtime/model/body.h"

// def has been checked. On failure nothing is left behind.
slv_result slv_body_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                           double time_step, slv_allocator allocator, slv_error *error);

#endif
