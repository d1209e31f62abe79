// SPDX-License-Identifier: MIT
// Stages of a plan recorded once as a CUDA graph, with unrolled loops, and replayed with one call.
// Launches between two barriers are independent nodes. Arguments of kernels can be updated without
// recording again.
#ifndef SLV_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H
#define SLV_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H

#include "runtime/backends/cuda/cuda_device.h"
#include "runtime/step/plan.h"

// Device memory of a layout.
typedef struct slv_cuda_arrays {
    CUdeviceptr state, table;
    slv_body_layout *bodies; // in the host's memory
} slv_cuda_arrays;

typedef struct slv_cuda_node slv_cuda_node;

typedef struct slv_cuda_graph {
    slv_memory memory;
    CUgraph graph;
    CUgraphExec exec; // NULL: not recorded
    slv_cuda_node *nodes;
    uint32_t count;
    uint32_t launches[SLV_STAGE_COUNT];
} slv_cuda_graph;

// Records the stages of `mask` (bit n for stage n); SLV_STAGE_CHECK also ends the step. On failure
// nothing is left behind.
slv_result slv_cuda_graph_record(slv_cuda_graph *graph, const slv_cuda_device *device,
                                 slv_cuda_arrays *arrays, const slv_plan *plan, unsigned mask,
                                 const slv_launch *shared, slv_allocator allocator,
                                 slv_error *error);
void slv_cuda_graph_drop(slv_cuda_graph *graph, const slv_cuda_device *device);

// Updates the values that all launches of a run share, for the stages of `mask`; parity stays as
// recorded. The values of a single launch come from `plan`, which must have the shape of the recorded
// one.
slv_result slv_cuda_graph_update(slv_cuda_graph *graph, const slv_cuda_device *device,
                                 slv_cuda_arrays *arrays, const slv_plan *plan, unsigned mask,
                                 const slv_launch *shared, slv_error *error);

// Whether a graph of one plan can be updated to the other.
bool slv_cuda_same_shape(const slv_plan *one, const slv_plan *other);

// Plays one launch without a graph, for steps too long to be recorded; NULL ends the step.
enum { SLV_CUDA_GRAPH_LIMIT = 1 << 15 }; // launches
bool slv_cuda_is_short(const slv_plan *plan);
slv_result slv_cuda_play(const slv_cuda_device *device, slv_cuda_arrays *arrays,
                         const slv_plan_launch *launch, const slv_launch *shared, slv_error *error);

#endif
