// SPDX-License-Identifier: MIT
#include "runtime/backends/gpu/gpu_launch.h"
#include "runtime/backends/opencl/opencl_engine.h"

#include <stdio.h>
#include <string.h>

// Plays a plan on an OpenCL device with an in-order queue, which makes barriers unnecessary. Every
// launch of the plan has a kernel object of its own, whose arguments are set when the plan is loaded.
// So a step costs the host one call a launch.

typedef slv_opencl_engine engine;

enum { STEPS_AHEAD = SLV_OPENCL_STEPS_AHEAD, STAGES = SLV_STAGE_COUNT };

// Work items of a group along one axis, and columns of a group along two. On a GPU a few warps, wide along rows; on a
// CPU some multiples of its vectors.
enum { GROUP = 128, GROUP_COLUMNS = 32, CPU_GROUP = 64, CPU_GROUP_COLUMNS = 8 };

// --- Loading ----------------------------------------------------------------------------------------

void slv_opencl_drop_buffer(const engine *self, cl_mem buffer) {
    if (buffer) {
        (void)self->device.api.ReleaseMemObject(buffer);
    }
}

static void drop_kernels(const engine *self, slv_opencl_kernels *old) {
    for (int parity = 0; parity < 2; parity++) {
        for (uint32_t i = 0; old->kernels[parity] && i < old->count; i++) {
            if (old->kernels[parity][i]) {
                (void)self->device.api.ReleaseKernel(old->kernels[parity][i]);
            }
        }
    }
    slv_memory_release(&old->memory);
    *old = (slv_opencl_kernels){.memory = old->memory};
}

slv_result slv_opencl_make_buffer(const engine *self, size_t bytes, const void *content,
                                  cl_mem *made, slv_error *error) {
    const slv_opencl_api *api = &self->device.api;
    cl_int code = CL_SUCCESS;
    size_t room = bytes > 0 ? bytes : sizeof(float);
    *made = api->CreateBuffer(self->device.context, CL_MEM_READ_WRITE, room, NULL, &code);
    if (code != CL_SUCCESS) {
        *made = NULL;
        return slv_opencl_fail(error, "clCreateBuffer", code);
    }
    if (bytes > 0) {
        code = api->EnqueueWriteBuffer(self->device.queue, *made, CL_TRUE, 0, bytes, content, 0,
                                       NULL, NULL);
    }
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clEnqueueWriteBuffer", code);
}

static void drop_staging(const engine *self, slv_opencl_staging *staging) {
    const slv_opencl_api *api = &self->device.api;
    if (staging->mapped) {
        (void)api->EnqueueUnmapMemObject(self->device.queue, staging->buffer, staging->mapped, 0,
                                         NULL, NULL);
        (void)api->Finish(self->device.queue); // and any copy from it that is in progress
    }
    slv_opencl_drop_buffer(self, staging->buffer);
    *staging = (slv_opencl_staging){.buffer = NULL};
}

// OpenCL has page-locked memory in the form of a buffer of the host, mapped and never unmapped.
static slv_result make_staging(const engine *self, size_t bytes, slv_opencl_staging *made,
                               slv_error *error) {
    const slv_opencl_api *api = &self->device.api;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
    cl_int code = CL_SUCCESS;
    if (bytes == 0) {
        return SLV_OK;
    }
    made->buffer = api->CreateBuffer(self->device.context, flags, bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        made->buffer = NULL;
        return slv_opencl_fail(error, "clCreateBuffer", code);
    }
    made->mapped =
        api->EnqueueMapBuffer(self->device.queue, made->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                              0, bytes, 0, NULL, NULL, &code);
    made->mapped = code == CL_SUCCESS ? made->mapped : NULL;
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clEnqueueMapBuffer", code);
}

static slv_staging get_staging(void *context) {
    const engine *self = context;
    return self->staging.mapped ? slv_gpu_staging(&self->layout, self->staging.mapped)
                                : (slv_staging){.state = NULL};
}

// The arguments of an entry of kernels/device.h.
enum { STATE, TABLE, BODY, LAUNCH, FIRST, END };

static slv_result set_launch_argument(const engine *self, cl_kernel kernel,
                                      const slv_launch *values, slv_error *error) {
    cl_int code = self->device.api.SetKernelArg(kernel, LAUNCH, sizeof *values, values);
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clSetKernelArg", code);
}

