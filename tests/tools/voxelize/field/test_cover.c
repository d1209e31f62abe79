// SPDX-License-Identifier: MIT
// The layer of cubes that intersect a surface: one cell thick, without holes, face-connected.
#include "surfaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0.0, 0.0, 0.0};

static size_t count_cover(const field *f) {
    size_t count = 0;
    for (uint32_t k = 0; k < f->lattice.cells[2]; k++) {
        for (uint32_t j = 0; j < f->lattice.cells[1]; j++) {
            for (uint32_t i = 0; i < f->lattice.cells[0]; i++) {
                count += bit_at(f, f->cover, i, j, k);
            }
        }
    }
    return count;
}

// Number of covered cubes connected to the first one through faces.
static size_t count_reached(const field *f) {
    const uint32_t *n = f->lattice.cells;
    const size_t count = slv_lattice_count(&f->lattice);
    uint8_t *seen = calloc(count + 1, 1);
    size_t *queue = malloc((count + 1) * sizeof *queue);
    assert_non_null(seen);
    assert_non_null(queue);
    size_t head = 0;
    size_t tail = 0;
    for (size_t s = 0; s < count && tail == 0; s++) {
        if (bit_at(f, f->cover, (uint32_t)(s % n[0]), (uint32_t)(s / n[0] % n[1]),
                   (uint32_t)(s / n[0] / n[1]))) {
            seen[s] = 1;
            queue[tail++] = s;
        }
    }
    while (head < tail) {
        const size_t s = queue[head++];
        const uint32_t at[3] = {(uint32_t)(s % n[0]), (uint32_t)(s / n[0] % n[1]),
                                (uint32_t)(s / n[0] / n[1])};
        for (int side = 0; side < 6; side++) {
            uint32_t to[3] = {at[0], at[1], at[2]};
            to[side / 2] += side % 2 == 0 ? 1 : UINT32_MAX;
            if (to[side / 2] >= n[side / 2] || !bit_at(f, f->cover, to[0], to[1], to[2])) {
                continue;
            }
            const size_t next = to[0] + n[0] * (to[1] + (size_t)n[1] * to[2]);
            if (!seen[next]) {
                seen[next] = 1;
                queue[tail++] = next;
            }
        }
    }
    free(seen);
    free(queue);
    return tail;
}

// Random points of the surface lie in covered cubes; covered cubes are near the surface.
static void check_cover(const slv_mesh *mesh, const field *f, bool connected) {
    uint32_t seed = 11;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t p[3];
        slv_mesh_corner_points(mesh, t, p);
        for (int trial = 0; trial < 20; trial++) {
            double u = random_fraction(&seed);
            double v = random_fraction(&seed);
            if (u + v > 1.0) {
                u = 1.0 - u;
                v = 1.0 - v;
            }
            uint32_t cell[3];
            bool within = true;
            for (int axis = 0; axis < 3; axis++) {
                const double a = mesh->points[3 * p[0] + (uint32_t)axis];
                const double b = mesh->points[3 * p[1] + (uint32_t)axis];
                const double c = mesh->points[3 * p[2] + (uint32_t)axis];
                const double at =
                    (a + u * (b - a) + v * (c - a) - f->lattice.origin[axis]) / f->lattice.spacing;
                within = within && at > -0.5 && at < f->lattice.cells[axis] - 0.5 &&
                         fabs(at - floor(at) - 0.5) > 1e-6; // not on a cube's side
                cell[axis] = (uint32_t)(at + 0.5);
            }
            assert_true(!within || bit_at(f, f->cover, cell[0], cell[1], cell[2]));
        }
    }
    const uint32_t *n = f->lattice.cells;
    for (uint32_t k = 0; k < n[2]; k++) {
        for (uint32_t j = 0; j < n[1]; j++) {
            for (uint32_t i = 0; i < n[0]; i++) {
                const double away = fabs((double)value_at(f, i, j, k)) / f->lattice.spacing;
                const bool covered = bit_at(f, f->cover, i, j, k);
                assert_true(!covered || away < 0.8660255);
                assert_true(covered || away > 0.4999999);
            }
        }
    }
    if (connected) {
        assert_int_equal(count_reached(f), count_cover(f));
    }
}

