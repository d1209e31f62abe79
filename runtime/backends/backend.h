// SPDX-License-Identifier: MIT
// Where steps are computed. A backend is one struct of functions; an engine is what it makes for one
// world. An engine starts from a layout in host memory. It either works in the layout's arrays, or has
// arrays of its own and copies (upload, download). In a step it only plays the plan. It depends on layouts
// and plans, not worlds.
#ifndef SLV_RUNTIME_BACKENDS_BACKEND_H
#define SLV_RUNTIME_BACKENDS_BACKEND_H

#include "formats/result.h"
#include "runtime/backends/device_list.h"
#include "runtime/step/plan.h"
#include "runtime/step/run.h"

enum { SLV_THREAD_LIMIT = 256 };

// How an engine is made: fields of slv_world_def with the same names.
typedef struct slv_engine_def {
    const char *device;          // number or part of a name; NULL: the best
    const char *instruction_set; // CPU; NULL: the best
    uint32_t threads;            // CPU; 0: one a processor
    const slv_task_hooks *tasks; // CPU; NULL: threads of its own
    bool deterministic;          // refuses a device that does not round exactly
    bool timing;                 // measures stages
    void *gl_context;            // OpenCL: shares buffers with it; NULL: none
    void *gl_display;
    bool gl_is_egl;
} slv_engine_def;

typedef struct slv_outcome {
    uint32_t done; // fewer than requested: the next one diverged and was rolled back
} slv_outcome;

typedef struct slv_backend {
    const char *name; // as in slv_world_def

    // On failure nothing is left behind.
    slv_result (*create)(const slv_engine_def *def, slv_allocator allocator, void **engine,
                         slv_error *error);
    void (*destroy)(void *engine);
    slv_world_device (*describe)(const void *engine);

    // Takes over a layout with its content and a plan. Their arrays are valid until the next load has
    // succeeded; the structs are copied. On failure the engine keeps what it had. layout is NULL when
    // only the plan is new, never the first time.
    slv_result (*load)(void *engine, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error);

    // Takes over an extent of layout->state or layout->table. NULL: the engine works in the layout's
    // arrays.
    slv_result (*upload)(void *engine, bool table, slv_extent extent, slv_error *error);
    // Brings an extent of layout->state up to date. NULL as above.
    slv_result (*download)(void *engine, slv_extent extent, slv_error *error);

    // Memory from which the device copies the staged arrays (layout->staged_state and staged_table) by
    // itself. They are written there, and upload only submits the copy, so they must not change before
    // the next run has finished or failed. Valid for the layout last loaded. NULL: there is none.
    slv_staging (*get_staging)(void *engine);

    // Begins to do steps; finish waits until they are done. Every run is finished before any other
    // call. Step n has parity (run->launch.parity + n) & 1. A step that diverges is rolled back and
    // ends the run; SLV_DIVERGED is 0 again when the run has finished.
    slv_result (*run)(void *engine, const slv_run *run, slv_error *error);
    slv_result (*finish)(void *engine, slv_outcome *outcome, slv_error *error);

    // Returns the times since the last call and sets them to zero. NULL: not measured.
    void (*take_timing)(void *engine, slv_timing *timing);

    // Adds the devices of this machine; without any, the reason is in error. NULL: no devices of its
    // own.
    void (*list)(slv_device_list *list, slv_error *error);

    // Writes the positions of a body in the order of its particles into an OpenGL buffer; releases such
    // a buffer. NULL: not supported.
    slv_result (*write_gl)(void *engine, uint32_t body, uint32_t count, uint32_t buffer,
                           slv_error *error);
    void (*forget_gl)(void *engine, uint32_t buffer);
} slv_backend;

extern const slv_backend slv_cpu_backend;
extern const slv_backend slv_opencl_backend;
extern const slv_backend slv_cuda_backend;

// The backends that this library was built with, best first; NULL at the end.
extern const slv_backend *const slv_backends[];

// The backend of that name, or NULL and the reason.
const slv_backend *slv_find_backend(const char *name, slv_error *error);

#endif
