// SPDX-License-Identifier: MIT
// Common to coding and decoding of motions. A step to the next frame of one point is a token where each
// coordinate changes by -2 … 2: (dx + 2) + 5 (dy + 2) + 25 (dz + 2). Else it is the escape, and the three
// changes are stored separately.
#ifndef SLV_FORMATS_MOTION_CODE_H
#define SLV_FORMATS_MOTION_CODE_H

#include "formats/zigzag.h"

enum {
    SLV_TOKEN_REACH = 2,
    SLV_TOKEN_COUNT = 125,
    SLV_TOKEN_STILL = 62,
    SLV_TOKEN_ESCAPE = 255,
    SLV_TOKEN_STEPS = 7, // per point and group
};

#endif
