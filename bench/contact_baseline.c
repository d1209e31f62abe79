// SPDX-License-Identifier: MIT
#include "bench/contact_baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct contact_baseline {
    int count;
    int cells[3]; // of a box around all points, one more on each side
    float origin[3];
    float width;
    float *x, *y, *z;                      // in the order of particles
    float *sorted_x, *sorted_y, *sorted_z; // by cell
    int *key;
    int *start; // [cells + 1]
};

static void *take(size_t count, size_t size) {
    return calloc(count + 1, size);
}

contact_baseline *contact_baseline_create(int side, float spacing) {
    contact_baseline *baseline = calloc(1, sizeof *baseline);
    size_t count = (size_t)side * (size_t)side;
    if (!baseline) {
        return NULL;
    }
    baseline->count = (int)count;
    baseline->width = spacing;
    float height = 8.0f * spacing; // of the folds
    for (int d = 0; d < 3; d++) {
        float extent = d == 1 ? 2.0f * height : spacing * (float)side;
        baseline->origin[d] = (d == 1 ? -height : 0.0f) - spacing;
        baseline->cells[d] = (int)(extent / spacing) + 3;
    }
    size_t cells =
        (size_t)baseline->cells[0] * (size_t)baseline->cells[1] * (size_t)baseline->cells[2];
    float **arrays[] = {&baseline->x,        &baseline->y,        &baseline->z,
                        &baseline->sorted_x, &baseline->sorted_y, &baseline->sorted_z};
    int missing = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = take(count, sizeof(float));
        missing |= *arrays[i] == NULL;
    }
    baseline->key = take(count, sizeof *baseline->key);
    baseline->start = take(cells + 1, sizeof *baseline->start);
    if (missing || !baseline->key || !baseline->start) {
        contact_baseline_destroy(baseline);
        return NULL;
    }
    for (size_t p = 0; p < count; p++) {
        float i = (float)(p % (size_t)side);
        size_t row = p / (size_t)side;
        float k = (float)row;
        baseline->x[p] = spacing * i;
        baseline->y[p] = height * sinf(0.13f * i) * cosf(0.11f * k);
        baseline->z[p] = spacing * k;
    }
    return baseline;
}

void contact_baseline_destroy(contact_baseline *baseline) {
    if (baseline) {
        free(baseline->x);
        free(baseline->y);
        free(baseline->z);
        free(baseline->sorted_x);
        free(baseline->sorted_y);
        free(baseline->sorted_z);
        free(baseline->key);
        free(baseline->start);
        free(baseline);
    }
}

static int cell_of(const contact_baseline *baseline, float x, float y, float z) {
    int i = (int)((x - baseline->origin[0]) / baseline->width);
    int j = (int)((y - baseline->origin[1]) / baseline->width);
    int k = (int)((z - baseline->origin[2]) / baseline->width);
    return i + baseline->cells[0] * (j + baseline->cells[1] * k);
}

void contact_baseline_sort(contact_baseline *baseline) {
    int cells = baseline->cells[0] * baseline->cells[1] * baseline->cells[2];
    memset(baseline->start, 0, ((size_t)cells + 1) * sizeof *baseline->start);
    for (int p = 0; p < baseline->count; p++) {
        baseline->key[p] = cell_of(baseline, baseline->x[p], baseline->y[p], baseline->z[p]);
        baseline->start[baseline->key[p] + 1]++;
    }
    for (int c = 0; c < cells; c++) {
        baseline->start[c + 1] += baseline->start[c];
    }
    for (int p = baseline->count - 1; p >= 0; p--) { // start[c + 1] counts down to where c begins
        int to = --baseline->start[baseline->key[p] + 1];
        baseline->sorted_x[to] = baseline->x[p];
        baseline->sorted_y[to] = baseline->y[p];
        baseline->sorted_z[to] = baseline->z[p];
    }
}

uint64_t contact_baseline_pass(const contact_baseline *baseline, float radius) {
    uint64_t pairs = 0;
    for (int p = 0; p < baseline->count; p++) {
        float x = baseline->sorted_x[p];
        float y = baseline->sorted_y[p];
        float z = baseline->sorted_z[p];
        int own = cell_of(baseline, x, y, z);
        for (int n = 0; n < 27; n++) {
            int cell = own + n % 3 - 1 +
                       baseline->cells[0] * (n / 3 % 3 - 1 + baseline->cells[1] * (n / 9 - 1));
            int end = cell + 2 <= baseline->cells[0] * baseline->cells[1] * baseline->cells[2]
                          ? baseline->start[cell + 2]
                          : baseline->count;
            for (int q = baseline->start[cell + 1]; q < end; q++) {
                float dx = baseline->sorted_x[q] - x;
                float dy = baseline->sorted_y[q] - y;
                float dz = baseline->sorted_z[q] - z;
                pairs += dx * dx + dy * dy + dz * dz < radius * radius;
            }
        }
    }
    return pairs;
}
