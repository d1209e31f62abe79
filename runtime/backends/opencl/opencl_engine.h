// SPDX-License-Identifier: MIT
// Types and functions that the files of the OpenCL backend share.
#ifndef SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_ENGINE_H
#define SLV_RUNTIME_BACKENDS_OPENCL_OPENCL_ENGINE_H

#include "runtime/backends/backend.h"
#include "runtime/backends/gpu/gpu_launch.h"
#include "runtime/backends/opencl/opencl_device.h"

enum {
    SLV_OPENCL_STEPS_AHEAD = 64, // submitted before the host waits for the device
    SLV_OPENCL_SPANS = (SLV_OPENCL_STEPS_AHEAD + 1) * SLV_STAGE_COUNT,
    SLV_OPENCL_GL_BUFFERS = 192, // shared with OpenGL at a time: three a body
    SLV_OPENCL_SLOT_TABLES = 64  // of bodies shared with OpenGL
};

// The kernel objects of a plan, one a launch and parity.
typedef struct slv_opencl_kernels {
    slv_memory memory;
    cl_kernel *kernels[2]; // [count]
    uint32_t count;
} slv_opencl_kernels;

// Events of the first and the last launch of a stage.
typedef struct slv_opencl_span {
    cl_event first, last;
    slv_stage stage;
} slv_opencl_span;

// Memory that the device copies from by itself; mapped as long as it exists.
typedef struct slv_opencl_staging {
    cl_mem buffer; // NULL: none
    void *mapped;
} slv_opencl_staging;

typedef struct slv_opencl_gl_buffer {
    uint32_t name; // 0: none
    cl_mem memory;
} slv_opencl_gl_buffer;

typedef struct slv_opencl_slots {
    uint32_t body;
    cl_mem memory; // NULL: none
} slv_opencl_slots;

typedef struct slv_opencl_engine {
    slv_memory memory;
    slv_opencl_device device;
    slv_gpu_identity identity;
    cl_mem state, table;
    slv_opencl_staging staging; // of the staged arrays
    cl_kernel end_step;
    slv_layout layout;
    slv_plan plan;
    slv_opencl_kernels plan_kernels;
    slv_launch run_values; // values of a run that the kernel objects have
    float head[SLV_HEAD_FLOATS];
    const slv_run *run;
    bool timing;
    slv_timing totals;
    slv_opencl_span *spans; // of the stages submitted since the last wait
    uint32_t span_count;
    slv_opencl_gl_buffer gl_buffers[SLV_OPENCL_GL_BUFFERS];
    cl_kernel export_positions; // NULL: not needed yet
    slv_opencl_slots slots[SLV_OPENCL_SLOT_TABLES];
} slv_opencl_engine;

// A buffer with this content; *made is NULL where there is none.
slv_result slv_opencl_make_buffer(const slv_opencl_engine *self, size_t bytes, const void *content,
                                  cl_mem *made, slv_error *error);
void slv_opencl_drop_buffer(const slv_opencl_engine *self, cl_mem buffer); // NULL is allowed

// event may be NULL.
slv_result slv_opencl_enqueue(slv_opencl_engine *self, cl_kernel kernel, const size_t threads[3],
                              cl_event *event, slv_error *error);
slv_result slv_opencl_wait(slv_opencl_engine *self, slv_error *error);

// As in slv_backend; drop_gl releases everything that sharing has made, drop_slots what a new layout
// makes invalid.
slv_result slv_opencl_write_gl(void *context, uint32_t body, uint32_t count, uint32_t name,
                               slv_error *error);
void slv_opencl_forget_gl(void *context, uint32_t name);
void slv_opencl_drop_slots(slv_opencl_engine *self);
void slv_opencl_drop_gl(slv_opencl_engine *self);

#endif
