// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // renameat2
#include "formats/atomic_file.h"

#include "formats/signal_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Why a named temporary and not O_TMPFILE: an unnamed file can be linked to a new name, but not over
// an existing one, so replacing a pack would still need a name and a rename; and network and overlay
// file systems do not have it. A named file works on all of them. A stray file after
// SIGKILL is harmless: writers put their header last, and slv_atomic_is_temporary recognizes its name.

#define TEMPORARY_MARK ".selvage-"
#define TEMPORARY_END ".tmp"
enum {
    BUFFER_BYTES = 1 << 16,
    NAME_SHARE = 200,   // bytes of the target's name in the temporary one: names have at most 255
    LINK_DEPTH = 40,    // symbolic links followed, as the kernel does
    NAME_ATTEMPTS = 64, // before giving up on finding a free temporary name
    LISTED_MAX = 16     // temporary files that a signal handler can remove
};

struct slv_atomic_file {
    int descriptor;
    char *target;            // links resolved
    char *temporary;         // NULL when the target is written to directly
    _Atomic(char *) *listed; // where `temporary` is listed; NULL where it is not
    uint64_t size;           // bytes written, overwritten ones once
    size_t buffered;
    enum { NOT_SHOWN, SHOWN_NEW, SHOWN_EXCHANGED, SHOWN_FOR_GOOD } shown;
    unsigned char *buffer; // of BUFFER_BYTES; NULL after the flush
};

static slv_result fail_write(slv_error *error) {
    return errno == ENOMEM ? slv_no_memory(error)
                           : slv_fail(error, SLV_ERROR_FILE, "cannot write: %s", strerror(errno));
}

// --- temporary files, for signal handlers ----------------------------------------------------------

// A signal handler has no argument, so this list is global. Taking a name out of it transfers ownership, so a
// handler on another thread never reads a name that was freed.
static _Atomic(char *) listed[LISTED_MAX];

// Where the list is full, the file is not removed on a signal.
static void list_temporary(slv_atomic_file *file) {
    for (size_t i = 0; i < LISTED_MAX && !file->listed; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&listed[i], &none, file->temporary)) {
            file->listed = &listed[i];
        }
    }
}

// False where a signal handler has taken the name.
static bool unlist_temporary(slv_atomic_file *file) {
    char *name = file->temporary;
    bool ours = !file->listed || atomic_compare_exchange_strong(file->listed, &name, NULL);
    file->listed = NULL;
    return ours;
}

static void forget_temporary(slv_atomic_file *file) {
    if (unlist_temporary(file)) {
        free(file->temporary);
    }
    file->temporary = NULL;
}

void slv_atomic_remove_temporaries(void) {
    for (size_t i = 0; i < LISTED_MAX; i++) {
        const char *path = atomic_exchange(&listed[i], NULL);
        if (path) {
            (void)unlink(path);
        }
    }
}

// --- names -----------------------------------------------------------------------------------------

// Length of the folder part of path, its last '/' included; 0 when there is none.
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// The folder of path as a name that open() and stat() take; NULL when memory is short.
static char *folder_of(const char *path) {
    size_t length = folder_length(path);
    return length ? strndup(path, length) : strdup(".");
}

// What the symbolic link at path points to, relative to the folder the link is in.
static char *read_link(const char *path, size_t room) {
    size_t folder = folder_length(path);
    char *text = malloc(folder + room + 1);
    if (!text) {
        return NULL;
    }
    ssize_t length = readlink(path, text + folder, room);
    if (length < 0) {
        free(text);
        return NULL;
    }
    text[folder + (size_t)length] = '\0';
    if (text[folder] == '/') {
        memmove(text, text + folder, (size_t)length + 1);
    } else {
        memcpy(text, path, folder);
    }
    return text;
}