// The result of a load, which replaces the engine's own where it succeeds.
typedef struct loading {
    const slv_layout *layout;
    cl_mem state, table;
    slv_opencl_staging staging;
    slv_opencl_kernels plan_kernels;
} loading;

// Every OpenCL device takes 1024 bytes (CL_DEVICE_MAX_PARAMETER_SIZE), and some no more.
_Static_assert(2 * sizeof(cl_mem) + SLV_BODY_ARGUMENT_BYTES + sizeof(slv_launch) +
                       2 * sizeof(int) <=
                   1024,
               "arguments of a kernel");

static slv_result make_kernel(const engine *self, const loading *next,
                              const slv_plan_launch *launch, int parity, cl_kernel *made,
                              slv_error *error) {
    const slv_opencl_api *api = &self->device.api;
    char name[96];
    cl_int code = CL_SUCCESS;
    (void)snprintf(name, sizeof name, "slv_run_%s", slv_kernel_infos[launch->kernel].name);
    *made = api->CreateKernel(self->device.program, name, &code);
    if (code != CL_SUCCESS) {
        *made = NULL;
        return slv_opencl_fail(error, "clCreateKernel", code);
    }
    slv_launch values = slv_gpu_values(&self->run_values, launch);
    values.parity = parity;
    const slv_body_layout *body_layout = &next->layout->bodies[launch->body];
    const struct {
        size_t size;
        const void *value;
    } arguments[] = {
        [STATE] = {sizeof(cl_mem), &next->state},        [TABLE] = {sizeof(cl_mem), &next->table},
        [BODY] = {SLV_BODY_ARGUMENT_BYTES, body_layout}, [LAUNCH] = {sizeof values, &values},
        [FIRST] = {sizeof(int), &launch->first},         [END] = {sizeof(int), &launch->end},
    };
    for (cl_uint i = 0; code == CL_SUCCESS && i < sizeof arguments / sizeof *arguments; i++) {
        code = api->SetKernelArg(*made, i, arguments[i].size, arguments[i].value);
    }
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clSetKernelArg", code);
}

static slv_result make_kernels(const engine *self, loading *next, const slv_plan *plan,
                               slv_error *error) {
    slv_opencl_kernels *made = &next->plan_kernels;
    made->memory.allocator = self->memory.allocator;
    made->count = plan->count;
    for (int parity = 0; parity < 2; parity++) {
        made->kernels[parity] = slv_memory_take(&made->memory, plan->count, sizeof(cl_kernel));
        if (!made->kernels[parity]) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
        }
    }
    for (int stage = 0; stage < STAGES; stage++) {
        slv_plan_cursor cursor = slv_plan_begin(plan, (slv_stage)stage);
        for (const slv_plan_launch *launch; (launch = slv_plan_next_once(&cursor)) != NULL;) {
            for (int parity = 0; parity < 2; parity++) {
                slv_result status = make_kernel(self, next, launch, parity,
                                                &made->kernels[parity][launch->number], error);
                if (status != SLV_OK) {
                    return status;
                }
            }
        }
    }
    return SLV_OK;
}

static slv_result load_all(const engine *self, loading *next, bool new_layout, const slv_plan *plan,
                           slv_error *error) {
    const slv_layout *layout = next->layout;
    slv_result status = SLV_OK;
    if (new_layout) {
        status = slv_opencl_make_buffer(self, layout->state_count * sizeof *layout->state,
                                        layout->state, &next->state, error);
    }
    if (status == SLV_OK && new_layout) {
        status = slv_opencl_make_buffer(self, layout->table_count * sizeof *layout->table,
                                        layout->table, &next->table, error);
    }
    if (status == SLV_OK && new_layout) {
        status = make_staging(self, slv_gpu_staging_bytes(layout), &next->staging, error);
    }
    return status == SLV_OK ? make_kernels(self, next, plan, error) : status;
}

