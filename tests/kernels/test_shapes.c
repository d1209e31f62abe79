// SPDX-License-Identifier: MIT
// Distances to shapes against closed forms and against one another: moving a point by its distance
// along the normal leads onto the surface.
#include "kernels/collider.h"
#include "tests/common/random.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static float random_between(uint32_t *seed, float low, float high) {
    return low + (high - low) * next_fraction(seed);
}

static slv_vector random_point(uint32_t *seed, float size) {
    slv_vector p;
    p.x = random_between(seed, -size, size);
    p.y = random_between(seed, -size, size);
    p.z = random_between(seed, -size, size);
    return p;
}

static slv_gap capsule_gap(slv_vector p, float radius, float half) {
    const slv_collider collider = {.size = {radius, half}};
    const slv_frame still = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    return slv_collider_gap(NULL, &collider, &still, SLV_SHAPE_CAPSULE, p);
}

static void exponential_equals_that_of_the_c_library(void **state) {
    (void)state;
    for (int n = -6000; n < 6000; n++) {
        float x = 0.01f * (float)n;
        assert_near((double)slv_exponential(x) / exp((double)x), 1.0, 4e-7);
    }
    assert_near((double)slv_exponential(0.0f), 1.0, 0.0);
    assert_true(isfinite(slv_exponential(1e30f)) && isfinite(slv_exponential(-1e30f)));
}

static void a_capsule_is_a_sphere_at_its_ends_and_a_cylinder_between(void **state) {
    (void)state;
    slv_vector above = slv_make_vector(0.3f, 1.0f + 0.4f, 0.0f);
    slv_vector beside = slv_make_vector(0.3f, 0.5f, 0.4f);
    assert_near((double)capsule_gap(above, 0.1f, 1.0f).distance, 0.4, 1e-6);
    assert_near((double)capsule_gap(beside, 0.1f, 1.0f).distance, 0.4, 1e-6);
    assert_near((double)slv_sphere_gap(beside, 0.0f).distance, sqrt(0.5), 1e-6);
}

static void a_box_has_faces_edges_and_corners(void **state) {
    (void)state;
    slv_vector half = slv_make_vector(1.0f, 2.0f, 3.0f);
    assert_near((double)slv_box_gap(slv_make_vector(0.0f, 2.5f, 1.0f), half).distance, 0.5, 1e-6);
    assert_near((double)slv_box_gap(slv_make_vector(4.0f, 6.0f, 0.0f), half).distance, 5.0, 1e-6);
    assert_near((double)slv_box_gap(slv_make_vector(2.0f, 3.0f, 4.0f), half).distance, sqrt(3.0),
                1e-6);
    slv_gap inside = slv_box_gap(slv_make_vector(-0.8f, 0.0f, 0.0f), half);
    assert_near((double)inside.distance, -0.2, 1e-6);
    assert_near((double)inside.normal.x, -1.0, 0.0);
}

static slv_gap wedge_at(slv_vector p) {
    return slv_wedge_gap(p, 0.3f, 0.8f, 0.5f);
}

static slv_gap box_at(slv_vector p) {
    return slv_box_gap(p, slv_make_vector(0.2f, 0.4f, 0.7f));
}

static slv_gap capsule_at(slv_vector p) {
    return capsule_gap(p, 0.3f, 0.5f);
}

// Outside, and for convex shapes inside too.
static void stands_on_surface(slv_gap (*gap_at)(slv_vector), const char *name) {
    uint32_t seed = 7;
    for (int n = 0; n < 20000; n++) {
        slv_vector p = random_point(&seed, 1.2f);
        slv_gap gap = gap_at(p);
        slv_vector foot = slv_add_scaled(p, -gap.distance, gap.normal);
        float length = slv_length(gap.normal);
        if (!(fabsf(length - 1.0f) < 1e-5f) || !(fabsf(gap_at(foot).distance) < 2e-6f)) {
            fail_msg("%s: (%g, %g, %g) is %g away by a vector of length %g; there %g is left", name,
                     (double)p.x, (double)p.y, (double)p.z, (double)gap.distance, (double)length,
                     (double)gap_at(foot).distance);
        }
    }
}

