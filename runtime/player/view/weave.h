// SPDX-License-Identifier: MIT
// A texture of plain weave, generated at program start.
#ifndef SLV_PLAYER_WEAVE_H
#define SLV_PLAYER_WEAVE_H

#include <GL/glew.h>

// Red and green: x and y of the normal, 0.5 is 0; blue: height; alpha: tint. The texture repeats and has mipmaps.
// Returns 0 without memory.
GLuint slv_weave_make(void);

#endif
