// SPDX-License-Identifier: MIT
#include "runtime/model/clusters.h"

#include "kernels/match.h"

#include <string.h>

// Clusters whose determinant is below this part of the cube of their trace count as flat: of a plate, its thickness is
// below a ten-thousandth of its length.
static const double flat_part = 1e-9;
// Part of the trace that is added to the diagonal of a flat one, so that it has an inverse.
static const double regular_part = 1e-6;

static bool is_small(const slv_cluster_set *set, uint32_t cluster) {
    return slv_cluster_size(set, cluster) <= SLV_MATCH_SMALL;
}

// Stable counting sort.
static void sort_clusters(slv_cluster_set *set) {
    uint32_t first[SLV_MATCH_SMALL + 2] = {0}; // by size, from the largest on; last those beyond
    for (uint32_t c = 0; c < set->count; c++) {
        const bool small = is_small(set, c);
        first[small ? SLV_MATCH_SMALL - slv_cluster_size(set, c) + 1 : SLV_MATCH_SMALL + 1]++;
        set->small_count += small;
    }
    for (uint32_t i = 1; i <= SLV_MATCH_SMALL; i++) {
        first[i] += first[i - 1];
    }
    first[SLV_MATCH_SMALL + 1] = set->small_count;
    for (uint32_t c = 0; c < set->count; c++) {
        const uint32_t at =
            is_small(set, c) ? SLV_MATCH_SMALL - slv_cluster_size(set, c) : SLV_MATCH_SMALL + 1;
        set->order[first[at]++] = c;
    }
}

static uint32_t find_largest(const slv_clusters *clusters) {
    uint32_t most = 0;
    uint32_t before = 0;
    for (uint32_t c = 0; c < clusters->count; c++) {
        const uint32_t size = clusters->end[c] - before;
        most = size > most ? size : most;
        before = clusters->end[c];
    }
    return most;
}

slv_result slv_cluster_set_create(slv_cluster_set *set, const slv_garment *garment, double scale,
                                  slv_memory *memory, slv_error *error) {
    const slv_clusters *clusters = &garment->clusters;
    const uint32_t n = garment->info.particle_count;
    if (clusters->count == 0) {
        return SLV_OK;
    }
    set->ends = slv_memory_take(memory, clusters->count, sizeof *set->ends);
    set->members = slv_memory_take(memory, clusters->member_count, sizeof *set->members);
    set->uses = slv_memory_take(memory, n, sizeof *set->uses);
    set->rests = slv_memory_take(memory, n, sizeof *set->rests);
    set->order = slv_memory_take(memory, clusters->count, sizeof *set->order);
    set->weights = slv_memory_take(memory, find_largest(clusters), sizeof *set->weights);
    if (!set->ends || !set->members || !set->uses || !set->rests || !set->order || !set->weights) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for clusters");
    }
    set->count = clusters->count;
    set->member_count = clusters->member_count;
    memcpy(set->ends, clusters->end, clusters->count * sizeof *set->ends);
    sort_clusters(set);
    for (uint32_t m = 0; m < clusters->member_count; m++) {
        set->members[m] = garment->own_of_stored[clusters->member[m]];
        set->uses[set->members[m]]++;
    }
    for (uint32_t s = 0; s < n; s++) {
        float *rest = set->rests[garment->own_of_stored[s]];
        rest[0] = (float)(scale * (double)garment->x[s]);
        rest[1] = (float)(scale * (double)garment->y[s]);
        rest[2] = (float)(scale * (double)garment->z[s]);
    }
    return SLV_OK;
}

// m: xx, yy, zz, xy, xz, yz. Returns its determinant, and the adjugate in the same order.
static double adjugate(const double m[6], double result[6]) {
    result[0] = m[1] * m[2] - m[5] * m[5];
    result[1] = m[0] * m[2] - m[4] * m[4];
    result[2] = m[0] * m[1] - m[3] * m[3];
    result[3] = m[4] * m[5] - m[3] * m[2];
    result[4] = m[3] * m[5] - m[4] * m[1];
    result[5] = m[3] * m[4] - m[0] * m[5];
    return m[0] * result[0] + m[3] * result[3] + m[4] * result[4];
}

static void invert(double moments[6], slv_cluster_shape *shape) {
    const double trace = moments[0] + moments[1] + moments[2];
    double determinant = adjugate(moments, shape->inverse);
    shape->flat = !(determinant > flat_part * trace * trace * trace);
    if (shape->flat) {
        for (int d = 0; d < 3; d++) {
            moments[d] += regular_part * trace;
        }
        determinant = adjugate(moments, shape->inverse);
    }
    for (int i = 0; i < 6; i++) {
        shape->inverse[i] = determinant > 0.0 ? shape->inverse[i] / determinant : 0.0;
    }
}

slv_cluster_shape slv_cluster_measure(const slv_cluster_set *set, uint32_t cluster,
                                      const double *weights) {
    slv_cluster_shape shape = {.flat = false};
    double moments[6] = {0.0};
    const uint32_t *members = set->members + slv_cluster_first(set, cluster);
    const uint32_t count = slv_cluster_size(set, cluster);
    for (uint32_t i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            shape.center[d] += weights[i] * (double)set->rests[members[i]][d];
        }
        shape.weight += weights[i];
    }
    for (int d = 0; d < 3; d++) {
        shape.center[d] /= shape.weight;
    }
    for (uint32_t i = 0; i < count; i++) {
        double r[3];
        for (int d = 0; d < 3; d++) {
            r[d] = (double)set->rests[members[i]][d] - shape.center[d];
            moments[d] += weights[i] * r[d] * r[d];
        }
        moments[3] += weights[i] * r[0] * r[1];
        moments[4] += weights[i] * r[0] * r[2];
        moments[5] += weights[i] * r[1] * r[2];
    }
    invert(moments, &shape);
    return shape;
}
