// SPDX-License-Identifier: MIT
// Where surfaces are kept, several samples a pixel, until light falls on them (shaders/surface.glsl).
#ifndef SLV_PLAYER_TARGET_H
#define SLV_PLAYER_TARGET_H

#include "formats/result.h"

#include <GL/glew.h>

enum { SLV_TARGET_SAMPLES = 16 }; // at most

typedef struct slv_target {
    int width, height; // pixels
    int samples;
    float places[SLV_TARGET_SAMPLES][2]; // of samples, from a pixel's middle, in clip space
    GLenum kind;                         // of the textures: GL_TEXTURE_2D, or with samples
    GLuint framebuffer;
    GLuint paint, bent, depth; // textures
} slv_target;

// Asks for this many samples a pixel (1 … 16); takes what the driver has.
slv_result slv_target_make(slv_target *target, int width, int height, int samples,
                           slv_error *error);
void slv_target_free(slv_target *target);

void slv_target_begin(const slv_target *target); // from now on drawing goes here

#endif
