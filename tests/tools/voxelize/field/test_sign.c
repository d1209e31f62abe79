// SPDX-License-Identifier: MIT
// Inside and outside: closed surfaces by rays, open ones by the generalized winding number.
// Distances and bits always agree.
#include "surfaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0.0, 0.0, 0.0};

static void check_agreement(const field *f) {
    const uint32_t *n = f->lattice.cells;
    for (uint32_t k = 0; k < n[2]; k++) {
        for (uint32_t j = 0; j < n[1]; j++) {
            for (uint32_t i = 0; i < n[0]; i++) {
                if ((value_at(f, i, j, k) < 0.0f) != bit_at(f, f->inside, i, j, k)) {
                    fail_msg("sample %u %u %u: distance %g, inside %d", i, j, k,
                             (double)value_at(f, i, j, k), bit_at(f, f->inside, i, j, k));
                }
            }
            for (uint32_t i = n[0]; i % 64 != 0; i++) { // padding
                assert_false(bit_at(f, f->inside, i, j, k));
                assert_false(bit_at(f, f->cover, i, j, k));
            }
        }
    }
}

// Compares with a brute-force winding number, except for samples near the threshold or on the
// surface. Large grids test every seventh sample, so that each row has some.
static void check_winding(const slv_mesh *mesh, const field *f) {
    const uint32_t *n = f->lattice.cells;
    const size_t count = slv_lattice_count(&f->lattice);
    for (size_t s = 0; s<count; s += count> 50000 ? 7 : 1) {
        const uint32_t i = (uint32_t)(s % n[0]);
        const uint32_t j = (uint32_t)(s / n[0] % n[1]);
        const uint32_t k = (uint32_t)(s / n[0] / n[1]);
        double at[3];
        sample_position(&f->lattice, i, j, k, at);
        const double winding = fabs(plain_winding(mesh, at));
        if (fabs(winding - 0.5) < 1e-5 ||
            fabs((double)value_at(f, i, j, k)) < 1e-6 * f->lattice.spacing) {
            continue;
        }
        if ((winding > 0.5) != bit_at(f, f->inside, i, j, k)) {
            fail_msg("sample %u %u %u: winding number %.9g, inside %d", i, j, k, winding,
                     bit_at(f, f->inside, i, j, k));
        }
    }
}

static void check_and_free(slv_mesh mesh, const slv_lattice *lattice, bool closed) {
    field f = measure_field(&mesh, lattice, 2);
    assert_int_equal(f.facts.closed, closed);
    assert_int_equal(f.facts.boundary_edges == 0, closed);
    assert_string_equal(f.facts.sign_method, closed ? "ray crossings" : "winding number");
    check_agreement(&f);
    check_winding(&mesh, &f);
    free_field(&f);
    slv_mesh_free(&mesh);
}

static void check_round(slv_mesh mesh, uint32_t samples, bool closed) {
    const slv_lattice lattice = lattice_round(&mesh, samples);
    check_and_free(mesh, &lattice, closed);
}

static void closed_surfaces_have_the_inside_of_their_winding_number(void **state) {
    (void)state;
    check_round(make_sphere(origin, 1.0, 8), 21, true);
    check_round(make_torus(2.0, 0.8, 12), 22, true);
    check_round(make_box(0.0, 0.0, 0.0, 1.0, 2.0, 3.0), 20, true);
}

static void overlapping_solids_are_filled_where_they_overlap(void **state) {
    (void)state;
    const double aside[3] = {0.9, 0.3, 0.0};
    check_round(join_meshes(make_sphere(origin, 1.0, 8), make_sphere(aside, 1.0, 7)), 23, true);
}

