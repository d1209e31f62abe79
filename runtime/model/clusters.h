// SPDX-License-Identifier: MIT
// Clusters: particles that keep the shape in which they rest (formats/PACK.md, "CCLU"; kernels/match.h).
#ifndef SLV_RUNTIME_MODEL_CLUSTERS_H
#define SLV_RUNTIME_MODEL_CLUSTERS_H

#include "formats/garment.h"
#include "runtime/base/memory.h"

// Members of cluster i are members[ends[i - 1]] … members[ends[i] - 1] (from 0 on for the first).
typedef struct slv_cluster_set {
    uint32_t count;
    uint32_t member_count;
    uint32_t *ends;    // [count]
    uint32_t *members; // [member_count] own numbers
    uint32_t *uses;    // [particles]: clusters that have each
    float (*rests)[3]; // [particles] positions at rest in the garment's own frame, metres
    // [count] in the order of layouts: small ones (SLV_MATCH_SMALL members at most) by descending size, then large ones.
    uint32_t *order;
    uint32_t small_count;
    double *weights; // [members of the largest cluster] to compute with
} slv_cluster_set;

// Stays empty for a garment without clusters.
slv_result slv_cluster_set_create(slv_cluster_set *set, const slv_garment *garment, double scale,
                                  slv_memory *memory, slv_error *error);

static inline uint32_t slv_cluster_first(const slv_cluster_set *set, uint32_t cluster) {
    return cluster > 0 ? set->ends[cluster - 1] : 0;
}

static inline uint32_t slv_cluster_size(const slv_cluster_set *set, uint32_t cluster) {
    return set->ends[cluster] - slv_cluster_first(set, cluster);
}

// A cluster at rest.
typedef struct slv_cluster_shape {
    double weight; // sum of weights
    double center[3];
    double inverse[6]; // of the sum of weight * offset * offset', 1/m²: xx, yy, zz, xy, xz, yz
    bool flat;         // offsets lie in a plane, and the inverse is that within the plane
} slv_cluster_shape;

// weights: [members of the cluster].
slv_cluster_shape slv_cluster_measure(const slv_cluster_set *set, uint32_t cluster,
                                      const double *weights);

#endif
