// SPDX-License-Identifier: MIT
// The texture of plain-woven cloth, made when the program starts.
#ifndef SLV_PLAYER_WEAVE_H
#define SLV_PLAYER_WEAVE_H

#include <GL/glew.h>

// Red and green: the threads' normal, 0.5 being flat; blue: height; alpha: tint. Repeats, with all its
// smaller versions. Returns 0 without memory.
GLuint slv_weave_make(void);

#endif
