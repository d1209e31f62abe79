// SPDX-License-Identifier: MIT
// The device side of the stand-in for CUDA.
#ifndef SLV_TESTS_STAND_IN_DEVICE_H
#define SLV_TESTS_STAND_IN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

enum { STAND_IN_ARGUMENT_BYTES = 1024 }; // as many as every OpenCL device takes

typedef struct stand_in_kernel stand_in_kernel;

const stand_in_kernel *stand_in_find_kernel(const char *name); // NULL: none
// Takes a copy, as a driver does when a kernel is launched. False where there is no room.
bool stand_in_copy_arguments(const stand_in_kernel *kernel, void *const *arguments,
                             unsigned char room[STAND_IN_ARGUMENT_BYTES]);
void stand_in_run(const stand_in_kernel *kernel, const unsigned grid[3], const unsigned block[3],
                  unsigned char *bytes);
void stand_in_set_wrong_rounding(int wrong);

#endif
