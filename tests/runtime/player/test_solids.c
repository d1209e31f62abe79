// SPDX-License-Identifier: MIT
// Meshes of distance fields.
#include "runtime/player/view/field_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 24 };
static const float ball_radius = 0.4f;

static slv_solid_mesh make_ball(void) {
    static float samples[SIDE * SIDE * SIDE];
    const slv_field_info info = {.cells = {SIDE, SIDE, SIDE},
                                 .slab = 8,
                                 .origin = {-0.5, -0.5, -0.5},
                                 .spacing = 1.0 / (SIDE - 1)};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int row = i / SIDE;
        const int layer = row / SIDE;
        const double x = info.origin[0] + info.spacing * (i % SIDE);
        const double y = info.origin[1] + info.spacing * (row % SIDE);
        const double z = info.origin[2] + info.spacing * layer;
        samples[i] = (float)(sqrt(x * x + y * y + z * z) - (double)ball_radius);
    }
    slv_solid_mesh mesh = {.failed = false};
    slv_field_mesh_add(&mesh, &info, samples);
    assert_false(mesh.failed);
    assert_true(mesh.triangle_count > 1000);
    return mesh;
}

static void a_field_mesh_is_at_distance_zero(void **state) {
    (void)state;
    slv_solid_mesh mesh = make_ball();
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const float *v = mesh.vertices + 6 * (size_t)i;
        const float away = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        assert_true(fabsf(away - ball_radius) < 0.1f / (SIDE - 1));
        const float outward = (v[0] * v[3] + v[1] * v[4] + v[2] * v[5]) / away;
        assert_true(outward > 0.995f && outward < 1.001f);
    }
    slv_solid_mesh_free(&mesh);
}

static int compare_edges(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

// Every edge has two triangles of opposite direction, and the mesh encloses the volume of the ball.
static void a_field_mesh_is_closed_and_oriented_outwards(void **state) {
    (void)state;
    slv_solid_mesh mesh = make_ball();
    const size_t edges = 3 * (size_t)mesh.triangle_count;
    uint32_t(*there)[2] = calloc(edges, sizeof *there);
    assert_non_null(there);
    double volume = 0.0;
    for (size_t e = 0; e < edges; e++) {
        const size_t first = e - e % 3;
        there[e][0] = mesh.triangles[e];
        there[e][1] = mesh.triangles[first + (e + 1) % 3];
    }
    qsort(there, edges, sizeof *there, compare_edges);
    for (size_t e = 0; e < edges; e++) {
        const uint32_t back[2] = {there[e][1], there[e][0]};
        assert_non_null(bsearch(back, there, edges, sizeof *there, compare_edges));
        assert_true(e == 0 || compare_edges(there[e - 1], there[e]) != 0);
    }
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const float *a = mesh.vertices + 6 * (size_t)mesh.triangles[3 * t];
        const float *b = mesh.vertices + 6 * (size_t)mesh.triangles[3 * t + 1];
        const float *c = mesh.vertices + 6 * (size_t)mesh.triangles[3 * t + 2];
        volume += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6.0;
    }
    const double whole = 4.0 / 3.0 * 3.14159265 * pow((double)ball_radius, 3.0);
    assert_true(volume > 0.97 * whole && volume < 1.01 * whole);
    free(there);
    slv_solid_mesh_free(&mesh);
}

static void an_unreadable_field_has_no_mesh(void **state) {
    (void)state;
    slv_solid_mesh mesh = slv_field_mesh_make("/nowhere/there-is-none.slv");
    assert_false(mesh.failed);
    assert_int_equal(mesh.triangle_count, 0);
    slv_solid_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_mesh_is_at_distance_zero),
        cmocka_unit_test(a_field_mesh_is_closed_and_oriented_outwards),
        cmocka_unit_test(an_unreadable_field_has_no_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
