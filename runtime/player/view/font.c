// SPDX-License-Identifier: MIT
#include "runtime/player/view/font.h"

#include <math.h>
#include <stdlib.h>

// The strokes of each letter from space to ~. Two characters per point: x from 0 to 4; y from a (2 below the
// baseline) over c (baseline) and h (height of small letters) to j (capitals). A space starts a new stroke.
static const char *const letters[SLV_FONT_LAST - SLV_FONT_FIRST] = {
    "",                                 // space
    "2j2f 2c2c",                        // !
    "1j1h 3j3h",                        // "
    "1d1i 3d3i 0e4e 0h4h",              // #
    "4h3i1i0h1g3f4e3d1d0e 2c2j",        // $
    "0c4j 0j1j1i0i0j 3d4d4c3c3d",       // %
    "4c1h1i2j3i3h0e0d1c2c4e",           // &
    "2j2h",                             // '
    "3j2i2d3c",                         // (
    "1j2i2d1c",                         // )
    "2d2h 0e4g 0g4e",                   // *
    "0f4f 2d2h",                        // +
    "2c1b",                             // ,
    "0f4f",                             // -
    "2c2c",                             // .
    "0c4j",                             // /
    "1c0d0i1j3j4i4d3c1c 1e3h",          // 0
    "1i2j2c 1c3c",                      // 1
    "0i1j3j4i4g0c4c",                   // 2
    "0j4j2g3g4f4d3c1c0d",               // 3
    "3c3j0e4e",                         // 4
    "4j0j0g3g4f4d3c1c0d",               // 5
    "4i3j1j0i0d1c3c4d4f3g1g0f",         // 6
    "0j4j1c",                           // 7
    "1g0h0i1j3j4i4h3g1g0f0d1c3c4d4f3g", // 8
    "0d1c3c4d4i3j1j0i0h1g3g4h",         // 9
    "2c2c 2g2g",                        // :
    "2c1b 2g2g",                        // ;
    "4h0f4d",                           // <
    "0e4e 0g4g",                        // =
    "0h4f0d",                           // >
    "0i1j3j4i4h2f2e 2c2c",              // ?
    "3e3g1g1e3e4e4i3j1j0i0d1c4c",       // @
    "0c2j4c 1e3e",                      // A
    "0c0j3j4i4h3g0g 3g4f4d3c0c",        // B
    "4i3j1j0i0d1c3c4d",                 // C
    "0c0j2j4h4e2c0c",                   // D
    "4j0j0c4c 0g3g",                    // E
    "4j0j0c 0g3g",                      // F
    "4i3j1j0i0d1c3c4d4f2f",             // G
    "0c0j 4c4j 0g4g",                   // H
    "1c3c 2c2j 1j3j",                   // I
    "0d1c2c3d3j",                       // J
    "0c0j 4j0f 1g4c",                   // K
    "0j0c4c",                           // L
    "0c0j2f4j4c",                       // M
    "0c0j4c4j",                         // N
    "1c0d0i1j3j4i4d3c1c",               // O
    "0c0j3j4i4g3f0f",                   // P
    "1c0d0i1j3j4i4d3c1c 2e4c",          // Q
    "0c0j3j4i4g3f0f 2f4c",              // R
    "4i3j1j0i0h1g3g4f4d3c1c0d",         // S
    "0j4j 2j2c",                        // T
    "0j0d1c3c4d4j",                     // U
    "0j2c4j",                           // V
    "0j1c2g3c4j",                       // W
    "0j4c 0c4j",                        // X
    "0j2g4j 2g2c",                      // Y
    "0j4j0c4c",                         // Z
    "3j1j1c3c",                         // [
    "0j4c",                             // backslash
    "1j3j3c1c",                         // ]
    "0h2j4h",                           // ^
    "0b4b",                             // _
    "1j2h",                             // `
    "0g1h3h4g4c 4f1f0e0d1c3c4d",        // a
    "0j0c 0g1h3h4g4d3c1c0d",            // b
    "4g3h1h0g0d1c3c4d",                 // c
    "4j4c 4g3h1h0g0d1c3c4d",            // d
    "0f4f4g3h1h0g0d1c3c4d",             // e
    "4j3j2i2c 1h4h",                    // f
    "4h4b3a1a0b 4g3h1h0g0d1c3c4d",      // g
    "0j0c 0g1h3h4g4c",                  // h
    "1h2h2c 1c3c 2j2j",                 // i
    "2h3h3b2a1a 3j3j",                  // j
    "0j0c 3h0e 1f3c",                   // k
    "1j2j2d3c",                         // l
    "0c0h 0g1h2g2c 2g3h4g4c",           // m
    "0c0h 0g1h3h4g4c",                  // n
    "1c0d0g1h3h4g4d3c1c",               // o
    "0a0h 0g1h3h4g4d3c1c0d",            // p
    "4a4h 4g3h1h0g0d1c3c4d",            // q
    "0c0h 0g1h3h4g",                    // r
    "4g3h1h0g1f3f4e4d3c1c0d",           // s
    "2j2d3c4c 1h4h",                    // t
    "0h0d1c3c4d 4h4c",                  // u
    "0h2c4h",                           // v
    "0h1c2f3c4h",                       // w
    "0h4c 0c4h",                        // x
    "0h2c 4h1a0a",                      // y
    "0h4h0c4c",                         // z
    "3j2i2g1f2e2d3c",                   // {
    "2j2b",                             // |
    "1j2i2g3f2e2d1c",                   // }
    "0f1g3e4f",                         // ~
};

