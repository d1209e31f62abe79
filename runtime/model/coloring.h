// SPDX-License-Identifier: MIT
// Colorings for what came without: first fit, in order, so that the same garment always gets the same.
#ifndef SLV_RUNTIME_MODEL_COLORING_H
#define SLV_RUNTIME_MODEL_COLORING_H

#include "runtime/model/body.h"

// Sorts springs (stably) by color, no two of which share a particle, and tells the size of each color
// in counts, which has room for as many as there are springs. False without memory.
bool slv_color_springs(slv_spring *springs, uint32_t count, uint32_t particle_count,
                       slv_memory *scratch, uint32_t *counts, uint32_t *color_count);

// Fills body->color: by a formula on grids, as in the pack where that will do, else by first fit.
bool slv_color_particles(slv_body *body, const slv_garment *garment, slv_memory *scratch);

#endif
