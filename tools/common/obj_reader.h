// SPDX-License-Identifier: MIT
// Wavefront OBJ text: vertices and their colors (v x y z r g b), texture coordinates, normals,
// faces of any size, group names. Materials, smoothing groups, lines, points and free-form surfaces
// are ignored.
#ifndef SLV_TOOLS_OBJ_READER_H
#define SLV_TOOLS_OBJ_READER_H

#include "formats/result.h"
#include "tools/common/raw_mesh.h"

#include <stddef.h>

// Whether bytes, the first of a file or all of them, can be text: none of them is zero.
slv_result slv_obj_check_text(const char *text, size_t size, slv_error *error);

// text[size] must be zero. On success raw has at least one polygon, every index in range, every
// number finite. On failure raw is empty and the message contains the line. OBJ has no end mark, so
// a file truncated between two lines is detected only where a face refers to missing vertices.
slv_result slv_obj_read(const char *text, size_t size, slv_raw_mesh *raw, slv_error *error);

#endif
