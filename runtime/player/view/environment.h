// SPDX-License-Identifier: MIT
// What stands round the garments: two lights, the sky, a floor. Fitted to where the garments are.
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
    slv_vec3 middle;    // of what the lights take care of
    float radius;
    float low[3], high[3]; // where garments are now
    slv_light_square squares[2];
} slv_environment;

// The floor lies at a height, NAN for 0 or below garments that begin lower.
slv_environment slv_environment_make(const float low[3], const float high[3], float floor);
// Grows or shrinks with the garments, in steps, so that shadows do not swim.
void slv_environment_fit(slv_environment *environment, const float low[3], const float high[3]);

// Everything the shaders want to know. shadow_side is that of the shadow maps in pixels.
void slv_environment_fill(const slv_environment *environment, const slv_camera *camera, int width,
                          int height, int shadow_side, slv_frame_block *block);

#endif
