// SPDX-License-Identifier: MIT
#include "runtime/backends/backend.h"
#include "runtime/backends/cuda/cuda_graph.h"
#include "runtime/backends/gpu/gpu_launch.h"

#include <stdio.h>
#include <string.h>

// Plays a plan on a CUDA device: one graph a step, recorded for each parity when it is first needed. To
// time stages, each is a graph of its own between two events.

enum {
    STEPS_AHEAD = 256, // submitted before the host waits for the device
    STAGES = SLV_STAGE_COUNT,
    MASKS = 1 << STAGES,
    GL_LIMIT = 192,  // buffers shared with OpenGL at a time: three a body
    SLOT_TABLES = 64 // of bodies shared with OpenGL
};

typedef struct gl_buffer {
    uint32_t name; // 0: none
    CUgraphicsResource resource;
} gl_buffer;

typedef struct slot_table {
    uint32_t body;
    CUdeviceptr array; // 0: none
} slot_table;

typedef struct engine {
    slv_memory memory;
    slv_cuda_device device;
    slv_gpu_identity identity;
    slv_cuda_arrays arrays;
    void *staging; // page-locked memory of the host for staged arrays; NULL: none
    slv_layout layout;
    slv_plan plan;
    bool too_long;                   // to be recorded as a graph
    slv_cuda_graph graphs[2][MASKS]; // by parity and stages
    slv_launch shared;               // values of a run that the graphs have
    float head[SLV_HEAD_FLOATS];
    const slv_run *run;
    bool timing;
    CUevent before, after; // for timing; else NULL
    slv_timing totals;
    gl_buffer gl_buffers[GL_LIMIT];
    slot_table slots[SLOT_TABLES];
} engine;

// --- Copying ----------------------------------------------------------------------------------------

static slv_result wait(engine *self, slv_error *error) {
    return SLV_CUDA_TRY(&self->device, error, cuStreamSynchronize, (self->device.stream));
}

// The source must not change before the stream is synchronized.
static slv_result send_array(engine *self, CUdeviceptr to, const void *from, size_t bytes,
                             slv_error *error) {
    return bytes == 0 ? SLV_OK
                      : SLV_CUDA_TRY(&self->device, error, cuMemcpyHtoDAsync,
                                     (to, from, bytes, self->device.stream));
}

static slv_result write_array(engine *self, CUdeviceptr to, const void *from, size_t bytes,
                              slv_error *error) {
    slv_result status = send_array(self, to, from, bytes, error);
    return status == SLV_OK && bytes > 0 ? wait(self, error) : status;
}

static slv_result read_array(engine *self, void *to, CUdeviceptr from, size_t bytes,
                             slv_error *error) {
    if (bytes == 0) {
        return SLV_OK;
    }
    slv_result status = SLV_CUDA_TRY(&self->device, error, cuMemcpyDtoHAsync,
                                     (to, from, bytes, self->device.stream));
    return status == SLV_OK ? wait(self, error) : status;
}

static slv_staging get_staging(void *context) {
    const engine *self = context;
    return self->staging ? slv_gpu_staging(&self->layout, self->staging)
                         : (slv_staging){.state = NULL};
}

static slv_result upload(void *context, bool table, slv_extent extent, slv_error *error) {
    engine *self = context;
    const slv_gpu_source from =
        slv_gpu_find_source(&self->layout, get_staging(self), table, extent);
    const size_t bytes = extent.count * sizeof(int);
    CUdeviceptr to = (table ? self->arrays.table : self->arrays.state) + extent.first * sizeof(int);
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status == SLV_OK) {
        status = from.staged ? send_array(self, to, from.bytes, bytes, error)
                             : write_array(self, to, from.bytes, bytes, error);
        slv_cuda_leave(&self->device);
    }
    return status;
}

static slv_result download(void *context, slv_extent extent, slv_error *error) {
    engine *self = context;
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status == SLV_OK) {
        status = read_array(self, self->layout.state + extent.first,
                            self->arrays.state + extent.first * sizeof(float),
                            extent.count * sizeof(float), error);
        slv_cuda_leave(&self->device);
    }
    return status;
}

// --- Loading ----------------------------------------------------------------------------------------

