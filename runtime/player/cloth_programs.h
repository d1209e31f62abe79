// SPDX-License-Identifier: MIT
// The shader programs that garments are moved and drawn with.
#ifndef SLV_PLAYER_CLOTH_PROGRAMS_H
#define SLV_PLAYER_CLOTH_PROGRAMS_H

#include "runtime/player/gl_program.h"
#include "runtime/player/vector.h"

// Texture units, the same in all programs.
enum {
    SLV_UNIT_SHADOW_DEPTH_0,
    SLV_UNIT_SHADOW_DEPTH_1,
    SLV_UNIT_SHADOW_TEST_0,
    SLV_UNIT_SHADOW_TEST_1,
    SLV_UNIT_WEAVE,
    SLV_UNIT_PICTURE,
    SLV_UNIT_TABLES // and the seven after it
};

typedef struct slv_cloth_programs {
    GLuint follow, normals;
    GLuint cloth[2];  // for the eye, for a light
    GLuint smooth[2]; // the same, tessellated; 0 where nothing can
    GLuint strands[2];
    GLuint particles[2];
} slv_cloth_programs;

slv_result slv_cloth_programs_make(slv_cloth_programs *programs, bool tessellation,
                                   slv_error *error);
void slv_cloth_programs_free(slv_cloth_programs *programs);

#endif
