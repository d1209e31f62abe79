// SPDX-License-Identifier: MIT
// Soft lighting from many directional lights, each with a shadow map: an ambient sky over the upper
// hemisphere and a key light with an area.
#ifndef SLV_INSPECT_LIGHTS_H
#define SLV_INSPECT_LIGHTS_H

#include "tools/inspect/raster.h"
#include "tools/inspect/view.h"

enum { SLV_SKY_LIGHTS = 72, SLV_KEY_LIGHTS = 24, SLV_LIGHTS = SLV_SKY_LIGHTS + SLV_KEY_LIGHTS };

typedef struct slv_light {
    slv_vec3 direction; // from the scene to the light, unit
    // Normalized: an unoccluded floor has sky irradiance 1, a surface facing the key light 1 of that.
    float weight;
    slv_view view;
    float *depth; // shadow map, [map_side][map_side]
} slv_light;

typedef struct slv_lights {
    slv_light light[SLV_LIGHTS]; // sky lights first, then key lights
    uint32_t map_side;           // texels
    float *maps;                 // memory of all shadow maps
} slv_lights;

// Irradiance of a surface point, as a fraction of that of an unoccluded surface facing the light.
typedef struct slv_irradiance {
    float sky, key;
} slv_irradiance;

// camera determines the key light: above its left side. threads >= 1.
slv_result slv_lights_make(const slv_scene *scene, const slv_view *camera, unsigned threads,
                           slv_lights *lights, slv_error *error);
void slv_lights_free(slv_lights *lights);

// Irradiance of an unoccluded surface with this unit normal.
slv_irradiance slv_lights_open(const slv_lights *lights, slv_vec3 normal);
// Irradiance at this point of the scene, with shadows.
slv_irradiance slv_lights_gather(const slv_lights *lights, slv_vec3 point, slv_vec3 normal);
slv_vec3 slv_lights_key_direction(const slv_view *camera);

#endif
