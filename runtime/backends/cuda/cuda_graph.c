// SPDX-License-Identifier: MIT
#include "runtime/backends/cuda/cuda_graph.h"

#include "runtime/backends/gpu/gpu_launch.h"

#include <string.h>

enum {
    BLOCK_COLUMNS = 32, // of a block of SLV_CUDA_BLOCK threads along two axes
    BLOCK_ROWS = SLV_CUDA_BLOCK / BLOCK_COLUMNS,
    PIECE_ROWS = 65535 * BLOCK_ROWS // the limit of a grid's second axis
};

// --- One launch -------------------------------------------------------------------------------------

// A launch, or a part of one with too many rows; the end of a step where launch is NULL.
typedef struct piece {
    const slv_plan_launch *launch;
    int first, end;
} piece;

// Arguments of a kernel. The driver copies them before a call returns.
typedef struct call {
    CUfunction function;
    unsigned grid[3], block[3];
    slv_launch values;
    int first, end;
    void *arguments[6];
} call;

static int piece_end(const slv_plan_launch *launch, int first) {
    return launch->end - first > PIECE_ROWS ? first + PIECE_ROWS : launch->end;
}

static void shape_call(call *made, const slv_plan_launch *launch, int first, int end) {
    slv_plan_launch rows = *launch;
    size_t threads[3];
    rows.first = first;
    rows.end = end;
    slv_gpu_threads(&rows, threads);
    made->block[0] = threads[1] > 1 ? BLOCK_COLUMNS : SLV_CUDA_BLOCK;
    made->block[1] = threads[1] > 1 ? BLOCK_ROWS : 1;
    made->block[2] = 1;
    for (int axis = 0; axis < 3; axis++) {
        made->grid[axis] = (unsigned)((threads[axis] + made->block[axis] - 1) / made->block[axis]);
    }
}

static void make_call(call *made, const slv_cuda_device *device, slv_cuda_arrays *arrays,
                      piece part, const slv_launch *shared) {
    if (!part.launch) {
        *made = (call){.function = device->end_step,
                       .grid = {1, 1, 1},
                       .block = {1, 1, 1},
                       .arguments = {&arrays->state}};
        return;
    }
    *made = (call){.function = device->kernels[part.launch->kernel],
                   .values = slv_gpu_values(shared, part.launch),
                   .first = part.first,
                   .end = part.end};
    void *const arguments[] = {&arrays->state, &arrays->table, &arrays->bodies[part.launch->body],
                               &made->values,  &made->first,   &made->end};
    memcpy(made->arguments, arguments, sizeof arguments);
    shape_call(made, part.launch, part.first, part.end);
}

slv_result slv_cuda_play(const slv_cuda_device *device, slv_cuda_arrays *arrays,
                         const slv_plan_launch *launch, const slv_launch *shared,
                         slv_error *error) {
    int first = launch ? launch->first : 0;
    int end = launch ? launch->end : 1;
    slv_result status = SLV_OK;
    while (status == SLV_OK && first < end) {
        call one;
        int stop = launch ? piece_end(launch, first) : end;
        make_call(&one, device, arrays, (piece){launch, first, stop}, shared);
        status = SLV_CUDA_TRY(device, error, cuLaunchKernel,
                              (one.function, one.grid[0], one.grid[1], one.grid[2], one.block[0],
                               one.block[1], one.block[2], 0, device->stream, one.arguments, NULL));
        first = stop;
    }
    return status;
}

// --- Recording --------------------------------------------------------------------------------------

struct slv_cuda_node {
    CUgraphNode handle;
    piece piece;
    slv_stage stage;
};

static CUDA_KERNEL_NODE_PARAMS node_parameters(call *one) {
    return (CUDA_KERNEL_NODE_PARAMS){
        .func = one->function,
        .gridDimX = one->grid[0],
        .gridDimY = one->grid[1],
        .gridDimZ = one->grid[2],
        .blockDimX = one->block[0],
        .blockDimY = one->block[1],
        .blockDimZ = one->block[2],
        .kernelParams = one->arguments,
    };
}

// Counts pieces, up to the limit.
static uint32_t count_pieces(const slv_plan *plan, unsigned mask) {
    uint32_t count = 0;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        slv_plan_cursor cursor = slv_plan_begin(plan, (slv_stage)stage);
        const slv_plan_launch *launch = NULL;
        while (mask & 1u << stage && count <= SLV_CUDA_GRAPH_LIMIT &&
               (launch = slv_plan_next(&cursor)) != NULL) {
            count += (uint32_t)((launch->end - launch->first - 1) / PIECE_ROWS) + 1;
        }
    }
    return count;
}

