// SPDX-License-Identifier: MIT
// A framebuffer for drawing without a window, and the pixels of any framebuffer.
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

// `own`: with its own framebuffer; otherwise it reads framebuffer 0, that of the window.
slv_result slv_picture_make(slv_picture *picture, int width, int height, bool own,
                            slv_error *error);
void slv_picture_free(slv_picture *picture);

// Reads the pixels of the framebuffer.
void slv_picture_read(slv_picture *picture);

// Writes the pixels as a PNG file, atomically.
slv_result slv_picture_save(const slv_picture *picture, const char *path, slv_error *error);

#endif
