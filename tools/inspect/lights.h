// SPDX-License-Identifier: MIT
// Light from many directions, each with its own depth map: a bright sky over everything and a key
// light of some width. What a map cannot see is in its shadow; the sum over all is soft.
#ifndef SLV_INSPECT_LIGHTS_H
#define SLV_INSPECT_LIGHTS_H

#include "tools/inspect/raster.h"
#include "tools/inspect/view.h"

enum { SLV_SKY_LIGHTS = 72, SLV_KEY_LIGHTS = 24, SLV_LIGHTS = SLV_SKY_LIGHTS + SLV_KEY_LIGHTS };

typedef struct slv_light {
    slv_vec3 direction; // from the scene to the light, unit
    float weight;       // scaled so that a floor under the open sky gets 1 of it, and a surface
                        // that faces the key light 1 of that
    slv_view view;
    float *depth; // the map: map_side rows of as many
} slv_light;

typedef struct slv_lights {
    slv_light light[SLV_LIGHTS]; // first the sky's, then the key's
    uint32_t map_side;           // texels
    float *maps;                 // one after the other
} slv_lights;

// Light that reaches a point of a surface, as shares of what a surface facing it would get.
typedef struct slv_irradiance {
    float sky, key;
} slv_irradiance;

// camera places the key light: over the viewer's left shoulder. threads >= 1.
slv_result slv_lights_make(const slv_scene *scene, const slv_view *camera, unsigned threads,
                           slv_lights *lights, slv_error *error);
void slv_lights_free(slv_lights *lights);

// What reaches a surface with this unit normal where nothing is in the way.
slv_irradiance slv_lights_open(const slv_lights *lights, slv_vec3 normal);
// What reaches it at this point of the scene.
slv_irradiance slv_lights_gather(const slv_lights *lights, slv_vec3 point, slv_vec3 normal);
slv_vec3 slv_lights_key_direction(const slv_view *camera);

#endif
