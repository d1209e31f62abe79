// SPDX-License-Identifier: MIT
// The picture that a mesh's materials name for their base color, taken along with the mesh. A texture that
// cannot be taken is no reason to refuse the mesh: a note says why.
#ifndef SLV_TOOLS_MESH_TEXTURE_H
#define SLV_TOOLS_MESH_TEXTURE_H

#include "formats/result.h"
#include "tools/common/raw_mesh.h"

// Copies the picture where packs can hold it (formats/texture.h); the first one stays. False without memory.
bool slv_mesh_texture_take(slv_raw_mesh *raw, const char *name, const void *bytes, size_t size);
// Keeps the first note.
void slv_mesh_texture_note(slv_raw_mesh *raw, const char *format, ...) SLV_PRINTF(2, 3);

// Where a picture may lie that a file in some folder names, best first, for free(): as named, seen from the
// file's folder, and right beside it, for names from other machines. Backslashes are slashes.
char *slv_mesh_texture_path(const char *file, const char *name, bool beside);

#endif
