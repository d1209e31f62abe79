// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/mesh_build.h"
#include "tools/common/obj_reader.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static slv_result build(const char *text, double scale, bool z_up, slv_mesh *mesh,
                        slv_error *error) {
    slv_raw_mesh raw;
    assert_int_equal(slv_obj_read(text, strlen(text), &raw, error), SLV_OK);
    const slv_import_options options = {.scale = scale, .up = z_up ? SLV_UP_Z : SLV_UP_Y};
    const slv_import_space stated = slv_import_space_default();
    const slv_import_space space = slv_import_space_resolve(&stated, &options);
    slv_result result = slv_mesh_build(&raw, &space, false, mesh, error);
    slv_raw_mesh_free(&raw);
    return result;
}

static slv_mesh mesh_of(const char *text) {
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    if (build(text, 1.0, false, &mesh, &error) != SLV_OK) {
        fail_msg("refused: %s", error.text);
    }
    return mesh;
}

static void expect_error(const char *text, double scale, const char *message) {
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(build(text, scale, false, &mesh, &error), SLV_ERROR_CONTENT);
    assert_string_equal(error.text, message);
    assert_null(mesh.points);
}

static void equal_positions_become_one_point_in_file_order(void **state) {
    (void)state;
    // Vertex 2 (from 1) is unused; 5 repeats 3, 6 repeats 1 but for the sign of zero.
    slv_mesh mesh = mesh_of("v 0 0 0\nv 9 9 9\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv -0 0 -0\nv 1 1 0\n"
                            "f 7 4 5\nf 6 3 4\n");
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint32_t vertex_point[] = {1, 2, 1, 0, 3};
    static const uint32_t vertex_source[] = {2, 3, 4, 5, 6};
    static const uint32_t triangles[] = {4, 1, 2, 3, 0, 1};
    assert_int_equal(mesh.point_count, 4);
    assert_memory_equal(mesh.points, points, sizeof points);
    assert_int_equal(mesh.vertex_count, 5);
    assert_memory_equal(mesh.vertex_point, vertex_point, sizeof vertex_point);
    assert_memory_equal(mesh.vertex_source, vertex_source, sizeof vertex_source);
    assert_memory_equal(mesh.triangles, triangles, sizeof triangles);
    assert_int_equal(mesh.file_vertex_count, 7);
    assert_null(mesh.uvs);
    assert_true(mesh.frame[0] == 0.0 && mesh.frame[1] == 0.0 && mesh.frame[2] == 0.0);
    slv_mesh_free(&mesh);
}

static void vertices_split_at_seams_and_points_do_not(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0\n"
                            "f 1/1 2/2 3/3\nf 1/4 3/3 4/1\n");
    assert_int_equal(mesh.point_count, 4);
    assert_int_equal(mesh.vertex_count, 5);
    static const uint32_t vertex_source[] = {0, 0, 1, 2, 3};
    static const float uvs[] = {0, 0, 0.5f, 0, 1, 0, 1, 1, 0, 0};
    static const uint32_t triangles[] = {0, 2, 3, 1, 3, 4};
    assert_memory_equal(mesh.vertex_source, vertex_source, sizeof vertex_source);
    assert_memory_equal(mesh.uvs, uvs, sizeof uvs);
    assert_memory_equal(mesh.triangles, triangles, sizeof triangles);
    slv_mesh_free(&mesh);
}

static void vertex_colors_are_clamped_and_rounded_and_their_peak_is_reported(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 0 0 0 0 0.5 1\nv 1 0 0 2 -1 0.001 0.1\nv 0 1 0\nf 1 2 3\n");
    static const uint8_t paint[12] = {0, 128, 255, 255, 255, 0, 0, 26, 255, 255, 255, 255};
    assert_memory_equal(mesh.paint, paint, sizeof paint);
    assert_true(mesh.paint_peak == 2.0f);
    slv_mesh_free(&mesh);
    mesh = mesh_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_null(mesh.paint);
    slv_mesh_free(&mesh);
}

