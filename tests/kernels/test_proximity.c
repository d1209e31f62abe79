// SPDX-License-Identifier: MIT
// Nearest points of vertices, triangles and edges: closed forms, exact distances of random primitives with integer
// coordinates, and paths that stay apart.
#include "kernels/proximity.h"

#include "tests/common/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const float tolerance = 2e-6f;

static void assert_close(float value, float expected) {
    if (!(fabsf(value - expected) <= tolerance)) {
        fail_msg("%.9g in place of %.9g", (double)value, (double)expected);
    }
}

static void assert_vector(slv_vector value, float x, float y, float z) {
    assert_close(value.x, x);
    assert_close(value.y, y);
    assert_close(value.z, z);
}

static slv_proximity of_vertex(float x, float y, float z) {
    const slv_vector corners[SLV_CORNERS] = {{x, y, z}, {0, 0, 0}, {2, 0, 0}, {0, 0, 2}};
    return slv_find_proximity(corners, SLV_VERTEX_TRIANGLE);
}

static void a_vertex_finds_the_nearest_point_of_every_region_of_a_triangle(void **state) {
    (void)state;
    static const struct {
        float at[3], distance, weights[3];
    } cases[] = {
        {{0.5f, 3.0f, 0.5f}, 3.0f, {0.5f, 0.25f, 0.25f}},  // inside, above
        {{0.5f, -3.0f, 0.5f}, 3.0f, {0.5f, 0.25f, 0.25f}}, // inside, below
        {{-3.0f, 0.0f, -4.0f}, 5.0f, {1, 0, 0}},           // corners
        {{5.0f, 0.0f, -4.0f}, 5.0f, {0, 1, 0}},
        {{-4.0f, 0.0f, 5.0f}, 5.0f, {0, 0, 1}},
        {{0.5f, 0.0f, -2.0f}, 2.0f, {0.75f, 0.25f, 0}}, // edges
        {{-2.0f, 0.0f, 0.5f}, 2.0f, {0.75f, 0, 0.25f}},
        {{2.0f, 0.0f, 2.0f}, 1.41421356f, {0, 0.5f, 0.5f}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const slv_proximity near = of_vertex(cases[n].at[0], cases[n].at[1], cases[n].at[2]);
        assert_close(near.distance, cases[n].distance);
        assert_close(near.weights[0], 1.0f);
        for (int i = 0; i < 3; i++) {
            assert_close(near.weights[i + 1], 0.0f - cases[n].weights[i]);
        }
    }
    assert_vector(of_vertex(0.5f, 3.0f, 0.5f).normal, 0, 1, 0);
    assert_vector(of_vertex(0.5f, -3.0f, 0.5f).normal, 0, -1, 0);
    assert_vector(of_vertex(-3.0f, 0.0f, -4.0f).normal, -0.6f, 0, -0.8f);
}

static void a_triangle_without_area_is_an_edge_or_a_point(void **state) {
    (void)state;
    const slv_vector line[SLV_CORNERS] = {{1, 2, 0}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    const slv_vector point[SLV_CORNERS] = {{1, 0, 0}, {3, 0, 0}, {3, 0, 0}, {3, 0, 0}};
    const slv_proximity of_line = slv_find_proximity(line, SLV_VERTEX_TRIANGLE);
    const slv_proximity of_point = slv_find_proximity(point, SLV_VERTEX_TRIANGLE);
    assert_close(of_line.distance, 2.0f);
    assert_vector(of_line.normal, 0, 1, 0);
    assert_close(of_point.distance, 2.0f);
    assert_vector(of_point.normal, -1, 0, 0);
}

static void edges_find_their_nearest_points(void **state) {
    (void)state;
    const slv_vector skew[SLV_CORNERS] = {{-1, 1, 0}, {3, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    const slv_vector ends[SLV_CORNERS] = {{4, 3, 0}, {6, 3, 0}, {0, 0, 0}, {0, 0, 1}};
    slv_proximity near = slv_find_proximity(skew, SLV_EDGE_EDGE);
    assert_close(near.distance, 1.0f);
    assert_vector(near.normal, 0, 1, 0);
    assert_close(near.weights[0], 0.75f);
    assert_close(near.weights[2], -0.5f);
    near = slv_find_proximity(ends, SLV_EDGE_EDGE);
    assert_close(near.distance, 5.0f);
    assert_vector(near.normal, 0.8f, 0.6f, 0);
}

static void parallel_edges_meet_in_the_middle_of_where_they_lie_beside_each_other(void **state) {
    (void)state;
    const slv_vector beside[SLV_CORNERS] = {{0, 1, 0}, {4, 1, 0}, {3, 0, 0}, {9, 0, 0}};
    const slv_vector apart[SLV_CORNERS] = {{0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}};
    const slv_vector points[SLV_CORNERS] = {{0, 2, 0}, {0, 2, 0}, {0, 0, 0}, {0, 0, 0}};
    slv_proximity near = slv_find_proximity(beside, SLV_EDGE_EDGE);
    assert_close(near.distance, 1.0f);
    assert_close(near.weights[1], 0.875f); // x = 3.5
    assert_vector(near.normal, 0, 1, 0);
    near = slv_find_proximity(apart, SLV_EDGE_EDGE);
    assert_close(near.distance, 5.0f);
    assert_vector(near.normal, -0.6f, -0.8f, 0);
    near = slv_find_proximity(points, SLV_EDGE_EDGE);
    assert_close(near.distance, 2.0f);
    assert_vector(near.normal, 0, 1, 0);
}

static void touching_primitives_have_the_normal_of_their_area(void **state) {
    (void)state;
    const slv_vector crossing[SLV_CORNERS] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
    const slv_proximity edges = slv_find_proximity(crossing, SLV_EDGE_EDGE);
    assert_close(edges.distance, 0.0f);
    assert_close(fabsf(edges.normal.y), 1.0f);
    assert_close(fabsf(of_vertex(0.5f, 0.0f, 0.5f).normal.y), 1.0f);
    const slv_vector nothing[SLV_CORNERS] = {{0, 0, 0}};
    assert_vector(slv_find_proximity(nothing, SLV_EDGE_EDGE).normal, 0, 1, 0);
}

// --- Exact distances --------------------------------------------------------------------------------

typedef struct whole {
    int64_t x, y, z;
} whole;

__extension__ typedef __int128 large; // exact: not in ISO C

// A squared distance: numerator over denominator.
typedef struct fraction {
    large over, under;
} fraction;

static whole minus(whole a, whole b) {
    return (whole){a.x - b.x, a.y - b.y, a.z - b.z};
}

static int64_t dot(whole a, whole b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static whole cross(whole a, whole b) {
    return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static void take_less(fraction *least, large over, large under) {
    if (over * least->under < least->over * under) {
        *least = (fraction){over, under};
    }
}

static void try_point_and_segment(fraction *least, whole p, whole a, whole b) {
    const whole edge = minus(b, a);
    const whole from = minus(p, a);
    const int64_t along = dot(edge, from);
    const int64_t length = dot(edge, edge);
    take_less(least, dot(from, from), 1);
    take_less(least, dot(minus(p, b), minus(p, b)), 1);
    if (along > 0 && along < length) {
        take_less(least, (large)dot(from, from) * length - (large)along * along, length);
    }
}

static double root_of(fraction square) {
    return sqrt((double)square.over / (double)square.under);
}

static double distance_of_vertex(const whole *x) {
    const whole normal = cross(minus(x[2], x[1]), minus(x[3], x[1]));
    const int64_t above = dot(normal, minus(x[0], x[1]));
    fraction least = {INT64_MAX, 1};
    int inside = dot(normal, normal) > 0;
    for (int n = 0; n < 3; n++) {
        const whole a = x[1 + n];
        const whole b = x[1 + (n + 1) % 3];
        try_point_and_segment(&least, x[0], a, b);
        inside = inside && dot(cross(minus(b, a), minus(x[0], a)), normal) >= 0;
    }
    if (inside) {
        take_less(&least, (large)above * above, dot(normal, normal));
    }
    return root_of(least);
}

static double distance_of_edges(const whole *x) {
    const whole one = minus(x[1], x[0]);
    const whole other = minus(x[3], x[2]);
    const whole between = minus(x[2], x[0]);
    const whole normal = cross(one, other);
    const int64_t size = dot(normal, normal);
    const int64_t s = dot(cross(between, other), normal); // over size
    const int64_t t = dot(cross(between, one), normal);
    fraction least = {INT64_MAX, 1};
    try_point_and_segment(&least, x[0], x[2], x[3]);
    try_point_and_segment(&least, x[1], x[2], x[3]);
    try_point_and_segment(&least, x[2], x[0], x[1]);
    try_point_and_segment(&least, x[3], x[0], x[1]);
    if (size > 0 && s >= 0 && s <= size && t >= 0 && t <= size) {
        const int64_t across = dot(normal, between);
        take_less(&least, (large)across * across, size);
    }
    return root_of(least);
}

// Coordinates from -range to range: small ranges give parallel, touching and degenerate primitives.
static void make_random(uint32_t *seed, int64_t range, whole *x, slv_vector *floats) {
    for (int n = 0; n < SLV_CORNERS; n++) {
        int64_t c[3];
        for (int d = 0; d < 3; d++) {
            c[d] = (int64_t)(next_random(seed) % (uint32_t)(2 * range + 1)) - range;
        }
        x[n] = (whole){c[0], c[1], c[2]};
        floats[n] = slv_make_vector((float)c[0], (float)c[1], (float)c[2]);
    }
}

static void distances_of_random_primitives_are_exact_but_for_rounding(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int n = 0; n < 400000; n++) {
        static const int64_t ranges[] = {1, 2, 5, 100};
        const int kind = n & 1;
        whole x[SLV_CORNERS];
        slv_vector floats[SLV_CORNERS];
        make_random(&seed, ranges[n / 2 % 4], x, floats);
        const double exact = kind == SLV_EDGE_EDGE ? distance_of_edges(x) : distance_of_vertex(x);
        const slv_proximity near = slv_find_proximity(floats, kind);
        const double length = (double)slv_length(near.normal);
        if (!(fabs((double)near.distance - exact) <= 2e-4 * (1.0 + exact)) ||
            fabs(length - 1.0) > 1e-5) {
            fail_msg("case %d: distance %.9g in place of %.9g, normal of length %.9g", n,
                     (double)near.distance, exact, length);
        }
    }
}

// --- Paths ------------------------------------------------------------------------------------------

static float distance_at(const slv_vector *begins, const slv_vector *moves, int kind, float t) {
    slv_vector x[SLV_CORNERS];
    for (int n = 0; n < SLV_CORNERS; n++) {
        x[n] = slv_add_scaled(begins[n], t, moves[n]);
    }
    return slv_find_proximity(x, kind).distance;
}

static void paths_keep_the_gap_as_far_as_is_promised(void **state) {
    (void)state;
    const float gap = 0.5f;
    uint32_t seed = 7;
    int whole_paths = 0;
    for (int n = 0; n < 40000; n++) {
        const int kind = n & 1;
        whole x[SLV_CORNERS];
        slv_vector begins[SLV_CORNERS];
        slv_vector moves[SLV_CORNERS];
        slv_proximity near;
        make_random(&seed, 6, x, begins);
        make_random(&seed, 4, x, moves);
        const float reached = slv_stay_apart(begins, moves, kind, gap, SLV_APART_ANY, &near);
        whole_paths += reached >= 1.0f;
        for (int k = 0; k <= 16 && reached > 0.0f; k++) {
            const float t = reached * (float)k / 16.0f;
            if (distance_at(begins, moves, kind, t) < gap - 1e-3f) {
                fail_msg("case %d: nearer than the gap at %.4f of %.4f", n, (double)t,
                         (double)reached);
            }
        }
    }
    assert_in_range(whole_paths, 8000, 36000); // neither are all refused nor all let through
}

static void paths_that_meet_end_where_they_do(void **state) {
    (void)state;
    const slv_vector begins[SLV_CORNERS] = {{0.5f, 10, 0.5f}, {0, 0, 0}, {2, 0, 0}, {0, 0, 2}};
    slv_vector moves[SLV_CORNERS] = {{0, -20, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    slv_proximity near;
    float reached = slv_stay_apart(begins, moves, SLV_VERTEX_TRIANGLE, 1.0f, SLV_APART_ANY, &near);
    assert_close(reached, 0.45f); // at height 1
    assert_vector(near.normal, 0, 1, 0);
    for (int n = 0; n < SLV_CORNERS; n++) { // motion that all share does not count
        moves[n] = slv_make_vector(300.0f, -500.0f, 20.0f);
    }
    reached = slv_stay_apart(begins, moves, SLV_VERTEX_TRIANGLE, 1.0f, SLV_APART_ANY, &near);
    assert_true(reached >= 1.0f);
}

static void what_does_not_move_stays_apart_however_near_it_is(void **state) {
    (void)state;
    const slv_vector moves[SLV_CORNERS] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    uint32_t seed = 3;
    for (int n = 0; n < 100000; n++) {
        const int kind = n & 1;
        whole x[SLV_CORNERS];
        slv_vector begins[SLV_CORNERS];
        slv_proximity near;
        make_random(&seed, 3, x, begins);
        begins[0].y += 1e-4f;
        const float reached = slv_stay_apart(begins, moves, kind, 1.0f, 0.9f, &near);
        if (reached < 1.0f) {
            fail_msg("case %d: %.9g at distance %.9g", n, (double)reached, (double)near.distance);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vertex_finds_the_nearest_point_of_every_region_of_a_triangle),
        cmocka_unit_test(a_triangle_without_area_is_an_edge_or_a_point),
        cmocka_unit_test(edges_find_their_nearest_points),
        cmocka_unit_test(parallel_edges_meet_in_the_middle_of_where_they_lie_beside_each_other),
        cmocka_unit_test(touching_primitives_have_the_normal_of_their_area),
        cmocka_unit_test(distances_of_random_primitives_are_exact_but_for_rounding),
        cmocka_unit_test(paths_keep_the_gap_as_far_as_is_promised),
        cmocka_unit_test(paths_that_meet_end_where_they_do),
        cmocka_unit_test(what_does_not_move_stays_apart_however_near_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
