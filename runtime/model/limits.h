// SPDX-License-Identifier: MIT
// Limits of a garment's particles: strain of their springs, tethers to the nearest fixed particle, and
// distances from a target (kernels/limits.h).
#ifndef SLV_RUNTIME_MODEL_LIMITS_H
#define SLV_RUNTIME_MODEL_LIMITS_H

#include "runtime/model/body.h"

// Fills strain, tethers and limits from def. Springs, fixed particles and paint must be there already.
slv_result slv_limits_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                             slv_memory *scratch, slv_error *error);

// Targets become the positions at the start, normals point along +y.
void slv_limits_reset(slv_body *body);

#endif
