// SPDX-License-Identifier: MIT
// Base color textures of meshes. A texture that cannot be used does not reject the mesh; a note
// gives the reason.
#ifndef SLV_TOOLS_MESH_TEXTURE_H
#define SLV_TOOLS_MESH_TEXTURE_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slv_mesh_texture {
    uint8_t *bytes; // [size] a PNG file; NULL = none
    uint32_t size;
    char note[256]; // reason why a texture of the file is missing; empty where there is none
} slv_mesh_texture;

// Stores the image where packs support it (formats/texture.h), a JPEG as PNG; only the first one is kept. False
// where memory is short. For the importer's confined process.
bool slv_mesh_texture_take(slv_mesh_texture *texture, const char *name, const void *bytes,
                           size_t size);
// The same, which decodes in a confined process of its own.
bool slv_mesh_texture_take_confined(slv_mesh_texture *texture, const char *name, const void *bytes,
                                    size_t size);
// Stores a note; only the first one is kept.
void slv_mesh_texture_note(slv_mesh_texture *texture, const char *format, ...) SLV_PRINTF(2, 3);

// Path of an image named by a file, to be freed: relative to the folder of the file, or with
// `beside` the file name only, directly in that folder, for paths from other machines. Backslashes
// are treated as slashes.
char *slv_mesh_texture_path(const char *file, const char *name, bool beside);

// A note about a texture that was not opened because it lies outside the allowed folder.
#define SLV_TEXTURE_OUTSIDE                                                                        \
    "%.100s is left out: it leads out of the folder of the mesh; --allow-paths permits that"

#endif
