// SPDX-License-Identifier: MIT
// Writes the uncolored packs of the experiments on phantoms:
//   color-shapes FOLDER     ball.slv, blob.slv, tori.slv, cloth.slv
#include "tests/common/soft_shapes.h"

#include <math.h>
#include <stdio.h>

static bool inside_blob(double x, double y, double z) {
    const double r = sqrt(x * x + y * y + z * z);
    return r < 14.45 + 0.8 * (x * x * x - 3 * x * y * y) /
                           (r * r * r + 1); // three bumps around the axis
}

static void write(soft_shape shape, const char *folder, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.slv", folder, name);
    soft_write(&shape, 1.0f, path);
    (void)printf("%s: %u particles, %u springs, %u tetrahedra\n", name, shape.particle_count,
                 shape.spring_count, shape.tetrahedron_count);
    soft_free(&shape);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        (void)fprintf(stderr, "usage: color-shapes FOLDER\n");
        return 1;
    }
    write(soft_ball(6, 4, 20, 12), argv[1], "ball");
    write(soft_lattice(36, 36, 36, 0.01f, inside_blob), argv[1], "blob");
    write(soft_tori(400, 22), argv[1], "tori");
    write(soft_cloth(20, 0.05f), argv[1], "cloth");
    return 0;
}
