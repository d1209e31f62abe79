// SPDX-License-Identifier: MIT
// Buffers of a real OpenGL, for the stand-in: a program that draws finds positions in them.
#ifndef SLV_TESTS_STAND_IN_GL_H
#define SLV_TESTS_STAND_IN_GL_H

#include <stdbool.h>
#include <stddef.h>

// Whether the current context of this thread has such a buffer; false without a context.
bool stand_in_gl_knows(unsigned name);
// Where it may be written, until it is unmapped; NULL where OpenGL refuses.
void *stand_in_gl_map(unsigned name, size_t *size);
bool stand_in_gl_unmap(unsigned name);

#endif
