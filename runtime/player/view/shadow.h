// SPDX-License-Identifier: MIT
// Two shadow maps, one per light. Shaders read the raw depth for the blocker search and compare depths for
// percentage-closer filtering.
#ifndef SLV_PLAYER_SHADOW_H
#define SLV_PLAYER_SHADOW_H

#include "formats/result.h"

#include <GL/glew.h>

typedef struct slv_shadows {
    GLuint textures[2];
    GLuint framebuffers[2];
    GLuint samplers[2]; // raw depth, comparison
    int side;           // pixels
} slv_shadows;

slv_result slv_shadows_make(slv_shadows *shadows, int side, slv_error *error);
void slv_shadows_free(slv_shadows *shadows);

// Drawing goes into the shadow map of a light until slv_shadows_end.
void slv_shadows_begin(const slv_shadows *shadows, int light);
void slv_shadows_end(void);
// Binds both maps, each for raw reads and for comparison.
void slv_shadows_bind(const slv_shadows *shadows);

#endif
