// SPDX-License-Identifier: MIT
// Baseline: position based Gauss-Seidel without colors. Distance constraints one after another in file order, one
// thread, no vectors. The projection is that of kernels/compliant.h.
#ifndef SLV_BENCH_COLOR_BASELINE_H
#define SLV_BENCH_COLOR_BASELINE_H

#include "tests/common/soft_shapes.h"

typedef struct file_order file_order;

file_order *file_order_create(const soft_shape *shape, float stretch, float compliance,
                              float inverse_mass); // NULL without memory
void file_order_destroy(file_order *self);
void file_order_iterate(file_order *self, int count); // the first from multipliers of zero
double file_order_residual(const file_order *self);   // sum of (length - rest)²

#endif
