// SPDX-License-Identifier: MIT
// Where surfaces are kept, several samples a pixel, until light falls on them (shaders/surface.glsl).
#ifndef SLV_PLAYER_GBUFFER_H
#define SLV_PLAYER_GBUFFER_H

#include "formats/result.h"

#include <GL/glew.h>

enum { SLV_GBUFFER_SAMPLES = 16 }; // at most

typedef struct slv_gbuffer {
    int width, height; // pixels
    int samples;
    float sample_offsets[SLV_GBUFFER_SAMPLES]
                        [2]; // of samples, from a pixel's middle, in clip space
    GLenum kind;             // of the textures: GL_TEXTURE_2D, or with samples
    GLuint framebuffer;
    GLuint albedo, normals, depth; // textures
} slv_gbuffer;

// Asks for this many samples a pixel (1 … 16); takes what the driver has.
slv_result slv_gbuffer_make(slv_gbuffer *gbuffer, int width, int height, int samples,
                            slv_error *error);
void slv_gbuffer_free(slv_gbuffer *gbuffer);

void slv_gbuffer_begin(const slv_gbuffer *gbuffer); // from now on drawing goes here

#endif