static void drop_array(const engine *self, CUdeviceptr *array) {
    if (*array) {
        (void)self->device.api.cuMemFree(*array);
        *array = 0;
    }
}

static void drop_slots(engine *self) {
    for (int i = 0; i < SLOT_TABLES; i++) {
        drop_array(self, &self->slots[i].array);
    }
}

static void drop_graphs(engine *self) {
    for (int parity = 0; parity < 2; parity++) {
        for (int mask = 0; mask < MASKS; mask++) {
            slv_cuda_graph_drop(&self->graphs[parity][mask], &self->device);
        }
    }
}

static slv_result make_array(engine *self, const void *content, size_t bytes, CUdeviceptr *made,
                             slv_error *error) {
    slv_result status =
        SLV_CUDA_TRY(&self->device, error, cuMemAlloc, (made, bytes > 0 ? bytes : sizeof(float)));
    if (status != SLV_OK) {
        *made = 0;
        return status;
    }
    return write_array(self, *made, content, bytes, error);
}

static void drop_staging(engine *self, void **staging) {
    if (*staging) {
        slv_error ignored;
        (void)wait(self, &ignored); // for copies in progress
        (void)self->device.api.cuMemFreeHost(*staging);
        *staging = NULL;
    }
}

static slv_result make_staging(engine *self, size_t bytes, void **made, slv_error *error) {
    slv_result status = SLV_OK;
    if (bytes > 0) {
        status = SLV_CUDA_TRY(&self->device, error, cuMemHostAlloc, (made, bytes, 0));
        *made = status == SLV_OK ? *made : NULL;
    }
    return status;
}

static slv_result load_layout(engine *self, const slv_layout *layout, slv_error *error) {
    slv_cuda_arrays next = {.bodies = layout->bodies};
    void *staging = NULL;
    slv_result status = make_array(self, layout->state, layout->state_count * sizeof *layout->state,
                                   &next.state, error);
    if (status == SLV_OK) {
        status = make_array(self, layout->table, layout->table_count * sizeof *layout->table,
                            &next.table, error);
    }
    if (status == SLV_OK) {
        status = make_staging(self, slv_gpu_staging_bytes(layout), &staging, error);
    }
    if (status != SLV_OK) {
        drop_array(self, &next.state);
        drop_array(self, &next.table);
        return status;
    }
    drop_staging(self, &self->staging);
    drop_array(self, &self->arrays.state);
    drop_array(self, &self->arrays.table);
    drop_slots(self);
    self->arrays = next;
    self->staging = staging;
    self->layout = *layout;
    return SLV_OK;
}

// Updates all graphs; one that cannot be updated is recorded again when it is needed.
static void update_graphs(engine *self, const slv_plan *plan) {
    slv_error ignored;
    for (int parity = 0; parity < 2; parity++) {
        for (int mask = 0; mask < MASKS; mask++) {
            slv_cuda_graph *graph = &self->graphs[parity][mask];
            slv_launch values = self->shared;
            values.parity = parity;
            if (graph->exec && slv_cuda_graph_update(graph, &self->device, &self->arrays, plan,
                                                     MASKS - 1, &values, &ignored) != SLV_OK) {
                slv_cuda_graph_drop(graph, &self->device);
            }
        }
    }
}

static slv_result load(void *context, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error) {
    engine *self = context;
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status != SLV_OK) {
        return status;
    }
    if (layout) {
        status = load_layout(self, layout, error);
    }
    if (status == SLV_OK) {
        if (!layout && slv_cuda_same_shape(&self->plan, plan)) {
            update_graphs(self, plan);
        } else {
            drop_graphs(self);
        }
        self->plan = *plan;
        self->too_long = !slv_cuda_is_short(plan);
    }
    slv_cuda_leave(&self->device);
    return status;
}

// --- Playing ----------------------------------------------------------------------------------------

