// SPDX-License-Identifier: MIT
// The triangles on which air drags a garment: those of a flat grid's squares, or those of a mesh whose
// vertices are particles.
#ifndef SLV_RUNTIME_MODEL_WIND_TRIANGLES_H
#define SLV_RUNTIME_MODEL_WIND_TRIANGLES_H

#include "runtime/model/body.h"

// Fills body->drag and, where that is above 0, body->triangles. Grid and surface must be there already.
// SLV_ERROR_ARGUMENT where drag is given and the garment has no such triangles.
slv_result slv_wind_triangles_create(slv_body *body, const slv_garment_def *def,
                                     slv_memory *scratch, slv_error *error);

#endif
