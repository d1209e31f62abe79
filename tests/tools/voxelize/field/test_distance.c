// SPDX-License-Identifier: MIT
// Distances compared with closed forms and with a brute-force reference in long double.
#include "surfaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Tolerance: snapping to 2^-28 cell, a dozen roundings in double, one to float32.
static double allowed(const slv_lattice *lattice, double distance) {
    return 1e-7 * distance + 1e-6 * lattice->spacing;
}

static void check_sample(const field *f, const slv_mesh *mesh, uint32_t i, uint32_t j, uint32_t k) {
    double at[3];
    sample_position(&f->lattice, i, j, k, at);
    const double expected = (double)plain_distance(mesh, at);
    const double found = fabs((double)value_at(f, i, j, k));
    if (!(fabs(found - expected) <= allowed(&f->lattice, expected))) {
        fail_msg("sample %u %u %u: %.9g, not %.9g (spacing %g)", i, j, k, found, expected,
                 f->lattice.spacing);
    }
}

// Tests every stride-th sample, to bound the time for large grids.
static void check_field(const slv_mesh *mesh, const slv_lattice *lattice, size_t stride) {
    field f = measure_field(mesh, lattice, 2);
    for (size_t s = 0; s < slv_lattice_count(lattice); s += stride) {
        const size_t layer = (size_t)lattice->cells[0] * lattice->cells[1];
        check_sample(&f, mesh, (uint32_t)(s % lattice->cells[0]),
                     (uint32_t)(s % layer / lattice->cells[0]), (uint32_t)(s / layer));
    }
    free_field(&f);
}

static void check_and_free(slv_mesh mesh, uint32_t samples, size_t stride) {
    const slv_lattice lattice = lattice_round(&mesh, samples);
    check_field(&mesh, &lattice, stride);
    slv_mesh_free(&mesh);
}

static void random_triangle_soups_give_the_least_distance(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 10; seed++) {
        const uint32_t count = seed * seed * 2;
        check_and_free(make_soup(seed, count, seed % 3 == 0 ? 20.0 : 1.0, 10.0), 13 + seed,
                       seed < 6 ? 1 : 5); // at least thousands of samples
    }
}

static void a_finely_divided_sphere_gives_the_least_distance(void **state) {
    (void)state;
    const double center[3] = {0.1, 0.2, 0.3};
    check_and_free(make_sphere(center, 1.0, 40), 60, 787);
    check_and_free(make_sphere(center, 1.0, 90), 20, 211);
}

static void spheres_boxes_and_tori_have_their_closed_forms(void **state) {
    (void)state;
    const double center[3] = {0.3, -0.2, 0.1};
    slv_mesh ball = make_sphere(center, 2.0, 100);
    slv_mesh ring = make_torus(2.0, 0.7, 200);
    slv_mesh box = make_box(-1.0, -0.7, -0.4, 1.1, 0.6, 0.5);
    const slv_lattice lattice = lattice_of(31, 33, 29, -3.0, 0.2);
    field of_ball = measure_field(&ball, &lattice, 2);
    field of_ring = measure_field(&ring, &lattice, 2);
    field of_box = measure_field(&box, &lattice, 2);
    for (uint32_t k = 0; k < 29; k++) {
        for (uint32_t j = 0; j < 33; j++) {
            for (uint32_t i = 0; i < 31; i++) {
                double p[3];
                sample_position(&lattice, i, j, k, p);
                const double from_center =
                    sqrt((p[0] - 0.3) * (p[0] - 0.3) + (p[1] + 0.2) * (p[1] + 0.2) +
                         (p[2] - 0.1) * (p[2] - 0.1));
                const double round = sqrt(p[0] * p[0] + p[1] * p[1]) - 2.0;
                const double q[3] = {fabs(p[0] - 0.05) - 1.05, fabs(p[1] + 0.05) - 0.65,
                                     fabs(p[2] - 0.05) - 0.45};
                const double out[3] = {fmax(q[0], 0.0), fmax(q[1], 0.0), fmax(q[2], 0.0)};
                const double box_distance =
                    sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]) +
                    fmin(fmax(q[0], fmax(q[1], q[2])), 0.0);
                // Flat triangles lie inside the curved surface by a fraction of the squared step.
                assert_true(fabs((double)value_at(&of_ball, i, j, k) - (from_center - 2.0)) <
                            1.5e-3);
                assert_true(fabs((double)value_at(&of_ring, i, j, k) -
                                 (sqrt(round * round + p[2] * p[2]) - 0.7)) < 1.5e-3);
                assert_true(fabs((double)value_at(&of_box, i, j, k) - box_distance) < 1e-6);
            }
        }
    }
    free_field(&of_ball);
    free_field(&of_ring);
    free_field(&of_box);
    slv_mesh_free(&ball);
    slv_mesh_free(&ring);
    slv_mesh_free(&box);
}

static void two_triangles_of_three_hundred_cells_stay_exact(void **state) {
    (void)state;
    const double origin[3] = {0.013, -0.7, 0.21};
    const double u[3] = {300.0, 17.3, 5.1};
    const double v[3] = {-11.0, 290.0, 40.7};
    slv_mesh sheet = make_sheet(origin, u, v, 1);
    const slv_lattice lattice = lattice_of(300, 300, 10, 0.0, 1.0);
    check_field(&sheet, &lattice, 3001);
    slv_mesh_free(&sheet);
}

