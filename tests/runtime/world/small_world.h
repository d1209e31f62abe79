// SPDX-License-Identifier: MIT
// A world with one small cloth, for tests of calls rather than of motion.
#ifndef SLV_TESTS_SMALL_WORLD_H
#define SLV_TESTS_SMALL_WORLD_H

#include "tests/common/test_world.h"

slv_world *small_world(slv_solver solver); // two threads
slv_garment_def small_garment(void);       // 10 g a particle, 1000 N/m
// 8 x 9 particles, 0.1 m apart, in the x-z plane; particles 0 and 7 are fixed.
slv_garment_id add_hanging_cloth(slv_world *world);

#endif
