// SPDX-License-Identifier: MIT
#include "tests/common/random.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CORNERS 512

static uint32_t triangles[3 * MAX_CORNERS];

static double cross(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Triangulates a planar outline from every start corner, rotated into a slanted plane, in both
// windings. There must be count - 2 triangles, none inverted, whose areas sum to that of the
// outline: for a simple polygon this means exact coverage.
static void expect_covered(const double (*outline)[2], uint32_t count, bool allow_flat) {
    double corners[3 * MAX_CORNERS];
    slv_polygon_scratch scratch = {.plane = NULL};
    for (uint32_t start = 0; start < count; start++) {
        for (int reversed = 0; reversed < 2; reversed++) {
            double flat[MAX_CORNERS][2];
            double area = 0.0;
            for (uint32_t i = 0; i < count; i++) {
                uint32_t from = (start + i) % count;
                from = reversed ? count - 1 - from : from;
                memcpy(flat[i], outline[from], sizeof flat[i]);
                double u = outline[from][0];
                double v = outline[from][1];
                corners[3 * i] = 5.0 + u;
                corners[3 * i + 1] = -3.0 + 0.5 * u + 2.0 * v;
                corners[3 * i + 2] = 1.0 - 0.25 * v + 0.125 * u;
            }
            for (uint32_t i = 0; i < count; i++) {
                const double *p = flat[i];
                const double *q = flat[(i + 1) % count];
                area += p[0] * q[1] - p[1] * q[0];
            }
            double orientation = area < 0.0 ? -1.0 : 1.0;
            slv_error error = {.code = SLV_OK};
            assert_int_equal(slv_polygon_split(corners, count, triangles, &scratch, &error),
                             SLV_OK);
            double sum = 0.0;
            for (uint32_t t = 0; t < count - 2; t++) {
                const uint32_t *c = triangles + 3 * (size_t)t;
                assert_true(c[0] < count && c[1] < count && c[2] < count);
                double piece = orientation * cross(flat[c[0]], flat[c[1]], flat[c[2]]);
                assert_true(allow_flat ? piece > -1e-9 : piece > 1e-12);
                sum += piece;
            }
            assert_true(fabs(sum - fabs(area)) < 1e-9 * fabs(area));
        }
    }
    slv_polygon_scratch_free(&scratch);
}

static void convex_outlines_are_covered(void **state) {
    (void)state;
    static const double square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const double hexagon[][2] = {{2, 0}, {1, 2}, {-1, 2}, {-2, 0}, {-1, -2}, {1, -2}};
    expect_covered(square, 4, false);
    expect_covered(hexagon, 6, false);
}

static void concave_quads_are_covered(void **state) {
    (void)state;
    static const double arrow[][2] = {{0, 0}, {2, -1}, {0, 3}, {-2, -1}};
    static const double sharp[][2] = {{0, 2.9}, {2, -1}, {0, 3}, {-2, -1}};
    expect_covered(arrow, 4, false);
    expect_covered(sharp, 4, false);
}

static void a_comb_a_spiral_and_a_star_are_covered(void **state) {
    (void)state;
    static const double comb[][2] = {{0, 0}, {9, 0}, {9, 5}, {8, 5}, {8, 1}, {7, 1},
                                     {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5}, {4, 5},
                                     {4, 1}, {1, 1}, {1, 5}, {0, 5}};
    static const double spiral[][2] = {{0, 0}, {6, 0}, {6, 6}, {1, 6}, {1, 2}, {4, 2}, {4, 4},
                                       {3, 4}, {3, 3}, {2, 3}, {2, 5}, {5, 5}, {5, 1}, {0, 1}};
    static const double star[][2] = {{0, 10}, {2, 3},   {9, 3},   {4, -1}, {6, -8},
                                     {0, -4}, {-6, -8}, {-4, -1}, {-9, 3}, {-2, 3}};
    expect_covered(comb, 16, true);
    expect_covered(spiral, 14, true);
    expect_covered(star, 10, true);
}

// A corner in the middle of a side: both halves of the side must be triangle edges. Otherwise there
// is a crack to a neighbor that uses the corner.
static void collinear_corners_give_no_degenerate_triangle(void **state) {
    (void)state;
    static const double quad[][2] = {{0, 0}, {1, 0}, {2, 0}, {1, 2}};
    static const double pentagon[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}};
    static const double double_line[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {0, 1}};
    expect_covered(quad, 4, false);
    expect_covered(pentagon, 5, false);
    expect_covered(double_line, 6, false);
}