static void slivers_and_single_triangles_have_exact_distances(void **state) {
    (void)state;
    const double points[5][3] = {
        {0.0, 0.0, 0.0}, {10.0, 0.0, 0.0}, {5.0, 1e-7, 0.0}, {5.0, 4.0, 3.0}, {20.0, 1e-3, 1e-4}};
    const uint32_t needle[1][3] = {{0, 1, 2}};
    const uint32_t plain[1][3] = {{0, 1, 3}};
    const uint32_t several[3][3] = {{0, 2, 1}, {1, 2, 4}, {0, 4, 3}};
    check_and_free(make_mesh(points, 3, needle, 1), 14, 1);
    check_and_free(make_mesh(points, 4, plain, 1), 14, 1);
    check_and_free(make_mesh(points, 5, several, 3), 21, 1);
}

static void triangles_degenerate_after_snapping_have_exact_distances(void **state) {
    (void)state;
    // After snapping these are a point and a segment.
    const double points[5][3] = {{3.2, 3.3, 3.4},
                                 {3.2 + 1e-12, 3.3, 3.4},
                                 {3.2, 3.3 + 1e-12, 3.4},
                                 {6.1, 3.3, 3.4},
                                 {4.0, 3.3, 3.4 + 1e-12}};
    const uint32_t point[1][3] = {{0, 1, 2}};
    const uint32_t segment[1][3] = {{0, 3, 4}};
    slv_mesh a = make_mesh(points, 3, point, 1);
    slv_mesh b = make_mesh(points, 5, segment, 1);
    const slv_lattice lattice = lattice_of(9, 8, 7, 0.0, 1.0);
    check_field(&a, &lattice, 1);
    check_field(&b, &lattice, 1);
    slv_mesh_free(&a);
    slv_mesh_free(&b);
}

static void far_tiny_and_huge_meshes_have_exact_distances(void **state) {
    (void)state;
    static const double moves[4][4] = {{1.0, 1e6, -1e6, 2e6},
                                       {1e-6, 0.0, 0.0, 0.0},
                                       {1e7, 5e7, 0.0, 0.0},
                                       {1e-3, 10.0, 20.0, -30.0}};
    const double center[3] = {0.0, 0.0, 0.0};
    for (int m = 0; m < 4; m++) {
        slv_mesh mesh = make_sphere(center, 1.0, 12);
        move_points(&mesh, moves[m][0], moves[m][1], moves[m][2], moves[m][3]);
        check_and_free(mesh, 18, 7);
    }
}

static void grids_of_any_size_work(void **state) {
    (void)state;
    slv_mesh mesh = make_soup(5, 40, 3.0, 6.0);
    static const uint32_t sizes[][3] = {{1, 1, 1}, {2, 1, 1},  {1, 2, 9},  {1, 1, 17}, {9, 1, 2},
                                        {3, 5, 7}, {64, 2, 3}, {65, 3, 1}, {63, 1, 2}, {129, 2, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const slv_lattice lattice = lattice_of(sizes[s][0], sizes[s][1], sizes[s][2], 0.11, 0.31);
        check_field(&mesh, &lattice, 1);
    }
    slv_mesh_free(&mesh);
}

static void a_surface_far_outside_the_grid_has_exact_distances(void **state) {
    (void)state;
    const double center[3] = {500.0, -300.0, 100.0};
    slv_mesh mesh = make_sphere(center, 3.0, 8);
    const slv_lattice lattice = lattice_of(5, 6, 7, 0.0, 1.0);
    check_field(&mesh, &lattice, 1);
    slv_mesh_free(&mesh);
}

static void invalid_arguments_are_rejected(void **state) {
    (void)state;
    slv_field_source *source = NULL;
    slv_error error;
    slv_mesh mesh = make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    slv_lattice lattice = lattice_of(4, 4, 4, 0.0, 1e-9);
    assert_int_equal(slv_field_source_create(&mesh, &lattice, 1, &source, &error),
                     SLV_ERROR_UNSUPPORTED);
    lattice.spacing = 0.0;
    assert_int_equal(slv_field_source_create(&mesh, &lattice, 1, &source, &error),
                     SLV_ERROR_ARGUMENT);
    lattice.spacing = 1.0;
    lattice.cells[1] = 0;
    assert_int_equal(slv_field_source_create(&mesh, &lattice, 1, &source, &error),
                     SLV_ERROR_ARGUMENT);
    lattice.cells[1] = 4;
    mesh.triangle_count = 0;
    assert_int_equal(slv_field_source_create(&mesh, &lattice, 1, &source, &error),
                     SLV_ERROR_CONTENT);
    assert_null(source);
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_triangle_soups_give_the_least_distance),
        cmocka_unit_test(a_finely_divided_sphere_gives_the_least_distance),
        cmocka_unit_test(spheres_boxes_and_tori_have_their_closed_forms),
        cmocka_unit_test(two_triangles_of_three_hundred_cells_stay_exact),
        cmocka_unit_test(slivers_and_single_triangles_have_exact_distances),
        cmocka_unit_test(triangles_degenerate_after_snapping_have_exact_distances),
        cmocka_unit_test(far_tiny_and_huge_meshes_have_exact_distances),
        cmocka_unit_test(grids_of_any_size_work),
        cmocka_unit_test(a_surface_far_outside_the_grid_has_exact_distances),
        cmocka_unit_test(invalid_arguments_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
