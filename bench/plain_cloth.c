// SPDX-License-Identifier: MIT
#include "bench/plain_cloth.h"

#include <math.h>
#include <stdlib.h>

enum { NEIGHBORS = 8 };

typedef struct vec3 {
    float x, y, z;
} vec3;

typedef struct neighbor {
    int other;
    float stiffness, rest;
} neighbor;

struct plain_cloth {
    int count;
    float mass; // of a particle
    vec3 *q, *before, *predicted, *constant;
    neighbor *neighbors; // [count][NEIGHBORS]
    int *degrees;
    float *stiffness_sums;
    char *fixed;
};

static void join(plain_cloth *cloth, int side, int i, int j, float stretch, float shear) {
    const int own = j * side + i;
    for (int dj = -1; dj <= 1; dj++) {
        for (int di = -1; di <= 1; di++) {
            const int diagonal = di != 0 && dj != 0;
            const float k = diagonal ? shear : stretch;
            const int inside = i + di >= 0 && i + di < side && j + dj >= 0 && j + dj < side;
            if ((di != 0 || dj != 0) && inside && k > 0.0f) {
                const float rest = (diagonal ? sqrtf(2.0f) : 1.0f) / (float)(side - 1);
                cloth->neighbors[own * NEIGHBORS + cloth->degrees[own]++] =
                    (neighbor){own + dj * side + di, k, rest};
                cloth->stiffness_sums[own] += k;
            }
        }
    }
}

plain_cloth *plain_cloth_create(int side, float stretch, float shear) {
    plain_cloth *cloth = calloc(1, sizeof *cloth);
    const size_t count = (size_t)side * (size_t)side;
    if (!cloth) {
        return NULL;
    }
    *cloth = (plain_cloth){.count = side * side,
                           .mass = 0.2f / (float)count,
                           .q = calloc(count, sizeof(vec3)),
                           .before = calloc(count, sizeof(vec3)),
                           .predicted = calloc(count, sizeof(vec3)),
                           .constant = calloc(count, sizeof(vec3)),
                           .neighbors = calloc(count, NEIGHBORS * sizeof(neighbor)),
                           .degrees = calloc(count, sizeof(int)),
                           .stiffness_sums = calloc(count, sizeof(float)),
                           .fixed = calloc(count, 1)};
    if (!cloth->q || !cloth->before || !cloth->predicted || !cloth->constant || !cloth->neighbors ||
        !cloth->degrees || !cloth->stiffness_sums || !cloth->fixed) {
        plain_cloth_destroy(cloth);
        return NULL;
    }
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++) {
            const vec3 at = {(float)i / (float)(side - 1), 0.0f, (float)j / (float)(side - 1)};
            cloth->q[j * side + i] = cloth->before[j * side + i] = at;
            join(cloth, side, i, j, stretch, shear);
        }
    }
    cloth->fixed[0] = cloth->fixed[side - 1] = 1;
    return cloth;
}

void plain_cloth_destroy(plain_cloth *cloth) {
    if (cloth) {
        free(cloth->q);
        free(cloth->before);
        free(cloth->predicted);
        free(cloth->constant);
        free(cloth->neighbors);
        free(cloth->degrees);
        free(cloth->stiffness_sums);
        free(cloth->fixed);
        free(cloth);
    }
}

static void predict(plain_cloth *cloth, float seconds, float damping) {
    const float factor = 1.0f / (1.0f + damping * seconds);
    for (int p = 0; p < cloth->count; p++) {
        const vec3 q = cloth->q[p];
        const vec3 before = cloth->before[p];
        cloth->before[p] = q;
        if (!cloth->fixed[p]) {
            cloth->q[p].x += factor * (q.x - before.x);
            cloth->q[p].y += factor * (q.y - before.y) - 9.81f * seconds * seconds;
            cloth->q[p].z += factor * (q.z - before.z);
        }
        cloth->predicted[p] = cloth->q[p];
    }
}

// What stays the same during the iterations: inertia, and rest lengths times directions.
static void find_directions(plain_cloth *cloth, float inertia) {
    for (int p = 0; p < cloth->count; p++) {
        const vec3 q = cloth->q[p];
        const vec3 y = cloth->predicted[p];
        vec3 sum = {inertia * y.x, inertia * y.y, inertia * y.z};
        for (int n = 0; n < cloth->degrees[p]; n++) {
            const neighbor *near = &cloth->neighbors[p * NEIGHBORS + n];
            const vec3 other = cloth->q[near->other];
            const vec3 d = {q.x - other.x, q.y - other.y, q.z - other.z};
            const float scale =
                near->stiffness * near->rest / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
            sum.x += scale * d.x;
            sum.y += scale * d.y;
            sum.z += scale * d.z;
        }
        cloth->constant[p] = sum;
    }
}

static void relax(plain_cloth *cloth, float inertia, float relaxation) {
    for (int p = 0; p < cloth->count; p++) {
        if (cloth->fixed[p]) {
            continue;
        }
        vec3 sum = cloth->constant[p];
        for (int n = 0; n < cloth->degrees[p]; n++) {
            const neighbor *near = &cloth->neighbors[p * NEIGHBORS + n];
            const vec3 other = cloth->q[near->other];
            sum.x += near->stiffness * other.x;
            sum.y += near->stiffness * other.y;
            sum.z += near->stiffness * other.z;
        }
        const float reciprocal = 1.0f / (inertia + cloth->stiffness_sums[p]);
        vec3 *q = &cloth->q[p];
        q->x += relaxation * (sum.x * reciprocal - q->x);
        q->y += relaxation * (sum.y * reciprocal - q->y);
        q->z += relaxation * (sum.z * reciprocal - q->z);
    }
}

void plain_cloth_step(plain_cloth *cloth, float seconds, float damping, int iterations,
                      float relaxation) {
    const float inertia = cloth->mass / (seconds * seconds);
    predict(cloth, seconds, damping);
    find_directions(cloth, inertia);
    for (int n = 0; n < iterations; n++) {
        relax(cloth, inertia, relaxation);
    }
}

double plain_cloth_measure_stretch(const plain_cloth *cloth) {
    double most = 0.0;
    const float along =
        cloth->neighbors[0].rest; // any rest length but a diagonal's is the shortest
    for (int p = 0; p < cloth->count; p++) {
        for (int n = 0; n < cloth->degrees[p]; n++) {
            const neighbor *near = &cloth->neighbors[p * NEIGHBORS + n];
            const vec3 q = cloth->q[p];
            const vec3 other = cloth->q[near->other];
            const double x = (double)(q.x - other.x);
            const double y = (double)(q.y - other.y);
            const double z = (double)(q.z - other.z);
            const double stretch = sqrt(x * x + y * y + z * z) / (double)near->rest;
            most = near->rest <= along && stretch > most ? stretch : most;
        }
    }
    return most;
}
