// SPDX-License-Identifier: MIT
// Warp and weft pass over each other in turn; a thread on top is a round arc. The normal map is the numerical
// derivative of this height.
#include "runtime/player/view/weave.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SIDE = 256, THREADS = 16, CELL = SIDE / THREADS };

static uint32_t scramble(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

// A hash of the coordinates, 0 to 1; both coordinates wrap.
static float noise(int x, int y, uint32_t seed) {
    const uint32_t cell = (uint32_t)((x + SIDE) % SIDE) * 4099u + (uint32_t)((y + SIDE) % SIDE);
    return (float)(scramble(cell + seed * 0x9e3779b9u) & 0xffffu) / 65535.0f;
}

// Height of the upper thread of a crossing; `along` and `across` are -1 to 1.
static float bow(float along, float across) {
    const float round = sqrtf(fmaxf(1.0f - across * across, 0.0f));
    return round * (0.45f + 0.55f * cosf(1.5707963f * along));
}

static float height_at(int x, int y) {
    const int column = x / CELL;
    const int row = y / CELL;
    const float u = 2.0f * ((float)(x % CELL) + 0.5f) / (float)CELL - 1.0f;
    const float v = 2.0f * ((float)(y % CELL) + 0.5f) / (float)CELL - 1.0f;
    const bool warp = (column + row) % 2 == 0;
    const float fibers = warp ? noise(x, y / 6, 1) : noise(x / 6, y, 2);
    return (warp ? bow(v, u) : bow(u, v)) + 0.10f * (fibers - 0.5f);
}

// Threads differ slightly, and so do the fibers within a thread.
static float tint_at(int x, int y) {
    const bool warp = (x / CELL + y / CELL) % 2 == 0;
    const float thread = warp ? noise(x / CELL, 0, 3) : noise(0, y / CELL, 4);
    const float fiber = warp ? noise(x, y / 9, 5) : noise(x / 9, y, 6);
    return 0.6f * thread + 0.4f * fiber;
}

static uint8_t level(float value) {
    return (uint8_t)lrintf(255.0f * fminf(fmaxf(value, 0.0f), 1.0f));
}

static void fill(uint8_t *texels, const float *height) {
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            uint8_t *texel = texels + 4 * (y * SIDE + x);
            const float right = height[y * SIDE + (x + 1) % SIDE];
            const float left = height[y * SIDE + (x + SIDE - 1) % SIDE];
            const float above = height[(y + 1) % SIDE * SIDE + x];
            const float below = height[(y + SIDE - 1) % SIDE * SIDE + x];
            texel[0] = level(0.5f + 0.9f * (left - right));
            texel[1] = level(0.5f + 0.9f * (below - above));
            texel[2] = level(height[y * SIDE + x]);
            texel[3] = level(tint_at(x, y));
        }
    }
}

// The next mipmap level, in place: each texel is the mean of four. glGenerateMipmap compiles shaders in some drivers
// and delays the first picture.
static void halve(uint8_t *texels, int side) {
    const size_t row = 4 * (size_t)side;
    for (int y = 0; y < side / 2; y++) {
        for (int x = 0; x < side / 2; x++) {
            for (int c = 0; c < 4; c++) {
                const uint8_t *from = texels + 2 * (size_t)y * row + 8 * (size_t)x + c;
                const int sum = from[0] + from[4] + from[row] + from[row + 4];
                texels[4 * ((size_t)y * (size_t)side / 2 + (size_t)x) + (size_t)c] =
                    (uint8_t)((sum + 2) / 4);
            }
        }
    }
}

static GLuint upload(uint8_t *texels) {
    GLuint texture = 0;
    GLint levels = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (int side = SIDE; side > 0; side /= 2) {
        glTexImage2D(GL_TEXTURE_2D, levels++, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
        halve(texels, side);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, levels - 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return texture;
}

GLuint slv_weave_make(void) {
    float *height = malloc((size_t)SIDE * SIDE * sizeof *height);
    uint8_t *texels = malloc((size_t)SIDE * SIDE * 4);
    GLuint texture = 0;
    for (int i = 0; height && i < SIDE * SIDE; i++) {
        height[i] = height_at(i % SIDE, i / SIDE);
    }
    if (height && texels) {
        fill(texels, height);
        texture = upload(texels);
    }
    free(height);
    free(texels);
    return texture;
}
