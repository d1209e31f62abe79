// SPDX-License-Identifier: MIT
// Where particles lie in the pack: color by color and, within one, so that neighbors in space are
// neighbors in memory. Grids keep the order of their cells, which suits strides; anything else follows
// a Z-shaped curve (Morton 1966) through its bounds.
#ifndef SLV_COLORIZE_PARTICLE_ORDER_H
#define SLV_COLORIZE_PARTICLE_ORDER_H

#include "formats/garment.h"
#include "tools/colorize/coloring.h"

typedef struct slv_particle_order {
    uint32_t *own_of_stored, *stored_of_own;
    slv_color_range *colors;
    uint32_t color_count;
} slv_particle_order;

// coloring is by own numbers; NULL keeps the colors that the garment has. False without memory.
bool slv_particle_order_create(const slv_garment *garment, const slv_coloring *coloring,
                               slv_particle_order *order);
void slv_particle_order_destroy(slv_particle_order *order);

#endif
