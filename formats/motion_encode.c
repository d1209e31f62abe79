// SPDX-License-Identifier: MIT
#include "formats/file_bytes.h"
#include "formats/motion.h"
#include "formats/motion_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// Higher levels save a few per cent more and take many times as long (bench/bake has the figures).
enum { LEVEL = 12 };

struct slv_motion_encoder {
    const slv_motion *motion;
    ZSTD_CCtx *zstd;
    float *rows;       // [count][SLV_ROW_FLOATS] as they will be decoded
    uint8_t *keys;     // [4][3][count]
    uint8_t *tokens;   // [count][SLV_TOKEN_STEPS]
    uint32_t *escaped; // [escapes][3]
    uint8_t *escapes;  // [4][3][escapes]
    uint8_t *stored;
    size_t stored_room;
};

slv_motion_encoder *slv_motion_encoder_create(const slv_motion *motion) {
    const size_t count = motion->count;
    slv_motion_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) {
        return NULL;
    }
    encoder->motion = motion;
    encoder->zstd = ZSTD_createCCtx();
    encoder->rows = slv_aligned_bytes(count * SLV_ROW_FLOATS * sizeof(float));
    encoder->keys = malloc(12 * count + 1);
    encoder->tokens = malloc(SLV_TOKEN_STEPS * count + 1);
    encoder->escaped = malloc((3 * SLV_TOKEN_STEPS * count + 1) * sizeof *encoder->escaped);
    encoder->escapes = malloc(12 * SLV_TOKEN_STEPS * count + 1);
    encoder->stored_room = ZSTD_compressBound(12 * count) +
                           ZSTD_compressBound(SLV_TOKEN_STEPS * count) +
                           ZSTD_compressBound(12 * SLV_TOKEN_STEPS * count);
    encoder->stored = malloc(encoder->stored_room);
    if (!encoder->zstd || !encoder->rows || !encoder->keys || !encoder->tokens ||
        !encoder->escaped || !encoder->escapes || !encoder->stored ||
        ZSTD_isError(ZSTD_CCtx_setParameter(encoder->zstd, ZSTD_c_compressionLevel, LEVEL))) {
        slv_motion_encoder_destroy(encoder);
        return NULL;
    }
    return encoder;
}

void slv_motion_encoder_destroy(slv_motion_encoder *encoder) {
    if (encoder) {
        (void)ZSTD_freeCCtx(encoder->zstd);
        free(encoder->rows);
        free(encoder->keys);
        free(encoder->tokens);
        free(encoder->escaped);
        free(encoder->escapes);
        free(encoder->stored);
        free(encoder);
    }
}

// --- Residuals ----------------------------------------------------------------------------------

// One coordinate of a point over the group's frames.
static void quantize(const slv_motion *motion, const double *original, size_t original_pitch,
                     const float *predicted, double tolerance, float *row, int32_t *residual) {
    const double step = (double)motion->step;
    for (int f = 0; f < SLV_GROUP_FRAMES; f++) {
        const double target = original[(size_t)f * original_pitch];
        int32_t chosen = f > 0 ? residual[f - 1] : 0;
        row[f] = predicted[f] + motion->step * (float)chosen;
        if (f == 0 || !(fabs((double)row[f] - target) <= tolerance)) {
            const double steps = floor((target - (double)predicted[f]) / step + 0.5);
            chosen = fabs(steps) < 2e9 ? (int32_t)steps : 0; // else the measured error is too large
            row[f] = predicted[f] + motion->step * (float)chosen;
        }
        residual[f] = chosen;
    }
}

static void put(uint8_t *planes, size_t pitch, size_t at, uint32_t folded) {
    for (size_t p = 0; p < 4; p++) {
        planes[p * pitch + at] = (uint8_t)(folded >> (8 * p));
    }
}

// The changes of a point from frame to frame, as tokens and escapes.
static uint32_t put_steps(slv_motion_encoder *encoder, uint32_t point, const int32_t *residual,
                          uint32_t escape_count) {
    uint8_t *tokens = encoder->tokens + SLV_TOKEN_STEPS * (size_t)point;
    for (int f = 1; f < SLV_GROUP_FRAMES; f++) {
        uint32_t change[3];
        uint32_t token = 0;
        bool small = true;
        for (int d = 2; d >= 0; d--) {
            const int32_t *values = residual + (size_t)d * SLV_GROUP_FRAMES;
            change[d] = (uint32_t)values[f] - (uint32_t)values[f - 1];
            const uint32_t digit = change[d] + SLV_TOKEN_REACH;
            small = small && digit <= 2 * SLV_TOKEN_REACH;
            token = 5 * token + digit;
        }
        tokens[f - 1] = small ? (uint8_t)token : SLV_TOKEN_ESCAPE;
        if (!small) {
            for (size_t d = 0; d < 3; d++) {
                encoder->escaped[3 * (size_t)escape_count + d] = slv_zigzag(change[d]);
            }
            escape_count++;
        }
    }
    return escape_count;
}

