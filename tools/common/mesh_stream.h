// SPDX-License-Identifier: MIT
// Serialization of an import result from the child to the parent, in native byte order because both
// are one program.
#ifndef SLV_TOOLS_MESH_STREAM_H
#define SLV_TOOLS_MESH_STREAM_H

#include "formats/result.h"
#include "tools/common/file_list.h"
#include "tools/common/raw_mesh.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct slv_import_result {
    slv_error error;     // code SLV_OK: the other fields are valid
    slv_file_list files; // what was read, in that order
    uint64_t hash;       // of their bytes
    slv_raw_mesh raw;
} slv_import_result;

void slv_import_result_free(slv_import_result *result);

// Write errors are reported when the stream is closed.
void slv_import_result_write(const slv_import_result *result, FILE *out);

// False for a stream that ends early or violates a guarantee of raw_mesh.h; *result is then empty.
// The sender has processed an untrusted file, so all data is checked.
bool slv_import_result_read(FILE *in, slv_import_result *result);

#endif
