// SPDX-License-Identifier: MIT
// A cloth that falls freely for a second, compared with exact arithmetic.
#ifndef SLV_TESTS_FREE_FALL_H
#define SLV_TESTS_FREE_FALL_H

#include "tests/common/test_world.h"

typedef struct free_fall {
    double error; // largest relative error of how far a particle fell
    uint64_t hash;
} free_fall;

// In a world as def says, whose damping is 0, `distance` metres from its origin on every axis.
free_fall must_fall(slv_world_def def, double distance);

#endif
