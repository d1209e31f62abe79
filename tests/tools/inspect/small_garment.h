// SPDX-License-Identifier: MIT
// A very small garment for the tests of selvage-inspect. Own numbers:
//
//     0 --- 1 --- 2     z = 0       reds 0 2 4, blacks 1 3 5 (stored in that order),
//     |     |     |                 0.1 m apart, 0.1 kg each, 5 never moves
//     3 --- 4 --- 5     z = 0.1
#ifndef SLV_TEST_SMALL_GARMENT_H
#define SLV_TEST_SMALL_GARMENT_H

#include "formats/garment.h"

slv_garment slv_small_garment(void);

// As above, in a pack with a distance field of 2 x 1 x 9 samples whose value is i + k / 8 - 0.1.
slv_result slv_small_pack_write(const char *path, slv_error *error);

#endif
