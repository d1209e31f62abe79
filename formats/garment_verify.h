// SPDX-License-Identifier: MIT
// The parts of slv_garment_open, one file each. Every part reads its sections, proves what the view
// promises about them, and fills its fields of the view; later parts rely on earlier ones.
#ifndef SLV_FORMATS_GARMENT_VERIFY_H
#define SLV_FORMATS_GARMENT_VERIFY_H

#include "formats/garment.h"

slv_result slv_verify_particles(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_grid(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_materials(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_constraints(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_phantoms(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_tetrahedra(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_groups(const slv_garment *garment, slv_error *error);
slv_result slv_verify_render(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_sets(const slv_pack *pack, slv_garment *garment, slv_error *error);

// SLV_ERROR_CONTENT with "section NAME: …".
slv_result slv_fail_section(slv_error *error, uint32_t kind, const char *format, ...)
    SLV_PRINTF(3, 4);

// The section's bytes, which must be there and exactly size many.
slv_result slv_take_section(const slv_pack *pack, uint32_t kind, uint64_t size, const void **bytes,
                            slv_error *error);

#endif
