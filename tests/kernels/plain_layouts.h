// SPDX-License-Identifier: MIT
// The kernels as kernels/ has them, one element at a time, as a GPU would run them.
#ifndef SLV_TESTS_PLAIN_FORMS_H
#define SLV_TESTS_PLAIN_FORMS_H

#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/world/world.h"

// What the rows of a kernel are: see kernels/list.h.
enum {
    PAIRS,
    STRIPS,
    LINES,
    COMPONENTS,
    SLOTS,
    BLOCKS,
    SLICES,
    BATCHES,
    MOVES,
    TETRAHEDRA,
    LANES,
    TILES,
    POINTS,
    ROWS,
    ONCE
};

typedef struct plain_kernel {
    const char *name;
    int domain;
    slv_cpu_kernel *run;
} plain_kernel;

extern const plain_kernel plain_kernels[SLV_KERNEL_COUNT];

// Steps of a world with them.
void play_plainly(slv_world *world, int steps);

#endif
