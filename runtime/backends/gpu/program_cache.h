// SPDX-License-Identifier: MIT
// Cache of compiled programs on disk, in $XDG_CACHE_HOME/selvage or ~/.cache/selvage. The name of a
// file is the hash of everything that its content depends on. Errors are not reported: without a cache, programs
// are compiled.
//
// A driver runs what it loads, so the cache trusts only its own user. The folder and its files must belong to the
// user of the process, be no links, and not be writable by others. A checksum with a secret key of the user protects
// the content; stale, damaged and foreign files are not found. A marker tells whether a process ended while it was
// loading a program. The program is then removed.
#ifndef SLV_RUNTIME_BACKENDS_GPU_PROGRAM_CACHE_H
#define SLV_RUNTIME_BACKENDS_GPU_PROGRAM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Hash of everything a program depends on.
typedef struct slv_program_key {
    uint64_t hash[2];
} slv_program_key;

// A program on its way to the driver.
typedef struct slv_cached_program {
    slv_program_key key;
    void *bytes; // NULL where the cache has no program
    size_t size;
    int folder; // descriptors of the folder and of the marker
    int marker;
} slv_cached_program;

// The key of `count` texts; their boundaries count.
slv_program_key slv_program_key_of(const char *const *texts, size_t count);

// False where the program is missing or not to be trusted. Otherwise slv_program_cache_end must follow, when the
// driver has run the program. A process that ends before that has crashed, as far as the cache can tell.
bool slv_program_cache_begin(slv_program_key key, slv_cached_program *program);
// Removes a program that its device does not accept.
void slv_program_cache_end(slv_cached_program *program, bool accepted);

void slv_program_cache_store(slv_program_key key, const void *program, size_t size);

#endif
