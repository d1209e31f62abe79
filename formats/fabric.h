// SPDX-License-Identifier: MIT
// Fabrics by name: numbers of tests with real cloth, and what they are for the constraints of a garment. docs/FABRICS.md
// has the sources.
#ifndef SLV_FORMATS_FABRIC_H
#define SLV_FORMATS_FABRIC_H

#include "formats/garment.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slv_fabric_preset {
    const char *name;
    float density;           // kg/m²
    float stretch;           // N/m: force per width over strain, mean of warp and weft
    float shear;             // N/m: shear force per width over the angle
    float flexural_rigidity; // N m: moment per width over the curvature, mean of warp and weft
    float friction;          // coefficient, static
} slv_fabric_preset;

enum { SLV_FABRIC_PRESET_COUNT = 8 };
extern const slv_fabric_preset slv_fabric_presets[SLV_FABRIC_PRESET_COUNT]; // formats/fabrics.def
// "none", their names, NULL.
extern const char *const slv_fabric_names[];

// NULL: there is no such fabric.
const slv_fabric_preset *slv_fabric_find(const char *name);

// The material of a garment of that fabric: stiffness of single constraints. Fails unless the garment is a flat grid or
// has the triangles of a mesh whose vertices are particles.
slv_result slv_fabric_make_material(const slv_fabric_preset *fabric, const slv_garment *garment,
                                    slv_material *material, slv_error *error);

#ifdef __cplusplus
}
#endif

#endif
