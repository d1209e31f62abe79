// SPDX-License-Identifier: MIT
// The order of things that are near each other at rest, so that those of a block can be bounded together.
#ifndef SLV_RUNTIME_STEP_SPATIAL_ORDER_H
#define SLV_RUNTIME_STEP_SPATIAL_ORDER_H

#include "runtime/model/body.h"

// Where a particle lies at rest: relative to the first, over the stretch it starts with. Metres.
void slv_find_rest_position(const slv_body *body, uint32_t own, double rest[3]);

// A thing, by its own number, and where it lies at rest, metres.
typedef struct slv_resting {
    float position[3];
    uint32_t own;
} slv_resting;

// Orders things so that SLV_BLOCK, SLV_CLUSTER and SLV_LANES of them that follow each other lie near each other: halved
// across the longest axis again and again.
void slv_gather_near(slv_resting *all, size_t count);

#endif
