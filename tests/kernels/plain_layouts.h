// SPDX-License-Identifier: MIT
// The kernels as kernels/ has them, one element at a time, as a GPU would run them.
#ifndef SLV_TESTS_KERNELS_PLAIN_LAYOUTS_H
#define SLV_TESTS_KERNELS_PLAIN_LAYOUTS_H

#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/world/world.h"

typedef void plain_run(float *state, int *table, const slv_body_layout *body,
                       const slv_launch *launch, int first, int end);

typedef struct plain_kernel {
    const char *name;
    slv_domain domain;
    plain_run *run;
} plain_kernel;

extern const plain_kernel plain_kernels[SLV_KERNEL_COUNT];

// Does steps of a world with the plain kernels.
void play_plainly(slv_world *world, int steps);

#endif
