// SPDX-License-Identifier: MIT
// How a section's bytes become its stored bytes and back: zstd, one frame per section.
#ifndef SLV_FORMATS_CODEC_H
#define SLV_FORMATS_CODEC_H

#include "formats/result.h"

#include <stddef.h>
#include <stdint.h>

// Receives stored bytes as they come.
typedef struct slv_codec_sink {
    slv_result (*store)(void *context, const void *bytes, size_t size, slv_error *error);
    void *context;
} slv_codec_sink;

// Compresses a stream; the stored bytes depend on the whole, not on how it was cut into pieces.
typedef struct slv_encoder slv_encoder;
slv_encoder *slv_encoder_create(void);          // NULL when memory is short
void slv_encoder_destroy(slv_encoder *encoder); // NULL is fine
slv_result slv_encoder_append(slv_encoder *encoder, const void *bytes, size_t size,
                              const slv_codec_sink *sink, slv_error *error);
slv_result slv_encoder_finish(slv_encoder *encoder, const slv_codec_sink *sink, slv_error *error);

// Decodes exactly one frame of exactly raw_size bytes into raw. NULL when that worked, else the
// reason why the stored bytes are bad. Allocates no more than zstd's fixed decoding tables.
const char *slv_decode(const void *stored, size_t stored_size, void *raw, size_t raw_size);

#endif