bool slv_cuda_is_short(const slv_plan *plan) {
    return count_pieces(plan, (1u << SLV_STAGE_COUNT) - 1) <= SLV_CUDA_GRAPH_LIMIT;
}

// A graph that is being recorded: nodes since the last barrier depend on `before` and not on one
// another.
typedef struct recorder {
    slv_cuda_graph *graph;
    const slv_cuda_device *device;
    slv_cuda_arrays *arrays;
    const slv_launch *shared;
    CUgraphNode before;      // NULL: none
    CUgraphNode *concurrent; // nodes since the last barrier
    uint32_t abreast_count;
    slv_error *error;
} recorder;

static slv_result record_piece(recorder *self, piece part, slv_stage stage) {
    slv_cuda_node *node = &self->graph->nodes[self->graph->count];
    call one;
    make_call(&one, self->device, self->arrays, part, self->shared);
    CUDA_KERNEL_NODE_PARAMS parameters = node_parameters(&one);
    slv_result status = SLV_CUDA_TRY(
        self->device, self->error, cuGraphAddKernelNode,
        (&node->handle, self->graph->graph, &self->before, self->before ? 1 : 0, &parameters));
    if (status == SLV_OK) {
        node->piece = part;
        node->stage = stage;
        self->graph->count++;
        self->concurrent[self->abreast_count++] = node->handle;
    }
    return status;
}

static slv_result record_barrier(recorder *self) {
    slv_result status = SLV_OK;
    if (self->abreast_count == 1) {
        self->before = self->concurrent[0];
    } else if (self->abreast_count > 1) {
        status = SLV_CUDA_TRY(
            self->device, self->error, cuGraphAddEmptyNode,
            (&self->before, self->graph->graph, self->concurrent, self->abreast_count));
    }
    self->abreast_count = 0;
    return status;
}

static slv_result record_launch(recorder *self, const slv_plan_launch *launch, slv_stage stage) {
    slv_result status = SLV_OK;
    for (int first = launch->first; status == SLV_OK && first < launch->end;) {
        int end = piece_end(launch, first);
        status = record_piece(self, (piece){launch, first, end}, stage);
        first = end;
    }
    self->graph->launches[stage]++;
    return status == SLV_OK && launch->barrier ? record_barrier(self) : status;
}

// What follows in the step does nothing where it diverged.
static slv_result record_end_of_step(recorder *self) {
    self->graph->launches[SLV_STAGE_CHECK]++;
    slv_result status = record_piece(self, (piece){.launch = NULL}, SLV_STAGE_CHECK);
    return status == SLV_OK ? record_barrier(self) : status;
}

static slv_result record_stages(recorder *self, const slv_plan *plan, unsigned mask) {
    slv_result status = SLV_OK;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        slv_plan_cursor cursor = slv_plan_begin(plan, (slv_stage)stage);
        const slv_plan_launch *launch = NULL;
        while (mask & 1u << stage && status == SLV_OK &&
               (launch = slv_plan_next(&cursor)) != NULL) {
            status = record_launch(self, launch, (slv_stage)stage);
        }
        if (status == SLV_OK) {
            status = record_barrier(self);
        }
        if (status == SLV_OK && mask & 1u << stage && stage == SLV_STAGE_CHECK) {
            status = record_end_of_step(self);
        }
    }
    return status;
}

static slv_result record(recorder *self, const slv_plan *plan, unsigned mask, slv_memory *scratch) {
    slv_cuda_graph *graph = self->graph;
    size_t room = (size_t)count_pieces(plan, mask) + 1; // and the end of the step
    graph->nodes = slv_memory_take(&graph->memory, room, sizeof *graph->nodes);
    self->concurrent = slv_memory_take(scratch, room, sizeof(CUgraphNode));
    if (!graph->nodes || !self->concurrent) {
        (void)slv_fail(self->error, SLV_ERROR_MEMORY, "out of memory");
        return SLV_ERROR_MEMORY;
    }
    slv_result status = SLV_CUDA_TRY(self->device, self->error, cuGraphCreate, (&graph->graph, 0));
    if (status != SLV_OK) {
        graph->graph = NULL;
        return status;
    }
    status = record_stages(self, plan, mask);
    if (status == SLV_OK) {
        status = SLV_CUDA_TRY(self->device, self->error, cuGraphInstantiate,
                              (&graph->exec, graph->graph, 0));
        graph->exec = status == SLV_OK ? graph->exec : NULL;
    }
    return status;
}

