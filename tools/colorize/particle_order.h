// SPDX-License-Identifier: MIT
// Storage order of the particles: by color and, within a color, in an order that keeps spatial
// neighbors close in memory. Grids keep the order of their cells, which gives constant strides;
// others follow a Morton curve (Morton 1966) through their bounds.
#ifndef SLV_COLORIZE_PARTICLE_ORDER_H
#define SLV_COLORIZE_PARTICLE_ORDER_H

#include "formats/garment.h"
#include "tools/colorize/coloring.h"

typedef struct slv_particle_order {
    uint32_t *own_of_stored, *stored_of_own;
    slv_color_range *colors;
    uint32_t color_count;
} slv_particle_order;

// coloring is by own numbers; NULL keeps the colors of the garment. False where memory is short.
bool slv_particle_order_create(const slv_garment *garment, const slv_coloring *coloring,
                               slv_particle_order *order);
void slv_particle_order_destroy(slv_particle_order *order);

#endif
