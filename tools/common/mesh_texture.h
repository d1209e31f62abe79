// SPDX-License-Identifier: MIT
// Base color textures of meshes. A texture that cannot be used does not reject the mesh; a note
// gives the reason.
#ifndef SLV_TOOLS_MESH_TEXTURE_H
#define SLV_TOOLS_MESH_TEXTURE_H

#include "formats/result.h"
#include "tools/common/raw_mesh.h"

// Stores the image where packs support it (formats/texture.h); only the first one is kept. False
// where memory is short.
bool slv_mesh_texture_take(slv_raw_mesh *raw, const char *name, const void *bytes, size_t size);
// Stores a note; only the first one is kept.
void slv_mesh_texture_note(slv_raw_mesh *raw, const char *format, ...) SLV_PRINTF(2, 3);

// Path of an image named by a file, to be freed: relative to the folder of the file, or with
// `beside` the file name only, directly in that folder, for paths from other machines. Backslashes
// are treated as slashes.
char *slv_mesh_texture_path(const char *file, const char *name, bool beside);

// A note about a texture that was not opened because of its place.
#define SLV_TEXTURE_OUTSIDE                                                                        \
    "%.100s is left out: it leads out of the folder of the mesh; --allow-paths permits that"

#endif
