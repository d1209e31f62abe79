// SPDX-License-Identifier: MIT
#include "formats/checksum.h"

#include <stdlib.h>
#include <xxhash.h>

struct slv_checksum_stream {
    XXH3_state_t *state; // needs 64-byte alignment, so the library allocates it
};

uint64_t slv_checksum(const void *bytes, size_t size) {
    return XXH3_64bits(bytes, size);
}

slv_checksum_stream *slv_checksum_create(void) {
    slv_checksum_stream *stream = malloc(sizeof *stream);
    XXH3_state_t *state = XXH3_createState();
    if (!stream || !state) {
        free(stream);
        XXH3_freeState(state);
        return NULL;
    }
    stream->state = state;
    slv_checksum_restart(stream);
    return stream;
}

void slv_checksum_destroy(slv_checksum_stream *stream) {
    if (stream) {
        XXH3_freeState(stream->state);
        free(stream);
    }
}

void slv_checksum_restart(slv_checksum_stream *stream) {
    (void)XXH3_64bits_reset(stream->state);
}

void slv_checksum_update(slv_checksum_stream *stream, const void *bytes, size_t size) {
    (void)XXH3_64bits_update(stream->state, bytes, size);
}

uint64_t slv_checksum_get_value(const slv_checksum_stream *stream) {
    return XXH3_64bits_digest(stream->state);
}