slv_result slv_cuda_graph_record(slv_cuda_graph *graph, const slv_cuda_device *device,
                                 slv_cuda_arrays *arrays, const slv_plan *plan, unsigned mask,
                                 const slv_launch *shared, slv_allocator allocator,
                                 slv_error *error) {
    slv_memory scratch = {.allocator = allocator};
    recorder self = {
        .graph = graph, .device = device, .arrays = arrays, .shared = shared, .error = error};
    *graph = (slv_cuda_graph){.memory = {.allocator = allocator}};
    slv_result status = record(&self, plan, mask, &scratch);
    slv_memory_release(&scratch);
    if (status != SLV_OK) {
        slv_cuda_graph_drop(graph, device);
    }
    return status;
}

void slv_cuda_graph_drop(slv_cuda_graph *graph, const slv_cuda_device *device) {
    if (graph->exec) {
        (void)device->api.cuGraphExecDestroy(graph->exec);
    }
    if (graph->graph) {
        (void)device->api.cuGraphDestroy(graph->graph);
    }
    slv_memory_release(&graph->memory);
    *graph = (slv_cuda_graph){.memory = graph->memory};
}

// --- Updating ---------------------------------------------------------------------------------------

// Launches of a plan of the same shape come in the same order, each in the same number of pieces.
static slv_result tell_launch(slv_cuda_graph *graph, const slv_cuda_device *device,
                              slv_cuda_arrays *arrays, const slv_plan_launch *launch,
                              const slv_launch *shared, uint32_t *next, slv_error *error) {
    slv_result status = SLV_OK;
    int end = launch->first;
    while (status == SLV_OK && end < launch->end) {
        slv_cuda_node *node = &graph->nodes[(*next)++];
        call one;
        node->piece.launch = launch;
        end = node->piece.end;
        make_call(&one, device, arrays, node->piece, shared);
        CUDA_KERNEL_NODE_PARAMS parameters = node_parameters(&one);
        status = SLV_CUDA_TRY(device, error, cuGraphExecKernelNodeSetParams,
                              (graph->exec, node->handle, &parameters));
    }
    return status;
}

slv_result slv_cuda_graph_update(slv_cuda_graph *graph, const slv_cuda_device *device,
                                 slv_cuda_arrays *arrays, const slv_plan *plan, unsigned mask,
                                 const slv_launch *shared, slv_error *error) {
    slv_result status = SLV_OK;
    uint32_t next = 0;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        while (next < graph->count && (int)graph->nodes[next].stage < stage) {
            next++;
        }
        slv_plan_cursor cursor = slv_plan_begin(plan, (slv_stage)stage);
        const slv_plan_launch *launch = NULL;
        while (mask & 1u << stage && status == SLV_OK && next < graph->count &&
               (int)graph->nodes[next].stage == stage &&
               (launch = slv_plan_next(&cursor)) != NULL) {
            status = tell_launch(graph, device, arrays, launch, shared, &next, error);
        }
    }
    return status;
}

// Compares two plans: the same launches except for relaxation.
bool slv_cuda_same_shape(const slv_plan *one, const slv_plan *other) {
    bool same = true;
    uint32_t count = 0;
    for (int stage = 0; same && stage < SLV_STAGE_COUNT; stage++) {
        slv_plan_cursor here = slv_plan_begin(one, (slv_stage)stage);
        slv_plan_cursor there = slv_plan_begin(other, (slv_stage)stage);
        const slv_plan_launch *mine = NULL;
        do {
            mine = slv_plan_next(&here);
            const slv_plan_launch *theirs = slv_plan_next(&there);
            same = (mine == NULL) == (theirs == NULL) && count++ < 4 * SLV_CUDA_GRAPH_LIMIT;
            if (same && mine) {
                slv_plan_launch alike = *theirs;
                alike.relaxation = mine->relaxation;
                same = memcmp(mine, &alike, sizeof alike) == 0; // NOLINT: bitwise
            }
        } while (same && mine);
    }
    return same;
}