static void degenerate_triangles_are_dropped_and_counted(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 0.3 0.3 0.3\nv 0.1 0.1 0.1\n"
                            "f 1 2 2\nf 1 2 4\nf 1 6 5\nf 1 2 3\n");
    assert_int_equal(mesh.triangle_count, 1);
    assert_int_equal(mesh.dropped_triangle_count, 3);
    assert_int_equal(mesh.point_count, 3);
    slv_mesh_free(&mesh);
    expect_error("v 0 0 0\nv 1 1 1\nv 3 3 3\nf 1 2 3\nf 2 2 1\n", 1.0,
                 "all 2 triangles are degenerate (zero area)");
}

static void slender_triangles_are_kept(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 0 0 0\nv 1 0 0\nv 0.5 1e-9 0\nf 1 2 3\n");
    assert_int_equal(mesh.triangle_count, 1);
    slv_mesh_free(&mesh);
}

static void groups_follow_their_triangles(void **state) {
    (void)state;
    slv_mesh mesh =
        mesh_of("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\ng empty\ng flat\nf 1 1 2\n"
                "g quad\nf 1 2 3 4\nf 1 2 2\ng last\nf 1 3 4\n");
    assert_int_equal(mesh.triangle_count, 4);
    assert_int_equal(mesh.polygon_count, 1);
    assert_int_equal(mesh.group_count, 2);
    assert_string_equal(mesh.groups[0].name, "quad");
    assert_int_equal(mesh.groups[0].first_triangle, 1);
    assert_int_equal(mesh.groups[0].triangle_count, 2);
    assert_string_equal(mesh.groups[1].name, "last");
    assert_int_equal(mesh.groups[1].first_triangle, 3);
    assert_int_equal(mesh.groups[1].triangle_count, 1);
    slv_mesh_free(&mesh);
}

static void scale_and_up_axis_apply_to_positions_and_normals(void **state) {
    (void)state;
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(
        build("v 1 2 3\nv 2 2 3\nv 1 2 4\nvn 0 -3 0\nf 1//1 2//1 3//1\n", 0.5, true, &mesh, &error),
        SLV_OK);
    static const double first[] = {0.5, 1.5, -1.0};
    static const float normal[] = {0.0f, 0.0f, 1.0f};
    assert_memory_equal(mesh.points, first, sizeof first);
    for (size_t k = 0; k < 3; k++) {
        assert_true(mesh.normals[k] == normal[k]);
    }
    slv_mesh_free(&mesh);
}

static void far_meshes_get_a_frame_and_keep_their_precision(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 1000000.125 5 -2000000\nv 1000001.125 5 -2000000\n"
                            "v 1000000.125 6.0009765625 -2000000\nf 1 2 3\n");
    assert_true(mesh.frame[0] != 0.0);
    static const double expected[3][3] = {{1000000.125, 5, -2000000},
                                          {1000001.125, 5, -2000000},
                                          {1000000.125, 6.0009765625, -2000000}};
    for (size_t p = 0; p < 3; p++) {
        for (size_t k = 0; k < 3; k++) {
            double at = mesh.points[3 * p + k];
            assert_true(fabs(at) < 3.0);
            assert_true(at + mesh.frame[k] == expected[p][k]);
            assert_true((double)(float)at == at || fabs((double)(float)at - at) < 1e-6);
        }
    }
    slv_mesh_free(&mesh);

    mesh = mesh_of("v 60 0 0\nv 61 0 0\nv 60 1 0\nf 1 2 3\n"); // near enough to need no frame
    assert_true(mesh.frame[0] == 0.0 && mesh.points[0] == 60.0);
    slv_mesh_free(&mesh);
}

static void extreme_sizes_are_rejected(void **state) {
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    expect_error("v 0 0 0\nv 1e300 0 0\nv 0 1 0\nf 1 2 3\n", 1.0,
                 "vertex 2 has the coordinate 1e+300; it must be finite and at most 1e+12 metres");
    expect_error(text, 1e308,
                 "vertex 2 has the coordinate 1e+308; it must be finite and at most 1e+12 metres");
    expect_error(text, 1e-20,
                 "the mesh is only 1.41421e-20 metres large; it must be at least 1e-12, scale it");
}

static void expect_normal(const slv_mesh *mesh, uint32_t vertex, double x, double y, double z) {
    const float *n = mesh->normals + 3 * (size_t)vertex;
    assert_true(fabs((double)n[0] - x) < 1e-6 && fabs((double)n[1] - y) < 1e-6 &&
                fabs((double)n[2] - z) < 1e-6);
}

