// SPDX-License-Identifier: MIT
// Screen-space ambient occlusion: the fraction of ambient light that reaches a surface, estimated from the depth
// buffer at half resolution and smoothed.
#ifndef SLV_PLAYER_AMBIENT_OCCLUSION_H
#define SLV_PLAYER_AMBIENT_OCCLUSION_H

#include "formats/result.h"
#include "runtime/player/view/scissor.h"

#include <GL/glew.h>

typedef struct slv_ambient_occlusion {
    GLuint programs[2]; // estimate, smooth
    GLuint framebuffers[2];
    GLuint textures[2]; // fraction of light, depth in metres; the second is the result
    int width, height;  // of the textures
    int samples;        // per pixel of the depth buffer
} slv_ambient_occlusion;

// For a depth buffer with this many samples per pixel.
slv_result slv_ambient_occlusion_make(slv_ambient_occlusion *occlusion, int samples,
                                      slv_error *error);
void slv_ambient_occlusion_free(slv_ambient_occlusion *occlusion);

// Reads a depth buffer of width x height, within the scissor rectangle. `reach` in metres is the largest distance
// of an occluder. The caller has bound the block Frame and an empty vertex array.
slv_result slv_ambient_occlusion_draw(slv_ambient_occlusion *occlusion, GLuint depth, int width,
                                      int height, const slv_scissor *scissor, float reach,
                                      slv_error *error);

#endif
