// SPDX-License-Identifier: MIT
// A step as a list of launches, in order: which kernel, over which rows of which body, and after which
// launches all must have finished before the next begins (barriers). Made once per layout and
// parameters, between steps; a backend only plays it. The list is in stages. Iterations are loops in
// it, which a cursor unrolls, so a backend need not know what is solved or how.
#ifndef SLV_RUNTIME_STEP_PLAN_H
#define SLV_RUNTIME_STEP_PLAN_H

#include "runtime/layout/layout.h"
#include "runtime/step/kernel_id.h"

// In the order of a step. Launches of different stages never run at the same time.
typedef enum slv_stage {
    SLV_STAGE_WAKE,      // colliders move; which bodies stay asleep
    SLV_STAGE_INTEGRATE, // inertia and gravity; saves the old positions
    SLV_STAGE_MOVE,      // prescribed motion of fixed particles
    SLV_STAGE_SOLVE,     // constraints
    SLV_STAGE_CHECK,     // sets state[SLV_DIVERGED] where a position is out of bounds or NaN
    SLV_STAGE_SLEEP,     // which bodies are at rest and fall asleep
    SLV_STAGE_ROLLBACK,  // restores the state before the step
    SLV_STAGE_COUNT
} slv_stage;

// "wake", …
const char *slv_stage_get_name(slv_stage stage);

// Whether a step plays a stage. moving: fixed particles follow a path in this step. diverged: what SLV_STAGE_CHECK
// found, false before it. Every backend goes through all stages in their order and asks this.
bool slv_stage_is_due(slv_stage stage, bool moving, bool diverged);

// A launch. Values of slv_launch beside those that all launches of a run share (slv_run) have the same
// names. Integers and floats only, without padding: plans are compared byte by byte.
typedef struct slv_plan_launch {
    int number; // index within the plan: the same in every round of a loop
    int kernel; // slv_kernel_id
    int body;
    int first, end;      // rows
    int columns;         // elements of a row
    int index;           // slv_launch says what it counts
    int flags;           // SLV_FROM_NEXT … (kernels/body_layout.h)
    int first_iteration; // slv_launch's `first`
    float relaxation;
    int barrier; // 1: this and all launches before must be done before the next begins
} slv_plan_launch;

// A launch, the beginning of a loop with its number of rounds, or its end with the length of its body.
typedef enum slv_entry_kind {
    SLV_ENTRY_LAUNCH,
    SLV_ENTRY_LOOP_BEGIN,
    SLV_ENTRY_LOOP_END
} slv_entry_kind;

typedef struct slv_plan_entry {
    int kind; // slv_entry_kind
    uint32_t rounds;
    uint32_t length; // of a loop's body
    slv_plan_launch launch;
} slv_plan_entry;

typedef struct slv_plan {
    slv_memory memory;
    slv_plan_entry *entries;
    uint32_t count;
    uint32_t stages[SLV_STAGE_COUNT + 1]; // first entry of each, and the end
} slv_plan;

// Writes the launches of a stage; called twice for each, once to count and once to store.
typedef struct slv_plan_writer slv_plan_writer;
typedef void slv_plan_write_stage(slv_plan_writer *writer, slv_stage stage);

// False without memory; then nothing is left behind.
bool slv_plan_create(slv_plan *plan, const slv_layout *layout, const slv_parameters *parameters,
                     slv_plan_write_stage *write_stage, slv_allocator allocator);
void slv_plan_destroy(slv_plan *plan);
bool slv_plan_equals(const slv_plan *one, const slv_plan *other);

// --- Playing ------------------------------------------------------------------------------------------

enum { SLV_LOOP_DEPTH = 4 };

typedef struct slv_plan_cursor {
    const slv_plan_entry *next, *end;
    uint32_t depth;
    uint32_t left[SLV_LOOP_DEPTH]; // rounds to go, the current one included
} slv_plan_cursor;

// The launches of one stage, one after another, with unrolled loops; NULL after the last.
//     slv_plan_cursor cursor = slv_plan_begin(plan, SLV_STAGE_SOLVE);
//     for (const slv_plan_launch *l; (l = slv_plan_next(&cursor)) != NULL;) { … }
slv_plan_cursor slv_plan_begin(const slv_plan *plan, slv_stage stage);
const slv_plan_launch *slv_plan_next(slv_plan_cursor *cursor);

// Sets what a launch of the plan has of its own, beside the values that all launches of a run share.
static inline void slv_plan_set_launch(slv_launch *launch, const slv_plan_launch *values) {
    launch->index = values->index;
    launch->flags = values->flags;
    launch->first = values->first_iteration;
    launch->relaxation = values->relaxation;
}

// The same with each loop run once: every launch of the stage.
const slv_plan_launch *slv_plan_next_once(slv_plan_cursor *cursor);

// --- Writing ------------------------------------------------------------------------------------------

// The target of the functions that write launches.
struct slv_plan_writer {
    const slv_layout *layout;
    const slv_parameters *parameters;
    bool first_iteration; // of the launches written from now on
    int flags;            // of the launches written from now on
    float relaxation;     // of the launches written from now on

    slv_plan_entry *entries; // NULL: only counts
    uint32_t count;
    uint32_t room; // the largest count so far
    int last;      // the latest launch, if no barrier or end of a loop follows it; else -1
    uint32_t depth;
    struct {
        uint32_t begin, rounds;
    } loops[SLV_LOOP_DEPTH];
};

// Launches rows first … end - 1 of a body; nothing where there are none.
void slv_plan_launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, uint32_t body, int index,
                          int first, int end);

// All launches written so far are done before those written from here on begin. Without a barrier,
// launches may run at the same time.
void slv_plan_barrier(slv_plan_writer *writer);

// Drops the launches written since there were `count` entries; there must be a barrier before and after them, and no
// loop may have begun or ended in between.
void slv_plan_drop_since(slv_plan_writer *writer, uint32_t count);

// The launches written between these run `rounds` times; there is a barrier at both ends.
void slv_plan_begin_loop(slv_plan_writer *writer, uint32_t rounds);
void slv_plan_end_loop(slv_plan_writer *writer);

#endif
