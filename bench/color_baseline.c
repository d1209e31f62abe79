// SPDX-License-Identifier: MIT
#include "bench/color_baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct file_order {
    uint32_t count;
    float compliance, weight;
    float (*positions)[4];
    uint32_t (*ends)[2];
    float *rest, *multiplier;
};

static float distance(const float *one, const float *other) {
    const float dx = one[0] - other[0];
    const float dy = one[1] - other[1];
    const float dz = one[2] - other[2];
    return sqrtf(dx * dx + dy * dy + dz * dz);
}

file_order *file_order_create(const soft_shape *shape, float stretch, float compliance,
                              float inverse_mass) {
    file_order *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    *self = (file_order){.count = shape->spring_count,
                         .compliance = compliance,
                         .weight = inverse_mass,
                         .positions = calloc(shape->particle_count, sizeof *self->positions),
                         .ends = calloc(shape->spring_count, sizeof *self->ends),
                         .rest = calloc(shape->spring_count, sizeof *self->rest),
                         .multiplier = calloc(shape->spring_count, sizeof *self->multiplier)};
    if (!self->positions || !self->ends || !self->rest || !self->multiplier) {
        file_order_destroy(self);
        return NULL;
    }
    memcpy(self->ends, shape->springs, shape->spring_count * sizeof *self->ends);
    for (uint32_t s = 0; s < self->count; s++) {
        self->rest[s] =
            distance(shape->positions[self->ends[s][0]], shape->positions[self->ends[s][1]]);
    }
    for (uint32_t p = 0; p < shape->particle_count; p++) {
        for (int d = 0; d < 3; d++) {
            self->positions[p][d] = stretch * shape->positions[p][d];
        }
    }
    return self;
}

void file_order_destroy(file_order *self) {
    if (self) {
        free(self->positions);
        free(self->ends);
        free(self->rest);
        free(self->multiplier);
        free(self);
    }
}

static void project(file_order *self, uint32_t s) {
    float *a = self->positions[self->ends[s][0]];
    float *b = self->positions[self->ends[s][1]];
    const float dx = a[0] - b[0];
    const float dy = a[1] - b[1];
    const float dz = a[2] - b[2];
    const float share = 1.0f / (self->weight + self->weight + self->compliance);
    const float length = sqrtf(dx * dx + dy * dy + dz * dz);
    const float reciprocal = length > 0.0f ? 1.0f / length : 0.0f;
    const float error = length - self->rest[s] + self->compliance * self->multiplier[s];
    const float change = length > 0.0f ? share * error : 0.0f;
    const float scale = self->weight * change * reciprocal;
    self->multiplier[s] -= change;
    a[0] -= scale * dx;
    a[1] -= scale * dy;
    a[2] -= scale * dz;
    b[0] += scale * dx;
    b[1] += scale * dy;
    b[2] += scale * dz;
}

void file_order_iterate(file_order *self, int count) {
    memset(self->multiplier, 0, self->count * sizeof *self->multiplier);
    for (int n = 0; n < count; n++) {
        for (uint32_t s = 0; s < self->count; s++) {
            project(self, s);
        }
    }
}

double file_order_residual(const file_order *self) {
    double sum = 0;
    for (uint32_t s = 0; s < self->count; s++) {
        const float *a = self->positions[self->ends[s][0]];
        const float *b = self->positions[self->ends[s][1]];
        const double error = (double)distance(a, b) - (double)self->rest[s];
        sum += error * error;
    }
    return sum;
}
