// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // secure_getenv, flock
#include "runtime/backends/gpu/program_cache.h"

#include "runtime/backends/gpu/keyed_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

enum { PATH_ROOM = 1024, NAME_ROOM = 64 };
static const uint64_t PROGRAM_BYTES_MAX = (uint64_t)1 << 28; // programs have about a megabyte

typedef struct program_head {
    char magic[8];
    uint64_t key[2];
    uint64_t size;
    uint64_t user;
    uint64_t checksum; // of the head with a checksum of 0, and of the program
} program_head;

static const char program_magic[8] = "SLVPROG2";
static const char secret_name[] = "key";

slv_program_key slv_program_key_of(const char *const *texts, size_t count) {
    XXH3_state_t stream;
    (void)XXH3_128bits_reset(&stream);
    for (size_t i = 0; i < count; i++) {
        (void)XXH3_128bits_update(&stream, texts[i], strlen(texts[i]) + 1);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(&stream);
    return (slv_program_key){{hash.high64, hash.low64}};
}

// --- Folder -----------------------------------------------------------------------------------------

// The specification requires an absolute path; anything else counts as unset.
static bool find_parent(char folder[PATH_ROOM]) {
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

static bool is_private(const struct stat *status, mode_t type, mode_t forbidden) {
    return (status->st_mode & S_IFMT) == type && status->st_uid == geteuid() &&
           (status->st_mode & forbidden) == 0;
}

// The descriptor of the folder, or -1 where it is missing or another user could have written to it. Everything else
// is opened relative to it, so that exchanging a parent folder has no effect.
static int open_folder(bool make) {
    char parent[PATH_ROOM];
    if (!find_parent(parent)) {
        return -1;
    }
    if (make) {
        (void)mkdir(parent, 0700);
    }
    int above = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (above < 0) {
        return -1;
    }
    if (make) {
        (void)mkdirat(above, "selvage", 0700);
    }
    int folder = openat(above, "selvage", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    (void)close(above);
    struct stat status;
    if (folder >= 0 &&
        (fstat(folder, &status) != 0 || !is_private(&status, S_IFDIR, S_IWGRP | S_IWOTH))) {
        (void)close(folder);
        folder = -1;
    }
    return folder;
}

static void name_file(slv_program_key key, const char *extension, char name[NAME_ROOM]) {
    (void)snprintf(name, NAME_ROOM, "%016" PRIx64 "%016" PRIx64 ".%s", key.hash[0], key.hash[1],
                   extension);
}

// --- Files ------------------------------------------------------------------------------------------

// -1 unless it is a regular file of this user, no link, and without the forbidden bits of the mode.
static int open_private(int folder, const char *name, mode_t forbidden, struct stat *status) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file >= 0 && (fstat(file, status) != 0 || !is_private(status, S_IFREG, forbidden) ||
                      status->st_nlink != 1)) {
        (void)close(file);
        file = -1;
    }
    return file;
}

static bool read_all(int file, void *bytes, size_t size) {
    unsigned char *to = bytes;
    while (size > 0) {
        ssize_t got = read(file, to, size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        to += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_all(int file, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    while (size > 0) {
        ssize_t done = write(file, from, size);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        from += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

// Writes under a temporary name and renames. The temporary name is fixed: the next store replaces what a killed
// process left. Two processes that write at once may publish a mixture, which the checksum refuses.
static bool write_file(int folder, const char *name, const void *head, size_t head_size,
                       const void *bytes, size_t size) {
    char temporary[NAME_ROOM + 8];
    (void)snprintf(temporary, sizeof temporary, "%s.tmp", name);
    (void)unlinkat(folder, temporary, 0);
    int file =
        openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        return false;
    }
    bool written = write_all(file, head, head_size) && write_all(file, bytes, size);
    written = close(file) == 0 && written;
    if (!written || renameat(folder, temporary, folder, name) != 0) {
        (void)unlinkat(folder, temporary, 0);
        return false;
    }
    return true;
}

// --- Checksum ---------------------------------------------------------------------------------------

// The user's secret. A file that others can read is replaced, which discards all programs.
static bool get_secret(int folder, bool make, slv_hash_key *secret) {
    struct stat status;
    int file = open_private(folder, secret_name, 077, &status);
    if (file >= 0) {
        bool complete =
            status.st_size == (off_t)sizeof *secret && read_all(file, secret, sizeof *secret);
        (void)close(file);
        if (complete) {
            return true;
        }
    }
    return make && getrandom(secret, sizeof *secret, 0) == (ssize_t)sizeof *secret &&
           write_file(folder, secret_name, secret, sizeof *secret, NULL, 0);
}

static program_head make_head(slv_program_key key, slv_hash_key secret, const void *program,
                              size_t size) {
    program_head head = {
        .key = {key.hash[0], key.hash[1]}, .size = size, .user = (uint64_t)geteuid()};
    memcpy(head.magic, program_magic, sizeof head.magic);
    slv_hash_key inner = {{secret.words[0], slv_keyed_hash(secret, &head, sizeof head)}};
    head.checksum = slv_keyed_hash(inner, program, size);
    return head;
}

// --- Marker -----------------------------------------------------------------------------------------

// Each process that loads a program holds a shared lock of its marker, which ends with the process. A marker without
// any lock is what a crash leaves. Where another process made the marker and has not locked it yet, the program is
// compiled once more than needed.
static bool set_marker(int folder, const char *name, int *marker) {
    const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    *marker = openat(folder, name, flags | O_CREAT | O_EXCL, 0600);
    bool fresh = *marker >= 0;
    if (!fresh) {
        *marker = openat(folder, name, flags);
    }
    if (*marker < 0) {
        return errno == ENOENT; // another process has just finished
    }
    bool crashed = !fresh && flock(*marker, LOCK_EX | LOCK_NB) == 0;
    return !crashed && flock(*marker, LOCK_SH) == 0;
}

// The last process that loads removes the marker.
static void remove_marker(int folder, const char *name, int marker) {
    if (marker >= 0) {
        if (flock(marker, LOCK_EX | LOCK_NB) == 0) {
            (void)unlinkat(folder, name, 0);
        }
        (void)close(marker);
    }
}

// --- Interface --------------------------------------------------------------------------------------

static void *read_program(int folder, slv_program_key key, size_t *size) {
    char name[NAME_ROOM];
    name_file(key, "program", name);
    struct stat status;
    slv_hash_key secret;
    int file = open_private(folder, name, S_IWGRP | S_IWOTH, &status);
    if (file < 0) {
        return NULL;
    }
    program_head stored;
    void *program = NULL;
    if ((uint64_t)status.st_size > sizeof stored && (uint64_t)status.st_size < PROGRAM_BYTES_MAX &&
        get_secret(folder, false, &secret) && read_all(file, &stored, sizeof stored)) {
        *size = (size_t)status.st_size - sizeof stored;
        program = malloc(*size);
        bool valid = program && read_all(file, program, *size);
        if (valid) {
            program_head head = make_head(key, secret, program, *size);
            valid = memcmp(&head, &stored, sizeof head) == 0;
        }
        if (!valid) {
            free(program);
            program = NULL;
        }
    }
    (void)close(file);
    return program;
}

static void drop(int folder, slv_program_key key) {
    char name[NAME_ROOM];
    name_file(key, "program", name);
    (void)unlinkat(folder, name, 0);
}

bool slv_program_cache_begin(slv_program_key key, slv_cached_program *program) {
    *program = (slv_cached_program){.key = key, .folder = open_folder(false), .marker = -1};
    if (program->folder < 0) {
        return false;
    }
    program->bytes = read_program(program->folder, key, &program->size);
    char name[NAME_ROOM];
    name_file(key, "loading", name);
    if (program->bytes && set_marker(program->folder, name, &program->marker)) {
        return true;
    }
    slv_program_cache_end(program, !program->bytes);
    return false;
}

void slv_program_cache_end(slv_cached_program *program, bool accepted) {
    if (program->folder >= 0) {
        char name[NAME_ROOM];
        name_file(program->key, "loading", name);
        if (!accepted) {
            drop(program->folder, program->key);
        }
        remove_marker(program->folder, name, program->marker);
        (void)close(program->folder);
    }
    free(program->bytes);
    *program = (slv_cached_program){.folder = -1, .marker = -1};
}

void slv_program_cache_store(slv_program_key key, const void *program, size_t size) {
    slv_hash_key secret;
    char name[NAME_ROOM];
    name_file(key, "program", name);
    int folder = open_folder(true);
    if (folder < 0) {
        return;
    }
    if (get_secret(folder, true, &secret)) {
        program_head head = make_head(key, secret, program, size);
        (void)write_file(folder, name, &head, sizeof head, program, size);
    }
    (void)close(folder);
}
