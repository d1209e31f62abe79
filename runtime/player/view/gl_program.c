// SPDX-License-Identifier: MIT
#include "runtime/player/view/gl_program.h"

#include <stdio.h>
#include <string.h>

enum { LOG_SIZE = 400 };

static slv_result compile(const slv_program_parts *parts, GLenum stage, const char *const *pieces,
                          GLuint program, slv_error *error) {
    const char *texts[SLV_SHADER_PIECES + 2];
    GLint sizes[SLV_SHADER_PIECES + 2];
    const char *version = parts->control[0] ? "#version 400 core\n" : "#version 330 core\n";
    const char *defines = parts->defines ? parts->defines : "\n";
    GLsizei count = 2;
    texts[0] = version;
    texts[1] = defines;
    sizes[0] = (GLint)strlen(version);
    sizes[1] = (GLint)strlen(defines);
    for (int i = 0; i < SLV_SHADER_PIECES && pieces[i]; i++) {
        size_t size = 0;
        texts[count] = slv_shader_text(pieces[i], &size);
        sizes[count++] = (GLint)size;
    }
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, count, texts, sizes);
    glCompileShader(shader);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    slv_result result = SLV_OK;
    if (!compiled) {
        char log[LOG_SIZE] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        result = slv_fail(error, SLV_ERROR_UNSUPPORTED,
                          "the OpenGL driver refuses the shader %s: %s", parts->name, log);
    }
    glAttachShader(program, shader);
    glDeleteShader(shader); // deleted with the program
    return result;
}

static slv_result link(const slv_program_parts *parts, GLuint program, slv_error *error) {
    GLsizei kept = 0;
    while (kept < 2 && parts->varyings[kept]) {
        kept++;
    }
    if (kept > 0) {
        glTransformFeedbackVaryings(program, kept, parts->varyings, GL_INTERLEAVED_ATTRIBS);
    }
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[LOG_SIZE] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "the OpenGL driver cannot link %s: %s",
                        parts->name, log);
    }
    const GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, 0);
    }
    return SLV_OK;
}

slv_result slv_program_make(const slv_program_parts *parts, GLuint *program, slv_error *error) {
    const struct {
        GLenum stage;
        const char *const *pieces;
    } stages[] = {
        {GL_VERTEX_SHADER, parts->vertex},
        {GL_TESS_CONTROL_SHADER, parts->control},
        {GL_TESS_EVALUATION_SHADER, parts->evaluation},
        {GL_GEOMETRY_SHADER, parts->geometry},
        {GL_FRAGMENT_SHADER, parts->fragment},
    };
    *program = glCreateProgram();
    slv_result result = SLV_OK;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && result == SLV_OK; i++) {
        if (stages[i].pieces[0]) {
            result = compile(parts, stages[i].stage, stages[i].pieces, *program, error);
        }
    }
    if (result == SLV_OK) {
        result = link(parts, *program, error);
    }
    if (result != SLV_OK) {
        glDeleteProgram(*program);
        *program = 0;
    }
    return result;
}

void slv_program_sampler(GLuint program, const char *name, int unit) {
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, name), unit); // location -1 is ignored
}

void slv_program_samplers(GLuint program, const slv_sampler_unit *units, size_t count) {
    for (size_t i = 0; i < count; i++) {
        slv_program_sampler(program, units[i].name, units[i].unit);
    }
}

const char *slv_define_samples(char text[SLV_SAMPLES_DEFINE], int samples) {
    (void)snprintf(text, SLV_SAMPLES_DEFINE, "#define SAMPLES %d\n", samples);
    return text;
}
