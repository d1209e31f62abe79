// SPDX-License-Identifier: MIT
// What a step of the explicit integrators cannot be faster than on this processor. Arithmetic: the force of a spring on one
// of its ends, in vectors of eight, on operands that lie side by side in the first cache. It leaves out what a cloth adds to
// it: neighbors by index, particles as vectors of four, masks, integration. Memory: bytes that a step reads and writes, over
// the speed of copying as many.
#include "bench/bench_report.h"
#include "bench/lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENDS = 512, WIDE = 8 };

typedef float wide __attribute__((vector_size(4 * WIDE)));

typedef struct operands {
    wide x[ENDS / WIDE], y[ENDS / WIDE], z[ENDS / WIDE], rest[ENDS / WIDE];
} operands;

#if defined(__x86_64__)
#include <immintrin.h>
#define FOR_SPRINGS __attribute__((target("avx2"), noinline))
#define ROOT(a) ((wide)_mm256_sqrt_ps((__m256)(a)))
#else
#define FOR_SPRINGS __attribute__((noinline))
static wide root_of(wide a) {
    for (int n = 0; n < WIDE; n++) {
        a[n] = sqrtf(a[n]);
    }
    return a;
}
#define ROOT(a) root_of(a)
#endif

// Adds the forces of all ends up, as slv_sum_springs does for a particle without damping.
FOR_SPRINGS static void sum_forces(const operands *at, wide *total) {
    wide x = {0.0f};
    wide y = {0.0f};
    wide z = {0.0f};
    for (int n = 0; n < ENDS / WIDE; n++) {
        const wide dx = total[0] - at->x[n];
        const wide dy = total[1] - at->y[n];
        const wide dz = total[2] - at->z[n];
        const wide square = dx * dx + dy * dy + dz * dz;
        const wide scale = at->rest[n] / ROOT(square) - 1.0f;
        x += scale * dx;
        y += scale * dy;
        z += scale * dz;
    }
    total[0] += 1e-9f * x;
    total[1] += 1e-9f * y;
    total[2] += 1e-9f * z;
}

double lab_time_spring_end(void) {
    static operands at;
    wide total[3];
    const int rounds = 4000;
    double best = (double)INFINITY;
    for (int n = 0; n < ENDS; n++) {
        at.x[n / WIDE][n % WIDE] = 1.0f + 0.01f * (float)n;
        at.y[n / WIDE][n % WIDE] = 2.0f;
        at.z[n / WIDE][n % WIDE] = 3.0f;
        at.rest[n / WIDE][n % WIDE] = 4.0f;
    }
    memset(total, 0, sizeof total);
    for (int attempt = 0; attempt < 7; attempt++) {
        const double begin = slv_bench_seconds();
        for (int round = 0; round < rounds; round++) {
            sum_forces(&at, total);
        }
        best = fmin(best, (slv_bench_seconds() - begin) / ((double)rounds * ENDS));
    }
    if (isnan(total[0][0])) { // the sums are used
        lab_stop("lab_time_spring_end", "not a number");
    }
    return best;
}

double lab_time_byte(size_t bytes) {
    const size_t half = bytes / 2;
    char *from = malloc(half);
    char *to = malloc(half);
    double best = (double)INFINITY;
    if (!from || !to) {
        lab_stop("lab_time_byte", "out of memory");
    }
    memset(from, 1, half);
    memset(to, 2, half);
    for (int attempt = 0; attempt < 7; attempt++) {
        const double begin = slv_bench_seconds();
        for (int round = 0; round < 100; round++) {
            memcpy(to, from, half);
            from[round] = to[half - 1]; // copies depend on each other
        }
        best = fmin(best, (slv_bench_seconds() - begin) / (100.0 * 2.0 * (double)half));
    }
    free(from);
    free(to);
    return best;
}
