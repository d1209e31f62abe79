// SPDX-License-Identifier: MIT
// Work splitting of launches whose rows differ much in work (SLV_UNEVEN in kernels/list.h): contacts are in a
// few places of a cloth only, and not all processors are equally fast. Each member of the team has a range of
// rows. A member that has done its own range takes rows of the others' ranges (work stealing). The next time
// the launch is played, ranges have the sizes that members managed before, so that little is stolen and each
// member keeps its rows in its cache. Rows of a launch are independent: no split changes a bit.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_WORK_SPLIT_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_WORK_SPLIT_H

#include "runtime/step/plan.h"

#include <stdatomic.h>
#include <stdbool.h>

// One member's state. `taken` says what has been taken of its range: the number of the launch in the upper
// half, rows in the lower. A member that finds the number of a later launch there is too late: no member
// continues before all ranges are taken.
typedef struct slv_worker {
    _Alignas(64) atomic_uint_fast64_t taken;
    uint32_t played;     // launches so far; the same for all members
    uint8_t *newer_sets; // of each launch: which of its two sets of weights is the newer
} slv_worker;

typedef struct slv_work_split {
    slv_memory memory;
    slv_worker *workers; // [members]
    int *weight_index;   // [launches of the plan] index of a launch's weights; -1: ranges are equal
    int group_index;     // index of the weights of group 0
    uint32_t *weights;   // two sets of [members] an index: one is read while the other is written
    uint32_t members;
} slv_work_split;

// For the launches of a plan and for so many groups of it (runtime/backends/cpu/cpu_schedule.h). False without
// memory; then nothing is left behind.
bool slv_work_split_create(slv_work_split *split, const slv_plan *plan, uint32_t groups,
                           uint32_t members, slv_allocator allocator);
void slv_work_split_destroy(slv_work_split *split);

// Whether a launch has weights.
bool slv_work_split_has(const slv_work_split *split, const slv_plan_launch *launch);

// A member's rows of a launch:
//     slv_work_cursor cursor = slv_work_begin(split, launch, member);
//     for (int from, to; slv_work_next(&cursor, &from, &to);) { … rows from … to - 1 … }
// All members must have waited for each other between two plays of the same launch.
typedef struct slv_work_cursor {
    const slv_work_split *split;
    int first, end;          // rows
    const uint32_t *weights; // of all members, the newer set
    uint32_t *next;          // weight of this member, for the next time
    uint64_t total;          // sum of weights
    uint64_t before;         // sum of the weights of the members before `owner`
    uint32_t member;
    uint32_t owner; // member whose range is taken from
    uint32_t left;  // members whose ranges come after this one
    uint32_t done;  // rows so far
} slv_work_cursor;

slv_work_cursor slv_work_begin(const slv_work_split *split, const slv_plan_launch *launch,
                               uint32_t member);
// The same for the small garments 0 … count - 1 of a group.
slv_work_cursor slv_work_begin_group(const slv_work_split *split, uint32_t group, uint32_t count,
                                     uint32_t member);
bool slv_work_next(slv_work_cursor *cursor, int *from, int *to);

#endif