static slv_result play_without_graph(engine *self, unsigned mask, const slv_launch *values,
                                     slv_error *error) {
    slv_result status = SLV_OK;
    for (int stage = 0; stage < STAGES; stage++) {
        slv_plan_cursor cursor = slv_plan_begin(&self->plan, (slv_stage)stage);
        const slv_plan_launch *launch = NULL;
        while (mask & 1u << stage && status == SLV_OK &&
               (launch = slv_plan_next(&cursor)) != NULL) {
            status = slv_cuda_play(&self->device, &self->arrays, launch, values, error);
            self->totals.stages[stage].launches++;
            self->totals.submissions++;
        }
        if (status == SLV_OK && mask & 1u << stage && stage == SLV_STAGE_CHECK) {
            status = slv_cuda_play(&self->device, &self->arrays, NULL, values, error);
            self->totals.stages[stage].launches++;
            self->totals.submissions++;
        }
    }
    return status;
}

static slv_result prepare(engine *self, unsigned mask, const slv_launch *values, slv_error *error) {
    slv_cuda_graph *graph = &self->graphs[values->parity][mask];
    if (!graph->exec) {
        return slv_cuda_graph_record(graph, &self->device, &self->arrays, &self->plan, mask, values,
                                     self->memory.allocator, error);
    }
    // The positions of moves depend on the step.
    return mask & 1u << SLV_STAGE_MOVE
               ? slv_cuda_graph_update(graph, &self->device, &self->arrays, &self->plan,
                                       1u << SLV_STAGE_MOVE, values, error)
               : SLV_OK;
}

// Plays the stages of `mask` of one step.
static slv_result play(engine *self, unsigned mask, uint32_t step, slv_error *error) {
    slv_launch values = self->shared;
    values.parity = (self->run->launch.parity + (int)step) & 1;
    values.step = self->run->launch.step + (int)step;
    if (self->too_long) {
        return play_without_graph(self, mask, &values, error);
    }
    slv_result status = prepare(self, mask, &values, error);
    if (status == SLV_OK) {
        const slv_cuda_graph *graph = &self->graphs[values.parity][mask];
        status =
            SLV_CUDA_TRY(&self->device, error, cuGraphLaunch, (graph->exec, self->device.stream));
        for (int stage = 0; stage < STAGES; stage++) {
            self->totals.stages[stage].launches += graph->launches[stage];
        }
        self->totals.submissions++;
    }
    return status;
}

static slv_result measure_stage(engine *self, slv_stage stage, uint32_t step, slv_error *error) {
    float milliseconds = 0.0f;
    slv_result status =
        SLV_CUDA_TRY(&self->device, error, cuEventRecord, (self->before, self->device.stream));
    if (status == SLV_OK) {
        status = play(self, 1u << stage, step, error);
    }
    if (status == SLV_OK) {
        status =
            SLV_CUDA_TRY(&self->device, error, cuEventRecord, (self->after, self->device.stream));
    }
    if (status == SLV_OK) {
        status = wait(self, error);
    }
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(&self->device, error, cuEventElapsedTime,
                              (&milliseconds, self->before, self->after));
    }
    self->totals.stages[stage].seconds += 1e-3 * (double)milliseconds;
    return status;
}

static slv_result play_step(engine *self, uint32_t step, slv_error *error) {
    unsigned mask = slv_gpu_stages(self->run, step);
    if (!self->timing) {
        return play(self, mask, step, error);
    }
    slv_result status = SLV_OK;
    for (int stage = 0; status == SLV_OK && stage < STAGES; stage++) {
        if (mask & 1u << stage) {
            status = measure_stage(self, (slv_stage)stage, step, error);
        }
    }
    return status;
}

// `head` must not change before it is read again.
static slv_result write_head(engine *self, slv_error *error) {
    memset(self->head, 0, sizeof self->head);
    return send_array(self, self->arrays.state, self->head, sizeof self->head, error);
}

static slv_result run_steps(engine *self, slv_error *error) {
    slv_result status = write_head(self, error);
    if (!slv_gpu_same_values(&self->shared, &self->run->launch)) {
        self->shared = self->run->launch;
        update_graphs(self, &self->plan);
    }
    for (uint32_t step = 0; status == SLV_OK && step < self->run->count; step++) {
        double begin = slv_gpu_thread_seconds();
        status = play_step(self, step, error);
        self->totals.issue_seconds += slv_gpu_thread_seconds() - begin;
        if (status == SLV_OK && step % STEPS_AHEAD == STEPS_AHEAD - 1) {
            status = wait(self, error);
        }
    }
    if (status != SLV_OK) { // the next call must find an idle device
        slv_error ignored;
        (void)wait(self, &ignored);
    }
    return status;
}

