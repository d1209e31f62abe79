// SPDX-License-Identifier: MIT
// File access for Assimp: every file that it reads is recorded and hashed, only regular files of the
// input's folder are opened, none is written. Names that do not exist are tried percent-decoded, because glTF refers
// to files by URIs. Files are mapped; use this in child processes only (see input_file.h).
#ifndef SLV_TOOLS_ASSIMP_FILES_H
#define SLV_TOOLS_ASSIMP_FILES_H

#include "tools/common/file_list.h"
#include "tools/common/input_file.h"

#include <assimp/cfileio.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct slv_assimp_files slv_assimp_files;

// `input` is the file to import and must outlive the result. Unless allow_paths is set, only this file and those in
// its folder and below are opened. NULL: out of memory.
slv_assimp_files *slv_assimp_files_create(const char *input, bool allow_paths);
void slv_assimp_files_destroy(slv_assimp_files *files);

// For aiImportFileEx; valid as long as files.
struct aiFileIO *slv_assimp_files_io(slv_assimp_files *files);

// The bytes of a file, recorded like those that Assimp reads; NULL where it cannot be read.
const slv_input_file *slv_assimp_files_load(slv_assimp_files *files, const char *path);

// The error of a file that could not be read, which Assimp treats as empty; SLV_OK where there was
// none.
slv_result slv_assimp_files_error(const slv_assimp_files *files, slv_error *error);

// Whether the input may name this file; an escaped name is checked where it is opened.
slv_result slv_assimp_files_check_name(const slv_assimp_files *files, const char *name,
                                       slv_error *error);

// The first file that was there and not opened because it lies outside the allowed folder; SLV_OK where there was none.
slv_result slv_assimp_files_refusal(const slv_assimp_files *files, slv_error *error);

// The files of which at least one byte was read, in the order of first reading, each once, and the
// XXH3-64 of their bytes in that order. The list is freed by the caller. Fails where one of them
// could not be read.
slv_result slv_assimp_files_report(slv_assimp_files *files, slv_file_list *list, uint64_t *hash,
                                   slv_error *error);

#endif
