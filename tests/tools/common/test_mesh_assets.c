// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/mesh_import.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Real meshes, if installed, compared with values from other programs.

#define ASSETS SLV_SOURCE_DIR "/../shared/assets/"

typedef struct asset_facts {
    const char *path;
    uint32_t file_vertices, points, triangles, dropped, polygons;
    double size[3]; // of the bounds, metres
    bool watertight;
    uint32_t boundary_edges;
} asset_facts;

#define ANY UINT32_MAX

static const asset_facts table[] = {
    {"mesh/spot_low_resolution.obj", 829, 829, 1654, 0, 0, {0.920205, 1.756045, 1.774616}, true, 0},
    {"mesh/spot_control_mesh.obj", 188, 188, 372, 0, 176, {1.171934, 1.743151, 1.773983}, true, 0},
    {"mesh/koala_low_resolution.obj", 3560, 3560, 7116, 0, 0, {3.76012, 5.33893, 9.21337}, true, 0},
    {"mesh/hand_lowres.obj", 810, 810, 1602, 0, 0, {0.726879, 0.944097, 0.273211}, false, 16},
    {"mesh/teapot.stl", 2682, ANY, 894, 0, 0, {63.1697, 39.3084, 29.4813}, false, 64},
    {"mesh/quadknot.obj", 1440, 1440, 2880, 0, 1440, {170.7348, 133.7192, 181.3236}, true, 0},
    {"mesh/not_convex.obj", 288, 44, 96, 0, 0, {0.366, 0.762, 0.762}, true, 0},
    {"mesh/joined_tetrahedra.obj", 5, 5, 8, 0, 0, {1.5, 1.73205, 2.0}, true, 0},
    {"mesh/spider.obj", 762, ANY, 1312, 56, 0, {150.5914, 79.7378, 193.3822}, false, 72},
    {"mesh/male_casualsuit04.obj",
     1696,
     1696,
     3240,
     0,
     1620,
     {5.5884, 14.4954, 2.6587},
     false,
     158},
    {"anim/RiggedSimple.glb", 160, ANY, 188, 0, 0, {2, 9.15016, 2}, true, 0},
    {"anim/RiggedFigure.glb", 370, ANY, 256, 0, 0, {1.178922, 1.44992, 0.325895}, true, 0},
    {"anim/RiggedFigure.dae", ANY, ANY, 256, 0, ANY, {1.178922, 1.44992, 0.325895}, true, 0},
    {"anim/CesiumMan.glb", 3273, ANY, 4672, 0, 0, {1.138274, 1.50655, 0.311954}, true, 0},
    {"anim/Fox.glb", 1728, ANY, 576, 0, 0, {25.1854, 79.0289, 154.7199}, true, 0},
    {"anim/SimpleSkin.gltf", 10, 10, 8, 0, 0, {1, 2, 0}, false, ANY},
    {"anim/InterpolationTest.glb", ANY, ANY, ANY, 0, 0, {8.8, 9.95946, 2.00367}, false, ANY},
    {"anim/AnimatedMorphCube.glb", 24, 8, 12, 0, 0, {2, 2, 2}, true, 0},
    {"anim/SimpleSparseAccessor.gltf", 14, 14, 12, 0, 0, {6, 4, 0}, false, ANY},
    // Centimetres in the file.
    {"anim/maya_game_sausage_7500_binary_combined.fbx",
     ANY,
     24,
     44,
     0,
     22,
     {0.01, 0.0333185, 0.01},
     true,
     0},
    {"anim/maya_game_sausage_wiggle_10.obj", 24, 24, 44, 0, 22, {2.421783, 2.355676, 1}, true, 0},
    {"anim/maya_game_sausage_wiggle_18.obj", 24, 24, 44, 0, 22, {2.020068, 3.249529, 1}, true, 0},
};

// --- what mesh.h promises ------------------------------------------------------------------------

typedef struct edge {
    uint32_t a, b; // a < b
} edge;

static int compare_edges(const void *left, const void *right) {
    const edge *l = left;
    const edge *r = right;
    if (l->a != r->a) {
        return l->a < r->a ? -1 : 1;
    }
    return l->b < r->b ? -1 : l->b > r->b ? 1 : 0;
}