static slv_result load(void *context, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error) {
    engine *self = context;
    loading next = {.layout = layout ? layout : &self->layout,
                    .state = layout ? NULL : self->state,
                    .table = layout ? NULL : self->table};
    slv_result status = load_all(self, &next, layout != NULL, plan, error);
    if (status == SLV_OK) {
        cl_int code = self->device.api.SetKernelArg(self->end_step, 0, sizeof(cl_mem), &next.state);
        status = code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clSetKernelArg", code);
    }
    if (status != SLV_OK) {
        drop_kernels(self, &next.plan_kernels);
        if (layout) {
            drop_staging(self, &next.staging);
            slv_opencl_drop_buffer(self, next.state);
            slv_opencl_drop_buffer(self, next.table);
        }
        return status;
    }
    drop_kernels(self, &self->plan_kernels);
    if (layout) {
        drop_staging(self, &self->staging);
        slv_opencl_drop_buffer(self, self->state);
        slv_opencl_drop_buffer(self, self->table);
        slv_opencl_drop_slots(self);
        self->staging = next.staging;
        self->layout = *layout;
    }
    self->state = next.state;
    self->table = next.table;
    self->plan_kernels = next.plan_kernels;
    self->plan = *plan;
    return SLV_OK;
}

// --- Copying ----------------------------------------------------------------------------------------

static slv_result upload(void *context, bool table, slv_extent extent, slv_error *error) {
    engine *self = context;
    if (extent.count == 0) {
        return SLV_OK;
    }
    const slv_gpu_source from =
        slv_gpu_find_source(&self->layout, get_staging(self), table, extent);
    cl_int code = self->device.api.EnqueueWriteBuffer(
        self->device.queue, table ? self->table : self->state, from.staged ? CL_FALSE : CL_TRUE,
        extent.first * sizeof(float), extent.count * sizeof(float), from.bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clEnqueueWriteBuffer", code);
}

static slv_result read_state(const engine *self, slv_extent extent, float *to, slv_error *error) {
    if (extent.count == 0) {
        return SLV_OK;
    }
    cl_int code = self->device.api.EnqueueReadBuffer(self->device.queue, self->state, CL_TRUE,
                                                     extent.first * sizeof *to,
                                                     extent.count * sizeof *to, to, 0, NULL, NULL);
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clEnqueueReadBuffer", code);
}

static slv_result download(void *context, slv_extent extent, slv_error *error) {
    const engine *self = context;
    return read_state(self, extent, self->layout.state + extent.first, error);
}

// --- Playing ----------------------------------------------------------------------------------------

// Groups always have the same sizes, since some devices compile a kernel again for each size.
static void shape_groups(const engine *self, const size_t threads[3], size_t global[3],
                         size_t local[3]) {
    const size_t group = self->device.is_cpu ? CPU_GROUP : GROUP;
    const size_t columns = self->device.is_cpu ? CPU_GROUP_COLUMNS : GROUP_COLUMNS;
    local[0] = threads[1] > 1 ? columns : group;
    local[1] = group / local[0];
    local[2] = 1;
    while (local[0] * local[1] > self->device.group_limit) {
        local[local[1] > 1 ? 1 : 0] /= 2;
    }
    for (int axis = 0; axis < 3; axis++) {
        global[axis] = (threads[axis] + local[axis] - 1) / local[axis] * local[axis];
    }
}

slv_result slv_opencl_enqueue(engine *self, cl_kernel kernel, const size_t threads[3],
                              cl_event *event, slv_error *error) {
    size_t global[3];
    size_t local[3];
    shape_groups(self, threads, global, local);
    cl_uint axes = threads[2] > 1 ? 3 : threads[1] > 1 ? 2 : 1;
    cl_int code = self->device.api.EnqueueNDRangeKernel(self->device.queue, kernel, axes, NULL,
                                                        global, local, 0, NULL, event);
    self->totals.submissions++;
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clEnqueueNDRangeKernel", code);
}

static void drop_event(const engine *self, cl_event event) {
    if (event) {
        (void)self->device.api.ReleaseEvent(event);
    }
}

// Keeps the first and the last event of the current stage.
static void note_event(const engine *self, slv_opencl_span *stage, cl_event event) {
    if (!stage->first) {
        stage->first = event;
    } else {
        drop_event(self, stage->last);
        stage->last = event;
    }
}

static slv_result play(engine *self, slv_stage stage, int parity, slv_error *error) {
    slv_opencl_span measured = {.stage = stage};
    slv_plan_cursor cursor = slv_plan_begin(&self->plan, stage);
    slv_result status = SLV_OK;
    for (const slv_plan_launch *launch;
         status == SLV_OK && (launch = slv_plan_next(&cursor)) != NULL;) {
        size_t threads[3];
        cl_event event = NULL;
        slv_gpu_threads(launch, threads);
        status = slv_opencl_enqueue(self, self->plan_kernels.kernels[parity][launch->number],
                                    threads, self->timing ? &event : NULL, error);
        if (event) {
            note_event(self, &measured, event);
        }
        self->totals.stages[stage].launches++;
    }
    if (measured.first && self->span_count < SLV_OPENCL_SPANS) {
        self->spans[self->span_count++] = measured;
    } else {
        drop_event(self, measured.first);
        drop_event(self, measured.last);
    }
    return status;
}

static double span_seconds(const engine *self, const slv_opencl_span *stage) {
    cl_ulong begin = 0;
    cl_ulong end = 0;
    cl_event last = stage->last ? stage->last : stage->first;
    if (self->device.api.GetEventProfilingInfo(stage->first, CL_PROFILING_COMMAND_START,
                                               sizeof begin, &begin, NULL) != CL_SUCCESS ||
        self->device.api.GetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                               NULL) != CL_SUCCESS) {
        return 0.0; // timing is optional
    }
    return end > begin ? 1e-9 * (double)(end - begin) : 0.0;
}

