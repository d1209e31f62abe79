// SPDX-License-Identifier: MIT
// Making a body from the garment of a pack.
#ifndef SLV_RUNTIME_MODEL_BODY_BUILD_H
#define SLV_RUNTIME_MODEL_BODY_BUILD_H

#include "runtime/model/body.h"

// def has been checked. `model` may be a body that was made from the same garment with a definition that differs in
// position, rotation, velocity and fixed particles only, and whose stiffness has not changed since; what is the same is
// copied from it. NULL: none. On failure nothing is left behind.
slv_result slv_body_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                           const slv_body *model, double time_step, slv_allocator allocator,
                           slv_error *error);

// Takes the values of a material that no constraint and no feature keeps.
void slv_body_set_material(slv_body *body, const slv_garment_def *def);

#endif
