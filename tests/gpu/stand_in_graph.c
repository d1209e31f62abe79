// SPDX-License-Identifier: MIT
#include "tests/gpu/stand_in_driver.h"

#include <stdlib.h>
#include <string.h>

// --- Graphs -----------------------------------------------------------------------------------------

typedef struct CUgraphNode_st node;
struct CUgraphNode_st {
    stand_in_job job; // kernel NULL: empty
    size_t index;     // within its graph
    size_t waits;     // number of nodes that it depends on
    node **after;     // nodes that depend on it
    size_t after_count;
};

struct CUgraph_st {
    node **nodes;
    size_t count, room;
};

// A graph's jobs in an order that its edges allow, the last recorded first.
struct CUgraphExec_st {
    stand_in_job *jobs;
    size_t *job_of; // of a node, among the jobs
    size_t count;
};

EXPORT CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
    (void)flags;
    BEGIN_WITHIN("cuGraphCreate")
    *graph = stand_in_make(sizeof **graph);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphDestroy(CUgraph graph) {
    for (size_t i = 0; graph && i < graph->count; i++) {
        free(graph->nodes[i]->after);
        free(graph->nodes[i]);
    }
    if (graph) {
        free(graph->nodes);
    }
    return stand_in_give_back("cuGraphDestroy", graph);
}

static void *grow(void *array, size_t count, size_t size) {
    bool full = (count & (count - 1)) == 0; // at powers of two
    void *grown = full ? realloc(array, (count > 0 ? 2 * count : 1) * size) : array;
    if (!grown) {
        abort();
    }
    return grown;
}

static node *add_node(CUgraph graph, const CUgraphNode *before, size_t count) {
    node *made = calloc(1, sizeof *made);
    if (!made) {
        abort();
    }
    graph->nodes = grow(graph->nodes, graph->count, sizeof(node *));
    made->index = graph->count;
    graph->nodes[graph->count++] = made;
    for (size_t i = 0; i < count; i++) {
        before[i]->after = grow(before[i]->after, before[i]->after_count, sizeof(node *));
        before[i]->after[before[i]->after_count++] = made;
    }
    made->waits = count;
    return made;
}

static CUresult fill_job(stand_in_job *one, const CUDA_KERNEL_NODE_PARAMS *p) {
    *one = (stand_in_job){.kernel = stand_in_kernel_of(p->func),
                          .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                          .block = {p->blockDimX, p->blockDimY, p->blockDimZ}};
    if (p->blockDimX * p->blockDimY * p->blockDimZ > 1024 || p->gridDimY > 65535) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return stand_in_copy_arguments(one->kernel, p->kernelParams, one->arguments)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGraphAddKernelNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *before,
                                     size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters) {
    BEGIN_WITHIN("cuGraphAddKernelNode")
    *made = add_node(graph, before, count);
    return fill_job(&(*made)->job, parameters);
}

EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *before,
                                    size_t count) {
    BEGIN_WITHIN("cuGraphAddEmptyNode")
    *made = add_node(graph, before, count);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    (void)flags;
    BEGIN_WITHIN("cuGraphInstantiate")
    size_t room = graph->count + 1;
    CUgraphExec made = stand_in_make(sizeof *made);
    node **ready = calloc(room, sizeof *ready);
    made->jobs = calloc(room, sizeof *made->jobs);
    made->job_of = calloc(room, sizeof *made->job_of);
    if (!ready || !made->jobs || !made->job_of) {
        abort();
    }
    size_t waiting = 0;
    size_t *waits = calloc(room, sizeof *waits);
    for (size_t i = 0; waits && i < graph->count; i++) {
        waits[i] = graph->nodes[i]->waits;
        if (waits[i] == 0) {
            ready[waiting++] = graph->nodes[i];
        }
    }
    while (waits && waiting > 0) {
        const node *next = ready[--waiting];
        made->job_of[next->index] = made->count;
        made->jobs[made->count++] = next->job;
        for (size_t i = 0; i < next->after_count; i++) {
            if (--waits[next->after[i]->index] == 0) {
                ready[waiting++] = next->after[i];
            }
        }
    }
    free(waits);
    free(ready);
    *exec = made;
    return made->count == graph->count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
    if (exec) {
        free(exec->jobs);
        free(exec->job_of);
    }
    return stand_in_give_back("cuGraphExecDestroy", exec);
}

EXPORT CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode which,
                                               const CUDA_KERNEL_NODE_PARAMS *parameters) {
    BEGIN_WITHIN("cuGraphExecKernelNodeSetParams")
    return fill_job(&exec->jobs[exec->job_of[which->index]], parameters);
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    (void)stream;
    BEGIN_WITHIN("cuGraphLaunch")
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->jobs[i].kernel) {
            *stand_in_add_job() = exec->jobs[i];
        }
    }
    return CUDA_SUCCESS;
}
