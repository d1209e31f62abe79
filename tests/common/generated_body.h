// SPDX-License-Identifier: MIT
// Bodies made for tests and benchmarks: boxes of samples whose clusters take the place of springs.
#ifndef SLV_TESTS_GENERATED_BODY_H
#define SLV_TESTS_GENERATED_BODY_H

#include "tests/common/generated_garment.h"

// Particles weigh 10 g, in own order x first, then y, then z. side 0: one cluster of all; else one for each box of side^3
// samples, in steps of `step`, that is full.
generated_garment *make_body(uint32_t nx, uint32_t ny, uint32_t nz, float spacing, uint32_t side,
                             uint32_t step);

#endif
