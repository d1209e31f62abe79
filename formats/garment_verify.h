// SPDX-License-Identifier: MIT
// The parts of slv_garment_open, one file each. Every part reads its sections, verifies what the view
// promises about them, and fills its fields of the view; later parts rely on earlier ones.
#ifndef SLV_FORMATS_GARMENT_VERIFY_H
#define SLV_FORMATS_GARMENT_VERIFY_H

#include "formats/garment.h"
#include "formats/section_check.h"

slv_result slv_verify_particles(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_grid(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_materials(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_constraints(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_phantoms(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_clusters(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_factor(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_groups(const slv_garment *garment, slv_error *error);
slv_result slv_verify_render(const slv_pack *pack, slv_garment *garment, slv_error *error);
slv_result slv_verify_sets(const slv_pack *pack, slv_garment *garment, slv_error *error);

#endif
