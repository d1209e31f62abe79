// SPDX-License-Identifier: MIT
// Boxes and text on top of the picture, collected and drawn in one call. Lengths are points: one pixel on a
// standard screen, several on a high-density screen.
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
    float scale;      // pixels per point
    int letter, line; // width and height of a letter, pixels
    int atlas_width, atlas_height;
    int width, height; // of the framebuffer, pixels
    slv_overlay_vertex *vertices;
    size_t count, room;
} slv_overlay;

typedef struct slv_color {
    uint8_t r, g, b, a; // sRGB, alpha not premultiplied
} slv_color;

enum { SLV_OVERLAY_LETTER = 9, SLV_OVERLAY_LINE = 17 }; // points

slv_result slv_overlay_make(slv_overlay *overlay, slv_error *error);
void slv_overlay_free(slv_overlay *overlay);

void slv_overlay_begin(slv_overlay *overlay, int width, int height, float scale);
void slv_overlay_box(slv_overlay *overlay, float x, float y, float width, float height,
                     slv_color color);
// (x, y) is the top left corner. Other than ASCII letters become question marks. Returns the x of the end.
float slv_overlay_text(slv_overlay *overlay, float x, float y, slv_color color, const char *text);
float slv_overlay_print(slv_overlay *overlay, float x, float y, slv_color color, const char *format,
                        ...) SLV_PRINTF(5, 6);
void slv_overlay_end(slv_overlay *overlay, GLuint framebuffer);

// Width and height of the framebuffer in points.
float slv_overlay_width(const slv_overlay *overlay);
float slv_overlay_height(const slv_overlay *overlay);

#endif
