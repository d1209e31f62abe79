// SPDX-License-Identifier: MIT
// Flags of the CPU's passes over strain (cpu_limits.inl): tiles in which a spring was too long. The first pass
// writes them; the second leaves the other tiles out. They belong to the engine: a layout has no CPU-only arrays.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_STRAIN_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_STRAIN_H

#include "runtime/layout/layout.h"

typedef struct slv_cpu_strain {
    slv_memory memory;
    int *tiles;    // of all bodies with a strain limit: not 0 where a spring was too long
    size_t *first; // [body_count + 2], as slv_layout.bodies: the first tile of each
} slv_cpu_strain;

// For the bodies of a layout. False without memory; then nothing is left behind.
bool slv_cpu_strain_create(slv_cpu_strain *strain, const slv_layout *layout,
                           slv_allocator allocator);
void slv_cpu_strain_destroy(slv_cpu_strain *strain);

// The tiles of one body.
static inline int *slv_cpu_strain_tiles(const slv_cpu_strain *strain, int body) {
    return strain->tiles + strain->first[body];
}

#endif
