// SPDX-License-Identifier: MIT
// Stages of a plan recorded once as a CUDA graph, loops unrolled, and replayed with one call however many
// launches they have. Launches between two barriers stand side by side in it. What kernels are told may
// change afterwards without recording anew.
#ifndef SLV_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H
#define SLV_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H

#include "runtime/backends/cuda/cuda_device.h"
#include "runtime/step/plan.h"

// What kernels work on.
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

// The stages of `mask` (bit n for stage n); with SLV_STAGE_CHECK the step ends. On failure nothing is
// left behind.
slv_result slv_cuda_graph_record(slv_cuda_graph *graph, const slv_cuda_device *device,
                                 slv_cuda_arrays *arrays, const slv_plan *plan, unsigned mask,
                                 const slv_launch *shared, slv_allocator allocator,
                                 slv_error *error);
void slv_cuda_graph_drop(slv_cuda_graph *graph, const slv_cuda_device *device);

// Tells the launches of the stages of `mask` anew what all share; parity stays as recorded. Takes what
// is a launch's own from `plan`, which must have the shape of the one recorded.
slv_result slv_cuda_graph_tell(slv_cuda_graph *graph, const slv_cuda_device *device,
                               slv_cuda_arrays *arrays, const slv_plan *plan, unsigned mask,
                               const slv_launch *shared, slv_error *error);

// Whether a graph of one plan serves the other as well, told anew.
bool slv_cuda_same_shape(const slv_plan *one, const slv_plan *other);

// Launches without a graph, for steps too long to be recorded; NULL ends the step.
enum { SLV_CUDA_GRAPH_LIMIT = 1 << 15 }; // launches
bool slv_cuda_is_short(const slv_plan *plan);
slv_result slv_cuda_play(const slv_cuda_device *device, slv_cuda_arrays *arrays,
                         const slv_plan_launch *launch, const slv_launch *shared, slv_error *error);

#endif
