// SPDX-License-Identifier: MIT
// Constraints with three ends or more, one batch a kind (SLV_BATCHED_KINDS). Position based solvers have them;
// projective ones solve springs alone.
#ifndef SLV_RUNTIME_MODEL_BATCHES_H
#define SLV_RUNTIME_MODEL_BATCHES_H

#include "formats/garment.h"
#include "runtime/base/memory.h"

typedef struct slv_batch_group {
    uint32_t first, count;
} slv_batch_group;

// Constraints of one batched kind.
typedef struct slv_constraint_batch {
    uint32_t (*ends)[SLV_ARITY_MAX]; // as in slv_phantom_set
    float *rests;                    // in the units of the pack, scaled with the garment
    uint32_t count;
    slv_batch_group *groups; // that share no particle; the last may be averaged
    uint32_t group_count;
    bool averages_last;
} slv_constraint_batch;

// The kind (SLV_CONSTRAINT_…) of each batch.
extern const uint32_t slv_batch_kinds[SLV_BATCH_COUNT];

static inline uint32_t slv_batch_arity(int batch) {
    return slv_constraint_kinds[slv_batch_kinds[batch]].arity;
}

// Sorts the last group of a batch into groups that share no particle. False without memory.
bool slv_batch_color(slv_constraint_batch *batch, uint32_t arity, uint32_t particle_count,
                     slv_memory *memory, slv_memory *scratch);
// Takes over the constraints of all batched kinds, with lengths times `scale`, and colors those that the pack
// has not colored.
slv_result slv_batches_create(slv_constraint_batch batches[SLV_BATCH_COUNT],
                              const slv_garment *garment, double scale, slv_memory *memory,
                              slv_error *error);

#endif
