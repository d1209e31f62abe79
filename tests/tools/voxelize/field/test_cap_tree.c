// SPDX-License-Identifier: MIT
// The winding number of the caps over blocks: always within the bounds.
#include "surfaces.h"

#include "tools/voxelize/cap_tree.h"
#include "tools/voxelize/caps.h"
#include "tools/voxelize/solid_angle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static slv_cap_tree make_tree(const slv_mesh *mesh, bool divided) {
    const slv_lattice lattice = lattice_of(40, 40, 40, 0.0, 1.0);
    slv_snapped caps;
    slv_cap_tree tree;
    slv_error error;
    assert_int_equal(slv_snapped_create(mesh, &lattice, &caps, &error), SLV_OK);
    if (divided) {
        slv_snapped pieces;
        assert_int_equal(slv_caps_divide(&caps, &pieces, &error), SLV_OK);
        assert_true(pieces.triangle_count >= caps.triangle_count);
        slv_snapped_free(&caps);
        caps = pieces;
    }
    assert_int_equal(slv_cap_tree_create(&caps, 1, &tree, &error), SLV_OK);
    return tree;
}

static void check_views(slv_mesh mesh, bool divided, uint32_t seed) {
    slv_cap_tree tree = make_tree(&mesh, divided);
    uint32_t settled = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const double center[3] = {60.0 * random_fraction(&seed) - 10.0,
                                  60.0 * random_fraction(&seed) - 10.0,
                                  60.0 * random_fraction(&seed) - 10.0};
        const double radius = trial % 3 == 0 ? 0.0 : 7.0 * random_fraction(&seed);
        const double opening = 1.0 + trial % 4;
        const slv_cap_winding view = slv_cap_tree_winding(&tree, center, radius, opening);
        if (!(view.error < 0.5)) {
            continue;
        }
        settled++;
        for (int corner = 0; corner < 8; corner++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = center[axis] + (corner >> axis & 1 ? 0.577 : -0.577) * radius;
            }
            const double off = fabs(plain_winding(&mesh, at) - view.value);
            if (!(off <= view.error + 1e-6)) {
                fail_msg("off by %g, not by at most %g (radius %g)", off, view.error, radius);
            }
        }
    }
    assert_in_range(settled, 333, 1000);
    slv_cap_tree_free(&tree);
    slv_mesh_free(&mesh);
}

static void bounds_hold_at_the_corners_of_blocks(void **state) {
    (void)state;
    const double middle[3] = {20.0, 20.0, 20.0};
    const double origin[3] = {5.0, 8.0, 11.0};
    const double u[3] = {30.0, 3.0, -2.0};
    const double v[3] = {-4.0, 25.0, 9.0};
    for (int divided = 0; divided < 2; divided++) {
        check_views(make_soup(3, 1, 30.0, 40.0), divided == 1, 1);
        check_views(make_soup(4, 40, 20.0, 40.0), divided == 1, 2);
        check_views(make_soup(5, 300, 3.0, 40.0), divided == 1, 3);
        check_views(make_sphere(middle, 9.0, 8), divided == 1, 4);
        check_views(make_sheet(origin, u, v, 1), divided == 1, 5);
        check_views(make_sheet(origin, u, v, 12), divided == 1, 6);
    }
}

static void a_single_cap_has_its_winding_number_at_the_lattice_origin(void **state) {
    (void)state;
    slv_mesh mesh = make_soup(9, 2, 10.0, 20.0);
    slv_cap_tree tree = make_tree(&mesh, false);
    const uint32_t sample[3] = {0, 0, 0};
    const double at[3] = {0.0, 0.0, 0.0};
    const slv_cap_winding view = slv_cap_tree_winding_at_sample(&tree, sample, HUGE_VAL);
    assert_true(fabs(view.value - plain_winding(&mesh, at)) < 1e-7);
    assert_true(view.error == 0.0);
    slv_cap_tree_free(&tree);
    slv_mesh_free(&mesh);
}

static void angles_equal_atan2(void **state) {
    (void)state;
    for (int i = -1000; i <= 1000; i++) {
        const double turn = 3.14159265358979 * i / 1000.0;
        const double size = 1.0 + (i + 1000) % 7 * 1e5;
        const double y = size * sin(turn);
        const double x = size * cos(turn);
        assert_true(fabs(slv_angle(y, x) - atan2(y, x)) < 1e-15);
    }
    assert_true(slv_angle(0.0, 0.0) == 0.0);
    assert_true(slv_angle(0.0, 1.0) == 0.0);
    assert_true(fabs(slv_angle(0.0, -1.0) - 3.14159265358979323846) < 1e-15);
}

// Whole turns are counted beyond the range of atan2.
static void whole_turns_are_counted(void **state) {
    (void)state;
    const double center[3] = {0.0, 0.0, 0.0};
    slv_mesh sphere = make_sphere(center, 1.0, 8);
    for (int sign = -1; sign <= 1; sign += 2) {
        slv_solid_angle turn = slv_solid_angle_zero();
        for (int round = 1; round <= 5; round++) {
            for (uint32_t t = 0; t < sphere.triangle_count; t++) {
                uint32_t p[3];
                slv_mesh_corner_points(&sphere, t, p);
                slv_solid_angle_add(&turn, sphere.points + 3 * (size_t)p[0],
                                    sphere.points + 3 * (size_t)p[sign > 0 ? 1 : 2],
                                    sphere.points + 3 * (size_t)p[sign > 0 ? 2 : 1]);
            }
            assert_true(fabs(slv_solid_angle_winding(&turn) - sign * round) < 1e-12);
        }
    }
    slv_mesh_free(&sphere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_at_the_corners_of_blocks),
        cmocka_unit_test(a_single_cap_has_its_winding_number_at_the_lattice_origin),
        cmocka_unit_test(angles_equal_atan2),
        cmocka_unit_test(whole_turns_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
