// SPDX-License-Identifier: MIT
#include "formats/codec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// Fixed, so that the same zstd gives the same bytes everywhere: no threads, no size hints, one
// window. Level 3 is where byte planes stop getting much smaller and start getting much slower.
enum { LEVEL = 3, WINDOW_LOG = 21 };

struct slv_encoder {
    ZSTD_CCtx *context;
    size_t room;
    unsigned char *output;
};

slv_encoder *slv_encoder_create(void) {
    slv_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) {
        return NULL;
    }
    encoder->room = ZSTD_CStreamOutSize();
    encoder->output = malloc(encoder->room);
    encoder->context = ZSTD_createCCtx();
    if (!encoder->output || !encoder->context ||
        ZSTD_isError(ZSTD_CCtx_setParameter(encoder->context, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(encoder->context, ZSTD_c_windowLog, WINDOW_LOG))) {
        slv_encoder_destroy(encoder);
        return NULL;
    }
    return encoder;
}

void slv_encoder_destroy(slv_encoder *encoder) {
    if (encoder) {
        (void)ZSTD_freeCCtx(encoder->context);
        free(encoder->output);
        free(encoder);
    }
}

static slv_result run(slv_encoder *encoder, ZSTD_inBuffer *input, ZSTD_EndDirective directive,
                      const slv_codec_sink *sink, slv_error *error) {
    for (;;) {
        ZSTD_outBuffer output = {encoder->output, encoder->room, 0};
        size_t left = ZSTD_compressStream2(encoder->context, &output, input, directive);
        if (ZSTD_isError(left)) {
            return slv_fail(error, SLV_ERROR_MEMORY, "zstd cannot compress: %s",
                            ZSTD_getErrorName(left));
        }
        slv_result result = sink->store(sink->context, encoder->output, output.pos, error);
        bool done = directive == ZSTD_e_end ? left == 0 : input->pos == input->size;
        if (result != SLV_OK || done) {
            return result;
        }
    }
}

slv_result slv_encoder_append(slv_encoder *encoder, const void *bytes, size_t size,
                              const slv_codec_sink *sink, slv_error *error) {
    ZSTD_inBuffer input = {bytes, size, 0};
    return run(encoder, &input, ZSTD_e_continue, sink, error);
}

slv_result slv_encoder_finish(slv_encoder *encoder, const slv_codec_sink *sink, slv_error *error) {
    ZSTD_inBuffer input = {NULL, 0, 0};
    return run(encoder, &input, ZSTD_e_end, sink, error);
}

// The first bytes of a zstd frame; a skippable frame has others, and would decode to nothing.
static bool starts_a_frame(const void *stored, size_t size) {
    static const unsigned char magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
    return size >= sizeof magic && memcmp(stored, magic, sizeof magic) == 0;
}

// Decoding in one call writes into raw only and needs no window of its own, so a frame that demands
// a huge window costs nothing.
const char *slv_decode(const void *stored, size_t stored_size, void *raw, size_t raw_size) {
    if (!starts_a_frame(stored, stored_size)) {
        return "not a zstd frame";
    }
    unsigned long long stated = ZSTD_getFrameContentSize(stored, stored_size);
    if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != raw_size) {
        return "its frame states another size than the table";
    }
    size_t frame_size = ZSTD_findFrameCompressedSize(stored, stored_size);
    if (ZSTD_isError(frame_size)) {
        return ZSTD_getErrorName(frame_size);
    }
    if (frame_size != stored_size) {
        return "bytes follow the zstd frame";
    }
    size_t decoded = ZSTD_decompress(raw, raw_size, stored, stored_size);
    if (ZSTD_isError(decoded)) {
        return ZSTD_getErrorName(decoded);
    }
    return decoded == raw_size ? NULL : "it decodes to fewer bytes than the table states";
}
