// SPDX-License-Identifier: MIT
#include "tools/voxelize/lattice.h"

#include <math.h>

// Start and number of the samples along one axis.
typedef struct axis_samples {
    double origin;
    double count; // not yet truncated
} axis_samples;

static axis_samples measure_in_float(double min, double max, double spacing, uint32_t padding) {
    const float step = (float)spacing;
    const float margin = (float)padding * step;
    const float low = (float)min - margin;
    const float high = (float)max + margin;
    const float extent = high - low;
    return (axis_samples){(double)low, (double)(extent / step)};
}

static axis_samples measure_in_double(double min, double max, double spacing, uint32_t padding) {
    const double margin = padding * spacing;
    return (axis_samples){min - margin, (max - min + 2 * margin) / spacing};
}

// float32 has 24 bits: at 2^20 spacings it still resolves 1/16 of a spacing.
static bool float_resolves_samples(const double min[3], const double max[3], double spacing) {
    const double reach = 0x1p20 * spacing;
    for (int axis = 0; axis < 3; axis++) {
        if (fabs(min[axis]) > reach || fabs(max[axis]) > reach) {
            return false;
        }
    }
    return (float)spacing > 0;
}

bool slv_lattice_around(const double min[3], const double max[3], double spacing, uint32_t padding,
                        slv_lattice *lattice) {
    const bool in_float = float_resolves_samples(min, max, spacing);
    slv_lattice result = {.spacing = in_float ? (double)(float)spacing : spacing};
    double samples = 1;
    for (int axis = 0; axis < 3; axis++) {
        const axis_samples measured =
            in_float ? measure_in_float(min[axis], max[axis], spacing, padding)
                     : measure_in_double(min[axis], max[axis], spacing, padding);
        const double count = fmax(1, trunc(measured.count));
        samples *= count;
        if (!(samples < 0x1p32)) {
            return false;
        }
        result.origin[axis] = measured.origin;
        result.cells[axis] = (uint32_t)count;
    }
    *lattice = result;
    return true;
}
