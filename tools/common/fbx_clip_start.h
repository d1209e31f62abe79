// SPDX-License-Identifier: MIT
// Start of a clip of a binary FBX file on the time line of the file. Assimp moves every clip to 0
// and does not report the shift.
#ifndef SLV_TOOLS_FBX_CLIP_START_H
#define SLV_TOOLS_FBX_CLIP_START_H

#include <stddef.h>

// Seconds; 0 where the bytes are not binary FBX or contain no start.
double slv_fbx_clip_start(const void *bytes, size_t size, const char *clip);

#endif
