// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_clusters.h"

#include "runtime/step/neighbor_search.h"

#include <string.h>

enum { FEWEST_HEADS = 64 };

// At least as many as clusters.
static int count_heads(int clusters) {
    int heads = FEWEST_HEADS;
    while (heads < clusters) {
        heads *= 2;
    }
    return heads;
}

bool slv_cpu_clusters_create(slv_cpu_clusters *clusters, const slv_layout *layout,
                             slv_allocator allocator) {
    const slv_neighbor_layout *search = layout->neighbors;
    slv_cpu_clusters made = {.memory = {.allocator = allocator},
                             .count = search->points / SLV_CLUSTER};
    made.head_count = count_heads(made.count);
    const size_t count = (size_t)made.count;
    const size_t heads = (size_t)made.head_count + 1;
    made.boxes = slv_memory_take(&made.memory, count, SLV_CLUSTER_FLOATS * sizeof *made.boxes);
    bool done = true;
    for (int r = 0; r < SLV_FEATURE_ROOM; r++) {
        if (search->requests[r].capacity > 0 && !search->requests[r].own) {
            made.margins[r] = slv_memory_take(&made.memory, count, 2 * sizeof **made.margins);
            made.candidates[r] = slv_memory_take(
                &made.memory, count, (1 + SLV_CANDIDATE_ROOM) * sizeof **made.candidates);
            done = done && made.margins[r] && made.candidates[r];
        }
    }
    made.near = slv_memory_take(&made.memory, count, (1 + SLV_NEAR_ROOM) * sizeof *made.near);
    made.heads = slv_memory_take(&made.memory, heads, 2 * sizeof *made.heads);
    made.chain = slv_memory_take(&made.memory, count, 2 * sizeof *made.chain);
    if (!done || !made.boxes || !made.near || !made.heads || !made.chain) {
        slv_memory_release(&made.memory);
        return false;
    }
    *clusters = made;
    return true;
}

void slv_cpu_clusters_destroy(slv_cpu_clusters *clusters) {
    slv_memory memory = clusters->memory;
    slv_memory_release(&memory);
    *clusters = (slv_cpu_clusters){.count = 0};
}

void slv_cpu_clusters_reset(slv_cpu_clusters *clusters) {
    clusters->span = 0.0f;
    for (int r = 0; r < SLV_FEATURE_ROOM; r++) {
        if (clusters->margins[r]) {
            memset(clusters->margins[r], 0,
                   2 * (size_t)clusters->count * sizeof **clusters->margins);
        }
    }
}
