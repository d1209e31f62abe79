// SPDX-License-Identifier: MIT
// A file a frame. The files wait in a spool and appear together after the last frame.
#ifndef SLV_RUNTIME_EXPORT_EXPORT_SEQUENCE_H
#define SLV_RUNTIME_EXPORT_EXPORT_SEQUENCE_H

#include "runtime/export/export.h"
#include "runtime/export/export_text.h"

// The path of a frame's file, for free(); NULL without memory.
typedef char *slv_name_frame(const slv_export *run, uint64_t frame);

// run->work becomes the sequence. Fails where the first file could not be created.
slv_result slv_sequence_open(slv_export *run, slv_name_frame *name, slv_error *error);

// A frame is what is put into the text between these two calls.
slv_result slv_sequence_begin(slv_export *run, slv_export_text *text, slv_error *error);
void slv_sequence_end(slv_export *run);

// `finish` and `close` of a format.
slv_result slv_sequence_finish(slv_export *run, slv_error *error);
void slv_sequence_close(slv_export *run);

#endif
