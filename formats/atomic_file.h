// SPDX-License-Identifier: MIT
// A file that appears complete or not at all: written under a temporary name in the target's folder,
// flushed, then renamed over the target. A killed program leaves the old file or the new one.
#ifndef SLV_FORMATS_ATOMIC_FILE_H
#define SLV_FORMATS_ATOMIC_FILE_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slv_atomic_file slv_atomic_file;

// Refuses a target that is a directory or whose folder is missing, before any work is done. A target
// that is no regular file (a pipe, /dev/stdout, /dev/null) is written to directly.
slv_result slv_atomic_open(const char *path, slv_atomic_file **file, slv_error *error);
slv_result slv_atomic_write(slv_atomic_file *file, const void *bytes, size_t size,
                            slv_error *error);
// Overwrites bytes already written, e.g. a header that had to wait. Fails where the target cannot
// seek (a pipe).
slv_result slv_atomic_write_at(slv_atomic_file *file, uint64_t offset, const void *bytes,
                               size_t size, slv_error *error);
uint64_t slv_atomic_size(const slv_atomic_file *file); // bytes given to slv_atomic_write so far

// The end in two steps, for several files that belong together: flush all of them, which is what can
// fail, then publish them back to back. Flushing brings the bytes to the disk and leaves the target
// as it was; only slv_atomic_publish or slv_atomic_abandon may follow, whether it succeeded or not.
slv_result slv_atomic_flush(slv_atomic_file *file, slv_error *error);
// These free the file, whether they succeed or not.
slv_result slv_atomic_publish(slv_atomic_file *file, slv_error *error);
slv_result slv_atomic_commit(slv_atomic_file *file, slv_error *error); // both steps
void slv_atomic_abandon(slv_atomic_file *file);                        // NULL is fine

// Publishes several flushed files, all or none, and frees them. *failed, which may be NULL, is the number of the
// one that could not be published. Replaced files are kept until all have appeared and come back where one fails.
// What cannot be exchanged (an old kernel, some network file systems) is renamed and stays. Signals are held
// meanwhile (signal_hold.h); a program that is killed may leave some of the files.
slv_result slv_atomic_publish_all(slv_atomic_file **files, size_t count, size_t *failed,
                                  slv_error *error);

// Whether files written to both paths would replace each other: links are followed, and a file that
// does not exist yet is known by its folder and name. Devices and pipes replace nothing.
bool slv_atomic_same_target(const char *path, const char *other);

// Removes the temporary files of this process, for a program that a signal is about to end: may be
// called from a handler. Files that are written meanwhile cannot be published any more.
void slv_atomic_remove_temporaries(void);

// Whether a name is one that slv_atomic_open gives to temporary files: what a killed program may
// leave behind, and readers should ignore.
bool slv_atomic_is_temporary(const char *path);

#ifdef __cplusplus
}
#endif

#endif
