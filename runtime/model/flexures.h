// SPDX-License-Identifier: MIT
// Flexures: what resists bending of a surface, over each edge that two triangles share (kernels/flexure.h). Those of the
// pack or, where it has none, those of the triangles between particles.
#ifndef SLV_RUNTIME_MODEL_FLEXURES_H
#define SLV_RUNTIME_MODEL_FLEXURES_H

#include "runtime/model/body.h"

// After springs, batches of the pack and the surface. Nothing where the definition has no flexural rigidity.
slv_result slv_flexures_create(slv_body *body, const slv_garment *garment,
                               const slv_garment_def *def, slv_error *error);

#endif