static slv_result run(void *context, const slv_run *steps, slv_error *error) {
    engine *self = context;
    self->run = steps;
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status == SLV_OK) {
        status = run_steps(self, error);
        slv_cuda_leave(&self->device);
    }
    return status;
}

static slv_result finish_steps(engine *self, slv_outcome *outcome, slv_error *error) {
    slv_result status = read_array(self, self->head, self->arrays.state, sizeof self->head, error);
    if (status != SLV_OK) {
        return status;
    }
    outcome->done = (uint32_t)self->head[SLV_STEPS_DONE];
    self->totals.steps += outcome->done;
    if (!(self->head[SLV_DIVERGED] > 0.0f)) {
        return SLV_OK;
    }
    status = write_head(self, error);
    if (status == SLV_OK) {
        status = play(self, 1u << SLV_STAGE_ROLLBACK, outcome->done, error);
    }
    return status == SLV_OK ? wait(self, error) : status;
}

static slv_result finish(void *context, slv_outcome *outcome, slv_error *error) {
    engine *self = context;
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status == SLV_OK) {
        status = finish_steps(self, outcome, error);
        slv_cuda_leave(&self->device);
    }
    return status;
}

static void take_timing(void *context, slv_timing *timing) {
    engine *self = context;
    *timing = self->totals;
    self->totals = (slv_timing){.steps = 0};
}

// --- OpenGL -----------------------------------------------------------------------------------------

static void drop_gl(engine *self, gl_buffer *buffer) {
    if (buffer->name) {
        (void)self->device.api.cuGraphicsUnregisterResource(buffer->resource);
        *buffer = (gl_buffer){.name = 0};
    }
}

static void forget_gl(void *context, uint32_t name) {
    engine *self = context;
    slv_error ignored;
    if (slv_cuda_enter(&self->device, &ignored) == SLV_OK) {
        for (int i = 0; i < GL_LIMIT; i++) {
            if (self->gl_buffers[i].name == name) {
                drop_gl(self, &self->gl_buffers[i]);
            }
        }
        slv_cuda_leave(&self->device);
    }
}

// Finds the entry of a buffer, a new one if need be.
static slv_result find_gl(engine *self, uint32_t name, gl_buffer **found, slv_error *error) {
    gl_buffer *entry =
        &self->gl_buffers[slv_gpu_find_gl(self->gl_buffers, sizeof *entry, GL_LIMIT, name)];
    *found = entry;
    if (entry->name == name) {
        return SLV_OK;
    }
    drop_gl(self, entry);
    slv_result status =
        SLV_CUDA_TRY(&self->device, error, cuGraphicsGLRegisterBuffer,
                     (&entry->resource, name, CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD));
    entry->name = status == SLV_OK ? name : 0;
    return status;
}

static slv_result load_slots(engine *self, uint32_t body, uint32_t count, slv_error *error) {
    slot_table *slots = &self->slots[body % SLOT_TABLES];
    if (slots->array && slots->body == body) {
        return SLV_OK;
    }
    drop_array(self, &slots->array);
    slots->body = body;
    slv_result status =
        make_array(self, self->layout.slots[body], count * sizeof(uint32_t), &slots->array, error);
    if (status != SLV_OK) {
        drop_array(self, &slots->array);
    }
    return status;
}

static slv_result fill_gl(engine *self, gl_buffer *buffer, uint32_t body, uint32_t count,
                          slv_error *error) {
    CUdeviceptr shared = 0;
    size_t bytes = 0;
    int particles = (int)count;
    slv_result status = SLV_CUDA_TRY(&self->device, error, cuGraphicsResourceGetMappedPointer,
                                     (&shared, &bytes, buffer->resource));
    if (status == SLV_OK && bytes < (size_t)count * 3 * sizeof(float)) {
        (void)slv_fail(error, SLV_ERROR_ARGUMENT,
                       "gl_buffer has %zu bytes, %u particles take 12 each", bytes, count);
        status = SLV_ERROR_ARGUMENT;
    }
    if (status == SLV_OK && count > 0) {
        void *arguments[] = {&self->arrays.state, &self->slots[body % SLOT_TABLES].array, &shared,
                             &self->layout.bodies[body], &particles};
        status = SLV_CUDA_TRY(&self->device, error, cuLaunchKernel,
                              (self->device.export_positions,
                               (count + SLV_CUDA_BLOCK - 1) / SLV_CUDA_BLOCK, 1, 1, SLV_CUDA_BLOCK,
                               1, 1, 0, self->device.stream, arguments, NULL));
    }
    return status;
}

