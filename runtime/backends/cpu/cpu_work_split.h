// SPDX-License-Identifier: MIT
// Who does which rows of a launch whose rows differ much in work: cloth touches in a few places only, and not
// all processors are equally fast. Members have shares that lie behind each other, one's own rows first; who
// has done its share helps the others with theirs. The next time a launch comes, shares are such as members
// managed the last times, so that little help is needed and a member keeps the rows it has in its cache.
// Rows may be done by anybody in any order: nothing of this changes a bit.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_WORK_SPLIT_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_WORK_SPLIT_H

#include "runtime/step/plan.h"

#include <stdatomic.h>
#include <stdbool.h>

// One member's. What has been taken of its share: the number of the launch, then rows. Who finds the number of
// a later launch comes too late: nobody goes on before all shares are taken.
typedef struct slv_worker {
    _Alignas(64) atomic_uint_fast64_t taken;
    uint32_t played; // launches so far; all members count alike
    uint8_t *turns;  // of each launch: which of its two sets of weights is the newer
} slv_worker;

typedef struct slv_work_split {
    slv_memory memory;
    slv_worker *seats; // [members]
    int *places;       // [launches of the plan] of weights; -1 where shares are equal
    uint32_t *weights; // two sets of [members] a place: one is read while the other is written
    uint32_t members;
} slv_work_split;

// False without memory; then nothing is left behind.
bool slv_work_split_create(slv_work_split *shares, const slv_plan *plan, uint32_t members,
                           slv_allocator allocator);
void slv_work_split_destroy(slv_work_split *shares);

// Whether a launch has rows of such kind.
bool slv_work_split_has(const slv_work_split *shares, const slv_plan_launch *launch);

// A member's way through a launch:
//     slv_work_cursor walk = slv_work_begin(shares, launch, member);
//     for (int from, to; slv_work_next(&walk, &from, &to);) { … rows from … to - 1 … }
// Between two walks through the same launch all members must have met.
typedef struct slv_work_cursor {
    const slv_work_split *shares;
    const slv_plan_launch *launch;
    const uint32_t *weights; // of all members, the newer set
    uint32_t *next;          // weight of this member, for the next time
    uint64_t total;          // of weights
    uint64_t before;         // of them, those of members before `whose`
    uint32_t member;
    uint32_t whose; // share is being taken from
    uint32_t left;  // members whose shares come after this one
    uint32_t done;  // rows so far
} slv_work_cursor;

slv_work_cursor slv_work_begin(const slv_work_split *shares, const slv_plan_launch *launch,
                               uint32_t member);
bool slv_work_next(slv_work_cursor *walk, int *from, int *to);

#endif
