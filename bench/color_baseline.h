// SPDX-License-Identifier: MIT
// Position based Gauss-Seidel as one writes it without colors: distance constraints one after another in
// the order of the file, one thread, no vectors. The same projection as kernels/compliant.h.
#ifndef SLV_BENCH_COLOR_BASELINE_H
#define SLV_BENCH_COLOR_BASELINE_H

#include "tests/runtime/soft_shapes.h"

typedef struct file_order file_order;

file_order *file_order_create(const soft_shape *shape, float stretch, float compliance,
                              float inverse_mass); // NULL without memory
void file_order_destroy(file_order *self);
void file_order_iterate(file_order *self, int count); // the first from multipliers of zero
double file_order_residual(const file_order *self);   // sum of (length - rest)²

#endif
