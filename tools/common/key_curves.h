// SPDX-License-Identifier: MIT
// Interpolation of animation keys. Assimp gives the keys of a file but not its curves; linear
// interpolation replaces them. It is exact for formats without curves, and close where keys are
// dense.
#ifndef SLV_TOOLS_KEY_CURVES_H
#define SLV_TOOLS_KEY_CURVES_H

#include "tools/common/character.h"

#include <stdbool.h>

// Whether the keys of a file read by Assimp are interpolated linearly: always in DirectX, MD5, SMD
// and Blitz3D files; in Collada where LINEAR is the only interpolation in the file.
bool slv_keys_are_straight(const char *path, const void *bytes, size_t size);

// The longest time, in seconds, between two keys of a clip that differ by more than half a degree
// or a thousandth of the largest value; 0 where there are none.
double slv_longest_key_gap(const slv_character *character, uint32_t clip);

#endif
