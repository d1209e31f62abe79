// SPDX-License-Identifier: MIT
#ifndef SLV_TOOLS_PNG_FILE_H
#define SLV_TOOLS_PNG_FILE_H

#include "formats/atomic_file.h"
#include "formats/result.h"

#include <stddef.h>
#include <stdint.h>

// Encodes 8-bit sRGB pixels, three bytes each, rows from the top. *bytes is to be freed.
slv_result slv_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes,
                          size_t *size, slv_error *error);

// Writes such pixels to a file.
slv_result slv_png_write(slv_atomic_file *file, const uint8_t *pixels, uint32_t width,
                         uint32_t height, slv_error *error);

typedef struct slv_png {
    uint32_t width, height;
    uint8_t *pixels; // [height][width][4] sRGB and opacity, rows from the bottom; for free()
} slv_png;

// The same from memory; `name` is used in messages.
slv_result slv_png_decode(const void *bytes, size_t size, const char *name, uint32_t side,
                          slv_png *png, slv_error *error);

// Reads any kind of PNG file of at most `side` pixels in each direction.
slv_result slv_png_read(const char *path, uint32_t side, slv_png *png, slv_error *error);

#endif