static void a_box_on_the_lattice_has_its_faces_outside_and_nothing_leaks(void **state) {
    (void)state;
    for (uint32_t first = 1; first < 4; first++) {
        for (uint32_t last = first + 1; last < 8; last++) {
            slv_mesh box = make_box(first, 2.0, 3.0, last, 7.0, 6.0);
            const slv_lattice lattice = lattice_of(10, 9, 8, 0.0, 1.0);
            field f = measure_field(&box, &lattice, 1);
            check_agreement(&f);
            for (uint32_t k = 0; k < 8; k++) {
                for (uint32_t j = 0; j < 9; j++) {
                    for (uint32_t i = 0; i < 10; i++) {
                        const bool within =
                            i > first && i < last && j > 2 && j < 7 && k > 3 && k < 6;
                        const bool touches =
                            i >= first && i <= last && j >= 2 && j <= 7 && k >= 3 && k <= 6;
                        assert_int_equal(bit_at(&f, f.inside, i, j, k), within);
                        assert_int_equal(value_at(&f, i, j, k) == 0.0f, touches && !within);
                    }
                }
            }
            free_field(&f);
            slv_mesh_free(&box);
        }
    }
}

// Octahedra and slanted boxes with corners, edges and faces exactly on rows of samples.
static void surfaces_through_samples_do_not_leak(void **state) {
    (void)state;
    const double points[6][3] = {{1, 5, 5}, {9, 5, 5}, {5, 1, 5}, {5, 9, 5}, {5, 5, 1}, {5, 5, 9}};
    const uint32_t triangles[8][3] = {{0, 4, 2}, {4, 1, 2}, {0, 3, 4}, {3, 1, 4},
                                      {0, 2, 5}, {2, 1, 5}, {0, 5, 3}, {5, 1, 3}};
    const slv_lattice lattice = lattice_of(11, 11, 11, 0.0, 1.0);
    const slv_lattice fine = lattice_of(23, 21, 22, 0.0, 0.5);
    slv_mesh mesh = make_mesh(points, 6, triangles, 8);
    field f = measure_field(&mesh, &lattice, 1);
    for (uint32_t k = 0; k < 11; k++) {
        for (uint32_t j = 0; j < 11; j++) {
            for (uint32_t i = 0; i < 11; i++) {
                const int sum = abs((int)i - 5) + abs((int)j - 5) + abs((int)k - 5);
                assert_int_equal(bit_at(&f, f.inside, i, j, k), sum < 4);
                assert_int_equal(value_at(&f, i, j, k) == 0.0f, sum == 4);
            }
        }
    }
    free_field(&f);
    check_and_free(mesh, &fine, true);
}

static void open_hemispheres_close_over_their_rim(void **state) {
    (void)state;
    for (uint32_t rings = 4; rings <= 7; rings += 3) {
        slv_mesh bowl = make_sphere(origin, 1.0, 2 * rings);
        for (uint32_t t = bowl.triangle_count; t-- > 0;) {
            uint32_t p[3];
            slv_mesh_corner_points(&bowl, t, p);
            const double middle =
                bowl.points[3 * p[0] + 2] + bowl.points[3 * p[1] + 2] + bowl.points[3 * p[2] + 2];
            if (middle < -1e-9) {
                remove_triangle(&bowl, t);
            }
        }
        const slv_lattice skew = {{26, 25, 17}, {-1.21, -1.17, -0.63}, 0.1};
        const slv_lattice level = {
            {25, 25, 17}, {-1.2, -1.2, -0.5}, 0.1}; // the rim lies in a layer of samples
        slv_mesh copy = join_meshes(make_soup(1, 0, 1.0, 1.0), bowl);
        field f = measure_field(&copy, &level, 1);
        check_agreement(&f);
        check_winding(&copy, &f);
        // The disc over the rim has |w| = 1/2: inside.
        assert_true(bit_at(&f, f.inside, 12, 12, 5));
        assert_true(bit_at(&f, f.inside, 14, 9, 5));
        assert_false(bit_at(&f, f.inside, 12, 12, 4));
        free_field(&f);
        check_and_free(copy, &skew, false);
    }
}

static void holes_do_not_leak(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 4; round++) {
        slv_mesh mesh = make_sphere(origin, 1.0, 9);
        for (int hole = 0; hole < 5 * round + 1; hole++) {
            remove_triangle(&mesh, (uint32_t)(random_fraction(&seed) * mesh.triangle_count));
        }
        check_round(mesh, 20, false);
    }
    slv_mesh box = make_box(0.0, 0.0, 0.0, 4.0, 4.0, 4.0);
    remove_triangle(&box, 5);
    const slv_lattice lattice = lattice_of(7, 7, 7, -1.0, 1.0); // rim and cap lie on the lattice
    check_and_free(box, &lattice, false);
}

