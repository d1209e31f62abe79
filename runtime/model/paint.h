// SPDX-License-Identifier: MIT
// What an artist painted on the mesh, as the particles have it (PACK.md, "PPNT"), and the weight of limits
// there.
#ifndef SLV_RUNTIME_MODEL_PAINT_H
#define SLV_RUNTIME_MODEL_PAINT_H

#include "runtime/model/body.h"

// Takes the colors over, in own order. Refused where a channel is given and there are no colors.
slv_result slv_paint_create(slv_body *body, const slv_garment *garment, const slv_paint_def *def,
                            slv_error *error);

// From 0, black, to 1, white, which SLV_CHANNEL_NONE is everywhere.
float slv_paint_weight(const slv_body *body, slv_channel channel, uint32_t particle);

#endif
