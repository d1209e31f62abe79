// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

// PSET: named particle sets, for pins and attachments.

slv_named_sets slv_garment_get_sets(const slv_garment *garment) {
    return (slv_named_sets){garment->set_count, garment->sets, garment->set_particles,
                            garment->set_names};
}

slv_named_set slv_garment_get_set(const slv_garment *garment, uint32_t index) {
    const slv_named_sets sets = slv_garment_get_sets(garment);
    return slv_named_sets_get(&sets, index);
}

slv_result slv_verify_sets(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    slv_named_sets sets;
    slv_result result =
        slv_named_sets_open(pack, SLV_SECTION_SETS, garment->info.particle_count, &sets, error);
    garment->set_count = sets.count;
    garment->sets = sets.sets;
    garment->set_particles = sets.particles;
    garment->set_names = sets.names;
    return result;
}
