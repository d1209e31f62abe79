// SPDX-License-Identifier: MIT
// Single faults of a garment pack with valid checksums, and the error message of each.
#ifndef SLV_TESTS_GARMENT_FAULTS_H
#define SLV_TESTS_GARMENT_FAULTS_H

#include "tests/formats/forged_pack.h"

typedef struct fault_context fault_context;

typedef struct garment_fault {
    const char *text; // what the message must contain
    void (*apply)(const fault_context *in);
} garment_fault;

extern const garment_fault garment_faults[];
extern const size_t garment_fault_count;

// Puts a fault into a pack of the sample grid of 4 x 3 x 3 particles (18 red, 18 black) and seals the pack.
void garment_fault_apply(size_t index, forged_pack *pack);

#endif
