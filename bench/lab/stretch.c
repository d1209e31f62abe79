// SPDX-License-Identifier: MIT
// Super-elasticity (Provot 1995): springs near the points from which a cloth hangs stretch beyond what cloth does. Lengths of
// the structural springs of a sheet of 50 x 50 particles that hangs from two corners, at rest, without a strain limit and
// with limits of 1.2, 1.1 and 1.05 times the rest length.
#include "bench/lab/lab.h"

#include <math.h>

enum { BINS = 60 };

static const double bin_width = 0.02; // from a length over rest of 0.8 on
static const double first_bin = 0.8;

static void measure(FILE *file, double limit, uint32_t side, uint32_t steps) {
    lab_cloth cloth = lab_default_cloth(SLV_MS_SYMPLECTIC_EULER);
    uint32_t counts[BINS] = {0};
    double longest = 0.0;
    cloth.side = side;
    cloth.spacing = 1.0 / (side - 1);
    cloth.mass = 0.2 / (side * side);
    cloth.stiffness[0] = cloth.stiffness[1] = cloth.stiffness[2] = 10.0;
    cloth.damping = 0.0005;
    cloth.air = 2.0;
    cloth.gravity = 9.81;
    cloth.time_step = 0.0005;
    cloth.strain_limit = limit;
    cloth.fixed = LAB_CORNERS;
    slv_world *world = lab_open(&cloth);
    if (slv_world_step(world, steps) != SLV_OK) {
        lab_stop("stretch", slv_world_get_message(world));
    }
    const lab_springs springs = lab_copy_springs(world);
    for (uint32_t s = 0; s < springs.count; s++) {
        const lab_spring *spring = &springs.list[s];
        double a[3];
        double b[3];
        double ignored[3];
        if (spring->rest < 1.1 * cloth.spacing) { // no diagonals
            lab_read(world, spring->a, a, ignored);
            lab_read(world, spring->b, b, ignored);
            const double length =
                sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                     (a[2] - b[2]) * (a[2] - b[2])) /
                spring->rest;
            const double bin = floor((length - first_bin) / bin_width);
            counts[(int)fmin(fmax(bin, 0.0), BINS - 1.0)]++;
            longest = fmax(longest, length);
        }
    }
    for (int n = 0; n < BINS; n++) {
        (void)fprintf(file, "%g,%.3f,%u,%.5g\n", limit, first_bin + n * bin_width, counts[n],
                      longest);
    }
    lab_free_springs(springs);
    slv_world_destroy(world);
}

void lab_study_stretch(const char *folder, bool quick) {
    static const double limits[] = {0.0, 1.2, 1.1, 1.05};
    FILE *file = lab_open_csv(folder, "stretch");
    (void)fprintf(file, "limit,from,springs,longest\n");
    for (size_t n = 0; n < sizeof limits / sizeof *limits; n++) {
        measure(file, limits[n], quick ? 20 : 50, quick ? 4000 : 12000);
    }
    (void)fclose(file);
}
