// SPDX-License-Identifier: MIT
// Flat things on top of the picture: boxes and text, collected and drawn at once. Lengths are points: a
// pixel on a plain screen, more on a dense one.
#ifndef SLV_PLAYER_FLAT_H
#define SLV_PLAYER_FLAT_H

#include "runtime/player/gl.h"

#include <stdint.h>

typedef struct slv_flat_vertex {
    float x, y, u, v;
    uint8_t color[4];
} slv_flat_vertex;

typedef struct slv_flat {
    GLuint program, texture, buffer, array;
    float scale;      // pixels to a point
    int letter, line; // width and height of a letter, pixels
    int atlas_width, atlas_height;
    int width, height; // of the framebuffer, pixels
    slv_flat_vertex *vertices;
    size_t count, room;
} slv_flat;

typedef struct slv_color {
    uint8_t r, g, b, a; // sRGB, not multiplied
} slv_color;

enum { SLV_FLAT_LETTER = 9, SLV_FLAT_LINE = 17 }; // points

slv_result slv_flat_make(slv_flat *flat, slv_error *error);
void slv_flat_free(slv_flat *flat);

void slv_flat_begin(slv_flat *flat, int width, int height, float scale);
void slv_flat_box(slv_flat *flat, float x, float y, float width, float height, slv_color color);
// From the top left corner; letters that are not ASCII become question marks. Returns the end's x.
float slv_flat_text(slv_flat *flat, float x, float y, slv_color color, const char *text);
float slv_flat_print(slv_flat *flat, float x, float y, slv_color color, const char *format, ...)
    SLV_PRINTF(5, 6);
void slv_flat_end(slv_flat *flat, GLuint framebuffer);

// Width and height of the framebuffer in points.
float slv_flat_width(const slv_flat *flat);
float slv_flat_height(const slv_flat *flat);

#endif
