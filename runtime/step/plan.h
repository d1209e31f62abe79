// SPDX-License-Identifier: MIT
// A step as a list of launches, in order: which kernel, over which rows of which part, and where all must
// have finished before the next begins. Made once per form and parameters, between steps; every backend
// merely plays it. The list is in stages; iterations are loops in it, which a cursor unrolls, so no
// player needs to know what is being solved or how.
//
// To add to the step: name the kernel in kernels/list.h, reserve what it needs in the form, and launch it
// in runtime/step/step.c at the place in the step where it belongs.
#ifndef SLV_RUNTIME_STEP_PLAN_H
#define SLV_RUNTIME_STEP_PLAN_H

#include "runtime/layout/layout.h"
#include "runtime/step/kernel_id.h"

// In the order of a step. Launches of different stages never run at the same time.
typedef enum slv_stage {
    SLV_STAGE_WAKE,      // colliders move; who sleeps on and whom they wake
    SLV_STAGE_INTEGRATE, // inertia and gravity; keeps the old positions
    SLV_STAGE_MOVE,      // fixed particles on their way; only while there are any
    SLV_STAGE_SOLVE,     // constraints
    SLV_STAGE_CHECK,     // raises the alarm (state[SLV_DIVERGED]) where a position has blown up
    SLV_STAGE_SLEEP,     // unless the alarm is raised: who is at rest, and who falls asleep
    SLV_STAGE_ROLLBACK,  // only after the alarm: all as before the step
    SLV_STAGE_COUNT
} slv_stage;

// What a launch tells its kernel beside what all launches of a run share (slv_run): the numbers of
// slv_launch with the same names. Integers and floats only, no gaps: plans are compared byte by byte.
typedef struct slv_plan_launch {
    int number; // within the plan, below its count: the same in every round of a loop
    int kernel; // slv_kernel_id
    int body;
    int first, end;      // rows
    int columns;         // elements of a row
    int index;           // slv_launch says what it counts
    int first_iteration; // slv_launch's `first`
    float relaxation;
    int barrier; // 1: all of this and of what went before must be done before the next launch begins
} slv_plan_launch;

typedef struct slv_plan {
    slv_memory memory;
    struct slv_plan_entry *entries;
    uint32_t count;
    uint32_t stages[SLV_STAGE_COUNT + 1]; // first entry of each, and the end
} slv_plan;

// False without memory; then nothing is left behind.
bool slv_plan_create(slv_plan *plan, const slv_layout *layout, const slv_parameters *parameters,
                     slv_allocator allocator);
void slv_plan_destroy(slv_plan *plan);
bool slv_plan_equals(const slv_plan *one, const slv_plan *other);

// --- Playing ------------------------------------------------------------------------------------------

enum { SLV_LOOP_DEPTH = 4 };

typedef struct slv_plan_cursor {
    const struct slv_plan_entry *next, *end;
    uint32_t depth;
    uint32_t left[SLV_LOOP_DEPTH]; // rounds to go, the present one included
} slv_plan_cursor;

// Launches of one stage, one after another, loops unrolled; NULL after the last.
//     slv_plan_cursor cursor = slv_plan_begin(plan, SLV_STAGE_SOLVE);
//     for (const slv_plan_launch *l; (l = slv_plan_next(&cursor)) != NULL;) { … }
slv_plan_cursor slv_plan_begin(const slv_plan *plan, slv_stage stage);
const slv_plan_launch *slv_plan_next(slv_plan_cursor *cursor);

// The same with each loop run once: every launch that the stage has.
const slv_plan_launch *slv_plan_next_once(slv_plan_cursor *cursor);

// --- Writing ------------------------------------------------------------------------------------------

// What a part of the step writes its launches to.
typedef struct slv_plan_writer {
    const slv_layout *layout;
    const slv_parameters *parameters;
    bool first_iteration; // for what is launched from now on
    float relaxation;     // the same

    struct slv_plan_entry *entries; // NULL: only counts
    uint32_t count;
    uint32_t room; // the largest count so far
    int last;      // the latest launch, where no barrier or end of a loop came after it; else -1
    uint32_t depth;
    struct {
        uint32_t begin, rounds;
    } loops[SLV_LOOP_DEPTH];
} slv_plan_writer;

// Rows first … end - 1 of a part; nothing where there are none.
void slv_plan_launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, uint32_t body, int index,
                          int first, int end);

// Everything launched so far comes before everything launched from here on. Without one, launches may
// run at the same time.
void slv_plan_barrier(slv_plan_writer *writer);

// What is launched between these is done `rounds` times; there is a barrier at either end.
void slv_plan_begin_loop(slv_plan_writer *writer, uint32_t rounds);
void slv_plan_end_loop(slv_plan_writer *writer);

#endif
