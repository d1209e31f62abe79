// SPDX-License-Identifier: MIT
// How keys are joined. Assimp hands on the keys of a file but not its curves; linear interpolation
// replaces them. That is exact where the format has no other, and elsewhere close where keys are dense.
#ifndef SLV_TOOLS_KEY_CURVES_H
#define SLV_TOOLS_KEY_CURVES_H

#include "tools/common/character.h"

#include <stdbool.h>

// Whether keys of such a file, read by Assimp, are joined by straight lines: always in DirectX, MD5, SMD and
// Blitz3D files, in Collada where it says nothing but LINEAR.
bool slv_keys_are_straight(const char *path, const void *bytes, size_t size);

// The longest time, in seconds, between two keys of a clip that are not the same but for half a degree or a
// thousandth of the largest value; 0 where there are none.
double slv_longest_key_gap(const slv_character *character, uint32_t clip);

#endif
