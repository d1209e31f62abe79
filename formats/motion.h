// SPDX-License-Identifier: MIT
// Points in motion: n points over many frames, coded in groups of 8 frames that decode alone. A point is
// predicted as a weighted sum of points before it in the same frame; the residual is a whole number of
// steps, of which the first frame of a group stores the value and the others the change. The encoder
// predicts from decoded positions, so errors do not accumulate. All arithmetic is float32 in a fixed order:
// decoding gives the same bits everywhere. PACK.md, "Motions", has the bytes.
#ifndef SLV_FORMATS_MOTION_H
#define SLV_FORMATS_MOTION_H

#include "formats/layout.h"
#include "formats/reader.h"
#include "formats/result.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SLV_ROW_FLOATS = 3 * SLV_GROUP_FRAMES }; // of one point: x of all frames, then y, then z

typedef struct slv_motion {
    uint32_t count; // points; 0 where there is no motion
    uint32_t predictors;
    float step;
    const uint32_t *points; // [count][predictors], each below its row's number; 0 in the first row
    const float *weights;   // [count][predictors]; 0 in the first row
    uint32_t group_count;
    const slv_motion_group *groups;
    const uint8_t *coded;
    float bounds_min[3], bounds_max[3]; // limits of decoded positions
} slv_motion;

static inline uint32_t slv_motion_get_group_count(uint32_t frame_count) {
    return frame_count / SLV_GROUP_FRAMES + (frame_count % SLV_GROUP_FRAMES != 0);
}

// --- Reading ------------------------------------------------------------------------------------

// The three sections of a motion.
typedef struct slv_motion_kinds {
    uint32_t table, groups, index;
} slv_motion_kinds;

// Verifies everything but what is inside the coded groups, which decoding verifies. *tables (for free())
// takes the predictors; the rest points into the pack. bounds are the caller's to set.
slv_result slv_motion_open(const slv_pack *pack, slv_motion_kinds kinds, uint32_t count,
                           uint32_t frame_count, slv_motion *motion, void **tables,
                           slv_error *error);

// Scratch memory for decoding. One thread at a time.
typedef struct slv_motion_decoder slv_motion_decoder;
slv_motion_decoder *slv_motion_decoder_create(const slv_motion *motion); // NULL: out of memory
void slv_motion_decoder_destroy(slv_motion_decoder *decoder);            // NULL is fine
size_t slv_motion_decoder_get_memory(const slv_motion *motion); // bytes that a decoder takes

// All frames of a group: rows[count][SLV_ROW_FLOATS], 64-byte aligned. Allocates nothing. NULL when it
// worked, else what is wrong with the group's bytes.
const char *slv_motion_decode(slv_motion_decoder *decoder, uint32_t group, float *rows);

// One frame out of them: x[count], then y, then z, `pitch` floats apart.
void slv_motion_take_frame(const float *rows, uint32_t count, uint32_t frame_in_group, float *frame,
                           size_t pitch);

// --- Writing ------------------------------------------------------------------------------------

// The bytes of a table section, for free(); NULL without memory. weights are multiples of
// SLV_WEIGHT_UNIT below 8.
void *slv_motion_make_table(const slv_motion *motion, size_t *size);

typedef struct slv_motion_encoder slv_motion_encoder;
slv_motion_encoder *slv_motion_encoder_create(const slv_motion *motion); // NULL: out of memory
void slv_motion_encoder_destroy(slv_motion_encoder *encoder);

// A group as it stands in the file; bytes belong to the encoder until its next group.
typedef struct slv_motion_encoded {
    const uint8_t *bytes;
    size_t size;
    slv_motion_group group; // offset is the caller's to set
    double largest_error;   // metres: largest distance of a decoded point from its original
    float min[3], max[3];   // of decoded positions
} slv_motion_encoded;

// positions: [SLV_GROUP_FRAMES][count][3]. A coordinate may have the error `tolerance`, at least half
// a step: where the residual of the frame before is still within it, it stays.
slv_result slv_motion_encode(slv_motion_encoder *encoder, const double *positions, double tolerance,
                             slv_motion_encoded *encoded, slv_error *error);

// The prediction of a point from the rows decoded so far.
void slv_motion_predict(const slv_motion *motion, const float *rows, uint32_t point,
                        float predicted[SLV_ROW_FLOATS]);

#ifdef __cplusplus
}
#endif

#endif
