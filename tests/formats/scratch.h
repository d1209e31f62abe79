// SPDX-License-Identifier: MIT
// A folder of a test's own, removed with everything in it.
#ifndef SLV_TESTS_SCRATCH_H
#define SLV_TESTS_SCRATCH_H

typedef struct scratch {
    char folder[256];
    char path[512]; // of the file that scratch_path named last
} scratch;

int scratch_open(scratch *place); // 0 when it worked
const char *scratch_path(scratch *place, const char *name);
void scratch_close(scratch *place);

// How many files the folder holds.
unsigned scratch_count(const scratch *place);

#endif
