// SPDX-License-Identifier: MIT
// Two lights, sky and floor, fitted to the bounds of the garments.
#ifndef SLV_PLAYER_ENVIRONMENT_H
#define SLV_PLAYER_ENVIRONMENT_H

#include "runtime/player/view/camera.h"
#include "runtime/player/view/frame_block.h"

// The square that a light's shadow map covers, in metres along the light's own right and upward axes.
typedef struct slv_light_square {
    float middle[2];
    float half;
} slv_light_square;

typedef struct slv_environment {
    float floor_height; // metres
    slv_vec3 middle;    // of the lit region
    float radius;
    float low[3], high[3]; // bounds of the garments
    slv_light_square squares[2];
} slv_environment;

// `floor` is its height; NAN: 0, or below garments that start lower.
slv_environment slv_environment_make(const float low[3], const float high[3], float floor);
// Adapts the lit region to new bounds, in steps, so that shadow edges do not flicker.
void slv_environment_fit(slv_environment *environment, const float low[3], const float high[3]);

// Fills the uniform block. shadow_side is the side of the shadow maps in pixels.
void slv_environment_fill(const slv_environment *environment, const slv_camera *camera, int width,
                          int height, int shadow_side, slv_frame_block *block);

#endif