// Follows the links of the last component, so that a link stays a link and what it points to is
// replaced, whether that exists yet or not. NULL when memory is short or links form a cycle.
static char *resolve_links(const char *path) {
    char *current = strdup(path);
    struct stat status;
    for (int depth = 0; current && lstat(current, &status) == 0 && S_ISLNK(status.st_mode);
         depth++) {
        char *next = NULL;
        if (depth < LINK_DEPTH) {
            next = read_link(current, status.st_size > 0 ? (size_t)status.st_size : 4096);
        } else {
            errno = ELOOP;
        }
        free(current);
        current = next;
    }
    return current;
}

bool slv_atomic_is_temporary(const char *path) {
    const char *name = path + folder_length(path);
    size_t length = strlen(name);
    size_t end = strlen(TEMPORARY_END);
    return name[0] == '.' && length > end && strcmp(name + length - end, TEMPORARY_END) == 0 &&
           strstr(name, TEMPORARY_MARK) != NULL;
}

static bool is_same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// For files that do not exist yet, links resolved: one name in one folder.
static bool is_same_name(const char *path, const char *other) {
    struct stat status;
    struct stat other_status;
    char *folder = folder_of(path);
    char *other_folder = folder_of(other);
    bool same = folder && other_folder && stat(folder, &status) == 0 &&
                stat(other_folder, &other_status) == 0 && is_same_inode(&status, &other_status) &&
                strcmp(path + folder_length(path), other + folder_length(other)) == 0;
    free(folder);
    free(other_folder);
    return same;
}

bool slv_atomic_same_target(const char *path, const char *other) {
    struct stat status;
    struct stat other_status;
    bool exists = stat(path, &status) == 0;
    bool other_exists = stat(other, &other_status) == 0;
    if (exists || other_exists) {
        return exists && other_exists && S_ISREG(status.st_mode) &&
               is_same_inode(&status, &other_status);
    }
    char *target = resolve_links(path);
    char *other_target = resolve_links(other);
    bool same = target && other_target && is_same_name(target, other_target);
    free(target);
    free(other_target);
    return same;
}

// --- opening ---------------------------------------------------------------------------------------

static slv_result check_folder(const char *folder, slv_error *error) {
    struct stat status;
    if (stat(folder, &status) != 0) {
        return slv_fail(error, SLV_ERROR_FILE, "the folder \"%s\" cannot be used: %s", folder,
                        strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return slv_fail(error, SLV_ERROR_FILE, "\"%s\" is not a folder", folder);
    }
    return SLV_OK;
}

// Creates ".NAME.selvage-XXXXXX.tmp" beside the target. The plain mode 0666 lets umask and default
// ACLs decide, as for any new file; mkstemp would not.
static slv_result create_temporary(slv_atomic_file *file, slv_error *error) {
    size_t folder = folder_length(file->target);
    const char *name = file->target + folder;
    size_t room = folder + NAME_SHARE + 64;
    file->temporary = malloc(room);
    if (!file->temporary) {
        return slv_no_memory(error);
    }
    for (unsigned attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        struct timespec now = {0};
        (void)clock_gettime(CLOCK_REALTIME, &now);
        unsigned long mix =
            (unsigned long)now.tv_nsec * 2654435761UL + (unsigned long)getpid() * 40503UL + attempt;
        (void)snprintf(file->temporary, room, "%.*s.%.*s%s%06lx%s", (int)folder, file->target,
                       (int)NAME_SHARE, name, TEMPORARY_MARK, mix & 0xFFFFFFUL, TEMPORARY_END);
        list_temporary(file); // before: a signal during open() is delivered as open() returns
        file->descriptor =
            open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file->descriptor >= 0) {
            return SLV_OK;
        }
        (void)unlist_temporary(file);
        if (errno != EEXIST) {
            break;
        }
    }
    free(file->temporary); // another process owns it
    file->temporary = NULL;
    return slv_fail(error, SLV_ERROR_FILE, "cannot create a file in its folder: %s",
                    strerror(errno));
}

