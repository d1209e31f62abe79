// SPDX-License-Identifier: MIT
// Colors of partitions, and conversion between linear light and sRGB bytes.
#ifndef SLV_INSPECT_PALETTE_H
#define SLV_INSPECT_PALETTE_H

#include "tools/inspect/vec3.h"

#include <stdint.h>

// Linear RGB of a color out of count: two are red and black; more come from a set of well separated
// hues. SLV_UNCOLORED is a neutral cloth color.
slv_vec3 slv_palette_color(uint32_t color, uint32_t count);

slv_vec3 slv_palette_background(void);
slv_vec3 slv_palette_mesh(void);

// 0xRRGGBB in sRGB to linear light.
slv_vec3 slv_linear_of_srgb(uint32_t rgb);

// Conversion from linear light to sRGB bytes.
typedef struct slv_srgb_encoder {
    float threshold[255]; // linear value from which the byte is larger than the index
} slv_srgb_encoder;
void slv_srgb_encoder_init(slv_srgb_encoder *encoder);
uint8_t slv_srgb_encode(const slv_srgb_encoder *encoder, float linear);

#endif
