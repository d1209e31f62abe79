// SPDX-License-Identifier: MIT
// Phantoms: particles with copies, so that constraints which share such a particle can be solved at the same
// time, each with a copy of its own (formats/PACK.md). Solvers without copies use the particles themselves.
#ifndef SLV_RUNTIME_MODEL_PHANTOMS_H
#define SLV_RUNTIME_MODEL_PHANTOMS_H

#include "formats/garment.h"
#include "runtime/base/memory.h"

// An end of a constraint is a particle's number in own order, or particle_count + the number of a copy.
typedef struct slv_phantom_set {
    uint32_t copy_count;
    uint32_t *originals; // [copy_count] own numbers
    uint32_t count;
    uint32_t *phantoms; // [count][3]: own number, first copy, end of its copies
    uint8_t *uses; // [copy_count]: bit n set where constraints of phase n (SLV_PHASE_…) have it
    uint32_t (*spring_ends)[2]; // [springs], where there are copies; else NULL
} slv_phantom_set;

// Before springs are added: copies, and room for the ends of springs. Ends are UINT32_MAX so far.
slv_result slv_phantom_set_create(slv_phantom_set *set, const slv_garment *garment,
                                  size_t spring_room, slv_memory *memory, slv_error *error);

// After springs are added: those without ends so far join the particles themselves.
void slv_phantom_set_add_springs(slv_phantom_set *set, const slv_constraint *springs,
                                 uint32_t spring_count, uint32_t particle_count);
// A constraint of a phase has this end.
void slv_phantom_set_note_use(slv_phantom_set *set, uint32_t end, uint32_t particle_count,
                              int phase);

// The end that a constraint of the pack has: a particle's own number, or a copy's.
uint32_t slv_phantom_end(const slv_garment *garment, uint32_t stored);

#endif
