// SPDX-License-Identifier: MIT
// The rigid motion from one pose to another, for points.
#ifndef SLV_RUNTIME_WORLD_TRANSPORT_H
#define SLV_RUNTIME_WORLD_TRANSPORT_H

#include "runtime/layout/layout.h"

typedef struct slv_transport {
    double from[3], to[3];
    double turn[3][3];
} slv_transport;

slv_transport slv_transport_between(const slv_pose *old, const slv_pose *new);
void slv_transport_carry(const slv_transport *transport, float point[3]);
// A particle of a body with its velocity.
void slv_transport_carry_particle(const slv_transport *transport, slv_layout *layout,
                                  uint32_t index, uint32_t particle);

#endif
