// SPDX-License-Identifier: MIT
// The shader programs that skin and draw garments and solids. Each is compiled at its first use, so that the
// first picture does not wait for programs of other view modes.
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
    SLV_UNIT_TABLES,                   // this unit and the next seven
    SLV_UNIT_ALBEDO = SLV_UNIT_TABLES, // G-buffer
    SLV_UNIT_NORMALS,
    SLV_UNIT_DEPTH,
    SLV_UNIT_AMBIENT_OCCLUSION
};

typedef enum slv_program_kind {
    SLV_PROGRAM_SKIN,
    SLV_PROGRAM_NORMALS,
    SLV_PROGRAM_CLOTH, // camera pass; the next one is its shadow pass, and so on
    SLV_PROGRAM_CLOTH_SHADOW,
    SLV_PROGRAM_SMOOTH, // point-normal triangles
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
    slv_error error; // of the first program that failed
} slv_cloth_programs;

// 0 where the program does not compile or link; programs->error has the reason.
GLuint slv_cloth_program(slv_cloth_programs *programs, slv_program_kind kind);
void slv_cloth_programs_free(slv_cloth_programs *programs);

#endif
