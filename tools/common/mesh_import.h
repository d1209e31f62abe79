// SPDX-License-Identifier: MIT
// Reads untrusted mesh files. OBJ has a reader of our own, which keeps vertex order and double precision. All other formats
// are read as characters (character_import.h) and posed.
#ifndef SLV_TOOLS_MESH_IMPORT_H
#define SLV_TOOLS_MESH_IMPORT_H

#include "tools/common/file_list.h"
#include "tools/common/import_options.h"
#include "tools/common/mesh.h"

// Call before starting threads (it may fork). On success *mesh is valid (see mesh.h): at least one
// triangle, all numbers finite. The message does not contain the file name. files may be NULL.
slv_result slv_mesh_import(const char *path, const slv_import_options *options, slv_mesh *mesh,
                           slv_file_list *files, slv_error *error);

#endif
