// SPDX-License-Identifier: MIT
// Tables of the CPU's neighbor search by clusters (cpu_clusters.inl). They belong to the engine: a layout has
// no CPU-only arrays, so GPUs do not carry them.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_CLUSTERS_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_CLUSTERS_H

#include "kernels/bins.h"
#include "runtime/layout/layout.h"

enum {
    SLV_CLUSTER_FLOATS = 32,
    SLV_NEAR_ROOM = 63,      // clusters in the list of a cluster at most
    SLV_CANDIDATE_ROOM = 127 // candidate points of a cluster at most
};

typedef struct slv_cpu_clusters {
    slv_memory memory;
    float *boxes; // [count][SLV_CLUSTER_FLOATS]: bounds, as cpu_clusters.inl says
    // Of each request of neighbor lists; NULL where there is none.
    float *margins
        [SLV_FEATURE_ROOM]; // [count][2], metres: see find_neighbors_of_cluster in cpu_neighbors.inl
    int *candidates
        [SLV_FEATURE_ROOM]; // [count][1 + SLV_CANDIDATE_ROOM]: their number, then the points
    int *
        near; // [count][1 + SLV_NEAR_ROOM]: number of near clusters, then the clusters; -1: too many
    int *heads; // [head_count + 1][2], a cell of the hash table: its first cluster, their number
    int *chain; // [count][2]: the next cluster of the cell, the code of the cell
    int count;
    int head_count; // a power of two

    // Written in each step by the kernel bin_scale.
    float moved;     // metres by which two points approached since the lists were made, at most
    float span;      // metres that the lists reach; 0: there are none
    float cell_rate; // 1/m: of the width of a cell
    bool rebuilt;    // the lists are made in this step
    bool sorts;      // points are sorted instead, as there is no grid of clusters
} slv_cpu_clusters;

// For the points of a layout. False without memory; then nothing is left behind.
bool slv_cpu_clusters_create(slv_cpu_clusters *clusters, const slv_layout *layout,
                             slv_allocator allocator);
void slv_cpu_clusters_destroy(slv_cpu_clusters *clusters);

// Drops all lists, so that the next step rebuilds them. For benchmarks.
void slv_cpu_clusters_reset(slv_cpu_clusters *clusters);

// Those of an engine of the CPU backend. For tests and benchmarks.
slv_cpu_clusters *slv_cpu_get_clusters(void *context);

#endif
