// SPDX-License-Identifier: MIT
// Adding and destroying garments.
#ifndef SLV_RUNTIME_WORLD_GARMENT_H
#define SLV_RUNTIME_WORLD_GARMENT_H

#include "runtime/world/world.h"

// Frees a garment's body and its entry.
void slv_garment_entry_destroy(slv_world *world, slv_body *body);

// Adds a garment of points that never move by themselves: x[count], then y, then z; zeros; 0, 1, 2, …
slv_result slv_world_add_fixed_points(slv_world *world, const float *positions, const float *zeros,
                                      const uint32_t *order, uint32_t count, float radius,
                                      float friction);

#endif
