// SPDX-License-Identifier: MIT
// Packs of sample garments in memory, to be changed and opened again.
#ifndef SLV_TESTS_FORGED_GARMENT_H
#define SLV_TESTS_FORGED_GARMENT_H

#include "tests/formats/forged_pack.h"
#include "tests/formats/sample_garment.h"

// The pack of what `make` fills (sample_tetrahedra, …); bytes is NULL when that fails.
forged_pack forged_garment_make(void (*make)(sample_garment *));
// Opens bytes as a garment. Reads all of it if `sum` is not NULL, which becomes the result of garment_walk.
slv_result forged_garment_open(const void *bytes, size_t size, double *sum, slv_error *error);

#endif