static void extend_bounds(const float *row, slv_motion_encoded *encoded) {
    for (int d = 0; d < 3; d++) {
        for (int f = 0; f < SLV_GROUP_FRAMES; f++) {
            const float value = row[d * SLV_GROUP_FRAMES + f];
            encoded->min[d] = value < encoded->min[d] ? value : encoded->min[d];
            encoded->max[d] = value > encoded->max[d] ? value : encoded->max[d];
        }
    }
}

// Largest error of a point of the decoded rows over the frames.
static double measure(const float *row, const double *original, size_t pitch) {
    double worst = 0.0;
    for (size_t f = 0; f < SLV_GROUP_FRAMES; f++) {
        double sum = 0.0;
        for (size_t d = 0; d < 3; d++) {
            const double error = (double)row[d * SLV_GROUP_FRAMES + f] - original[f * pitch + d];
            sum += error * error;
        }
        worst = sum > worst ? sum : worst;
    }
    return sqrt(worst);
}

// --- Bytes --------------------------------------------------------------------------------------

static slv_result compress(slv_motion_encoder *encoder, const uint8_t *raw, size_t size,
                           slv_motion_encoded *encoded, uint32_t *stored_size, slv_error *error) {
    *stored_size = 0;
    if (size == 0) {
        return SLV_OK;
    }
    const size_t stored = ZSTD_compress2(encoder->zstd, encoder->stored + encoded->size,
                                         encoder->stored_room - encoded->size, raw, size);
    if (ZSTD_isError(stored) || stored > UINT32_MAX) {
        return slv_fail(error, SLV_ERROR_MEMORY, "zstd cannot compress: %s",
                        ZSTD_getErrorName(stored));
    }
    *stored_size = (uint32_t)stored;
    encoded->size += stored;
    return SLV_OK;
}

static slv_result store(slv_motion_encoder *encoder, uint32_t escape_count,
                        slv_motion_encoded *encoded, slv_error *error) {
    const size_t count = encoder->motion->count;
    slv_motion_group *group = &encoded->group;
    for (size_t e = 0; e < escape_count; e++) {
        for (size_t d = 0; d < 3; d++) {
            put(encoder->escapes, 3 * (size_t)escape_count, d * escape_count + e,
                encoder->escaped[3 * e + d]);
        }
    }
    encoded->bytes = encoder->stored;
    group->escape_count = escape_count;
    slv_result result =
        compress(encoder, encoder->keys, 12 * count, encoded, &group->key_size, error);
    if (result == SLV_OK) {
        result = compress(encoder, encoder->tokens, SLV_TOKEN_STEPS * count, encoded,
                          &group->token_size, error);
    }
    return result == SLV_OK ? compress(encoder, encoder->escapes, 12 * (size_t)escape_count,
                                       encoded, &group->escape_size, error)
                            : result;
}

slv_result slv_motion_encode(slv_motion_encoder *encoder, const double *positions, double tolerance,
                             slv_motion_encoded *encoded, slv_error *error) {
    const slv_motion *motion = encoder->motion;
    const size_t pitch = 3 * (size_t)motion->count;
    uint32_t escape_count = 0;
    *encoded = (slv_motion_encoded){.min = {INFINITY, INFINITY, INFINITY},
                                    .max = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < motion->count; i++) {
        float predicted[SLV_ROW_FLOATS];
        int32_t residual[SLV_ROW_FLOATS];
        float *row = encoder->rows + (size_t)i * SLV_ROW_FLOATS;
        const double *original = positions + 3 * (size_t)i;
        slv_motion_predict(motion, encoder->rows, i, predicted);
        for (size_t d = 0; d < 3; d++) {
            const size_t at = d * SLV_GROUP_FRAMES;
            quantize(motion, original + d, pitch, predicted + at, tolerance, row + at,
                     residual + at);
            put(encoder->keys, pitch, d * motion->count + i, slv_zigzag((uint32_t)residual[at]));
        }
        escape_count = put_steps(encoder, i, residual, escape_count);
        extend_bounds(row, encoded);
        const double off = measure(row, original, pitch);
        encoded->largest_error = off > encoded->largest_error ? off : encoded->largest_error;
    }
    return store(encoder, escape_count, encoded, error);
}
