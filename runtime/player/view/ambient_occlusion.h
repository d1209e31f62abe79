// SPDX-License-Identifier: MIT
// Corners and folds get less of the light that comes from all around: how much of it arrives is judged by
// the depth of what is seen nearby, at half the picture's size, and smoothed (ambient occlusion).
#ifndef SLV_PLAYER_AMBIENT_OCCLUSION_H
#define SLV_PLAYER_AMBIENT_OCCLUSION_H

#include "formats/result.h"
#include "runtime/player/view/scissor.h"

#include <GL/glew.h>

typedef struct slv_ambient_occlusion {
    GLuint programs[2]; // judge, smooth
    GLuint framebuffers[2];
    GLuint textures[2]; // share of light, depth in metres; the second one is the result
    int width, height;  // of these
    int samples;        // of the pictures
} slv_ambient_occlusion;

// For pictures of this many samples a pixel.
slv_result slv_ambient_occlusion_make(slv_ambient_occlusion *occlusion, int samples,
                                      slv_error *error);
void slv_ambient_occlusion_free(slv_ambient_occlusion *occlusion);

// From the depth of a picture of this size, for an area of it; `reach` in metres is how far things keep light
// away. The block Frame is bound, an empty vertex array too.
slv_result slv_ambient_occlusion_draw(slv_ambient_occlusion *occlusion, GLuint depth, int width,
                                      int height, const slv_scissor *scissor, float reach,
                                      slv_error *error);

#endif
