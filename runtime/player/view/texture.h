// SPDX-License-Identifier: MIT
// A picture from a file, on the graphics card.
#ifndef SLV_PLAYER_TEXTURE_H
#define SLV_PLAYER_TEXTURE_H

#include "formats/result.h"

#include <GL/glew.h>

// Reads a PNG. The picture's lower left corner is at (0, 0), as UVs of meshes have it; it repeats.
slv_result slv_texture_load(const char *path, GLuint *texture, slv_error *error);
// The same from a pack; `name` is for messages.
slv_result slv_texture_decode(const void *bytes, size_t size, const char *name, GLuint *texture,
                              slv_error *error);

#endif
