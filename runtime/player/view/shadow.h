// SPDX-License-Identifier: MIT
// Two shadow maps, one a light: depth seen from there, read raw to find what casts a shadow and by
// comparison to soften it.
#ifndef SLV_PLAYER_SHADOW_H
#define SLV_PLAYER_SHADOW_H

#include "formats/result.h"

#include <GL/glew.h>

typedef struct slv_shadows {
    GLuint textures[2];
    GLuint framebuffers[2];
    GLuint samplers[2]; // raw, comparing
    int side;           // pixels
} slv_shadows;

slv_result slv_shadows_make(slv_shadows *shadows, int side, slv_error *error);
void slv_shadows_free(slv_shadows *shadows);

// Until slv_shadows_end, depth is drawn into the map of a light.
void slv_shadows_begin(const slv_shadows *shadows, int light);
void slv_shadows_end(void);
// Binds both maps for reading, each in both ways.
void slv_shadows_bind(const slv_shadows *shadows);

#endif
