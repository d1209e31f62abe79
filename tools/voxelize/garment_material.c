// SPDX-License-Identifier: MIT
#include "tools/voxelize/garment_material.h"

#include "formats/fabric.h"

static const slv_fabric_preset *find(const slv_voxelize_options *options) {
    return slv_fabric_find(slv_fabric_names[options->fabric]);
}

void slv_resolve_fabric(slv_voxelize_options *options) {
    const slv_fabric_preset *fabric = find(options);
    if (fabric == NULL) {
        return;
    }
    if (options->mesh != NULL && options->mode == SLV_MODE_AUTO) {
        options->mode = SLV_MODE_SURFACE;
    }
    if (!(options->mass > 0) && !(options->density > 0)) {
        options->density = (double)fabric->density;
    }
}

// Pa: a column of 300 kg/m3 and a metre is 0.15% lower under its weight. Springs along the axes alone, of 1,000 N/m, left a
// solid of two metres flat.
#define SOLID_MODULUS 1e6f

static bool is_solid(const slv_garment *garment) {
    const slv_grid_info *grid = garment->grid;
    const bool is_box = garment->info.mode == SLV_GARMENT_SHAPE && grid && grid->cells[0] > 1 &&
                        grid->cells[1] > 1 && grid->cells[2] > 1;
    return garment->info.mode == SLV_GARMENT_SOLID || is_box;
}

// Springs of a stiffness k at a spacing h have the modulus k / h along the axes, whatever the resolution.
static void make_solid(const slv_garment *garment, slv_material *material) {
    material->stretch_stiffness = SOLID_MODULUS * garment->info.spacing;
    material->shear_stiffness = material->stretch_stiffness;
    material->bending_stiffness = material->stretch_stiffness;
    material->given |= SLV_GIVEN_SHEAR | SLV_GIVEN_BENDING;
}

slv_result slv_add_material(const slv_voxelize_options *options, slv_garment_builder *builder,
                            slv_error *error) {
    const slv_fabric_preset *fabric = find(options);
    slv_material *material = slv_builder_array(builder, 1, sizeof *material, error);
    if (material == NULL) {
        return SLV_ERROR_MEMORY;
    }
    *material = slv_default_material();
    // Clusters keep the shape of bodies.
    if (is_solid(&builder->garment) && builder->garment.clusters.count == 0) {
        make_solid(&builder->garment, material);
    }
    builder->garment.materials = material;
    builder->garment.material_count = 1;
    return fabric != NULL ? slv_fabric_make_material(fabric, &builder->garment, material, error)
                          : SLV_OK;
}
