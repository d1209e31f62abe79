// SPDX-License-Identifier: MIT
// The files that a run makes: all appear, or none does. They are written and flushed under temporary
// names first; only when nothing can fail any more are they renamed, one right after the other.
#ifndef SLV_TOOLS_OUTPUT_FILES_H
#define SLV_TOOLS_OUTPUT_FILES_H

#include "formats/atomic_file.h"

#define SLV_OUTPUT_FILES_MAX 4u

typedef struct slv_output_files { // starts zeroed
    const char *paths[SLV_OUTPUT_FILES_MAX];
    slv_atomic_file *files[SLV_OUTPUT_FILES_MAX];
    size_t count;
} slv_output_files;

// Before the work: fails where a file could not be written, where two of them are one file, or where
// one would overwrite an input. outputs may hold NULLs. *subject names the file in question, here and
// below.
slv_result slv_output_files_check(const char *const *outputs, size_t output_count,
                                  const char *const *inputs, size_t input_count,
                                  const char **subject, slv_error *error);

// Opens one more file to write to. The path must outlive the list.
slv_result slv_output_files_open(slv_output_files *list, const char *path, slv_atomic_file **file,
                                 slv_error *error);
// Takes a file that was opened elsewhere.
void slv_output_files_take(slv_output_files *list, const char *path, slv_atomic_file *file);

slv_result slv_output_files_flush(slv_output_files *list, const char **subject, slv_error *error);
// All of them or, where one fails, none. Empties the list, as slv_output_files_abandon does.
slv_result slv_output_files_publish(slv_output_files *list, const char **subject, slv_error *error);
void slv_output_files_abandon(slv_output_files *list);

// Bytes of the file of this path, 0 where the list has none.
uint64_t slv_output_files_size(const slv_output_files *list, const char *path);

// Whether what is written to this path comes out at standard output. NULL is fine.
bool slv_is_standard_output(const char *path);

#endif
