// SPDX-License-Identifier: MIT
// The output files of a run: all appear or none. They are written and flushed under temporary
// names; when all writes have succeeded they are renamed, one directly after the other.
#ifndef SLV_TOOLS_OUTPUT_FILES_H
#define SLV_TOOLS_OUTPUT_FILES_H

#include "formats/atomic_file.h"

#define SLV_OUTPUT_FILES_MAX 4u

typedef struct slv_output_files { // starts zeroed
    const char *paths[SLV_OUTPUT_FILES_MAX];
    slv_atomic_file *files[SLV_OUTPUT_FILES_MAX];
    size_t count;
} slv_output_files;

// Checks before the work: fails where a file could not be written, where two outputs are one file,
// or where one would overwrite an input. outputs may contain NULL. *error_source names the file in
// question, here and below.
slv_result slv_output_files_check(const char *const *outputs, size_t output_count,
                                  const char *const *inputs, size_t input_count,
                                  const char **error_source, slv_error *error);

// Opens another file for writing. The path must outlive the list.
slv_result slv_output_files_open(slv_output_files *list, const char *path, slv_atomic_file **file,
                                 slv_error *error);
// Adds a file that was opened elsewhere.
void slv_output_files_take(slv_output_files *list, const char *path, slv_atomic_file *file);

slv_result slv_output_files_flush(slv_output_files *list, const char **error_source,
                                  slv_error *error);
// Renames all files or, where one fails, none. Empties the list, as slv_output_files_abandon does.
slv_result slv_output_files_publish(slv_output_files *list, const char **error_source,
                                    slv_error *error);
void slv_output_files_abandon(slv_output_files *list);

// Size in bytes of the file with this path; 0 where it is not in the list.
uint64_t slv_output_files_size(const slv_output_files *list, const char *path);

// Whether output to this path goes to standard output. path may be NULL.
bool slv_is_standard_output(const char *path);

#endif
