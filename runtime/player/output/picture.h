// SPDX-License-Identifier: MIT
// A framebuffer to draw into where there is no window, and pixels out of any framebuffer.
#ifndef SLV_PLAYER_PICTURE_H
#define SLV_PLAYER_PICTURE_H

#include "formats/result.h"

#include <GL/glew.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct slv_picture {
    int width, height;
    GLuint framebuffer, texture;
    uint8_t *pixels; // [height][width][3] sRGB, rows from the top
} slv_picture;

// With a framebuffer of its own, or for reading another (framebuffer 0 stays 0).
slv_result slv_picture_make(slv_picture *picture, int width, int height, bool own,
                            slv_error *error);
void slv_picture_free(slv_picture *picture);

// Fetches what has been drawn.
void slv_picture_read(slv_picture *picture);

// Writes the pixels as a PNG file, whole or not at all.
slv_result slv_picture_save(const slv_picture *picture, const char *path, slv_error *error);

#endif
