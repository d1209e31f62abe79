// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/samples.h"
#include "tools/voxelize/lattice.h"

#include <math.h>

static slv_lattice around(double low, double high, double spacing, uint32_t padding) {
    const double min[3] = {low, low, low};
    const double max[3] = {high, high, high};
    slv_lattice lattice;
    assert_true(slv_lattice_around(min, max, spacing, padding, &lattice));
    return lattice;
}

static void a_unit_cube_has_the_expected_cells(void **state) {
    (void)state;
    const struct {
        double spacing;
        uint32_t padding, cells;
    } cases[] = {{0.1, 1, 12}, {0.1, 2, 14}, {0.25, 1, 6}, {0.5, 2, 6}, {0.01, 1, 102}, {1, 1, 3}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const slv_lattice lattice = around(0, 1, cases[n].spacing, cases[n].padding);
        assert_int_equal(lattice.cells[0], cases[n].cells);
        assert_true(fabs(lattice.origin[0] + cases[n].padding * cases[n].spacing) < 1e-7);
    }
}

// The computation of SDFGen: every intermediate is a float.
static void cells_and_origin_agree_with_float_arithmetic(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        const float low = -3.0f + 0.001f * (float)(samples_random(&seed) % 6000);
        const float high = low + 0.001f * (float)(1 + samples_random(&seed) % 4000);
        const float spacing = 0.001f * (float)(20 + samples_random(&seed) % 300);
        const uint32_t padding = 1 + samples_random(&seed) % 3;
        volatile float begin = (float)padding * spacing;
        volatile float end = high + begin;
        begin = low - begin;
        volatile float extent = end - begin;
        volatile float cells = extent / spacing;
        const slv_lattice lattice = around((double)low, (double)high, (double)spacing, padding);
        assert_int_equal(lattice.cells[1], (uint32_t)cells);
        assert_true(lattice.origin[1] == (double)begin);
        assert_true(lattice.spacing == (double)spacing);
    }
}

static void far_coordinates_keep_their_cells(void **state) {
    (void)state;
    const slv_lattice lattice = around(1e6, 1e6 + 1, 0.1, 1);
    assert_true(lattice.cells[0] == 11 || lattice.cells[0] == 12);
    assert_true(fabs(lattice.origin[0] - (1e6 - 0.1)) < 1e-6);
}

// Far from the origin in the file, near it in the frame: n follows the rule, while float32 file
// coordinates give 15 x 18 x 21.
static void a_mesh_with_a_frame_gets_the_cells_of_the_same_mesh_at_the_origin(void **state) {
    (void)state;
    const double low[3] = {100.1, -200, 300};
    const double high[3] = {101.3, -198.5, 301.7};
    const double frame[3] = {100, -200, 300};
    const uint32_t cells[3] = {16, 19, 21};
    const uint32_t floats[3] = {15, 18, 21};
    double min[3];
    double max[3];
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = low[axis] - frame[axis];
        max[axis] = high[axis] - frame[axis];
    }
    slv_lattice near_origin;
    slv_lattice far_out;
    assert_true(slv_lattice_around(min, max, 0.1, 2, &near_origin));
    assert_true(slv_lattice_around(low, high, 0.1, 2, &far_out));
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(near_origin.cells[axis], cells[axis]);
        assert_int_equal(far_out.cells[axis], floats[axis]);
    }
}

static void too_many_samples_are_rejected(void **state) {
    (void)state;
    const double min[3] = {0, 0, 0};
    const double max[3] = {1, 1, 1};
    slv_lattice lattice = {.spacing = 7};
    assert_true(slv_lattice_around(min, max, 1.0 / 1600, 1, &lattice));
    lattice.spacing = 7;
    assert_false(slv_lattice_around(min, max, 1.0 / 1650, 1, &lattice));
    assert_false(slv_lattice_around(min, max, 1e-30, 1, &lattice));
    assert_false(slv_lattice_around(min, max, 1e-300, 1, &lattice));
    assert_true(lattice.spacing == 7);
}

static void a_flat_box_still_has_a_sample_on_each_axis(void **state) {
    (void)state;
    const double min[3] = {0, 5, 0};
    const double max[3] = {1, 5, 1};
    slv_lattice lattice;
    assert_true(slv_lattice_around(min, max, 0.3, 1, &lattice));
    assert_true(lattice.cells[1] >= 1 && lattice.cells[1] <= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_cube_has_the_expected_cells),
        cmocka_unit_test(cells_and_origin_agree_with_float_arithmetic),
        cmocka_unit_test(far_coordinates_keep_their_cells),
        cmocka_unit_test(a_mesh_with_a_frame_gets_the_cells_of_the_same_mesh_at_the_origin),
        cmocka_unit_test(too_many_samples_are_rejected),
        cmocka_unit_test(a_flat_box_still_has_a_sample_on_each_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