// Curved caps: whole blocks of samples lie between them and the surface |w| = 1/2.
static void boxes_without_several_sides_follow_the_generalized_winding_number(void **state) {
    (void)state;
    for (uint32_t missing = 1; missing < 5; missing++) {
        slv_mesh box = make_box(0.0, 0.0, 0.0, 1.0, 1.2, 0.9);
        for (uint32_t t = 0; t < 2 * missing; t++) {
            remove_triangle(&box, 4); // a corner's three sides, then a fourth
        }
        check_round(box, 47, false);
    }
}

static slv_mesh make_open_box(double size) {
    slv_mesh box = make_box(-size, -size, -size, size, size, 0.0);
    remove_triangle(&box, 3); // the lid
    remove_triangle(&box, 2);
    return box;
}

// The caps lie in one plane; together they have nearly a whole turn even several cells away.
static void open_boxes_in_open_boxes_follow_the_generalized_winding_number(void **state) {
    (void)state;
    const slv_lattice lattice = {{90, 91, 26}, {-1.01, -1.01, -0.29}, 0.0225};
    check_and_free(join_meshes(make_open_box(1.0), make_open_box(0.97)), &lattice, false);
}

static void meshes_too_small_for_float32_keep_their_signs(void **state) {
    (void)state;
    slv_mesh mesh = make_sphere(origin, 1.0, 8);
    move_points(&mesh, 1e-47, 0.0, 0.0, 0.0);
    const slv_lattice lattice = lattice_round(&mesh, 16);
    field f = measure_field(&mesh, &lattice, 1);
    check_agreement(&f);
    assert_true(bit_at(&f, f.inside, 8, 8, 8));
    free_field(&f);
    slv_mesh_free(&mesh);
}

static void triangle_soups_follow_the_generalized_winding_number(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed < 5; seed++) {
        check_round(make_soup(seed, 60, 6.0, 6.0), 18, false);
    }
}

static void sheets_have_no_inside(void **state) {
    (void)state;
    const double u[3] = {10.0, 0.0, 0.3};
    const double v[3] = {0.1, 9.0, 0.7};
    slv_mesh sheet = make_sheet(origin, u, v, 5);
    const slv_lattice lattice = lattice_round(&sheet, 30);
    field f = measure_field(&sheet, &lattice, 2);
    for (size_t s = 0; s < slv_lattice_count(&lattice); s++) {
        assert_true(f.values[s] >= 0.0f);
    }
    check_agreement(&f);
    free_field(&f);
    slv_mesh_free(&sheet);
}

static void rows_of_every_length_agree(void **state) {
    (void)state;
    slv_mesh mesh = make_torus(2.0, 0.8, 9);
    for (uint32_t nx = 1; nx < 140; nx += nx < 4 ? 1 : 21) {
        const slv_lattice lattice = {{nx, 5, 11}, {-2.9, -0.33, -1.0}, 6.0 / nx};
        field f = measure_field(&mesh, &lattice, 1);
        check_agreement(&f);
        check_winding(&mesh, &f);
        free_field(&f);
    }
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_surfaces_have_the_inside_of_their_winding_number),
        cmocka_unit_test(overlapping_solids_are_filled_where_they_overlap),
        cmocka_unit_test(a_box_on_the_lattice_has_its_faces_outside_and_nothing_leaks),
        cmocka_unit_test(surfaces_through_samples_do_not_leak),
        cmocka_unit_test(open_hemispheres_close_over_their_rim),
        cmocka_unit_test(holes_do_not_leak),
        cmocka_unit_test(boxes_without_several_sides_follow_the_generalized_winding_number),
        cmocka_unit_test(open_boxes_in_open_boxes_follow_the_generalized_winding_number),
        cmocka_unit_test(meshes_too_small_for_float32_keep_their_signs),
        cmocka_unit_test(triangle_soups_follow_the_generalized_winding_number),
        cmocka_unit_test(sheets_have_no_inside),
        cmocka_unit_test(rows_of_every_length_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
