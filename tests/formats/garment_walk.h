// SPDX-License-Identifier: MIT
// Touches everything that an opened garment exposes, the way a consumer would: every index is
// followed, every array read to its end. Under a sanitizer this proves that opening checked enough.
#ifndef SLV_TESTS_GARMENT_WALK_H
#define SLV_TESTS_GARMENT_WALK_H

#include "formats/garment.h"

// A number that depends on everything that was read.
double garment_walk(const slv_garment *garment);

// Decodes the field, if the pack has a good one.
double field_walk(const slv_pack *pack);

#endif
