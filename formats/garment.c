// SPDX-License-Identifier: MIT
#include "formats/garment.h"

// Ranges lie in order and cover all particles, so the range found is the last whose first is not
// above; empty ranges share their first with the next and are passed over.
uint32_t slv_garment_get_particle_color(const slv_garment *garment, uint32_t stored) {
    uint32_t low = 0;
    uint32_t high = garment->color_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (garment->colors[middle].first <= stored) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return garment->colors[low].color;
}

uint32_t slv_garment_get_copied(const slv_garment *garment, uint32_t copy) {
    const slv_phantom_constraints *phantoms = &garment->phantoms;
    const uint32_t number = copy - garment->info.particle_count;
    uint32_t low = 0; // the first whose end lies beyond the copy
    uint32_t high = phantoms->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (phantoms->end[middle] > number) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return phantoms->original[low];
}

uint64_t slv_garment_get_constraint_count(const slv_garment *garment, uint32_t kind) {
    return kind == SLV_CONSTRAINT_PHANTOM ? garment->phantoms.count
                                          : garment->constraints[kind].count;
}
