// SPDX-License-Identifier: MIT
// The shader programs that garments and solids are moved and drawn with. Each is compiled when it is
// first used: the first picture need not wait for views that nobody has asked for.
#ifndef SLV_PLAYER_CLOTH_PROGRAMS_H
#define SLV_PLAYER_CLOTH_PROGRAMS_H

#include "runtime/player/view/gl_program.h"
#include "runtime/player/view/vector.h"

#include <stdbool.h>

// Texture units, the same in all programs.
enum {
    SLV_UNIT_SHADOW_DEPTH_0,
    SLV_UNIT_SHADOW_DEPTH_1,
    SLV_UNIT_SHADOW_TEST_0,
    SLV_UNIT_SHADOW_TEST_1,
    SLV_UNIT_WEAVE,
    SLV_UNIT_PICTURE,
    SLV_UNIT_TABLES,                   // and the seven after it
    SLV_UNIT_ALBEDO = SLV_UNIT_TABLES, // what is kept of surfaces
    SLV_UNIT_NORMALS,
    SLV_UNIT_DEPTH,
    SLV_UNIT_AMBIENT_OCCLUSION
};

typedef enum slv_program_kind {
    SLV_PROGRAM_SKIN,
    SLV_PROGRAM_NORMALS,
    SLV_PROGRAM_CLOTH, // for the eye; the next one is for a light, as below
    SLV_PROGRAM_CLOTH_SHADOW,
    SLV_PROGRAM_SMOOTH, // rounded between vertices
    SLV_PROGRAM_SMOOTH_SHADOW,
    SLV_PROGRAM_SEGMENTS,
    SLV_PROGRAM_SEGMENTS_SHADOW,
    SLV_PROGRAM_PARTICLES,
    SLV_PROGRAM_PARTICLES_SHADOW,
    SLV_PROGRAM_SOLID,
    SLV_PROGRAM_SOLID_SHADOW,
    SLV_PROGRAM_KINDS
} slv_program_kind;

typedef struct slv_cloth_programs { // starts zeroed
    bool tessellation;              // OpenGL 4
    GLuint programs[SLV_PROGRAM_KINDS];
    slv_error error; // of the first that the driver refused
} slv_cloth_programs;

// 0, and the reason in error, where the driver refuses it.
GLuint slv_cloth_program(slv_cloth_programs *programs, slv_program_kind kind);
void slv_cloth_programs_free(slv_cloth_programs *programs);

#endif
