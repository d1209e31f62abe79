// SPDX-License-Identifier: MIT
#include "runtime/model/phantoms.h"

#include "kernels/body_layout.h"

#include <string.h>

uint32_t slv_phantom_end(const slv_garment *garment, uint32_t stored) {
    return stored < garment->info.particle_count ? garment->own_of_stored[stored] : stored;
}

static void add_copies(slv_phantom_set *set, const slv_garment *garment) {
    uint32_t copy = 0;
    for (uint32_t i = 0; i < garment->phantoms.count; i++) {
        const uint32_t own = garment->own_of_stored[garment->phantoms.original[i]];
        uint32_t *phantom = set->phantoms + 3 * (size_t)i;
        phantom[0] = own;
        phantom[1] = copy;
        for (; copy < garment->phantoms.end[i]; copy++) {
            set->originals[copy] = own;
        }
        phantom[2] = copy;
    }
    set->copy_count = copy;
    set->count = garment->phantoms.count;
}

slv_result slv_phantom_set_create(slv_phantom_set *set, const slv_garment *garment,
                                  size_t spring_room, slv_memory *memory, slv_error *error) {
    const uint32_t copies = garment->phantoms.copies;
    if (copies == 0) {
        return SLV_OK;
    }
    set->originals = slv_memory_take(memory, copies, sizeof *set->originals);
    set->phantoms =
        slv_memory_take(memory, 3 * (size_t)garment->phantoms.count, sizeof *set->phantoms);
    set->spring_ends = slv_memory_take(memory, spring_room, sizeof *set->spring_ends);
    set->uses = slv_memory_take(memory, copies, sizeof *set->uses);
    if (!set->originals || !set->phantoms || !set->spring_ends || !set->uses) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for phantoms");
    }
    memset(set->spring_ends, 0xFF, spring_room * sizeof *set->spring_ends);
    add_copies(set, garment);
    return SLV_OK;
}

void slv_phantom_set_note_use(slv_phantom_set *set, uint32_t end, uint32_t particle_count,
                              int phase) {
    if (end >= particle_count) {
        set->uses[end - particle_count] |= (uint8_t)(1u << phase);
    }
}

void slv_phantom_set_add_springs(slv_phantom_set *set, const slv_constraint *springs,
                                 uint32_t spring_count, uint32_t particle_count) {
    for (uint32_t s = 0; set->spring_ends && s < spring_count; s++) {
        uint32_t *ends = set->spring_ends[s];
        if (ends[0] == UINT32_MAX) {
            ends[0] = springs[s].a;
            ends[1] = springs[s].b;
        }
        slv_phantom_set_note_use(set, ends[0], particle_count, SLV_PHASE_SPRINGS);
        slv_phantom_set_note_use(set, ends[1], particle_count, SLV_PHASE_SPRINGS);
    }
}
