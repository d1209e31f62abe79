// SPDX-License-Identifier: MIT
// Rebuilds a garment: particles in another order, constraints grouped by color. All references to
// particles are updated.
#ifndef SLV_COLORIZE_REPACK_H
#define SLV_COLORIZE_REPACK_H

#include "tools/colorize/constraint_sets.h"
#include "tools/colorize/particle_order.h"

typedef struct slv_repack {
    slv_garment garment; // refers to the arrays below and to the pack of the old garment
    void *arrays[16 + SLV_CONSTRAINT_END * (SLV_ARITY_MAX + 1)]; // owned
    unsigned array_count;
} slv_repack;

// The order must outlive the garment. False without memory.
bool slv_repack_create(const slv_garment *old, const slv_particle_order *order,
                       const slv_constraint_sets *sets, const slv_phantoms *phantoms,
                       slv_repack *repack);
void slv_repack_destroy(slv_repack *repack);

// Takes ownership of an allocated text as the provenance of the garment.
void slv_repack_set_provenance(slv_repack *repack, char *text);

#endif
