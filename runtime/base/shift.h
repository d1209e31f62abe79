// SPDX-License-Identifier: MIT
// A point when the origin that it is relative to moves. Computed in double: towards the new origin nothing is rounded.
#ifndef SLV_RUNTIME_BASE_SHIFT_H
#define SLV_RUNTIME_BASE_SHIFT_H

static inline void slv_shift_point(float point[3], const double shift[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] = (float)((double)point[d] - shift[d]);
    }
}

#endif