static slv_result write_gl(void *context, uint32_t body, uint32_t count, uint32_t name,
                           slv_error *error) {
    engine *self = context;
    gl_buffer *buffer = NULL;
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status != SLV_OK) {
        return status;
    }
    status = load_slots(self, body, count, error);
    if (status == SLV_OK) {
        status = find_gl(self, name, &buffer, error);
    }
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(&self->device, error, cuGraphicsMapResources,
                              (1, &buffer->resource, self->device.stream));
    }
    if (status == SLV_OK) {
        status = fill_gl(self, buffer, body, count, error);
        slv_error later;
        slv_result end = SLV_CUDA_TRY(&self->device, &later, cuGraphicsUnmapResources,
                                      (1, &buffer->resource, self->device.stream));
        if (status == SLV_OK && end != SLV_OK) {
            *error = later;
            status = end;
        }
    }
    slv_cuda_leave(&self->device);
    return status;
}

// --- The engine -------------------------------------------------------------------------------------

static void destroy(void *context) {
    engine *self = context;
    slv_memory memory = self->memory;
    slv_error ignored;
    bool entered = slv_cuda_enter(&self->device, &ignored) == SLV_OK;
    for (int i = 0; i < GL_LIMIT; i++) {
        drop_gl(self, &self->gl_buffers[i]);
    }
    drop_graphs(self);
    drop_staging(self, &self->staging);
    drop_array(self, &self->arrays.state);
    drop_array(self, &self->arrays.table);
    drop_slots(self);
    if (self->before) {
        (void)self->device.api.cuEventDestroy(self->before);
    }
    if (self->after) {
        (void)self->device.api.cuEventDestroy(self->after);
    }
    if (entered) {
        slv_cuda_leave(&self->device);
    }
    slv_cuda_device_close(&self->device);
    slv_memory_release(&memory);
}

static slv_result make_events(engine *self, slv_error *error) {
    slv_result status = slv_cuda_enter(&self->device, error);
    if (status != SLV_OK) {
        return status;
    }
    status = SLV_CUDA_TRY(&self->device, error, cuEventCreate, (&self->before, CU_EVENT_DEFAULT));
    self->before = status == SLV_OK ? self->before : NULL;
    if (status == SLV_OK) {
        status =
            SLV_CUDA_TRY(&self->device, error, cuEventCreate, (&self->after, CU_EVENT_DEFAULT));
        self->after = status == SLV_OK ? self->after : NULL;
    }
    slv_cuda_leave(&self->device);
    return status;
}

static slv_result create(const slv_engine_def *def, slv_allocator allocator, void **made,
                         slv_error *error) {
    slv_memory memory = {.allocator = allocator};
    engine *self = slv_memory_take(&memory, 1, sizeof *self);
    if (!self) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result status = slv_cuda_device_open(&self->device, def, error);
    if (status != SLV_OK) {
        slv_memory_release(&memory);
        return status;
    }
    self->memory = memory;
    self->timing = def->timing;
    self->identity = slv_gpu_identify(&self->device.about, self->device.rounding);
    status = self->timing ? make_events(self, error) : SLV_OK;
    if (status != SLV_OK) {
        destroy(self);
        return status;
    }
    *made = self;
    return SLV_OK;
}

static slv_world_device describe(const void *context) {
    const engine *self = context;
    return slv_gpu_describe(slv_cuda_backend.name, &self->identity);
}

const slv_backend slv_cuda_backend = {
    .name = "cuda",
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
    .list = slv_cuda_list,
    .write_gl = write_gl,
    .forget_gl = forget_gl,
};
