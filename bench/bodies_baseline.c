// SPDX-License-Identifier: MIT
#include "bench/bodies_baseline.h"

#include <math.h>
#include <string.h>

static void rotation_of(const float q[4], float r[3][3]) {
    const float rows[3][3] = {{1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]),
                               2 * (q[0] * q[2] + q[1] * q[3])},
                              {2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
                               2 * (q[1] * q[2] - q[0] * q[3])},
                              {2 * (q[0] * q[2] - q[1] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]),
                               1 - 2 * (q[0] * q[0] + q[1] * q[1])}};
    memcpy(r, rows, sizeof rows);
}

// a: rows.
static void follow(float q[4], float a[3][3]) {
    float r[3][3];
    float turn[3] = {0, 0, 0};
    float along = 1e-9f;
    rotation_of(q, r);
    for (int k = 0; k < 3; k++) {
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3;
            const int f = (d + 2) % 3;
            turn[d] += r[e][k] * a[f][k] - r[f][k] * a[e][k];
            along += r[d][k] * a[d][k];
        }
    }
    for (int d = 0; d < 3; d++) {
        turn[d] /= fabsf(along);
    }
    const float angle = sqrtf(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    if (angle < 1e-9f) {
        return;
    }
    const float s = sinf(0.5f * angle) / angle;
    const float c = cosf(0.5f * angle);
    const float t[3] = {s * turn[0], s * turn[1], s * turn[2]};
    const float product[4] = {c * q[0] + t[0] * q[3] + t[1] * q[2] - t[2] * q[1],
                              c * q[1] + t[1] * q[3] + t[2] * q[0] - t[0] * q[2],
                              c * q[2] + t[2] * q[3] + t[0] * q[1] - t[1] * q[0],
                              c * q[3] - t[0] * q[0] - t[1] * q[1] - t[2] * q[2]};
    float square = 0;
    for (int i = 0; i < 4; i++) {
        square += product[i] * product[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] = product[i] / sqrtf(square);
    }
}

static void match(slv_plain_clusters *clusters, uint32_t first, uint32_t end, float q[4]) {
    float center[3] = {0, 0, 0};
    float a[3][3] = {{0}};
    float r[3][3];
    for (uint32_t m = first; m < end; m++) {
        for (int d = 0; d < 3; d++) {
            center[d] += clusters->positions[clusters->members[m]][d];
        }
    }
    for (int d = 0; d < 3; d++) {
        center[d] /= (float)(end - first);
    }
    for (uint32_t m = first; m < end; m++) {
        const float *x = clusters->positions[clusters->members[m]];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                a[i][k] += (x[i] - center[i]) * clusters->offsets[m][k];
            }
        }
    }
    follow(q, a);
    follow(q, a);
    rotation_of(q, r);
    for (uint32_t m = first; m < end; m++) {
        float *x = clusters->positions[clusters->members[m]];
        const float *o = clusters->offsets[m];
        for (int i = 0; i < 3; i++) {
            x[i] = center[i] + (r[i][0] * o[0] + r[i][1] * o[1] + r[i][2] * o[2]);
        }
    }
}

void slv_plain_match(slv_plain_clusters *clusters) {
    uint32_t first = 0;
    for (size_t c = 0; c < clusters->count; c++) {
        match(clusters, first, clusters->ends[c], clusters->rotations[c]);
        first = clusters->ends[c];
    }
}
