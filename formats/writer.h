// SPDX-License-Identifier: MIT
// Writing a pack: sections are streamed into a temporary file beside the target, which replaces the
// target only in slv_writer_commit. The same calls give the same bytes on every machine.
#ifndef SLV_FORMATS_WRITER_H
#define SLV_FORMATS_WRITER_H

#include "formats/atomic_file.h"
#include "formats/layout.h"
#include "formats/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slv_writer slv_writer;

// section_count is how many sections will follow, exactly: the table's room is reserved first.
slv_result slv_writer_open(const char *path, uint32_t contents, uint32_t section_count,
                           slv_writer **writer, slv_error *error);

// begin, any number of appends, end: one section. codec is SLV_CODEC_…; flags SLV_SECTION_….
slv_result slv_writer_begin(slv_writer *writer, uint32_t kind, uint32_t codec, uint32_t flags,
                            slv_error *error);
slv_result slv_writer_append(slv_writer *writer, const void *bytes, size_t size, slv_error *error);
slv_result slv_writer_end(slv_writer *writer, slv_error *error);

// The three in one, for a section that lies in memory already.
slv_result slv_writer_add(slv_writer *writer, uint32_t kind, uint32_t codec, uint32_t flags,
                          const void *bytes, size_t size, slv_error *error);

// Fills in header and table, and returns the file of the pack, to be flushed and published, see
// atomic_file.h. Frees the writer whether it succeeds or not; *file is NULL where it does not.
slv_result slv_writer_seal(slv_writer *writer, slv_atomic_file **file, slv_error *error);

// Seals, flushes to the disk, renames over the target. Frees the writer likewise.
slv_result slv_writer_commit(slv_writer *writer, slv_error *error);

// Removes the temporary file and frees the writer. NULL is fine.
// Whether writing to the file failed: an error is then about the pack, not about what goes into it.
bool slv_writer_has_failed(const slv_writer *writer);

void slv_writer_abandon(slv_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
