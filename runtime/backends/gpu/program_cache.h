// SPDX-License-Identifier: MIT
// Cache of compiled programs on disk, in $XDG_CACHE_HOME/selvage or ~/.cache/selvage. The name of a
// file is the hash of everything that its content depends on, and a checksum protects the content;
// stale and damaged files are not found. Errors are not reported: without a cache, programs are
// compiled.
#ifndef SLV_RUNTIME_BACKENDS_GPU_PROGRAM_CACHE_H
#define SLV_RUNTIME_BACKENDS_GPU_PROGRAM_CACHE_H

#include <stddef.h>
#include <stdint.h>

// Hash of everything a program depends on.
typedef struct slv_program_key {
    uint64_t hash[2];
} slv_program_key;

// The key of `count` texts; their boundaries count.
slv_program_key slv_program_key_of(const char *const *texts, size_t count);

// The program, which the caller frees; NULL where it is missing or damaged.
void *slv_program_cache_load(slv_program_key key, size_t *size);
void slv_program_cache_store(slv_program_key key, const void *program, size_t size);
// Removes a program that its device does not accept.
void slv_program_cache_drop(slv_program_key key);

#endif
