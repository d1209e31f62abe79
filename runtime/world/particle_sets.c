// SPDX-License-Identifier: MIT
#include "runtime/world/particle_sets.h"

#include "runtime/world/begin.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static bool keep_set(slv_garment_entry *entry, const slv_garment *garment, uint32_t index) {
    const slv_named_set set = slv_garment_get_set(garment, index);
    char *name = slv_memory_take(&entry->memory, (size_t)set.name_length + 1, 1);
    uint32_t *particles = slv_memory_take(&entry->memory, set.count, sizeof *particles);
    if (!name || !particles) {
        return false;
    }
    memcpy(name, set.name, set.name_length);
    for (uint32_t n = 0; n < set.count; n++) {
        particles[n] = garment->own_of_stored[set.particles[n]];
    }
    qsort(particles, set.count, sizeof *particles, compare);
    entry->sets[index] = (slv_particle_set_view){name, set.count, particles};
    return true;
}

bool slv_garment_keep_sets(slv_garment_entry *entry, const slv_garment *garment) {
    bool kept = true;
    if (garment->set_count > 0) {
        entry->sets = slv_memory_take(&entry->memory, garment->set_count, sizeof *entry->sets);
        kept = entry->sets != NULL;
    }
    for (uint32_t i = 0; kept && i < garment->set_count; i++) {
        kept = keep_set(entry, garment, i);
    }
    entry->set_count = kept ? garment->set_count : 0;
    return kept;
}

static const slv_garment_entry *find_entry(slv_world *world, slv_garment_id id, const void *given,
                                           slv_result *status) {
    return (const slv_garment_entry *)slv_begin_body(world, id, given, "set, count or name",
                                                     status);
}

slv_result slv_garment_get_particle_set_count(slv_world *world, slv_garment_id id,
                                              uint32_t *count) {
    slv_result status = SLV_OK;
    const slv_garment_entry *entry = find_entry(world, id, count, &status);
    if (!entry) {
        return status;
    }
    *count = entry->set_count;
    return SLV_OK;
}

slv_result slv_garment_get_particle_set(slv_world *world, slv_garment_id id, uint32_t index,
                                        slv_particle_set_view *set) {
    slv_result status = SLV_OK;
    const slv_garment_entry *entry = find_entry(world, id, set, &status);
    if (!entry) {
        return status;
    }
    if (index >= entry->set_count) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "index is %u, the garment has %u sets", index,
                          entry->set_count);
    }
    *set = entry->sets[index];
    return SLV_OK;
}

slv_result slv_garment_find_particle_set(slv_world *world, slv_garment_id id, const char *name,
                                         slv_particle_set_view *set) {
    slv_result status = SLV_OK;
    const slv_garment_entry *entry = find_entry(world, id, name ? set : NULL, &status);
    if (!entry || !name) {
        return status;
    }
    for (uint32_t i = 0; i < entry->set_count; i++) {
        if (strcmp(entry->sets[i].name, name) == 0) {
            *set = entry->sets[i];
            return SLV_OK;
        }
    }
    return slv_refuse(world, SLV_ERROR_ARGUMENT, "the garment has no set called '%s'", name);
}
