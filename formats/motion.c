// SPDX-License-Identifier: MIT
#include "formats/motion.h"

#include "formats/file_bytes.h"
#include "formats/motion_code.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static_assert((int)SLV_TOKEN_STEPS == SLV_GROUP_FRAMES - 1, "one step to each frame but the first");

struct slv_motion_decoder {
    const slv_motion *motion;
    ZSTD_DCtx *zstd;
    uint8_t *keys;                        // [4][3][count]
    uint8_t *tokens;                      // [count][SLV_TOKEN_STEPS]
    uint8_t *escapes;                     // [4][3][escape_count]
    uint32_t changes[SLV_TOKEN_COUNT][4]; // modulo 2^32
};

static void fill_changes(uint32_t changes[SLV_TOKEN_COUNT][4]) {
    for (int token = 0; token < SLV_TOKEN_COUNT; token++) {
        changes[token][0] = (uint32_t)(token % 5 - SLV_TOKEN_REACH);
        changes[token][1] = (uint32_t)(token / 5 % 5 - SLV_TOKEN_REACH);
        changes[token][2] = (uint32_t)(token / 25 - SLV_TOKEN_REACH);
    }
}

static uint32_t most_escapes(const slv_motion *motion) {
    uint32_t escapes = 0;
    for (uint32_t g = 0; g < motion->group_count; g++) {
        const uint32_t count = motion->groups[g].escape_count;
        escapes = count > escapes ? count : escapes;
    }
    return escapes;
}

size_t slv_motion_decoder_get_memory(const slv_motion *motion) {
    return sizeof(slv_motion_decoder) + (12 + SLV_TOKEN_STEPS) * (size_t)motion->count +
           12 * (size_t)most_escapes(motion);
}

slv_motion_decoder *slv_motion_decoder_create(const slv_motion *motion) {
    const uint32_t escapes = most_escapes(motion);
    slv_motion_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        return NULL;
    }
    decoder->motion = motion;
    decoder->zstd = ZSTD_createDCtx();
    decoder->keys = malloc(12 * (size_t)motion->count + 1);
    decoder->tokens = malloc(SLV_TOKEN_STEPS * (size_t)motion->count + 1);
    decoder->escapes = malloc(12 * (size_t)escapes + 1);
    fill_changes(decoder->changes);
    if (!decoder->zstd || !decoder->keys || !decoder->tokens || !decoder->escapes) {
        slv_motion_decoder_destroy(decoder);
        return NULL;
    }
    return decoder;
}

void slv_motion_decoder_destroy(slv_motion_decoder *decoder) {
    if (decoder) {
        (void)ZSTD_freeDCtx(decoder->zstd);
        free(decoder->keys);
        free(decoder->tokens);
        free(decoder->escapes);
        free(decoder);
    }
}

// --- Bytes --------------------------------------------------------------------------------------

static bool expand(slv_motion_decoder *decoder, const uint8_t *stored, uint32_t stored_size,
                   uint8_t *raw, size_t raw_size) {
    if (raw_size == 0) {
        return stored_size == 0;
    }
    const size_t size = ZSTD_decompressDCtx(decoder->zstd, raw, raw_size, stored, stored_size);
    return !ZSTD_isError(size) && size == raw_size;
}

static const char *read_bytes(slv_motion_decoder *decoder, const slv_motion_group *group) {
    const uint8_t *stored = decoder->motion->coded + group->offset;
    const size_t count = decoder->motion->count;
    if (!expand(decoder, stored, group->key_size, decoder->keys, 12 * count)) {
        return "its first frame does not decode";
    }
    stored += group->key_size;
    if (!expand(decoder, stored, group->token_size, decoder->tokens, SLV_TOKEN_STEPS * count)) {
        return "its tokens do not decode";
    }
    stored += group->token_size;
    if (!expand(decoder, stored, group->escape_size, decoder->escapes,
                12 * (size_t)group->escape_count)) {
        return "its escapes do not decode";
    }
    return NULL;
}

// The loop below relies on this check.
static const char *check_tokens(const slv_motion_decoder *decoder, uint32_t escape_count) {
    const size_t count = SLV_TOKEN_STEPS * (size_t)decoder->motion->count;
    uint32_t escapes = 0;
    uint32_t unknown = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t token = decoder->tokens[i];
        escapes += token == SLV_TOKEN_ESCAPE;
        unknown += token >= SLV_TOKEN_COUNT;
    }
    return unknown != escapes        ? "it has invalid tokens"
           : escapes != escape_count ? "its number of escapes is wrong"
                                     : NULL;
}

