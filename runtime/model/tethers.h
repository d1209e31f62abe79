// SPDX-License-Identifier: MIT
// The fixed particle nearest to each particle of a body, along its distance constraints at rest.
#ifndef SLV_RUNTIME_MODEL_TETHERS_H
#define SLV_RUNTIME_MODEL_TETHERS_H

#include "runtime/model/body.h"

// Fills the fixed particle nearest to each particle, UINT32_MAX where none is joined to it, and the length of the
// way there in metres, else DBL_MAX: both [count]. False without memory.
bool slv_find_tethers(const slv_body *body, uint32_t *nearest, double *length, slv_memory *scratch);

#endif