// Edges that an odd number of triangles uses.
static uint32_t count_boundary_edges(const slv_mesh *mesh) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    edge *edges = calloc(count + 1, sizeof *edges);
    assert_non_null(edges);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t p[3];
        slv_mesh_corner_points(mesh, t, p);
        for (size_t c = 0; c < 3; c++) {
            uint32_t from = p[c];
            uint32_t to = p[(c + 1) % 3];
            edges[3 * (size_t)t + c] = from < to ? (edge){from, to} : (edge){to, from};
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    uint32_t odd = 0;
    for (size_t i = 0; i < count;) {
        size_t same = 1;
        while (i + same < count && compare_edges(&edges[i], &edges[i + same]) == 0) {
            same++;
        }
        odd += same % 2 ? 1 : 0;
        i += same;
    }
    free(edges);
    return odd;
}

static void expect_promises_kept(const slv_mesh *mesh) {
    assert_true(mesh->triangle_count > 0);
    bool *used = calloc(mesh->point_count, sizeof *used);
    assert_non_null(used);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        assert_true(mesh->vertex_point[v] < mesh->point_count);
        assert_true(mesh->vertex_source[v] < mesh->file_vertex_count);
        assert_true(v == 0 || mesh->vertex_source[v - 1] <= mesh->vertex_source[v]);
        const float *n = mesh->normals + 3 * (size_t)v;
        double length = sqrt((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
        assert_true(fabs(length - 1.0) < 1e-5);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t p[3];
        slv_mesh_corner_points(mesh, t, p);
        assert_true(p[0] != p[1] && p[1] != p[2] && p[2] != p[0]);
        used[p[0]] = used[p[1]] = used[p[2]] = true;
    }
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        assert_true(used[p]);
    }
    free(used);
    for (uint32_t g = 0; g < mesh->group_count; g++) {
        assert_true(mesh->groups[g].triangle_count > 0);
        assert_true(mesh->groups[g].first_triangle + mesh->groups[g].triangle_count <=
                    mesh->triangle_count);
    }
}

static void expect_count(const char *path, const char *what, uint32_t found, uint32_t expected) {
    if (expected != ANY && found != expected) {
        fail_msg("%s: %u %s, expected %u", path, found, what, expected);
    }
}

static void every_asset_has_the_counts_and_size_of_other_programs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const asset_facts *facts = &table[i];
        char path[512];
        (void)snprintf(path, sizeof path, ASSETS "%s", facts->path);
        slv_mesh mesh;
        slv_file_list files;
        slv_error error = {.code = SLV_OK};
        slv_import_options options = slv_default_import_options();
        if (slv_mesh_import(path, &options, &mesh, &files, &error) != SLV_OK) {
            fail_msg("%s: %s", facts->path, error.text);
        }
        expect_promises_kept(&mesh);
        expect_count(facts->path, "vertices", mesh.file_vertex_count, facts->file_vertices);
        expect_count(facts->path, "points", mesh.point_count, facts->points);
        expect_count(facts->path, "triangles", mesh.triangle_count, facts->triangles);
        expect_count(facts->path, "dropped", mesh.dropped_triangle_count, facts->dropped);
        expect_count(facts->path, "polygons", mesh.polygon_count, facts->polygons);
        uint32_t boundary = count_boundary_edges(&mesh);
        expect_count(facts->path, "boundary edges", boundary,
                     facts->watertight ? 0 : facts->boundary_edges);
        double min[3];
        double max[3];
        slv_mesh_bounds(&mesh, min, max);
        for (int k = 0; k < 3; k++) {
            if (fabs(max[k] - min[k] - facts->size[k]) > 1e-4 * (facts->size[k] + 0.01)) {
                fail_msg("%s: size %g along axis %d, expected %g", facts->path, max[k] - min[k], k,
                         facts->size[k]);
            }
        }
        assert_int_equal(files.count, 1);
        assert_string_equal(files.paths[0], path);
        slv_file_list_free(&files);
        slv_mesh_free(&mesh);
    }
}

static void a_skeleton_without_a_mesh_is_rejected(void **state) {
    (void)state;
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    slv_import_options options = slv_default_import_options();
    assert_int_equal(slv_mesh_import(ASSETS "anim/walk1.bvh", &options, &mesh, NULL, &error),
                     SLV_ERROR_CONTENT);
    assert_string_equal(error.text, "has no triangles; a surface is needed, not motion alone");
}

int main(void) {
    if (access(ASSETS "mesh", R_OK) != 0) {
        (void)printf("skipped: no meshes in " ASSETS "\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_asset_has_the_counts_and_size_of_other_programs),
        cmocka_unit_test(a_skeleton_without_a_mesh_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
