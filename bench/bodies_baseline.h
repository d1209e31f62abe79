// SPDX-License-Identifier: MIT
// Shape matching as papers print it, plain C: clusters one after another, each moved at once.
#ifndef SLV_BENCH_BODIES_BASELINE_H
#define SLV_BENCH_BODIES_BASELINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct slv_plain_clusters {
    float (*positions)[3];
    const float (*offsets)[3]; // [members] at rest, from the center
    const uint32_t *ends, *members;
    float (*rotations)[4]; // [count] x, y, z, w
    size_t count;
} slv_plain_clusters;

// One iteration: the center, A, two steps of Müller et al. 2016 towards its rotation, goals. All masses are equal.
void slv_plain_match(slv_plain_clusters *clusters);

#endif
