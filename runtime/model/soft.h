// SPDX-License-Identifier: MIT
// What a garment's pack has beside springs: constraints with three ends or more, copies of particles
// (phantoms), and groups that are to be averaged. Position based solvers know them; projective ones solve
// the springs between the particles themselves.
#ifndef SLV_RUNTIME_MODEL_SOFT_H
#define SLV_RUNTIME_MODEL_SOFT_H

#include "formats/garment.h"
#include "runtime/base/memory.h"

struct slv_body;
struct slv_layout;
struct slv_layout_cursor;

typedef struct slv_batch_group {
    uint32_t first, count;
} slv_batch_group;

// Constraints of one batched kind.
typedef struct slv_constraint_batch {
    uint32_t (*ends)[SLV_ARITY_MAX];
    float *rests; // in the units of the pack, scaled with the garment
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

// Ends are own numbers, or those of copies, which follow the particles'.
typedef struct slv_soft {
    slv_constraint_batch batches[SLV_BATCH_COUNT]; // by kind
    uint32_t averaged_springs; // groups of springs, the last ones, that are averaged

    uint32_t copy_count;
    uint32_t *originals; // [copy_count] own numbers
    uint32_t phantom_count;
    uint32_t *phantoms;         // [phantom_count][3]: own number, first copy, end of its copies
    uint8_t *uses;              // [copy_count]: bit n set where constraints of phase n have it
    uint32_t (*spring_ends)[2]; // [springs], where there are copies; else NULL
} slv_soft;

// Before springs are added: copies, and room for springs' ends.
slv_result slv_soft_create(struct slv_body *body, const slv_garment *garment, size_t spring_room,
                           slv_error *error);
// After: batches, and ends of springs that have no copies.
slv_result slv_soft_finish(struct slv_body *body, const slv_garment *garment, double scale,
                           slv_error *error);

// The own number of a constraint's end in the pack, or its copy's.
uint32_t slv_soft_end(const slv_garment *garment, uint32_t stored);

#endif
