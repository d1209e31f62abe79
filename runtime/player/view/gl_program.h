// SPDX-License-Identifier: MIT
// Shader programs, assembled from the files in shaders/, which the build embeds.
#ifndef SLV_PLAYER_GL_PROGRAM_H
#define SLV_PLAYER_GL_PROGRAM_H

#include "formats/result.h"

#include <GL/glew.h>

enum { SLV_SHADER_PIECES = 9 };

// The parts of a program. The source of a shader stage is a list of files of shaders/, concatenated.
typedef struct slv_program_parts {
    const char *name;    // for messages
    const char *defines; // "#define X 1\n…"; NULL = none
    const char *vertex[SLV_SHADER_PIECES];
    const char *control[SLV_SHADER_PIECES]; // tessellation, OpenGL 4; empty = none
    const char *evaluation[SLV_SHADER_PIECES];
    const char *geometry[SLV_SHADER_PIECES];
    const char *fragment[SLV_SHADER_PIECES]; // empty: transform feedback only
    const char *varyings[2];                 // outputs of transform feedback; NULL: none
} slv_program_parts;

// Compiles and links. The uniform block Frame, if present, is at binding point 0. *program is 0 on failure.
slv_result slv_program_make(const slv_program_parts *parts, GLuint *program, slv_error *error);

// "#define SAMPLES n" for shaders that read the G-buffer.
enum { SLV_SAMPLES_DEFINE = 32 };
const char *slv_define_samples(char text[SLV_SAMPLES_DEFINE], int samples);

// Binds a sampler of a program to a texture unit. A sampler that the driver has optimized away is no error.
void slv_program_sampler(GLuint program, const char *name, int unit);

typedef struct slv_sampler_unit {
    const char *name;
    int unit;
} slv_sampler_unit;

// Binds several samplers.
void slv_program_samplers(GLuint program, const slv_sampler_unit *units, size_t count);

// The text of shaders/NAME.glsl, empty where there is none; *size in bytes.
const char *slv_shader_text(const char *name, size_t *size);

#endif
