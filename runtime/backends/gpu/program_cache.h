// SPDX-License-Identifier: MIT
// Compiled programs kept on disk, in $XDG_CACHE_HOME/selvage or ~/.cache/selvage. A file is named by the
// hash of everything its content depends on and sealed with a checksum; whatever is stale or damaged is
// not found. Nothing here can fail in a way that matters: without a cache, programs are compiled.
#ifndef SLV_RUNTIME_BACKENDS_GPU_PROGRAM_CACHE_H
#define SLV_RUNTIME_BACKENDS_GPU_PROGRAM_CACHE_H

#include <stddef.h>
#include <stdint.h>

// What a program depends on.
typedef struct slv_program_key {
    uint64_t hash[2];
} slv_program_key;

// Of `count` texts; where one ends and the next begins makes a difference.
slv_program_key slv_program_key_of(const char *const *texts, size_t count);

// The program, to be freed; NULL where it is not there whole.
void *slv_program_cache_load(slv_program_key key, size_t *size);
void slv_program_cache_store(slv_program_key key, const void *program, size_t size);
// Throws a program away that its device will not have.
void slv_program_cache_drop(slv_program_key key);

#endif
