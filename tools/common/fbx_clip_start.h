// SPDX-License-Identifier: MIT
// When a clip of a binary FBX file begins on the file's own time line: Assimp moves every clip to 0 and
// does not say by how much.
#ifndef SLV_TOOLS_FBX_CLIP_START_H
#define SLV_TOOLS_FBX_CLIP_START_H

#include <stddef.h>

// Seconds; 0 where the bytes are no binary FBX or say nothing about it.
double slv_fbx_clip_start(const void *bytes, size_t size, const char *clip);

#endif
