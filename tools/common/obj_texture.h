// SPDX-License-Identifier: MIT
// The texture of an OBJ: "usemtl" names materials, "mtllib" the file that describes them, "map_Kd"
// in it the image.
#ifndef SLV_TOOLS_OBJ_TEXTURE_H
#define SLV_TOOLS_OBJ_TEXTURE_H

#include "tools/common/file_list.h"
#include "tools/common/input_file.h"
#include "tools/common/raw_mesh.h"

// Fills raw->texture or raw->texture_note. Files that were read are added to `files` (may be NULL),
// and *hash becomes the hash of the bytes of the OBJ and of these. Fails only where memory is
// short.
// allow_paths: files outside of the folder of the OBJ may be named.
slv_result slv_obj_find_texture(const char *path, bool allow_paths, const slv_input_file *obj,
                                slv_raw_mesh *raw, slv_file_list *files, uint64_t *hash,
                                slv_error *error);

#endif
