// SPDX-License-Identifier: MIT
#include "runtime/player/flat.h"

#include "runtime/player/font.h"
#include "runtime/player/gl_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const float font_unit = 1.5f; // points: letters of 4 x 7 units

static const slv_program_parts parts = {
    .name = "flat", .vertex = {"flat_vertex"}, .fragment = {"flat_fragment"}};

slv_result slv_flat_make(slv_flat *flat, slv_error *error) {
    *flat = (slv_flat){.scale = 0.0f};
    const slv_result result = slv_program_make(&parts, &flat->program, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_program_sampler(flat->program, "letters", 0);
    glGenTextures(1, &flat->texture);
    glGenBuffers(1, &flat->buffer);
    glGenVertexArrays(1, &flat->array);
    glBindVertexArray(flat->array);
    glBindBuffer(GL_ARRAY_BUFFER, flat->buffer);
    const GLsizei stride = sizeof(slv_flat_vertex);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, NULL);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(slv_flat_vertex, color) /* NOLINT */);
    glBindVertexArray(0);
    return SLV_OK;
}

void slv_flat_free(slv_flat *flat) {
    glDeleteProgram(flat->program);
    glDeleteTextures(1, &flat->texture);
    glDeleteBuffers(1, &flat->buffer);
    glDeleteVertexArrays(1, &flat->array);
    free(flat->vertices);
    *flat = (slv_flat){.scale = 0.0f};
}

// Letters are drawn anew for each density of the screen.
static void make_letters(slv_flat *flat, float scale) {
    slv_font font;
    flat->scale = scale;
    if (!slv_font_make(&font, font_unit * scale)) {
        return;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, flat->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, font.width, font.height, 0, GL_RED, GL_UNSIGNED_BYTE,
                 font.coverage);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    flat->letter = font.cell_width;
    flat->line = font.cell_height;
    flat->atlas_width = font.width;
    flat->atlas_height = font.height;
    slv_font_free(&font);
}

void slv_flat_begin(slv_flat *flat, int width, int height, float scale) {
    flat->width = width;
    flat->height = height;
    flat->count = 0;
    if (flat->scale != scale) {
        make_letters(flat, scale);
    }
}

float slv_flat_width(const slv_flat *flat) {
    return (float)flat->width / flat->scale;
}

float slv_flat_height(const slv_flat *flat) {
    return (float)flat->height / flat->scale;
}

// --- Collecting ----------------------------------------------------------------------------------

// A rectangle in pixels that shows a rectangle of the letters' picture, in pixels too.
static void add_quad(slv_flat *flat, const float at[4], const float from[4], slv_color color) {
    static const int corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    if (flat->count + 6 > flat->room) {
        const size_t room = flat->room ? 2 * flat->room : 4096;
        slv_flat_vertex *vertices = realloc(flat->vertices, room * sizeof *vertices);
        if (vertices == NULL) {
            return; // less is shown
        }
        flat->vertices = vertices;
        flat->room = room;
    }
    for (int i = 0; i < 6; i++) {
        const float right = (float)corners[i][0];
        const float down = (float)corners[i][1];
        flat->vertices[flat->count++] =
            (slv_flat_vertex){.x = 2.0f * (at[0] + right * at[2]) / (float)flat->width - 1.0f,
                              .y = 1.0f - 2.0f * (at[1] + down * at[3]) / (float)flat->height,
                              .u = (from[0] + right * from[2]) / (float)flat->atlas_width,
                              .v = (from[1] + down * from[3]) / (float)flat->atlas_height,
                              .color = {color.r, color.g, color.b, color.a}};
    }
}

void slv_flat_box(slv_flat *flat, float x, float y, float width, float height, slv_color color) {
    const float s = flat->scale;
    const int solid = SLV_FONT_LAST - SLV_FONT_FIRST;
    const int column = solid % SLV_FONT_COLUMNS;
    const int row = solid / SLV_FONT_COLUMNS;
    const float at[4] = {x * s, y * s, width * s, height * s};
    const float from[4] = {((float)column + 0.5f) * (float)flat->letter,
                           ((float)row + 0.5f) * (float)flat->line, 0.0f, 0.0f};
    add_quad(flat, at, from, color);
}

static void add_letter(slv_flat *flat, float x, float y, slv_color color, int letter) {
    const int number = letter - SLV_FONT_FIRST;
    const int column = number % SLV_FONT_COLUMNS;
    const int row = number / SLV_FONT_COLUMNS;
    const float width = (float)flat->letter;
    const float height = (float)flat->line;
    const float at[4] = {x, y, width, height};
    const float from[4] = {(float)column * width, (float)row * height, width, height};
    add_quad(flat, at, from, color);
}

float slv_flat_text(slv_flat *flat, float x, float y, slv_color color, const char *text) {
    // On whole pixels, or letters would blur.
    float at = (float)(int)(x * flat->scale);
    const float top = (float)(int)(y * flat->scale);
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if ((byte & 0xC0u) == 0x80u) {
            continue; // the rest of a letter beyond ASCII
        }
        if (byte != ' ') {
            add_letter(flat, at, top, color, byte > 32 && byte < SLV_FONT_LAST ? byte : '?');
        }
        at += (float)flat->letter;
    }
    return at / flat->scale;
}

float slv_flat_print(slv_flat *flat, float x, float y, slv_color color, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return slv_flat_text(flat, x, y, color, text);
}

void slv_flat_end(slv_flat *flat, GLuint framebuffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, flat->width, flat->height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(flat->program);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, flat->texture);
    glBindVertexArray(flat->array);
    glBindBuffer(GL_ARRAY_BUFFER, flat->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(flat->count * sizeof *flat->vertices),
                 flat->vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)flat->count);
    glBindVertexArray(0);
    glDisable(GL_BLEND);
}