// Sums the times of stages; the device must be idle.
static void sum_spans(engine *self) {
    for (uint32_t i = 0; i < self->span_count; i++) {
        const slv_opencl_span *one = &self->spans[i];
        self->totals.stages[one->stage].seconds += span_seconds(self, one);
        drop_event(self, one->first);
        drop_event(self, one->last);
    }
    self->span_count = 0;
}

// Sets the values that all launches of a run share in the kernel objects of a stage.
static slv_result update_stage(engine *self, slv_stage stage, slv_error *error) {
    slv_plan_cursor cursor = slv_plan_begin(&self->plan, stage);
    slv_result status = SLV_OK;
    for (const slv_plan_launch *launch; (launch = slv_plan_next_once(&cursor)) != NULL;) {
        slv_launch values = slv_gpu_values(&self->run_values, launch);
        for (int parity = 0; status == SLV_OK && parity < 2; parity++) {
            values.parity = parity;
            status = set_launch_argument(self, self->plan_kernels.kernels[parity][launch->number],
                                         &values, error);
        }
    }
    return status;
}

static slv_result update_all(engine *self, const slv_launch *run_values, slv_error *error) {
    slv_result status = SLV_OK;
    if (slv_gpu_same_values(&self->run_values, run_values)) {
        return SLV_OK;
    }
    self->run_values = *run_values;
    for (int stage = 0; status == SLV_OK && stage < STAGES; stage++) {
        status = update_stage(self, (slv_stage)stage, error);
    }
    return status;
}

static slv_result play_step(engine *self, uint32_t step, slv_error *error) {
    static const size_t alone[3] = {1, 1, 1};
    int parity = (self->run->launch.parity + (int)step) & 1;
    unsigned mask = slv_gpu_stages(self->run, step);
    slv_result status = SLV_OK;
    for (int stage = 0; status == SLV_OK && stage < STAGES; stage++) {
        if (stage == SLV_STAGE_MOVE && mask & 1u << stage) {
            self->run_values.step = self->run->launch.step + (int)step;
            status = update_stage(self, SLV_STAGE_MOVE, error);
        }
        if (status == SLV_OK && mask & 1u << stage) {
            status = play(self, (slv_stage)stage, parity, error);
        }
        if (status == SLV_OK &&
            stage == SLV_STAGE_CHECK) { // what follows does nothing after divergence
            self->totals.stages[stage].launches++;
            status = slv_opencl_enqueue(self, self->end_step, alone, NULL, error);
        }
    }
    return status;
}

// `head` must not change before it is read again.
static slv_result write_head(engine *self, slv_error *error) {
    cl_int code = self->device.api.EnqueueWriteBuffer(self->device.queue, self->state, CL_FALSE, 0,
                                                      sizeof self->head, self->head, 0, NULL, NULL);
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clEnqueueWriteBuffer", code);
}

slv_result slv_opencl_wait(engine *self, slv_error *error) {
    cl_int code = self->device.api.Finish(self->device.queue);
    sum_spans(self);
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clFinish", code);
}

static slv_result begin_run(engine *self, const slv_run *steps, slv_error *error) {
    memset(self->head, 0, sizeof self->head);
    self->run = steps;
    slv_result status = update_all(self, &steps->launch, error);
    return status == SLV_OK ? write_head(self, error) : status;
}

