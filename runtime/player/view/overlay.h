// SPDX-License-Identifier: MIT
// Flat things on top of the picture: boxes and text, collected and drawn at once. Lengths are points: a
// pixel on a plain screen, more on a dense one.
#ifndef SLV_PLAYER_OVERLAY_H
#define SLV_PLAYER_OVERLAY_H

#include "formats/result.h"

#include <GL/glew.h>
#include <stdint.h>

typedef struct slv_overlay_vertex {
    float x, y, u, v;
    uint8_t color[4];
} slv_overlay_vertex;

typedef struct slv_overlay {
    GLuint program, texture, buffer, array;
    float scale;      // pixels to a point
    int letter, line; // width and height of a letter, pixels
    int atlas_width, atlas_height;
    int width, height; // of the framebuffer, pixels
    slv_overlay_vertex *vertices;
    size_t count, room;
} slv_overlay;

typedef struct slv_color {
    uint8_t r, g, b, a; // sRGB, not multiplied
} slv_color;

enum { SLV_OVERLAY_LETTER = 9, SLV_OVERLAY_LINE = 17 }; // points

slv_result slv_overlay_make(slv_overlay *overlay, slv_error *error);
void slv_overlay_free(slv_overlay *overlay);

void slv_overlay_begin(slv_overlay *overlay, int width, int height, float scale);
void slv_overlay_box(slv_overlay *overlay, float x, float y, float width, float height,
                     slv_color color);
// From the top left corner; letters that are not ASCII become question marks. Returns the end's x.
float slv_overlay_text(slv_overlay *overlay, float x, float y, slv_color color, const char *text);
float slv_overlay_print(slv_overlay *overlay, float x, float y, slv_color color, const char *format,
                        ...) SLV_PRINTF(5, 6);
void slv_overlay_end(slv_overlay *overlay, GLuint framebuffer);

// Width and height of the framebuffer in points.
float slv_overlay_width(const slv_overlay *overlay);
float slv_overlay_height(const slv_overlay *overlay);

#endif