static void the_normal_leads_onto_the_surface(void **state) {
    (void)state;
    stands_on_surface(wedge_at, "wedge");
    stands_on_surface(box_at, "box");
    stands_on_surface(capsule_at, "capsule");
}

// Distances of exact shapes are Lipschitz continuous with constant 1.
static void distances_are_continuous(void **state) {
    (void)state;
    slv_gap (*const shapes[])(slv_vector) = {wedge_at, box_at, capsule_at};
    uint32_t seed = 11;
    for (int n = 0; n < 20000; n++) {
        slv_vector a = random_point(&seed, 1.2f);
        slv_vector b = slv_add_scaled(a, 0.05f, random_point(&seed, 1.0f));
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            float change = fabsf(shapes[s](a).distance - shapes[s](b).distance);
            assert_true(change <= slv_length(slv_subtract(a, b)) * 1.0001f + 1e-6f);
        }
    }
}

// The nearest of many points of the profile.
static double nearest_of_funnel(double across, double y, double a, double low, double high) {
    double best = 1e9;
    for (int n = 0; n <= 200000; n++) {
        double at = low + (high - low) * n / 200000;
        double distance = hypot(exp(at / a) - across, at - y);
        best = distance < best ? distance : best;
    }
    return best;
}

static void the_distance_of_a_funnel_is_that_of_its_nearest_point(void **state) {
    (void)state;
    uint32_t seed = 3;
    for (int n = 0; n < 60; n++) {
        float y = random_between(&seed, -1.0f, 1.0f);
        float across = random_between(&seed, 0.0f, 1.1f * expf(y / 0.7f));
        slv_vector p = slv_make_vector(0.6f * across, y, -0.8f * across);
        slv_gap gap = slv_funnel_gap(p, 0.7f, -1.0f, 1.0f, 1.0f);
        double expected = nearest_of_funnel((double)across, (double)y, 0.7, -1.0, 1.0);
        assert_near(fabs((double)gap.distance), expected, 2e-4);
        assert_true((gap.distance < 0.0f) == (across > expf(y / 0.7f)));
    }
}

static void distances_on_the_axis_and_beyond_the_wall_of_a_funnel_are_finite(void **state) {
    (void)state;
    slv_gap axis = slv_funnel_gap(slv_make_vector(0.0f, 0.1f, 0.0f), 0.7f, -1.0f, 1.0f, 0.1f);
    assert_near((double)slv_length(axis.normal), 1.0, 1e-6);
    assert_true(isfinite(axis.distance));
    slv_vector far = slv_make_vector(50.0f, 0.1f, 0.0f);
    assert_true(slv_funnel_gap(far, 0.7f, -1.0f, 1.0f, 0.1f).distance == SLV_FAR);
    slv_vector above = slv_make_vector(0.0f, 1.1f, 0.0f);
    assert_true(slv_funnel_gap(above, 0.7f, -1.0f, 1.0f, 0.1f).distance == SLV_FAR);
}

// Samples of the distance of a sphere reproduce the sphere.
static void a_field_reproduces_the_shape_it_samples(void **state) {
    (void)state;
    enum { SIDE = 33 };
    static float samples[SIDE * SIDE * SIDE];
    slv_field field = {.origin = {-0.8f, -0.8f, -0.8f},
                       .spacing = 0.05f,
                       .count = {SIDE, SIDE, SIDE},
                       .samples = 0};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int row = i / SIDE % SIDE;
        const int layer = i / SIDE / SIDE;
        slv_vector p = slv_make_vector((float)(i % SIDE) * 0.05f - 0.8f, (float)row * 0.05f - 0.8f,
                                       (float)layer * 0.05f - 0.8f);
        samples[i] = slv_sphere_gap(p, 0.5f).distance;
    }
    uint32_t seed = 5;
    for (int n = 0; n < 5000; n++) {
        slv_vector p = random_point(&seed, 0.75f);
        if (slv_length(p) < 0.2f) {
            continue; // a cell at the center of the sphere has no gradient
        }
        slv_gap gap = slv_field_gap(samples, &field, p);
        assert_near((double)gap.distance, (double)slv_length(p) - 0.5, 0.004);
        assert_near((double)slv_dot(gap.normal, slv_sphere_gap(p, 0.0f).normal), 1.0, 0.02);
    }
    slv_gap far = slv_field_gap(samples, &field, slv_make_vector(10.0f, 0.0f, 0.0f));
    assert_true(far.distance > 9.0f && far.normal.x > 0.99f);
}

