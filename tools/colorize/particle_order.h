// SPDX-License-Identifier: MIT
// Where particles lie in the pack: colour by colour and, within one, so that neighbours in space are
// neighbours in memory. Grids keep the order of their cells, which suits strides; anything else follows
// a Z-shaped curve (Morton 1966) through its bounds.
#ifndef SLV_COLORIZE_PARTICLE_ORDER_H
#define SLV_COLORIZE_PARTICLE_ORDER_H

#include "formats/garment.h"
#include "tools/colorize/colouring.h"

typedef struct slv_particle_order {
    uint32_t *own_of_stored, *stored_of_own;
    slv_colour_range *colours;
    uint32_t colour_count;
} slv_particle_order;

// colouring is by own numbers; NULL keeps the colours that the garment has. False without memory.
bool slv_particle_order_create(const slv_garment *garment, const slv_colouring *colouring,
                               slv_particle_order *order);
void slv_particle_order_destroy(slv_particle_order *order);

#endif
