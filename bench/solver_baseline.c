// SPDX-License-Identifier: MIT
#include "bench/solver_baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vec3 {
    float x, y, z;
} vec3;

struct baseline {
    int count;
    float inertia; // m/h²
    float stiffness;
    float rest;
    vec3 *q, *y, *temp;
    int *first; // neighbors of p: first[p] … first[p + 1] - 1
    int *neighbors;
};

static void join(baseline *cloth, int nx, int nz) {
    int next = 0;
    for (int p = 0; p < cloth->count; p++) {
        int i = p % nx;
        int k = p / nx;
        cloth->first[p] = next;
        if (i > 0) {
            cloth->neighbors[next++] = p - 1;
        }
        if (i + 1 < nx) {
            cloth->neighbors[next++] = p + 1;
        }
        if (k > 0) {
            cloth->neighbors[next++] = p - nx;
        }
        if (k + 1 < nz) {
            cloth->neighbors[next++] = p + nx;
        }
    }
    cloth->first[cloth->count] = next;
}

baseline *baseline_create(int nx, int nz, float spacing, float mass, float stiffness, float step) {
    baseline *cloth = calloc(1, sizeof *cloth);
    if (!cloth) {
        return NULL;
    }
    size_t count = (size_t)nx * (size_t)nz;
    *cloth = (baseline){
        .count = nx * nz,
        .inertia = mass / (step * step),
        .stiffness = stiffness,
        .rest = spacing,
        .q = calloc(count, sizeof(vec3)),
        .y = calloc(count, sizeof(vec3)),
        .temp = calloc(count, sizeof(vec3)),
        .first = calloc(count + 1, sizeof(int)),
        .neighbors = calloc(4 * count, sizeof(int)),
    };
    if (!cloth->q || !cloth->y || !cloth->temp || !cloth->first || !cloth->neighbors) {
        baseline_destroy(cloth);
        return NULL;
    }
    join(cloth, nx, nz);
    for (int p = 0; p < cloth->count; p++) { // a little larger than at rest
        int i = p % nx;
        int k = p / nx;
        vec3 position = {1.1f * spacing * (float)i, 0.0f, 1.1f * spacing * (float)k};
        cloth->q[p] = cloth->y[p] = position;
    }
    return cloth;
}

void baseline_destroy(baseline *cloth) {
    if (cloth) {
        free(cloth->q);
        free(cloth->y);
        free(cloth->temp);
        free(cloth->first);
        free(cloth->neighbors);
        free(cloth);
    }
}

void baseline_begin(baseline *cloth) {
    memcpy(cloth->temp, cloth->q, (size_t)cloth->count * sizeof *cloth->temp);
}

void baseline_iterate(baseline *cloth, float relaxation) {
    const float k = cloth->stiffness;
    const float kl = k * cloth->rest;
    for (int p = 0; p < cloth->count; p++) {
        vec3 sum = {cloth->inertia * cloth->y[p].x, cloth->inertia * cloth->y[p].y,
                    cloth->inertia * cloth->y[p].z};
        vec3 here = cloth->temp[p];
        int end = cloth->first[p + 1];
        for (int n = cloth->first[p]; n < end; n++) {
            int other = cloth->neighbors[n];
            vec3 there = cloth->temp[other];
            vec3 d = {here.x - there.x, here.y - there.y, here.z - there.z};
            float scale = kl / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
            sum.x += k * cloth->q[other].x + scale * d.x;
            sum.y += k * cloth->q[other].y + scale * d.y;
            sum.z += k * cloth->q[other].z + scale * d.z;
        }
        float diagonal = cloth->inertia + (float)(end - cloth->first[p]) * k;
        vec3 *q = &cloth->q[p];
        q->x += relaxation * (sum.x / diagonal - q->x);
        q->y += relaxation * (sum.y / diagonal - q->y);
        q->z += relaxation * (sum.z / diagonal - q->z);
    }
}
