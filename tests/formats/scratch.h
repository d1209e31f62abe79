// SPDX-License-Identifier: MIT
// A temporary folder of a test, removed with everything in it.
#ifndef SLV_TESTS_SCRATCH_H
#define SLV_TESTS_SCRATCH_H

typedef struct scratch {
    char folder[256];
    char path[512]; // of the file that scratch_path named last
} scratch;

int scratch_open(scratch *temporary); // 0 when it worked
const char *scratch_path(scratch *temporary, const char *name);
void scratch_close(scratch *temporary);

// cmocka set-up and tear-down of one test, whose state is a scratch.
int scratch_set_up(void **state);
int scratch_tear_down(void **state);

// How many files the folder holds.
unsigned scratch_count(const scratch *temporary);

#endif