// A target that exists keeps its mode, and is not replaced against its own write protection.
static slv_result follow_existing(slv_atomic_file *file, const struct stat *status,
                                  slv_error *error) {
    if (access(file->target, W_OK) != 0) {
        return fail_write(error);
    }
    slv_result result = create_temporary(file, error);
    if (result == SLV_OK && fchmod(file->descriptor, status->st_mode & 0777) != 0) {
        result = fail_write(error);
    }
    return result;
}

static slv_result open_direct(slv_atomic_file *file, slv_error *error) {
    file->descriptor = open(file->target, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return file->descriptor >= 0 ? SLV_OK : fail_write(error);
}

static slv_result open_target(slv_atomic_file *file, const char *path, slv_error *error) {
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return slv_fail(error, SLV_ERROR_FILE, "is a directory");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        file->target = strdup(path); // /dev/stdout: its links lead to no name that could be opened
        return file->target ? open_direct(file, error) : slv_no_memory(error);
    }
    file->target = resolve_links(path);
    if (!file->target) {
        return fail_write(error);
    }
    if (exists) {
        return follow_existing(file, &status, error);
    }
    if (file->target[folder_length(file->target)] == '\0') {
        return slv_fail(error, SLV_ERROR_FILE, "the name of a file is missing");
    }
    char *folder = folder_of(file->target);
    slv_result result = folder ? check_folder(folder, error) : slv_no_memory(error);
    free(folder);
    return result == SLV_OK ? create_temporary(file, error) : result;
}

slv_result slv_atomic_open(const char *path, slv_atomic_file **file, slv_error *error) {
    *file = NULL;
    slv_atomic_file *opened = malloc(sizeof *opened);
    if (!opened) {
        return slv_no_memory(error);
    }
    opened->descriptor = -1;
    opened->target = NULL;
    opened->temporary = NULL;
    opened->listed = NULL;
    opened->size = 0;
    opened->buffered = 0;
    opened->shown = NOT_SHOWN;
    opened->buffer = malloc(BUFFER_BYTES);
    slv_result result = opened->buffer ? open_target(opened, path, error) : slv_no_memory(error);
    if (result != SLV_OK) {
        slv_atomic_abandon(opened);
        return result;
    }
    *file = opened;
    return SLV_OK;
}

// --- writing ---------------------------------------------------------------------------------------

static slv_result write_all(int descriptor, const unsigned char *bytes, size_t size,
                            slv_error *error) {
    while (size > 0) {
        ssize_t done = write(descriptor, bytes, size);
        if (done < 0 && errno != EINTR) {
            return fail_write(error);
        }
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return SLV_OK;
}

static slv_result write_buffer(slv_atomic_file *file, slv_error *error) {
    size_t size = file->buffered;
    file->buffered = 0;
    return write_all(file->descriptor, file->buffer, size, error);
}

slv_result slv_atomic_write(slv_atomic_file *file, const void *bytes, size_t size,
                            slv_error *error) {
    file->size += size;
    if (size > BUFFER_BYTES - file->buffered) {
        slv_result result = write_buffer(file, error);
        if (result != SLV_OK || size >= BUFFER_BYTES) {
            return result != SLV_OK ? result : write_all(file->descriptor, bytes, size, error);
        }
    }
    if (size > 0) {
        memcpy(file->buffer + file->buffered, bytes, size);
        file->buffered += size;
    }
    return SLV_OK;
}

slv_result slv_atomic_write_at(slv_atomic_file *file, uint64_t offset, const void *bytes,
                               size_t size, slv_error *error) {
    slv_result result = write_buffer(file, error);
    const unsigned char *next = bytes;
    while (result == SLV_OK && size > 0) {
        ssize_t done = pwrite(file->descriptor, next, size, (off_t)offset);
        if (done < 0 && errno != EINTR) {
            result = fail_write(error);
        } else if (done > 0) {
            next += done;
            offset += (uint64_t)done;
            size -= (size_t)done;
        }
    }
    return result;
}

uint64_t slv_atomic_size(const slv_atomic_file *file) {
    return file->size;
}

// --- ending ----------------------------------------------------------------------------------------

// Makes the rename durable across a power failure. Some file systems cannot; the file is complete anyway.
static void flush_folder(const char *path) {
    char *folder = folder_of(path);
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        (void)close(descriptor);
    }
    free(folder);
}

