// SPDX-License-Identifier: MIT
// Reads everything that an opened garment exposes: every index is followed, every array is read to its end. Under the
// address sanitizer an access out of bounds shows that opening checked too little.
#ifndef SLV_TESTS_GARMENT_WALK_H
#define SLV_TESTS_GARMENT_WALK_H

#include "formats/garment.h"

// A number that depends on everything that was read.
double garment_walk(const slv_garment *garment);

// Decodes the field, if the pack has a good one.
double field_walk(const slv_pack *pack);

#endif
