// SPDX-License-Identifier: MIT
// The G-buffer: color, material, normals and depth of every sample, for deferred lighting (shaders/gbuffer.glsl).
#ifndef SLV_PLAYER_GBUFFER_H
#define SLV_PLAYER_GBUFFER_H

#include "formats/result.h"

#include <GL/glew.h>

enum { SLV_GBUFFER_SAMPLES = 16 }; // limit per pixel

typedef struct slv_gbuffer {
    int width, height; // pixels
    int samples;
    float sample_offsets[SLV_GBUFFER_SAMPLES][2]; // from the pixel center, in clip space
    GLenum kind; // of the textures: GL_TEXTURE_2D or GL_TEXTURE_2D_MULTISAMPLE
    GLuint framebuffer;
    GLuint albedo, normals, depth; // textures
} slv_gbuffer;

// `samples` per pixel, 1 to 16; the driver may give fewer or more.
slv_result slv_gbuffer_make(slv_gbuffer *gbuffer, int width, int height, int samples,
                            slv_error *error);
void slv_gbuffer_free(slv_gbuffer *gbuffer);

void slv_gbuffer_begin(
    const slv_gbuffer *gbuffer); // makes it the draw framebuffer and clears depth

#endif