static void check_round(slv_mesh mesh, uint32_t samples, bool connected) {
    const slv_lattice lattice = lattice_round(&mesh, samples);
    field f = measure_field(&mesh, &lattice, 2);
    check_cover(&mesh, &f, connected);
    free_field(&f);
    slv_mesh_free(&mesh);
}

static void a_flat_sheet_gives_one_layer_at_any_height(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int step = 0; step < 9; step++) {
            double at[3] = {1.0, 1.0, 1.0};
            double u[3] = {0.0, 0.0, 0.0};
            double v[3] = {0.0, 0.0, 0.0};
            at[axis] = 3.0 + 0.25 * step; // on a layer, midway and in between
            u[(axis + 1) % 3] = 6.0;
            v[(axis + 2) % 3] = 6.0;
            slv_mesh sheet = make_sheet(at, u, v, 3);
            const slv_lattice lattice = lattice_of(9, 9, 9, 0.0, 1.0);
            field f = measure_field(&sheet, &lattice, 1);
            assert_int_equal(count_cover(&f), 49);
            assert_int_equal(count_reached(&f), 49);
            free_field(&f);
            slv_mesh_free(&sheet);
        }
    }
}

static void tilted_sheets_are_connected_through_faces(void **state) {
    (void)state;
    static const double directions[][6] = {
        {10, 10, 0, 0, 0, 10},   {10, -10, 0, 0, 0, 10}, {10, 0, 10, 0, 10, 0},
        {10, 0, -10, 0, 10, 0},  {0, 10, 10, 10, 0, 0},  {10, 10, 10, 10, -10, 0},
        {10, 5, 0, 0, 5, 10},    {10, -5, 2, 3, 5, 10},  {10, 10, 10, -10, 0, 10},
        {7, 3.3, 1, 2, -9, 4.1},
    };
    for (size_t d = 0; d < sizeof directions / sizeof directions[0]; d++) {
        for (int half = 0; half < 2; half++) {
            const double at[3] = {10.0 + 0.5 * half, 10.0 + 0.5 * half, 10.0};
            slv_mesh sheet = make_sheet(at, directions[d], directions[d] + 3, 4);
            const slv_lattice lattice = lattice_of(25, 25, 25, 0.0, 1.0);
            field f = measure_field(&sheet, &lattice, 2);
            check_cover(&sheet, &f, true);
            free_field(&f);
            slv_mesh_free(&sheet);
        }
    }
}

static void closed_surfaces_are_covered_without_holes(void **state) {
    (void)state;
    check_round(make_sphere(origin, 1.0, 12), 30, true);
    check_round(make_sphere(origin, 1.0, 30), 15, true);
    check_round(make_torus(2.0, 0.7, 20), 33, true);
    check_round(make_box(0.0, 0.0, 0.0, 1.0, 2.0, 3.0), 31, true);
}

static void triangle_soups_are_covered(void **state) {
    (void)state;
    check_round(make_soup(3, 50, 1.0, 8.0), 40, false);
    check_round(make_soup(4, 20, 15.0, 8.0), 40, false);
    check_round(make_soup(5, 2000, 0.3, 8.0), 20, false);
}

static void one_large_triangle_gives_one_thin_layer(void **state) {
    (void)state;
    const double u[3] = {100.0, 6.5, 3.5};
    const double v[3] = {-4.5, 90.0, 15.5};
    slv_mesh sheet = make_sheet((double[3]){11.3, 1.7, 1.9}, u, v, 1);
    const slv_lattice lattice = lattice_of(112, 104, 26, 0.0, 1.0);
    field f = measure_field(&sheet, &lattice, 2);
    check_cover(&sheet, &f, true);
    assert_in_range(count_cover(&f), 9000, 13000);
    free_field(&f);
    slv_mesh_free(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_sheet_gives_one_layer_at_any_height),
        cmocka_unit_test(tilted_sheets_are_connected_through_faces),
        cmocka_unit_test(closed_surfaces_are_covered_without_holes),
        cmocka_unit_test(triangle_soups_are_covered),
        cmocka_unit_test(one_large_triangle_gives_one_thin_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
