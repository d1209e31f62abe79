// SPDX-License-Identifier: MIT
// Vertex colors on particles. The colors encode positions, so that a test can identify the nearest
// point.
#include "tests/tools/voxelize/garment/meshes.h"
#include "tools/voxelize/paint.h"

#include <math.h>

#include <cmocka.h>

static double next_number(uint64_t *seed) { // 0 … 1
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

// Random triangles in a unit cube; red, green and blue are x, y and z.
static slv_mesh crumpled(uint32_t triangles) {
    double(*points)[3] = mesh_array(3 * triangles, sizeof *points);
    uint32_t(*corners)[3] = mesh_array(triangles, sizeof *corners);
    uint64_t seed = 7;
    for (uint32_t t = 0; t < triangles; t++) {
        const double middle[3] = {next_number(&seed), next_number(&seed), next_number(&seed)};
        for (uint32_t c = 0; c < 3; c++) {
            corners[t][c] = 3 * t + c;
            for (int axis = 0; axis < 3; axis++) { // some are degenerate
                const double spread = t % 9 == 0 ? 0 : t % 5 == 0 && axis > 0 ? 1e-9 : 0.3;
                const double at = middle[axis] + spread * (next_number(&seed) - 0.5);
                points[3 * t + c][axis] = rint(fmin(fmax(at, 0), 1) * 255) / 255;
            }
        }
    }
    slv_mesh mesh = mesh_make(3 * triangles, (const double(*)[3])points, triangles,
                              (const uint32_t(*)[3])corners);
    mesh.paint = mesh_array(3 * triangles, 4);
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            mesh.paint[4 * i + axis] = (uint8_t)rint(points[i][axis] * 255);
        }
        mesh.paint[4 * i + 3] = 77;
    }
    free(points);
    free(corners);
    return mesh;
}

enum { PARTICLES = 400, STEPS = 24 };
static float positions[3][PARTICLES];

static void scatter(slv_garment_builder *builder) {
    uint64_t seed = 3;
    for (uint32_t p = 0; p < PARTICLES; p++) {
        for (int axis = 0; axis < 3; axis++) {
            positions[axis][p] = (float)(1.6 * next_number(&seed) - 0.3);
        }
    }
    *builder = (slv_garment_builder){.garment = {.info = {.particle_count = PARTICLES},
                                                 .x = positions[0],
                                                 .y = positions[1],
                                                 .z = positions[2]}};
}

static double distance(const double a[3], uint32_t particle) {
    return hypot(
        hypot(a[0] - (double)positions[0][particle], a[1] - (double)positions[1][particle]),
        a[2] - (double)positions[2][particle]);
}

// Reference by dense sampling of every triangle: an upper bound, slightly too large.
static double sampled_distance(const slv_mesh *mesh, uint32_t particle) {
    double nearest = HUGE_VAL;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double *corner[3];
        for (int c = 0; c < 3; c++) {
            corner[c] = &mesh->points[3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)c]];
        }
        for (int i = 0; i <= STEPS; i++) {
            for (int j = 0; i + j <= STEPS; j++) {
                double at[3];
                for (int axis = 0; axis < 3; axis++) {
                    at[axis] = (corner[0][axis] * (STEPS - i - j) + corner[1][axis] * i +
                                corner[2][axis] * j) /
                               STEPS;
                }
                nearest = fmin(nearest, distance(at, particle));
            }
        }
    }
    return nearest;
}

static const slv_lattice lattice = {
    .cells = {40, 40, 40}, .origin = {-0.5, -0.5, -0.5}, .spacing = 0.05};

static void a_particle_has_the_color_of_the_nearest_point(void **state) {
    (void)state;
    slv_mesh mesh = crumpled(60);
    slv_garment_builder builder;
    slv_error error;
    scatter(&builder);
    assert_int_equal(slv_paint_grid(&mesh, &lattice, 1, &builder, &error), SLV_OK);
    for (uint32_t p = 0; p < PARTICLES; p++) {
        const uint8_t *paint = builder.garment.paint + 4 * (size_t)p;
        const double found[3] = {paint[0] / 255.0, paint[1] / 255.0, paint[2] / 255.0};
        const double rounding = 0.5 * sqrt(3.0) / 255;
        const double nearest = sampled_distance(&mesh, p);
        assert_true(distance(found, p) <= nearest + rounding);
        assert_true(distance(found, p) >= nearest - rounding - 0.3 / STEPS);
        assert_int_equal(paint[3], 77);
    }
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

static void any_number_of_threads_gives_the_same_colors(void **state) {
    (void)state;
    slv_mesh mesh = crumpled(200);
    slv_garment_builder one;
    slv_garment_builder three;
    slv_error error;
    scatter(&one);
    scatter(&three);
    assert_int_equal(slv_paint_grid(&mesh, &lattice, 1, &one, &error), SLV_OK);
    assert_int_equal(slv_paint_grid(&mesh, &lattice, 3, &three, &error), SLV_OK);
    assert_memory_equal(one.garment.paint, three.garment.paint, 4 * PARTICLES);
    slv_builder_free(&one);
    slv_builder_free(&three);
    slv_mesh_free(&mesh);
}

static void two_triangles_shade_a_whole_sheet_evenly(void **state) {
    (void)state;
    slv_mesh mesh = mesh_square();
    slv_garment_builder builder;
    slv_error error;
    scatter(&builder);
    mesh.paint = mesh_array(4, 4);
    mesh.paint[4] = mesh.paint[8] = 255; // red where x is 1
    assert_int_equal(slv_paint_grid(&mesh, &lattice, 2, &builder, &error), SLV_OK);
    for (uint32_t p = 0; p < PARTICLES; p++) {
        const float x = fminf(fmaxf(positions[0][p], 0), 1);
        assert_true(fabsf((float)builder.garment.paint[4 * (size_t)p] - 255 * x) <= 0.51f);
    }
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

static void a_point_has_the_mean_of_its_vertices(void **state) {
    (void)state;
    slv_mesh mesh = mesh_square();
    slv_garment_builder builder = {.garment = {.info = {.particle_count = 3}}};
    slv_error error;
    mesh.paint = mesh_array(4, 4);
    for (uint32_t i = 0; i < 16; i++) {
        mesh.paint[i] = (uint8_t)(10 * i);
    }
    mesh.vertex_point[3] = 1; // vertices 1 and 3 share a point
    mesh.vertex_point[2] = 2;
    mesh.point_count = 3;
    assert_int_equal(slv_paint_points(&mesh, &builder, &error), SLV_OK);
    static const uint8_t paint[12] = {0, 10, 20, 30, 80, 90, 100, 110, 80, 90, 100, 110};
    assert_memory_equal(builder.garment.paint, paint, sizeof paint);
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

static void a_mesh_without_colors_leaves_particles_unpainted(void **state) {
    (void)state;
    slv_mesh mesh = mesh_square();
    slv_garment_builder builder;
    slv_error error;
    scatter(&builder);
    assert_int_equal(slv_paint_grid(&mesh, &lattice, 1, &builder, &error), SLV_OK);
    assert_int_equal(slv_paint_points(&mesh, &builder, &error), SLV_OK);
    assert_null(builder.garment.paint);
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_has_the_color_of_the_nearest_point),
        cmocka_unit_test(any_number_of_threads_gives_the_same_colors),
        cmocka_unit_test(two_triangles_shade_a_whole_sheet_evenly),
        cmocka_unit_test(a_point_has_the_mean_of_its_vertices),
        cmocka_unit_test(a_mesh_without_colors_leaves_particles_unpainted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
