// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // secure_getenv
#include "runtime/backends/gpu/program_cache.h"

#include "formats/atomic_file.h"
#include "formats/file_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

enum { PATH_ROOM = 1024 };

typedef struct program_head {
    char magic[8];
    uint64_t key[2];
    uint64_t size;
    uint64_t checksum; // of the program
} program_head;

static const char program_magic[8] = "SLVPROG1";

slv_program_key slv_program_key_of(const char *const *texts, size_t count) {
    XXH3_state_t stream;
    (void)XXH3_128bits_reset(&stream);
    for (size_t i = 0; i < count; i++) {
        (void)XXH3_128bits_update(&stream, texts[i], strlen(texts[i]) + 1);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(&stream);
    return (slv_program_key){{hash.high64, hash.low64}};
}

// The specification requires an absolute path; anything else counts as unset.
static bool find_folder(char folder[PATH_ROOM]) {
    const char *cache = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    int length = 0;
    if (cache && cache[0] == '/') {
        length = snprintf(folder, PATH_ROOM, "%s", cache);
    } else if (home && home[0] == '/') {
        length = snprintf(folder, PATH_ROOM, "%s/.cache", home);
    }
    return length > 0 && length < PATH_ROOM;
}

static bool find_path(slv_program_key key, char path[PATH_ROOM], bool make_folder) {
    char folder[PATH_ROOM];
    if (!find_folder(folder)) {
        return false;
    }
    if (make_folder) {
        (void)mkdir(folder, 0700);
    }
    int length = snprintf(path, PATH_ROOM, "%s/selvage", folder);
    if (length >= PATH_ROOM) {
        return false;
    }
    if (make_folder) {
        (void)mkdir(path, 0700);
    }
    length = snprintf(path, PATH_ROOM, "%s/selvage/%016" PRIx64 "%016" PRIx64 ".program", folder,
                      key.hash[0], key.hash[1]);
    return length < PATH_ROOM;
}

static program_head make_head(slv_program_key key, const void *program, size_t size) {
    program_head head = {
        .key = {key.hash[0], key.hash[1]}, .size = size, .checksum = XXH3_64bits(program, size)};
    memcpy(head.magic, program_magic, sizeof head.magic);
    return head;
}

void *slv_program_cache_load(slv_program_key key, size_t *size) {
    char path[PATH_ROOM];
    slv_file_bytes file;
    slv_error error;
    if (!find_path(key, path, false) || slv_file_bytes_copy(path, &file, &error) != SLV_OK) {
        return NULL;
    }
    void *program = NULL;
    if (file.size > sizeof(program_head)) {
        const char *bytes = (const char *)file.bytes + sizeof(program_head);
        program_head head = make_head(key, bytes, file.size - sizeof head);
        if (memcmp(&head, file.bytes, sizeof head) == 0) {
            *size = file.size - sizeof head;
            program = malloc(*size);
        }
        if (program) {
            memcpy(program, bytes, *size);
        }
    }
    slv_file_bytes_free(&file);
    return program;
}

void slv_program_cache_store(slv_program_key key, const void *program, size_t size) {
    char path[PATH_ROOM];
    slv_atomic_file *file = NULL;
    slv_error error;
    if (!find_path(key, path, true) || slv_atomic_open(path, &file, &error) != SLV_OK) {
        return;
    }
    program_head head = make_head(key, program, size);
    if (slv_atomic_write(file, &head, sizeof head, &error) == SLV_OK &&
        slv_atomic_write(file, program, size, &error) == SLV_OK) {
        (void)slv_atomic_commit(file, &error);
    } else {
        slv_atomic_abandon(file);
    }
}

void slv_program_cache_drop(slv_program_key key) {
    char path[PATH_ROOM];
    if (find_path(key, path, false)) {
        (void)unlink(path);
    }
}