// Submits the queue and waits every STEPS_AHEAD steps, which bounds the number of launches that a
// driver has to hold.
static slv_result send(engine *self, uint32_t step, slv_error *error) {
    if (step % STEPS_AHEAD != STEPS_AHEAD - 1) {
        cl_int code = self->device.api.Flush(self->device.queue);
        return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clFlush", code);
    }
    return slv_opencl_wait(self, error);
}

static slv_result run(void *context, const slv_run *steps, slv_error *error) {
    engine *self = context;
    slv_result status = begin_run(self, steps, error);
    for (uint32_t step = 0; status == SLV_OK && step < steps->count; step++) {
        double begin = slv_gpu_thread_seconds();
        status = play_step(self, step, error);
        self->totals.issue_seconds += slv_gpu_thread_seconds() - begin;
        if (status == SLV_OK) {
            status = send(self, step, error);
        }
    }
    if (status != SLV_OK) { // the next call must find an idle device
        (void)self->device.api.Finish(self->device.queue);
        sum_spans(self);
    }
    return status;
}

static slv_result rollback(engine *self, uint32_t step, slv_error *error) {
    memset(self->head, 0, sizeof self->head);
    slv_result status = write_head(self, error);
    if (status == SLV_OK) {
        int parity = (self->run->launch.parity + (int)step) & 1;
        status = play(self, SLV_STAGE_ROLLBACK, parity, error);
    }
    return status == SLV_OK ? slv_opencl_wait(self, error) : status;
}

static slv_result finish(void *context, slv_outcome *outcome, slv_error *error) {
    engine *self = context;
    slv_extent head = {0, SLV_HEAD_FLOATS};
    slv_result status = read_state(self, head, self->head, error);
    if (status != SLV_OK) {
        slv_error ignored;
        (void)slv_opencl_wait(self, &ignored);
        return status;
    }
    sum_spans(self);
    outcome->done = (uint32_t)self->head[SLV_STEPS_DONE];
    self->totals.steps += outcome->done;
    return self->head[SLV_DIVERGED] > 0.0f ? rollback(self, outcome->done, error) : SLV_OK;
}

static void take_timing(void *context, slv_timing *timing) {
    engine *self = context;
    *timing = self->totals;
    self->totals = (slv_timing){.steps = 0};
}

// --- The engine -------------------------------------------------------------------------------------

static void destroy(void *context) {
    engine *self = context;
    slv_memory memory = self->memory;
    slv_opencl_drop_gl(self);
    drop_kernels(self, &self->plan_kernels);
    drop_staging(self, &self->staging);
    slv_opencl_drop_buffer(self, self->state);
    slv_opencl_drop_buffer(self, self->table);
    if (self->end_step) {
        (void)self->device.api.ReleaseKernel(self->end_step);
    }
    slv_opencl_device_close(&self->device);
    slv_memory_release(&memory);
}

static slv_result create(const slv_engine_def *def, slv_allocator allocator, void **made,
                         slv_error *error) {
    slv_memory memory = {.allocator = allocator};
    engine *self = slv_memory_take(&memory, 1, sizeof *self);
    slv_opencl_span *spans =
        self ? slv_memory_take(&memory, SLV_OPENCL_SPANS, sizeof *spans) : NULL;
    if (!spans) {
        slv_memory_release(&memory);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result status = slv_opencl_device_open(&self->device, def, error);
    if (status != SLV_OK) {
        slv_memory_release(&memory);
        return status;
    }
    self->memory = memory;
    self->spans = spans;
    self->timing = def->timing;
    self->identity = slv_gpu_identify(&self->device.about, self->device.rounding);
    cl_int code = CL_SUCCESS;
    self->end_step = self->device.api.CreateKernel(self->device.program, "slv_end_step", &code);
    if (code != CL_SUCCESS) {
        self->end_step = NULL;
        destroy(self);
        return slv_opencl_fail(error, "clCreateKernel", code);
    }
    *made = self;
    return SLV_OK;
}

static slv_world_device describe(const void *context) {
    const engine *self = context;
    return slv_gpu_describe(slv_opencl_backend.name, &self->identity);
}

const slv_backend slv_opencl_backend = {
    .name = "opencl",
    .create = create,
    .destroy = destroy,
    .describe = describe,
    .load = load,
    .upload = upload,
    .download = download,
    .get_staging = get_staging,
    .run = run,
    .finish = finish,
    .take_timing = take_timing,
    .list = slv_opencl_list,
    .write_gl = slv_opencl_write_gl,
    .forget_gl = slv_opencl_forget_gl,
};
