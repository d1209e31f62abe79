// SPDX-License-Identifier: MIT
// Where light is collected before it becomes a picture: linear, beyond white, several samples a pixel.
#ifndef SLV_PLAYER_TARGET_H
#define SLV_PLAYER_TARGET_H

#include "runtime/player/gl.h"

typedef struct slv_target {
    int width, height; // pixels
    int samples;
    GLuint framebuffers[2];  // with samples; resolved
    GLuint renderbuffers[2]; // colour, depth
    GLuint light, depth;     // resolved
} slv_target;

// Asks for this many samples a pixel (1 … 16); takes what the driver has.
slv_result slv_target_make(slv_target *target, int width, int height, int samples,
                           slv_error *error);
void slv_target_free(slv_target *target);

void slv_target_begin(const slv_target *target);   // until slv_target_resolve, drawing goes here
void slv_target_resolve(const slv_target *target); // into target->light and depth

#endif
