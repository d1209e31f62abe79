// SPDX-License-Identifier: MIT
// Colors: what each partition looks like, and the way between linear light and sRGB bytes.
#ifndef SLV_INSPECT_PALETTE_H
#define SLV_INSPECT_PALETTE_H

#include "tools/inspect/vec3.h"

#include <stdint.h>

// Linear RGB of a color out of count: two are red and black, as the papers print them; more come
// from a set of well separated hues. SLV_UNCOLORED is that of undyed cloth.
slv_vec3 slv_palette_color(uint32_t color, uint32_t count);

slv_vec3 slv_palette_background(void);
slv_vec3 slv_palette_mesh(void);

// 0xRRGGBB in sRGB to linear light.
slv_vec3 slv_linear_of_srgb(uint32_t rgb);

// The way back, for whole pictures.
typedef struct slv_srgb_encoder {
    float threshold[255]; // linear light from which the byte is one more
} slv_srgb_encoder;
void slv_srgb_encoder_init(slv_srgb_encoder *encoder);
uint8_t slv_srgb_encode(const slv_srgb_encoder *encoder, float linear);

#endif
