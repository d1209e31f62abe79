// SPDX-License-Identifier: MIT
// The power 2.4 = 12/5 of sRGB is computed by a fifth root and multiplications: pow() may differ by
// a bit between C libraries, and pictures must be reproducible.
#include "tools/inspect/palette.h"

#include "kernels/types.h"

#include <stddef.h>

static double fifth_root(double value) {
    double root = 1.0; // value is in (0, 1.2]: Newton converges from above
    for (int i = 0; i < 60; i++) {
        double fourth = root * root * root * root;
        root -= (root - value / fourth) / 5.0;
    }
    return root;
}

static double linear_of_value(double srgb) {
    if (srgb <= 0.04045) {
        return srgb / 12.92;
    }
    double base = (srgb + 0.055) / 1.055;
    double root = fifth_root(base);
    return base * base * root * root;
}

slv_vec3 slv_linear_of_srgb(uint32_t rgb) {
    return (slv_vec3){(float)linear_of_value((double)(rgb >> 16 & 255u) / 255.0),
                      (float)linear_of_value((double)(rgb >> 8 & 255u) / 255.0),
                      (float)linear_of_value((double)(rgb & 255u) / 255.0)};
}

slv_vec3 slv_palette_background(void) {
    return slv_linear_of_srgb(0xF3F2EF);
}

slv_vec3 slv_palette_mesh(void) {
    return slv_linear_of_srgb(0x8FA9C4);
}

slv_vec3 slv_palette_color(uint32_t color, uint32_t count) {
    static const uint32_t red_black[] = {0xC8222B, 0x24262B};
    // Consecutive colors differ in hue and lightness, so that adjacent partitions are
    // distinguishable.
    static const uint32_t many[] = {0xC8382F, 0x2F6FB3, 0xE3A72F, 0x3C9A5F, 0x7A4FA3, 0xE07B39,
                                    0x2FA3A8, 0xB83B78, 0x8A9A2B, 0x5A6B8C, 0xD98CA6, 0x7B5A3C};
    if (color == SLV_UNCOLORED) {
        return slv_linear_of_srgb(0xD9CBB2);
    }
    if (count <= 2) {
        return slv_linear_of_srgb(red_black[color % 2]);
    }
    return slv_linear_of_srgb(many[color % (sizeof many / sizeof many[0])]);
}

void slv_srgb_encoder_init(slv_srgb_encoder *encoder) {
    for (int i = 0; i < 255; i++) {
        encoder->threshold[i] = (float)linear_of_value((i + 0.5) / 255.0);
    }
}

uint8_t slv_srgb_encode(const slv_srgb_encoder *encoder, float linear) {
    uint32_t value = 0;
    for (uint32_t step = 128; step > 0; step /= 2) {
        if (linear >= encoder->threshold[value + step - 1]) {
            value += step;
        }
    }
    return (uint8_t)value;
}