// A square ring: the hole is joined to the outside by a bridge that the outline contains twice.
static void a_bridged_hole_stays_open(void **state) {
    (void)state;
    static const double ring[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                     {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    expect_covered(ring, 10, true);
}

static void random_star_shapes_are_covered(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 60; round++) {
        double outline[MAX_CORNERS][2];
        uint32_t count = 5 + (uint32_t)round % 40;
        for (uint32_t i = 0; i < count; i++) {
            double radius = 0.2 + (double)next_fraction(&seed);
            double angle = 6.283185307179586 * i / count;
            outline[i][0] = radius * cos(angle);
            outline[i][1] = radius * sin(angle);
        }
        expect_covered((const double(*)[2])outline, count, true);
    }
}

static void a_sawtooth_outline_is_covered(void **state) {
    (void)state;
    static double outline[401][2];
    uint32_t count = 0;
    for (int i = 0; i < 399; i++) {
        outline[count][0] = i;
        outline[count++][1] = i % 2 ? 0.5 : 3.0 + (i % 7) * 0.1;
    }
    outline[count][0] = 398;
    outline[count++][1] = -1;
    outline[count][0] = 0;
    outline[count++][1] = -1;
    double corners[3 * 401];
    double area = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = outline[i];
        const double *q = outline[(i + 1) % count];
        area += p[0] * q[1] - p[1] * q[0];
        corners[3 * i] = p[0];
        corners[3 * i + 1] = p[1];
        corners[3 * i + 2] = 0.0;
    }
    slv_polygon_scratch scratch = {.plane = NULL};
    assert_int_equal(slv_polygon_split(corners, count, triangles, &scratch, NULL), SLV_OK);
    slv_polygon_scratch_free(&scratch);
    double sum = 0.0;
    for (uint32_t t = 0; t < count - 2; t++) {
        const uint32_t *c = triangles + 3 * (size_t)t;
        sum += cross(outline[c[0]], outline[c[1]], outline[c[2]]);
    }
    assert_true(fabs(sum - area) < 1e-9 * fabs(area));
}

static void degenerate_and_crossing_outlines_give_count_minus_two_triangles(void **state) {
    (void)state;
    static const double outlines[][6][3] = {
        {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}},
        {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
        {{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}, {1, 5, 0}, {-3, 1, 0}},
        {{0, 0, 0}, {1e12, 0, 0}, {0, 1e-12, 0}, {1, 1, 1}, {-1e12, 3, 0}, {0, 0, 1e12}}};
    slv_polygon_scratch scratch = {.plane = NULL};
    for (size_t i = 0; i < sizeof outlines / sizeof *outlines; i++) {
        for (uint32_t count = 3; count <= 6; count++) {
            memset(triangles, 0xff, sizeof triangles);
            assert_int_equal(slv_polygon_split(outlines[i][0], count, triangles, &scratch, NULL),
                             SLV_OK);
            for (uint32_t t = 0; t < 3 * (count - 2); t++) {
                assert_true(triangles[t] < count);
            }
            assert_int_equal(triangles[3 * (count - 2)], UINT32_MAX);
        }
    }
    slv_polygon_scratch_free(&scratch);
}

static void a_concave_polygon_beyond_the_limit_is_rejected(void **state) {
    (void)state;
    uint32_t count = SLV_MAX_CONCAVE_CORNERS + 2;
    double *corners = calloc(count, 3 * sizeof *corners);
    uint32_t *many = calloc(count, 3 * sizeof *many);
    assert_true(corners && many);
    for (uint32_t i = 0; i < count; i++) {
        corners[3 * (size_t)i] = i;
        corners[3 * (size_t)i + 1] = i % 2 ? 1.0 : 3.0;
    }
    slv_polygon_scratch scratch = {.plane = NULL};
    slv_error error = {.code = SLV_OK};
    assert_int_equal(slv_polygon_split(corners, count, many, &scratch, &error), SLV_ERROR_CONTENT);
    assert_non_null(strstr(error.text, "8194 corners"));
    slv_polygon_scratch_free(&scratch);
    free(many);
    free(corners);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_outlines_are_covered),
        cmocka_unit_test(concave_quads_are_covered),
        cmocka_unit_test(a_comb_a_spiral_and_a_star_are_covered),
        cmocka_unit_test(collinear_corners_give_no_degenerate_triangle),
        cmocka_unit_test(a_bridged_hole_stays_open),
        cmocka_unit_test(random_star_shapes_are_covered),
        cmocka_unit_test(a_sawtooth_outline_is_covered),
        cmocka_unit_test(degenerate_and_crossing_outlines_give_count_minus_two_triangles),
        cmocka_unit_test(a_concave_polygon_beyond_the_limit_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
