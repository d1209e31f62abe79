// SPDX-License-Identifier: MIT
// Small packs that ask for gigabytes of memory.
#ifndef SLV_TESTS_FORGED_BOMBS_H
#define SLV_TESTS_FORGED_BOMBS_H

#include "tests/formats/forged_pack.h"

// A grid with that many layers. Its cells keep their numbers when the last axis gets longer.
void forge_layers(forged_pack *pack, uint32_t layers);

// A collider pack with an uncompressed table gets a compressed one of that many points, a multiple of 1024.
void forge_points(forged_pack *pack, uint32_t points);

#endif