static float distance_to(float px, float py, float ax, float ay, float bx, float by) {
    const float dx = bx - ax;
    const float dy = by - ay;
    const float length = dx * dx + dy * dy;
    float t = length > 0.0f ? ((px - ax) * dx + (py - ay) * dy) / length : 0.0f;
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    return hypotf(px - ax - t * dx, py - ay - t * dy);
}

// Distance of a point from the strokes, in units; y is up from the baseline.
static float distance_to_letter(const char *strokes, float x, float y) {
    float nearest = 1e9f;
    while (*strokes) {
        if (*strokes == ' ') {
            strokes++;
            continue;
        }
        const float ax = (float)(strokes[0] - '0');
        const float ay = (float)(strokes[1] - 'c');
        const bool last = strokes[2] == '\0' || strokes[2] == ' ';
        const float bx = last ? ax : (float)(strokes[2] - '0');
        const float by = last ? ay : (float)(strokes[3] - 'c');
        nearest = fminf(nearest, distance_to(x, y, ax, ay, bx, by));
        strokes += 2;
    }
    return nearest;
}

static void draw_letter(slv_font *font, int number, float unit) {
    const int left = number % SLV_FONT_COLUMNS * font->cell_width;
    const int top = number / SLV_FONT_COLUMNS * font->cell_height;
    const bool solid = number == SLV_FONT_LAST - SLV_FONT_FIRST;
    const float pen = fmaxf(0.42f * unit, 0.62f); // half the stroke width, pixels
    for (int row = 0; row < font->cell_height; row++) {
        for (int column = 0; column < font->cell_width; column++) {
            const float x = ((float)column + 0.5f) / unit - 1.0f;
            const float y = 8.0f - ((float)row + 0.5f) / unit;
            const float away = solid ? 0.0f : unit * distance_to_letter(letters[number], x, y);
            const float covered = fminf(fmaxf(pen - away + 0.5f, 0.0f), 1.0f);
            font->coverage[(top + row) * font->width + left + column] =
                (uint8_t)(solid ? 255 : lrintf(255.0f * covered));
        }
    }
}

bool slv_font_make(slv_font *font, float unit) {
    *font =
        (slv_font){.cell_width = (int)ceilf(6.0f * unit), .cell_height = (int)ceilf(11.0f * unit)};
    font->width = SLV_FONT_COLUMNS * font->cell_width;
    font->height = SLV_FONT_ROWS * font->cell_height;
    font->coverage = calloc((size_t)font->width * (size_t)font->height, 1);
    for (int i = 0; font->coverage && i <= SLV_FONT_LAST - SLV_FONT_FIRST; i++) {
        draw_letter(font, i, unit);
    }
    return font->coverage != NULL;
}

void slv_font_free(slv_font *font) {
    free(font->coverage);
    *font = (slv_font){.width = 0};
}