// A cube with two triangles per side: angle weights make the normals independent of the diagonals,
// so they point along the space diagonals.
static void computed_normals_do_not_depend_on_the_triangulation(void **state) {
    (void)state;
    slv_mesh mesh =
        mesh_of("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    assert_int_equal(mesh.triangle_count, 12);
    double d = 1.0 / sqrt(3.0);
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        const double *p = mesh.points + 3 * (size_t)mesh.vertex_point[v];
        expect_normal(&mesh, v, p[0] > 0.5 ? d : -d, p[1] > 0.5 ? d : -d, p[2] > 0.5 ? d : -d);
    }
    slv_mesh_free(&mesh);
}

static void zero_normals_are_computed_and_others_made_unit_length(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 0\nvn 0 1e-30 0\nvn 3 0 4\n"
                            "f 1//1 2//2 3//3\n");
    expect_normal(&mesh, 0, 0, 0, 1);
    expect_normal(&mesh, 1, 0, 1, 0);
    expect_normal(&mesh, 2, 0.6, 0, 0.8);
    slv_mesh_free(&mesh);
}

// Both sides of one sheet: the normals cancel, and each vertex still gets one.
static void a_sheet_with_two_sides_gets_normals(void **state) {
    (void)state;
    slv_mesh mesh = mesh_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                            "f 1 2 3\nf 4 6 5\n");
    assert_int_equal(mesh.point_count, 3);
    expect_normal(&mesh, 0, 0, 0, 1);
    expect_normal(&mesh, 3, 0, 0, -1);
    slv_mesh_free(&mesh);
}

static void not_finite_numbers_from_other_readers_are_rejected(void **state) {
    (void)state;
    double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    float uvs[] = {0, 0};
    float normals[] = {NAN, 0, 1};
    slv_raw_corner corners[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    slv_raw_polygon polygon = {0, 3, 0};
    slv_raw_mesh raw = {.positions = positions,
                        .position_count = 3,
                        .uvs = uvs,
                        .uv_count = 1,
                        .normals = normals,
                        .normal_count = 1,
                        .corners = corners,
                        .corner_count = 3,
                        .polygons = &polygon,
                        .polygon_count = 1};
    const slv_import_space space = slv_import_space_default();
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(slv_mesh_build(&raw, &space, false, &mesh, &error), SLV_OK);
    expect_normal(&mesh, 0, 0, 0, 1); // an invalid normal is computed
    slv_mesh_free(&mesh);
    uvs[1] = INFINITY;
    assert_int_equal(slv_mesh_build(&raw, &space, false, &mesh, &error), SLV_ERROR_CONTENT);
    uvs[1] = 0.0f;
    positions[4] = (double)NAN;
    assert_int_equal(slv_mesh_build(&raw, &space, false, &mesh, &error), SLV_ERROR_CONTENT);
    assert_non_null(strstr(error.text, "vertex 2 has the coordinate nan"));
    raw.polygon_count = 0;
    positions[4] = 0.0;
    assert_int_equal(slv_mesh_build(&raw, &space, false, &mesh, &error), SLV_ERROR_CONTENT);
    assert_string_equal(error.text, "has no triangles; a surface is needed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_positions_become_one_point_in_file_order),
        cmocka_unit_test(vertices_split_at_seams_and_points_do_not),
        cmocka_unit_test(vertex_colors_are_clamped_and_rounded_and_their_peak_is_reported),
        cmocka_unit_test(degenerate_triangles_are_dropped_and_counted),
        cmocka_unit_test(slender_triangles_are_kept),
        cmocka_unit_test(groups_follow_their_triangles),
        cmocka_unit_test(scale_and_up_axis_apply_to_positions_and_normals),
        cmocka_unit_test(far_meshes_get_a_frame_and_keep_their_precision),
        cmocka_unit_test(extreme_sizes_are_rejected),
        cmocka_unit_test(computed_normals_do_not_depend_on_the_triangulation),
        cmocka_unit_test(zero_normals_are_computed_and_others_made_unit_length),
        cmocka_unit_test(a_sheet_with_two_sides_gets_normals),
        cmocka_unit_test(not_finite_numbers_from_other_readers_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
