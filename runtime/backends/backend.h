// SPDX-License-Identifier: MIT
// Where steps are computed. A backend is one struct of functions; an engine is what it makes for one
// world. The world's form lies in the host's memory and is what an engine starts from; an engine either
// works in it, or has arrays of its own and is told what changed (upload) and asked for what is wanted
// (download). All it does in a step is play the plan.
#ifndef SLV_RUNTIME_BACKENDS_BACKEND_H
#define SLV_RUNTIME_BACKENDS_BACKEND_H

#include "formats/result.h"
#include "runtime/backends/device_list.h"
#include "runtime/step/plan.h"

enum { SLV_THREAD_LIMIT = 256 };

// Some steps.
typedef struct slv_run {
    slv_launch launch; // what all launches share: parity and step are those of the first step
    uint32_t count;
    uint32_t move_steps; // SLV_STAGE_MOVE changes nothing after that many, and may be left out
} slv_run;

typedef struct slv_outcome {
    uint32_t done; // fewer than asked for: the next one blew up and was taken back
} slv_outcome;

typedef struct slv_backend {
    const char *name; // as in slv_world_def

    // def has been checked but for what the backend alone knows. On failure nothing is left behind.
    slv_result (*create)(const slv_world_def *def, slv_allocator allocator, void **engine,
                         slv_error *error);
    void (*destroy)(void *engine);
    slv_world_device (*describe)(const void *engine);

    // Takes over a form, everything in it included, and a plan. Their arrays live until the next load
    // has succeeded; the structs do not and are copied. On failure the engine keeps what it had. form
    // is NULL when only the plan is new, never the first time.
    slv_result (*load)(void *engine, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error);

    // Takes over a run of form->state or form->table. NULL: the engine works in the form's arrays.
    slv_result (*upload)(void *engine, bool table, slv_extent extent, slv_error *error);
    // Brings a run of form->state up to date. NULL as above.
    slv_result (*download)(void *engine, slv_extent extent, slv_error *error);

    // Memory from which the device takes moves (form->move_state and move_table) by itself: whoever writes
    // them writes there, and upload only sends for them and does not wait, so they must not change before
    // the next run has finished or failed. Of the form last loaded, as long as it is. NULL: there is none.
    slv_staging (*get_staging)(void *engine);

    // Begins to do steps; finish waits until they are done. Every run is finished before anything else
    // is asked. Step n has parity (run->launch.parity + n) & 1. A step that raises the alarm is taken
    // back and ends the run; the alarm is down again when the run has finished.
    slv_result (*run)(void *engine, const slv_run *run, slv_error *error);
    slv_result (*finish)(void *engine, slv_outcome *outcome, slv_error *error);

    // Hands over what steps have cost and begins anew. NULL: nobody counts.
    void (*take_timing)(void *engine, slv_timing *timing);

    // Adds the devices that are here; without any, leaves why in error. NULL: none of its own.
    void (*list)(slv_device_list *list, slv_error *error);

    // Writes positions of a part in own order into an OpenGL buffer, and forgets such a buffer. NULL:
    // cannot.
    slv_result (*write_gl)(void *engine, uint32_t body, uint32_t count, uint32_t buffer,
                           slv_error *error);
    void (*forget_gl)(void *engine, uint32_t buffer);
} slv_backend;

extern const slv_backend slv_cpu_backend;
extern const slv_backend slv_opencl_backend;
extern const slv_backend slv_cuda_backend;

// What this library was built with, best first; NULL at the end.
extern const slv_backend *const slv_backends[];

// The backend of that name, or NULL and why not.
const slv_backend *slv_find_backend(const char *name, slv_error *error);

#endif
