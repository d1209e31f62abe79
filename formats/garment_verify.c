// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

static slv_result verify_provenance(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    return slv_take_provenance(pack, &garment->provenance, &garment->provenance_size, error);
}

slv_result slv_garment_open(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    static slv_result (*const parts[])(const slv_pack *, slv_garment *, slv_error *) = {
        slv_verify_particles,   slv_verify_grid,     slv_verify_materials,
        slv_verify_constraints, slv_verify_clusters, slv_verify_factor,
        slv_verify_render,      slv_verify_sets,     verify_provenance,
    };
    *garment = (slv_garment){0};
    slv_result result = slv_check_contents(pack, SLV_CONTENTS_GARMENT, error);
    for (size_t i = 0; result == SLV_OK && i < sizeof parts / sizeof *parts; i++) {
        result = parts[i](pack, garment, error);
    }
    return result;
}
