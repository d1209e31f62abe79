// SPDX-License-Identifier: MIT
#include "formats/fabric.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLV_FABRIC(name, ...) {#name, __VA_ARGS__},
const slv_fabric_preset slv_fabric_presets[SLV_FABRIC_PRESET_COUNT] = {
#include "formats/fabrics.def"
};
#undef SLV_FABRIC

#define SLV_FABRIC(name, ...) #name,
const char *const slv_fabric_names[] = {"none",
#include "formats/fabrics.def"
                                        NULL};
#undef SLV_FABRIC

static_assert(sizeof slv_fabric_names / sizeof *slv_fabric_names == SLV_FABRIC_PRESET_COUNT + 2,
              "SLV_FABRIC_PRESET_COUNT is the number of rows");

const slv_fabric_preset *slv_fabric_find(const char *name) {
    for (size_t i = 0; i < SLV_FABRIC_PRESET_COUNT; i++) {
        if (strcmp(slv_fabric_presets[i].name, name) == 0) {
            return &slv_fabric_presets[i];
        }
    }
    return NULL;
}

// --- What the fabric is for single constraints ------------------------------------------------------

// Area of the drawn triangles at rest, m².
static double measure_area(const slv_render_mesh *mesh) {
    double area = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        double u[3];
        double v[3];
        for (size_t d = 0; d < 3; d++) {
            const double origin = (double)mesh->positions[3 * (size_t)corner[0] + d];
            u[d] = (double)mesh->positions[3 * (size_t)corner[1] + d] - origin;
            v[d] = (double)mesh->positions[3 * (size_t)corner[2] + d] - origin;
        }
        const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                  u[0] * v[1] - u[1] * v[0]};
        area += 0.5 * sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    }
    return area;
}

// Springs of a flat grid along both threads: each stands for a strip as wide as it is long, so its stiffness is that of a
// strip of any width. Diagonals carry the shear, and as much of the stretch.
static void fit_grid(const slv_fabric_preset *fabric, slv_material *material) {
    const float threads = fabric->stretch - fabric->shear;
    material->stretch_stiffness =
        threads > 0.25f * fabric->stretch ? threads : 0.25f * fabric->stretch;
    material->shear_stiffness = fabric->shear;
}

// Springs along the edges of triangles have the energy of a sheet whose Poisson's ratio is 1/3 and whose shear stiffness is
// 3/8 of its stretch stiffness. The shear of a fabric is far less, so stretch and shear are off by the same factor: that of
// the stretch is too low, that of the shear too high.
static bool fit_mesh(const slv_fabric_preset *fabric, const slv_garment *garment,
                     slv_material *material) {
    const slv_constraints *edges = &garment->constraints[SLV_CONSTRAINT_DISTANCE];
    double squares = 0.0;
    for (uint64_t i = 0; i < edges->count; i++) {
        squares += (double)edges->rest[i] * (double)edges->rest[i];
    }
    const double area = measure_area(&garment->render);
    if (!(area > 0.0 && squares > 0.0)) {
        return false;
    }
    const double sheet = sqrt((double)fabric->stretch * (double)fabric->shear * 8.0 / 3.0);
    material->stretch_stiffness = (float)(3.0 * sheet * area / squares);
    material->shear_stiffness = 0.0f;
    return true;
}

slv_result slv_fabric_make_material(const slv_fabric_preset *fabric, const slv_garment *garment,
                                    slv_material *material, slv_error *error) {
    const slv_grid_info *grid = garment->grid;
    bool fits = grid && (grid->cells[1] == 1 || grid->cells[2] == 1);
    *material = slv_default_material();
    if (fits) {
        fit_grid(fabric, material);
    } else if (!grid && garment->render.influences == 1) {
        fits = fit_mesh(fabric, garment, material);
    }
    if (!fits) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "the fabric %s needs a flat grid or a mesh whose vertices are particles "
                        "(selvage-voxelize --mode surface)",
                        fabric->name);
    }
    memset(material->name, 0, sizeof material->name);
    (void)snprintf(material->name, sizeof material->name, "%s", fabric->name);
    material->bending_stiffness = 0.0f;
    material->flexural_rigidity = fabric->flexural_rigidity;
    material->static_friction = fabric->friction;
    material->kinetic_friction = fabric->friction;
    material->given = SLV_GIVEN_SHEAR | SLV_GIVEN_BENDING | SLV_GIVEN_FRICTION;
    return SLV_OK;
}
