// SPDX-License-Identifier: MIT
// The checksum of packs: XXH3, 64 bits, seed 0. It detects accidental damage. A forged file can have a valid
// checksum, so the contents of every section are verified as well.
#ifndef SLV_FORMATS_CHECKSUM_H
#define SLV_FORMATS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t slv_checksum(const void *bytes, size_t size);

// The same in pieces. create returns NULL when memory is short.
typedef struct slv_checksum_stream slv_checksum_stream;
slv_checksum_stream *slv_checksum_create(void);
void slv_checksum_destroy(slv_checksum_stream *stream); // NULL is fine
void slv_checksum_restart(slv_checksum_stream *stream);
void slv_checksum_update(slv_checksum_stream *stream, const void *bytes, size_t size);
uint64_t slv_checksum_get_value(const slv_checksum_stream *stream);

#endif
