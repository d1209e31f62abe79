// SPDX-License-Identifier: MIT
// Which springs a flat grid has beside those along its threads: shear to diagonal neighbors, bending to cells two away.
#ifndef SLV_RUNTIME_MODEL_STENCIL_H
#define SLV_RUNTIME_MODEL_STENCIL_H

#include "runtime/model/body.h"

// Finds the stencil of a body that has springs and cells; `directions` is there already.
void slv_stencil_find(slv_body *body);

#endif
