// SPDX-License-Identifier: MIT
// --picture: the garment drawn by a software renderer, as PNG. The same pack and options give the
// same pixels on any machine with any number of threads.
#ifndef SLV_INSPECT_PICTURE_H
#define SLV_INSPECT_PICTURE_H

#include "formats/garment.h"
#include "tools/inspect/scene.h"

#define SLV_PICTURE_SIDE_MIN 16u
#define SLV_PICTURE_SIDE_MAX 8192u // pixels; beyond it, floats no longer tell samples apart well

typedef struct slv_picture_options {
    uint32_t width, height; // pixels, SLV_PICTURE_SIDE_MIN … SLV_PICTURE_SIDE_MAX
    double azimuth;         // degrees around the vertical; 0 looks from +z, 90 from +x
    double elevation;       // degrees above the horizon, -90 … 90
    slv_scene_parts parts;
    unsigned threads; // >= 1
} slv_picture_options;

slv_picture_options slv_default_picture_options(void); // 1280 x 960, 35 and 28 degrees, particles

// 8-bit sRGB, three bytes a pixel, rows from the top; *pixels is to be freed.
slv_result slv_picture_draw(const slv_garment *garment, const slv_picture_options *options,
                            uint8_t **pixels, slv_error *error);

#endif