static void shapes_of_size_zero_have_a_normal(void **state) {
    (void)state;
    slv_vector zero = slv_make_vector(0.0f, 0.0f, 0.0f);
    assert_near((double)slv_length(slv_sphere_gap(zero, 0.0f).normal), 1.0, 0.0);
    assert_near((double)slv_length(capsule_gap(zero, 0.0f, 0.0f).normal), 1.0, 0.0);
    assert_near((double)slv_length(slv_box_gap(zero, zero).normal), 1.0, 0.0);
    assert_near((double)slv_length(slv_wedge_gap(zero, 0.0f, 0.0f, 0.0f).normal), 1.0, 1e-6);
}

// --- Frames -----------------------------------------------------------------------------------------

static void the_transform_between_equal_frames_is_the_identity(void **state) {
    (void)state;
    const float pose[8] = {123.4f, -5.6f, 7.8f, 0.0f, 0.5f, -0.5f, 0.5f, 0.5f};
    slv_frame frame = slv_frame_from_pose(pose);
    slv_frame between = slv_frame_between(&frame, &frame);
    slv_vector p = slv_make_vector(123.1f, -5.5f, 8.1f);
    slv_vector same = slv_to_world(&between, p);
    assert_true(same.x == p.x && same.y == p.y && same.z == p.z);
}

static void frames_transform_to_world_and_back(void **state) {
    (void)state;
    const float one_pose[8] = {1.0f, 2.0f, 3.0f, 0.0f, 0.1f, 0.3f, -0.2f, 0.92736185f};
    const float two_pose[8] = {-1.0f, 0.5f, 3.0f, 0.0f, 0.5f, -0.5f, 0.5f, 0.5f};
    slv_frame one = slv_frame_from_pose(one_pose);
    slv_frame two = slv_frame_from_pose(two_pose);
    slv_frame between = slv_frame_between(&one, &two);
    slv_vector own = slv_make_vector(0.3f, -0.4f, 0.5f);
    slv_vector there = slv_to_world(&two, own);
    slv_vector led = slv_to_world(&between, slv_to_world(&one, own));
    slv_vector back = slv_to_local(&two, there);
    assert_near((double)slv_length(slv_subtract(led, there)), 0.0, 2e-6);
    assert_near((double)slv_length(slv_subtract(back, own)), 0.0, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential_equals_that_of_the_c_library),
        cmocka_unit_test(a_capsule_is_a_sphere_at_its_ends_and_a_cylinder_between),
        cmocka_unit_test(a_box_has_faces_edges_and_corners),
        cmocka_unit_test(the_normal_leads_onto_the_surface),
        cmocka_unit_test(distances_are_continuous),
        cmocka_unit_test(the_distance_of_a_funnel_is_that_of_its_nearest_point),
        cmocka_unit_test(distances_on_the_axis_and_beyond_the_wall_of_a_funnel_are_finite),
        cmocka_unit_test(a_field_reproduces_the_shape_it_samples),
        cmocka_unit_test(shapes_of_size_zero_have_a_normal),
        cmocka_unit_test(the_transform_between_equal_frames_is_the_identity),
        cmocka_unit_test(frames_transform_to_world_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
