// SPDX-License-Identifier: MIT
// Rejects PLY files whose header alone would keep Assimp busy or fill its memory.
#ifndef SLV_TOOLS_PLY_HEADER_H
#define SLV_TOOLS_PLY_HEADER_H

#include "formats/result.h"

// SLV_ERROR_CONTENT for a header without an end and for more elements than the file has bytes. Maps
// the file; call it in a child process.
slv_result slv_ply_header_check(const char *path, slv_error *error);

#endif