// Value `at` of four byte planes of `pitch` bytes.
static inline uint32_t gather(const uint8_t *planes, size_t pitch, size_t at) {
    return slv_zigzag_undo((uint32_t)planes[at] | (uint32_t)planes[pitch + at] << 8 |
                           (uint32_t)planes[2 * pitch + at] << 16 |
                           (uint32_t)planes[3 * pitch + at] << 24);
}

// --- Points -------------------------------------------------------------------------------------

// Residuals of one point, summed up over the frames. Forged files may make the sums wrap around.
static void sum_steps(const slv_motion_decoder *decoder, const slv_motion_group *group,
                      uint32_t point, size_t *escape, uint32_t residual[SLV_ROW_FLOATS]) {
    const size_t count = decoder->motion->count;
    const uint8_t *tokens = decoder->tokens + SLV_TOKEN_STEPS * (size_t)point;
    uint32_t now[3];
    for (size_t d = 0; d < 3; d++) {
        now[d] = gather(decoder->keys, 3 * count, d * count + point);
        residual[d * SLV_GROUP_FRAMES] = now[d];
    }
    for (size_t f = 1; f < SLV_GROUP_FRAMES; f++) {
        const uint8_t token = tokens[f - 1];
        if (token != SLV_TOKEN_ESCAPE) {
            const uint32_t *change = decoder->changes[token];
            for (size_t d = 0; d < 3; d++) {
                now[d] += change[d];
            }
        } else {
            for (size_t d = 0; d < 3; d++) {
                now[d] += gather(decoder->escapes, 3 * (size_t)group->escape_count,
                                 d * group->escape_count + *escape);
            }
            ++*escape;
        }
        for (size_t d = 0; d < 3; d++) {
            residual[d * SLV_GROUP_FRAMES + f] = now[d];
        }
    }
}

void slv_motion_predict(const slv_motion *motion, const float *rows, uint32_t point,
                        float predicted[SLV_ROW_FLOATS]) {
    const uint32_t *points = motion->points + (size_t)point * motion->predictors;
    const float *weights = motion->weights + (size_t)point * motion->predictors;
    for (int j = 0; j < SLV_ROW_FLOATS; j++) {
        predicted[j] = 0.0f;
    }
    for (uint32_t k = 0; point > 0 && k < motion->predictors; k++) {
        const float *from = rows + (size_t)points[k] * SLV_ROW_FLOATS;
        const float weight = weights[k];
        for (int j = 0; j < SLV_ROW_FLOATS; j++) {
            predicted[j] += weight * from[j];
        }
    }
}

// Whether all of a row lies within the bounds; NaN does not.
static bool within(const float *row, const float min[3], const float max[3]) {
    int outside = 0;
    for (int d = 0; d < 3; d++) {
        for (int f = 0; f < SLV_GROUP_FRAMES; f++) {
            const float value = row[d * SLV_GROUP_FRAMES + f];
            outside |= !(value >= min[d]) | !(value <= max[d]);
        }
    }
    return outside == 0;
}

const char *slv_motion_decode(slv_motion_decoder *decoder, uint32_t group, float *rows) {
    const slv_motion *motion = decoder->motion;
    const slv_motion_group *stored = &motion->groups[group];
    const char *fault = read_bytes(decoder, stored);
    if (!fault) {
        fault = check_tokens(decoder, stored->escape_count);
    }
    size_t escape = 0;
    bool sound = true;
    for (uint32_t i = 0; !fault && i < motion->count; i++) {
        uint32_t residual[SLV_ROW_FLOATS];
        float predicted[SLV_ROW_FLOATS];
        float *row = rows + (size_t)i * SLV_ROW_FLOATS;
        sum_steps(decoder, stored, i, &escape, residual);
        slv_motion_predict(motion, rows, i, predicted);
        for (int j = 0; j < SLV_ROW_FLOATS; j++) {
            row[j] = predicted[j] + motion->step * (float)(int32_t)residual[j];
        }
        sound = within(row, motion->bounds_min, motion->bounds_max) && sound;
    }
    return fault ? fault : sound ? NULL : "a position lies outside the bounds";
}

void slv_motion_take_frame(const float *rows, uint32_t count, uint32_t frame_in_group, float *frame,
                           size_t pitch) {
    for (uint32_t i = 0; i < count; i++) {
        const float *row = rows + (size_t)i * SLV_ROW_FLOATS + frame_in_group;
        frame[i] = row[0];
        frame[pitch + i] = row[SLV_GROUP_FRAMES];
        frame[2 * pitch + i] = row[2 * SLV_GROUP_FRAMES];
    }
}
