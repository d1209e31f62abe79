// SPDX-License-Identifier: MIT
// SipHash-2-4: a 64-bit checksum that cannot be computed without its key (Aumasson and Bernstein, 2012).
#ifndef SLV_RUNTIME_BACKENDS_GPU_KEYED_HASH_H
#define SLV_RUNTIME_BACKENDS_GPU_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct slv_hash_key {
    uint64_t words[2];
} slv_hash_key;

uint64_t slv_keyed_hash(slv_hash_key key, const void *bytes, size_t size);

#endif
