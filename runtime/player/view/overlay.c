// SPDX-License-Identifier: MIT
#include "runtime/player/view/overlay.h"

#include "runtime/player/view/font.h"
#include "runtime/player/view/gl_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const float font_unit = 1.5f; // points: letters of 4 x 7 units

static const slv_program_parts parts = {
    .name = "overlay", .vertex = {"overlay_vertex"}, .fragment = {"overlay_fragment"}};

slv_result slv_overlay_make(slv_overlay *overlay, slv_error *error) {
    *overlay = (slv_overlay){.scale = 0.0f};
    const slv_result result = slv_program_make(&parts, &overlay->program, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_program_sampler(overlay->program, "letters", 0);
    glGenTextures(1, &overlay->texture);
    glGenBuffers(1, &overlay->buffer);
    glGenVertexArrays(1, &overlay->array);
    glBindVertexArray(overlay->array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    const GLsizei stride = sizeof(slv_overlay_vertex);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, NULL);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(slv_overlay_vertex, color) /* NOLINT */);
    glBindVertexArray(0);
    return SLV_OK;
}

void slv_overlay_free(slv_overlay *overlay) {
    glDeleteProgram(overlay->program);
    glDeleteTextures(1, &overlay->texture);
    glDeleteBuffers(1, &overlay->buffer);
    glDeleteVertexArrays(1, &overlay->array);
    free(overlay->vertices);
    *overlay = (slv_overlay){.scale = 0.0f};
}

// The atlas is rasterized for each screen density.
static void make_letters(slv_overlay *overlay, float scale) {
    slv_font font;
    overlay->scale = scale;
    if (!slv_font_make(&font, font_unit * scale)) {
        return;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, overlay->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, font.width, font.height, 0, GL_RED, GL_UNSIGNED_BYTE,
                 font.coverage);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    overlay->letter = font.cell_width;
    overlay->line = font.cell_height;
    overlay->atlas_width = font.width;
    overlay->atlas_height = font.height;
    slv_font_free(&font);
}

void slv_overlay_begin(slv_overlay *overlay, int width, int height, float scale) {
    overlay->width = width;
    overlay->height = height;
    overlay->count = 0;
    if (overlay->scale != scale) {
        make_letters(overlay, scale);
    }
}

float slv_overlay_width(const slv_overlay *overlay) {
    return (float)overlay->width / overlay->scale;
}

float slv_overlay_height(const slv_overlay *overlay) {
    return (float)overlay->height / overlay->scale;
}

// --- Collecting ----------------------------------------------------------------------------------

// A rectangle of the screen that shows a rectangle of the atlas; both in pixels.
static void add_quad(slv_overlay *overlay, const float at[4], const float from[4],
                     slv_color color) {
    static const int corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    if (overlay->count + 6 > overlay->room) {
        const size_t room = overlay->room ? 2 * overlay->room : 4096;
        slv_overlay_vertex *vertices = realloc(overlay->vertices, room * sizeof *vertices);
        if (vertices == NULL) {
            return; // out of memory: this quad is omitted
        }
        overlay->vertices = vertices;
        overlay->room = room;
    }
    for (int i = 0; i < 6; i++) {
        const float right = (float)corners[i][0];
        const float down = (float)corners[i][1];
        overlay->vertices[overlay->count++] =
            (slv_overlay_vertex){.x = 2.0f * (at[0] + right * at[2]) / (float)overlay->width - 1.0f,
                                 .y = 1.0f - 2.0f * (at[1] + down * at[3]) / (float)overlay->height,
                                 .u = (from[0] + right * from[2]) / (float)overlay->atlas_width,
                                 .v = (from[1] + down * from[3]) / (float)overlay->atlas_height,
                                 .color = {color.r, color.g, color.b, color.a}};
    }
}

void slv_overlay_box(slv_overlay *overlay, float x, float y, float width, float height,
                     slv_color color) {
    const float s = overlay->scale;
    const int solid = SLV_FONT_LAST - SLV_FONT_FIRST;
    const int column = solid % SLV_FONT_COLUMNS;
    const int row = solid / SLV_FONT_COLUMNS;
    const float at[4] = {x * s, y * s, width * s, height * s};
    const float from[4] = {((float)column + 0.5f) * (float)overlay->letter,
                           ((float)row + 0.5f) * (float)overlay->line, 0.0f, 0.0f};
    add_quad(overlay, at, from, color);
}

static void add_letter(slv_overlay *overlay, float x, float y, slv_color color, int letter) {
    const int number = letter - SLV_FONT_FIRST;
    const int column = number % SLV_FONT_COLUMNS;
    const int row = number / SLV_FONT_COLUMNS;
    const float width = (float)overlay->letter;
    const float height = (float)overlay->line;
    const float at[4] = {x, y, width, height};
    const float from[4] = {(float)column * width, (float)row * height, width, height};
    add_quad(overlay, at, from, color);
}

float slv_overlay_text(slv_overlay *overlay, float x, float y, slv_color color, const char *text) {
    // Whole pixels keep letters sharp.
    float at = (float)(int)(x * overlay->scale);
    const float top = (float)(int)(y * overlay->scale);
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if ((byte & 0xC0u) == 0x80u) {
            continue; // continuation byte of UTF-8
        }
        if (byte != ' ') {
            add_letter(overlay, at, top, color, byte > 32 && byte < SLV_FONT_LAST ? byte : '?');
        }
        at += (float)overlay->letter;
    }
    return at / overlay->scale;
}

float slv_overlay_print(slv_overlay *overlay, float x, float y, slv_color color, const char *format,
                        ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return slv_overlay_text(overlay, x, y, color, text);
}

void slv_overlay_end(slv_overlay *overlay, GLuint framebuffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, overlay->width, overlay->height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(overlay->program);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, overlay->texture);
    glBindVertexArray(overlay->array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(overlay->count * sizeof *overlay->vertices),
                 overlay->vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)overlay->count);
    glBindVertexArray(0);
    glDisable(GL_BLEND);
}
