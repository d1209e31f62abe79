// SPDX-License-Identifier: MIT
// The order in which a team plays a plan. A launch over a garment's body touches no other garment's data
// (kernels/list.h). Only common launches do, those over the common bodies of a layout; garments need no other barrier
// between them. A schedule collects the launches between two common launches, across stages, in a group.
// Of a small garment one member plays all launches of a group, so that its data stay in that member's cache. Rows
// of large garments are divided among the team, with a barrier wherever the plan has one.
//
// Which garments are small, and how many members take part, follows from the estimated time of a step. Neither
// changes a bit.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_SCHEDULE_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_SCHEDULE_H

#include "runtime/backends/cpu/cpu_costs.h"

// The sequences of entries in a step. The first ends with the check for divergence; one of the others follows it.
typedef enum slv_sequence {
    SLV_SEQUENCE_STEP,
    SLV_SEQUENCE_SLEEP,
    SLV_SEQUENCE_ROLLBACK,
    SLV_SEQUENCE_COUNT
} slv_sequence;

enum { SLV_ENTRY_GROUP = SLV_ENTRY_LOOP_END + 1 }; // a kind of entry beside those of plans

typedef struct slv_schedule_entry {
    const slv_plan_launch *launch; // of the plan
    int kind;                      // slv_entry_kind or SLV_ENTRY_GROUP
    int stage;                     // of a launch
    uint32_t number;               // of a group; rounds of a loop
    uint32_t length;               // of a loop's body
    bool barrier;                  // of a launch, in place of the plan's
} slv_schedule_entry;

// Some entries of a schedule.
typedef struct slv_schedule_list {
    uint32_t first, count;
    int body; // that of all its launches, where a member plays it alone
} slv_schedule_list;

typedef struct slv_schedule_group {
    slv_schedule_list team; // launches over large garments
    uint32_t first_list;    // in slv_schedule.lists: those of small ones, a list each
    uint32_t list_count;
} slv_schedule_group;

typedef struct slv_schedule {
    slv_memory memory;
    slv_schedule_entry *entries;
    slv_schedule_group *groups;
    slv_schedule_list *lists;
    slv_schedule_list sequences[SLV_SEQUENCE_COUNT];
    uint32_t entry_count, group_count, list_count;
    slv_division division;
} slv_schedule;

// For a team of that size. Refers to the plan. False without memory; then nothing is left behind.
bool slv_schedule_create(slv_schedule *schedule, const slv_layout *layout, const slv_plan *plan,
                         uint32_t team_size, const slv_schedule_costs *costs,
                         slv_allocator allocator);
void slv_schedule_destroy(slv_schedule *schedule);

// The launches and groups of a list, one after another, with unrolled loops; NULL after the last.
typedef struct slv_schedule_cursor {
    const slv_schedule_entry *next, *end;
    uint32_t depth;
    uint32_t left[SLV_LOOP_DEPTH]; // rounds to go, the current one included
} slv_schedule_cursor;

slv_schedule_cursor slv_schedule_begin(const slv_schedule *schedule, const slv_schedule_list *list);
const slv_schedule_entry *slv_schedule_next(slv_schedule_cursor *cursor);

#endif
