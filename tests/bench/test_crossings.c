// SPDX-License-Identifier: MIT
// The count of crossings against closed forms, and against rational arithmetic on small integers.
#include "bench/crossings.h"

#include "tests/common/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void count_one(void *context, const slv_crossing *crossing) {
    (void)crossing;
    ++*(uint32_t *)context;
}

static uint32_t count_of(const slv_crossing_mesh *meshes, uint32_t count) {
    uint32_t found = 0;
    assert_true(slv_find_crossings(meshes, count, count_one, &found));
    return found;
}

// --- Predicates -------------------------------------------------------------------------------------

static int64_t determinant(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void subtract(const int64_t a[3], const int64_t b[3], int64_t difference[3]) {
    for (int d = 0; d < 3; d++) {
        difference[d] = a[d] - b[d];
    }
}

// Cramer's rule for p + t (q - p) = a + u (b - a) + v (c - a): t, u and v are fractions of one denominator.
static bool crosses_by_rationals(int64_t point[5][3]) {
    int64_t back[3];
    int64_t first[3];
    int64_t second[3];
    int64_t offset[3];
    subtract(point[0], point[1], back);
    subtract(point[3], point[2], first);
    subtract(point[4], point[2], second);
    subtract(point[0], point[2], offset);
    const int64_t whole = determinant(back, first, second);
    const int64_t sign = whole < 0 ? -1 : 1;
    const int64_t t = sign * determinant(offset, first, second);
    const int64_t u = sign * determinant(back, offset, second);
    const int64_t v = sign * determinant(back, first, offset);
    return whole != 0 && t > 0 && t < sign * whole && u >= 0 && v >= 0 && u + v <= sign * whole;
}

static void segments_cross_triangles_as_rational_arithmetic_says(void **state) {
    (void)state;
    uint32_t seed = 19;
    uint32_t crossings = 0;
    for (int n = 0; n < 300000; n++) {
        const int64_t size = n % 3 == 0   ? 3
                             : n % 3 == 1 ? 8
                                          : 4000; // small ones are often degenerate
        const int64_t shift = n % 2 == 0 ? 0 : (int64_t)1 << 31;
        int64_t point[5][3];
        int64_t far[5][3];
        for (int i = 0; i < 5; i++) {
            for (int d = 0; d < 3; d++) {
                point[i][d] = (int64_t)next_random(&seed) % (2 * size + 1) - size;
                far[i][d] = point[i][d] + shift;
            }
        }
        const bool expected = crosses_by_rationals(point);
        crossings += expected;
        assert_int_equal(slv_segment_crosses(far[0], far[1], far[2], far[3], far[4]), expected);
    }
    assert_in_range(crossings, 10000, 290000);
}

static void a_side_is_exact_where_double_precision_is_not(void **state) {
    (void)state;
    const int64_t big = ((int64_t)1 << 32) - 1;
    const int64_t a[3] = {0, 0, 0};
    const int64_t b[3] = {big, big, 0};
    const int64_t c[3] = {0, big, big};
    const int64_t in[3] = {big, big + big, big}; // b + c
    const int64_t above[3] = {big, big + big - 1, big};
    assert_int_equal(slv_exact_side(a, b, c, in), 0);
    assert_int_not_equal(slv_exact_side(a, b, c, above), 0);
    assert_int_equal(slv_exact_side(a, b, c, above), -slv_exact_side(a, c, b, above));
}

// --- Meshes -----------------------------------------------------------------------------------------

static const uint32_t two_triangles[] = {0, 1, 2, 3, 4, 5};

static uint32_t crossings_of_two(const float *positions) {
    const slv_crossing_mesh mesh = {positions, two_triangles, 6, 2, false};
    return count_of(&mesh, 1);
}

static void triangles_cross_where_an_edge_goes_through(void **state) {
    (void)state;
    const float through[] = {-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 1, 1};
    const float above[] = {-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 1e-6f, 0, 0, 1, 0, 0, 1, 1};
    const float touching[] = {-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1};
    const float by_a_micrometre[] = {-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1e-6f, 0, 0, 1, 0, 0, 1, 1};
    assert_int_equal(crossings_of_two(through), 1);
    assert_int_equal(crossings_of_two(above), 0);
    assert_int_equal(crossings_of_two(touching), 0);
    assert_int_equal(crossings_of_two(by_a_micrometre), 1);
}

static void neighbors_do_not_cross_unless_they_fold_through(void **state) {
    (void)state;
    // Both have the corner (0, 0, 0), as two vertices at one position.
    const float apart[] = {0, 0, 0, 1, 0, -1, 1, 0, 1, 0, 0, 0, -1, 0, 1, -1, 0, -1};
    const float folded[] = {0, 0, 0, 1, 0, -1, 1, 0, 1, 0, 0, 0, 0.5f, -0.5f, 0, 0.5f, 0.5f, 0};
    const float an_edge[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.3f, 0.1f, 0.9f};
    assert_int_equal(crossings_of_two(apart), 0);
    assert_int_equal(crossings_of_two(folded), 1);
    assert_int_equal(crossings_of_two(an_edge), 0);
}

static void quiet_meshes_cross_only_others(void **state) {
    (void)state;
    const float cross[] = {-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 1, 1};
    const float beside[] = {-1, 0.5f, -1, 1, 0.5f, -1, 0, 0.5f, 1};
    const slv_crossing_mesh meshes[] = {{cross, two_triangles, 6, 2, true},
                                        {beside, two_triangles, 3, 1, false}};
    assert_int_equal(count_of(meshes, 1), 0);
    assert_int_equal(count_of(meshes, 2), 1); // the second triangle of the first mesh
}

static void the_tree_finds_all_pairs(void **state) {
    (void)state;
    enum { COUNT = 400 };
    static float positions[COUNT * 9];
    static uint32_t triangles[COUNT * 3];
    uint32_t seed = 7;
    for (uint32_t t = 0; t < COUNT; t++) {
        float center[3];
        for (int d = 0; d < 3; d++) {
            center[d] = (float)(next_random(&seed) % 1000) * 1e-3f;
        }
        for (uint32_t i = 0; i < 9; i++) {
            positions[9 * t + i] = center[i % 3] + (float)(next_random(&seed) % 1000) * 2e-4f;
        }
        for (uint32_t i = 0; i < 3; i++) {
            triangles[3 * t + i] = 3 * t + i;
        }
    }
    uint32_t expected = 0;
    for (uint32_t a = 0; a < COUNT; a++) {
        for (uint32_t b = a + 1; b < COUNT; b++) {
            const slv_crossing_mesh pair[] = {{positions + 9 * (size_t)a, triangles, 3, 1, false},
                                              {positions + 9 * (size_t)b, triangles, 3, 1, false}};
            expected += count_of(pair, 2);
        }
    }
    const slv_crossing_mesh mesh = {positions, triangles, 3 * COUNT, COUNT, false};
    assert_in_range(expected, 50, COUNT * COUNT);
    assert_int_equal(count_of(&mesh, 1), expected);
}

static void coordinates_out_of_range_are_refused(void **state) {
    (void)state;
    const float far[] = {0, 0, 0, 1, 0, 0, 0, 0, 40};
    const slv_crossing_mesh mesh = {far, two_triangles, 3, 1, false};
    assert_false(slv_find_crossings(&mesh, 1, count_one, NULL));
    assert_true(slv_find_crossings(NULL, 0, count_one, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_cross_triangles_as_rational_arithmetic_says),
        cmocka_unit_test(a_side_is_exact_where_double_precision_is_not),
        cmocka_unit_test(triangles_cross_where_an_edge_goes_through),
        cmocka_unit_test(neighbors_do_not_cross_unless_they_fold_through),
        cmocka_unit_test(quiet_meshes_cross_only_others),
        cmocka_unit_test(the_tree_finds_all_pairs),
        cmocka_unit_test(coordinates_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
