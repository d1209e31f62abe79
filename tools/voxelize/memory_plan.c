// SPDX-License-Identifier: MIT
#include "tools/voxelize/memory_plan.h"

#include "formats/field.h"
#include "tools/common/byte_text.h"
#include "tools/voxelize/field_source.h"
#include "tools/voxelize/grid_garment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Part of the memory that a proposed spacing may use. The rest is a reserve, because the number of particles is
// known only later.
static const double PROPOSED_PART = 0.9;
enum {
    HALVINGS = 40
}; // of the interval of spacings: to 1e-12 of it, below the three digits printed
static const double MAX_REPORTED_BYTES = 0x1p60; // larger needs are reported as a number of samples

void slv_measure_mesh(const slv_mesh *mesh, double *volume, double *area) {
    double min[3];
    double max[3];
    double six_volumes = 0;
    double facing[3] = {0, 0, 0}; // twice the sum of the area vectors; zero for a closed surface
    *area = 0;
    slv_mesh_bounds(mesh, min, max);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t points[3];
        double
            p[3]
             [3]; // relative to the center of the bounds, so that an open sheet has a small volume
        slv_mesh_corner_points(mesh, t, points);
        for (size_t c = 0; c < 3; c++) {
            for (size_t axis = 0; axis < 3; axis++) {
                p[c][axis] =
                    mesh->points[3 * (size_t)points[c] + axis] - 0.5 * (min[axis] + max[axis]);
            }
        }
        const double u[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
        const double v[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
        six_volumes += p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2];
        *area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int axis = 0; axis < 3; axis++) {
            facing[axis] += n[axis];
        }
    }
    const double box = (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
    const double largest = fmax(fabs(facing[0]), fmax(fabs(facing[1]), fabs(facing[2])));
    *volume = largest > 1e-6 * *area ? 0 : fmin(fabs(six_volumes) / 6, box);
}

double slv_memory_needed(const slv_memory_plan *plan, double spacing) {
    double cells[3]; // as doubles: grids beyond 2^32 samples must not overflow
    for (int axis = 0; axis < 3; axis++) {
        cells[axis] = (plan->max[axis] - plan->min[axis]) / spacing + 2.0 * plan->padding;
    }
    const double rows = cells[1] * cells[2];
    const double bits = rows * ceil(cells[0] / 64) * sizeof(uint64_t);
    const double index = rows * 2 * sizeof(uint32_t) + bits / 7; // row numbers, occupancy pyramid
    const double layer = (cells[0] + 2) * (cells[1] + 2);
    const double tables = 3 * sizeof(int32_t) * layer * plan->threads;

    const double particles =
        plan->volume / (spacing * spacing * spacing) + plan->area / (spacing * spacing);
    const double garment = particles * (double)slv_grid_garment_bytes(1, 3);

    double value = 0; // buffered bytes per distance
    value += plan->text ? sizeof(float) + (double)slv_sdf_get_text_bound(1000) / 1000 : 0;
    value += plan->coded ? 2 * sizeof(float) : 0;
    const double blocks =
        value * layer * SLV_FIELD_BLOCK_LAYERS * slv_field_block_window(plan->threads);
    return bits + index + tables + garment + blocks;
}

double slv_round_digits(double value, bool up) {
    char text[32];
    (void)snprintf(text, sizeof text, "%.2e", value);
    const double rounded = strtod(text, NULL);
    const double step = rounded / 100; // at least one unit of the third digit
    if (up && rounded < value) {
        (void)snprintf(text, sizeof text, "%.2e", rounded + step);
    } else if (!up && rounded > value) {
        (void)snprintf(text, sizeof text, "%.2e", rounded - step);
    }
    return strtod(text, NULL);
}

static bool fits(const slv_memory_plan *plan, double spacing, double bytes) {
    slv_lattice lattice;
    return slv_memory_needed(plan, spacing) <= bytes &&
           slv_lattice_around(plan->min, plan->max, spacing, plan->padding, &lattice);
}

// The smallest spacing of three digits above `spacing` that fits into `bytes`; 0 where none up to
// SLV_SPACING_MAX does.
static double fitting_spacing(const slv_memory_plan *plan, double spacing, double bytes) {
    double low = spacing;
    double high = spacing;
    while (!fits(plan, high, PROPOSED_PART * bytes)) {
        if (high >= SLV_SPACING_MAX) {
            return 0;
        }
        low = high;
        high = fmin(2 * high, SLV_SPACING_MAX);
    }
    for (int step = 0; step < HALVINGS; step++) {
        const double middle = 0.5 * (low + high);
        if (fits(plan, middle, PROPOSED_PART * bytes)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return fmin(slv_round_digits(high, true), SLV_SPACING_MAX);
}

slv_result slv_memory_check(const slv_memory_plan *plan, double spacing, slv_error *error) {
    const double limit = (double)plan->limit * SLV_MIB;
    if (fits(plan, spacing, limit)) {
        return SLV_OK;
    }
    const double needed = slv_memory_needed(plan, spacing);
    const double fitting = fitting_spacing(plan, spacing, limit);
    char what[96] = "gives 2^32 samples or more";
    char advice[96];
    if (needed > limit && needed < MAX_REPORTED_BYTES) {
        char bytes[SLV_BYTE_TEXT];
        slv_byte_text(needed, bytes);
        (void)snprintf(what, sizeof what, "needs about %s, more than --memory-limit %llu", bytes,
                       (unsigned long long)plan->limit);
    }
    if (fitting > 0) {
        (void)snprintf(advice, sizeof advice, "--spacing %g fits", fitting);
    } else {
        (void)snprintf(advice, sizeof advice,
                       "no spacing fits with --padding %u, a smaller one might", plan->padding);
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "a spacing of %g m %s; %s", spacing, what, advice);
}
