// SPDX-License-Identifier: MIT
// Every single lie that a garment pack could tell behind right checksums, and what the refusal says.
#ifndef SLV_TESTS_GARMENT_LIES_H
#define SLV_TESTS_GARMENT_LIES_H

#include "tests/formats/forged_pack.h"

typedef struct lie_context lie_context;

typedef struct garment_lie {
    const char *text; // what the message must contain
    void (*tell)(const lie_context *in);
} garment_lie;

extern const garment_lie garment_lies[];
extern const size_t garment_lie_count;

// Tells a lie about the sample grid of 4 x 3 x 3 particles (18 red, 18 black) and seals the pack.
void garment_lie_tell(size_t index, forged_pack *pack);

#endif
