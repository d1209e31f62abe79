// SPDX-License-Identifier: MIT
#include "formats/garment.h"

// Ranges lie in order and cover all particles, so the one wanted is the last whose first is not
// above; empty ranges share their first with the next and are passed over.
uint32_t slv_garment_particle_colour(const slv_garment *garment, uint32_t stored) {
    uint32_t low = 0;
    uint32_t high = garment->colour_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (garment->colours[middle].first <= stored) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return garment->colours[low].colour;
}