slv_result slv_atomic_flush(slv_atomic_file *file, slv_error *error) {
    slv_result result = write_buffer(file, error);
    if (result == SLV_OK && file->temporary && fsync(file->descriptor) != 0) {
        result = fail_write(error);
    }
    int closed = close(file->descriptor);
    file->descriptor = -1;
    free(file->buffer);
    file->buffer = NULL;
    return result == SLV_OK && closed != 0 ? fail_write(error) : result;
}

slv_result slv_atomic_publish(slv_atomic_file *file, slv_error *error) {
    slv_result result = SLV_OK;
    if (file->temporary) {
        if (rename(file->temporary, file->target) == 0) {
            forget_temporary(file);
            flush_folder(file->target);
        } else {
            result = fail_write(error);
        }
    }
    slv_atomic_abandon(file);
    return result;
}

static bool exchange(const slv_atomic_file *file) {
    return renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->target, RENAME_EXCHANGE) == 0;
}

// The target becomes the new file, and the old one gets the temporary name.
static slv_result show(slv_atomic_file *file, slv_error *error) {
    struct stat status;
    if (!file->temporary) {
        file->shown = SHOWN_FOR_GOOD;
        return SLV_OK;
    }
    const bool exists = lstat(file->target, &status) == 0;
    if (exists && S_ISREG(status.st_mode) && exchange(file)) {
        file->shown = SHOWN_EXCHANGED;
        return SLV_OK;
    }
    if (rename(file->temporary, file->target) != 0) {
        return fail_write(error);
    }
    forget_temporary(file);
    file->shown = exists ? SHOWN_FOR_GOOD : SHOWN_NEW;
    return SLV_OK;
}

static void hide_again(slv_atomic_file *file) {
    if (file->shown == SHOWN_NEW) {
        (void)unlink(file->target);
    } else if (file->shown == SHOWN_EXCHANGED && !exchange(file)) {
        forget_temporary(file); // a stray file is better than losing the old one
    }
}

static bool is_beside(const slv_atomic_file *file, const slv_atomic_file *other) {
    const size_t folder = folder_length(file->target);
    return folder == folder_length(other->target) &&
           memcmp(file->target, other->target, folder) == 0;
}

slv_result slv_atomic_publish_all(slv_atomic_file **files, size_t count, size_t *failed,
                                  slv_error *error) {
    slv_result result = SLV_OK;
    size_t shown = 0;
    slv_signal_hold();
    while (shown < count && result == SLV_OK) {
        result = show(files[shown], error);
        shown += result == SLV_OK ? 1 : 0;
    }
    if (result != SLV_OK && failed) {
        *failed = shown;
    }
    while (result != SLV_OK && shown > 0) {
        hide_again(files[--shown]);
    }
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count || !is_beside(files[i], files[i + 1])) {
            flush_folder(files[i]->target);
        }
        slv_atomic_abandon(files[i]); // removes the old file, or the new one
        files[i] = NULL;
    }
    slv_signal_release();
    return result;
}

slv_result slv_atomic_commit(slv_atomic_file *file, slv_error *error) {
    slv_result result = slv_atomic_flush(file, error);
    if (result != SLV_OK) {
        slv_atomic_abandon(file);
        return result;
    }
    return slv_atomic_publish(file, error);
}

void slv_atomic_abandon(slv_atomic_file *file) {
    if (!file) {
        return;
    }
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
    }
    if (file->temporary) {
        (void)unlink(file->temporary);
    }
    forget_temporary(file);
    free(file->target);
    free(file->buffer);
    free(file);
}
