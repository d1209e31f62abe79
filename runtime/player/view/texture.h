// SPDX-License-Identifier: MIT
// Textures from PNG files.
#ifndef SLV_PLAYER_TEXTURE_H
#define SLV_PLAYER_TEXTURE_H

#include "formats/result.h"

#include <GL/glew.h>

// Loads a PNG file. The lower left corner is at uv (0, 0), as in meshes; the texture repeats.
slv_result slv_texture_load(const char *path, GLuint *texture, slv_error *error);
// The same from memory; `name` is for messages.
slv_result slv_texture_decode(const void *bytes, size_t size, const char *name, GLuint *texture,
                              slv_error *error);

#endif
