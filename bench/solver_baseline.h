// SPDX-License-Identifier: MIT
// Baseline of the solver: sequential Gauss-Seidel as in the paper (algorithm 5), with index tables, one
// particle after another, and directions found again in every iteration. Optimized, one thread.
#ifndef SLV_BENCH_SOLVER_BASELINE_H
#define SLV_BENCH_SOLVER_BASELINE_H

typedef struct baseline baseline;

// A cloth of nx by nz particles; NULL without memory.
baseline *baseline_create(int nx, int nz, float spacing, float mass, float stiffness, float step);
void baseline_destroy(baseline *cloth);
void baseline_begin(baseline *cloth); // temp = q, as each outer iteration does
void baseline_iterate(baseline *cloth, float relaxation);

#endif
