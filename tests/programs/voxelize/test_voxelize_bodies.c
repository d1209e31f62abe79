// SPDX-License-Identifier: MIT
// selvage-voxelize --body: which particles form clusters.
#include "formats/garment.h"
#include "tests/common/folder.h"
#include "tests/programs/voxelize/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_pack *open_body(const char *path, slv_garment *garment) {
    slv_pack *pack = NULL;
    slv_error error = {0};
    assert_int_equal(slv_pack_open(path, NULL, &pack, &error), SLV_OK);
    if (slv_garment_open(pack, garment, &error) != SLV_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(garment->group_count, 0);
    for (size_t i = 0; i < SLV_SLOT_COUNT * (size_t)garment->info.particle_count; i++) {
        assert_int_equal(garment->neighbors[i], SLV_NO_NEIGHBOR);
    }
    return pack;
}

static bool share_a_cluster(const slv_garment *garment, uint32_t a, uint32_t b) {
    uint32_t m = 0;
    for (uint32_t c = 0; c < garment->clusters.count; c++) {
        int found = 0;
        for (; m < garment->clusters.end[c]; m++) {
            found += garment->clusters.member[m] == a || garment->clusters.member[m] == b;
        }
        if (found == 2) {
            return true;
        }
    }
    return false;
}

static void a_rigid_body_is_one_cluster_of_all_particles(void **state) {
    (void)state;
    slv_garment garment;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj --body rigid --spacing 0.21 -o rigid.slv --quiet");
    slv_pack *pack = open_body("rigid.slv", &garment);
    assert_int_equal(garment.info.mode, SLV_GARMENT_SOLID);
    assert_int_equal(garment.clusters.count, 1);
    assert_int_equal(garment.clusters.member_count, garment.info.particle_count);
    assert_true(garment.render.vertex_count > 0);
    slv_pack_close(pack);
}

static void neighbors_of_a_soft_body_share_a_cluster(void **state) {
    (void)state;
    static const char *const sizes[] = {"2", "3", "4", "7"};
    for (size_t i = 0; i < 4; i++) {
        char arguments[128];
        slv_garment garment;
        (void)snprintf(arguments, sizeof arguments,
                       "--shape box:6x5x3 --body soft --cluster-size %s -o soft.slv --quiet",
                       sizes[i]);
        expect_voxelize(arguments);
        slv_pack *pack = open_body("soft.slv", &garment);
        const uint32_t side = (uint32_t)atoi(sizes[i]); // NOLINT(cert-err34-c): one of the above
        uint32_t before = 0;
        for (uint32_t c = 0; c < garment.clusters.count; c++) {
            assert_true(garment.clusters.end[c] - before <= side * side * side);
            before = garment.clusters.end[c];
        }
        for (uint32_t own = 0; own < 90; own++) {
            static const uint32_t steps[3] = {1, 6, 30};
            static const uint32_t cells[3] = {6, 5, 3};
            for (int d = 0; d < 3; d++) {
                if (own / steps[d] % cells[d] + 1 < cells[d]) {
                    assert_true(share_a_cluster(&garment, garment.stored_of_own[own],
                                                garment.stored_of_own[own + steps[d]]));
                }
            }
        }
        slv_pack_close(pack);
    }
}

// Two boxes a few samples apart: no cluster joins them.
static void clusters_do_not_bridge_gaps(void **state) {
    (void)state;
    slv_garment garment;
    FILE *file = fopen("two.obj", "w");
    assert_non_null(file);
    for (int n = 0; n < 2; n++) {
        for (int v = 0; v < 8; v++) {
            (void)fprintf(file, "v %d %d %g\n", v & 1, v >> 1 & 1, (v >> 2 & 1) + 1.25 * n);
        }
        static const int faces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                        {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
        for (int f = 0; f < 6; f++) {
            (void)fprintf(file, "f %d %d %d %d\n", faces[f][0] + 8 * n, faces[f][1] + 8 * n,
                          faces[f][2] + 8 * n, faces[f][3] + 8 * n);
        }
    }
    assert_int_equal(fclose(file), 0);
    expect_voxelize("two.obj --body soft --spacing 0.1 --cluster-size 6 -o two.slv --quiet");
    slv_pack *pack = open_body("two.slv", &garment);
    uint32_t m = 0;
    for (uint32_t c = 0; c < garment.clusters.count; c++) {
        const bool far = garment.z[garment.clusters.member[m]] > 1.125f;
        for (; m < garment.clusters.end[c]; m++) {
            assert_int_equal(garment.z[garment.clusters.member[m]] > 1.125f, far);
        }
    }
    slv_pack_close(pack);
}

// No corner of its bounds is inside it.
static void write_octahedron(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n", file);
    for (int f = 0; f < 8; f++) {
        const int x = 1 + (f & 1);
        const int y = 3 + (f >> 1 & 1);
        const int z = 5 + (f >> 2 & 1);
        const bool turned = ((f ^ f >> 1 ^ f >> 2) & 1) != 0;
        (void)fprintf(file, "f %d %d %d\n", x, turned ? z : y, turned ? y : z);
    }
    assert_int_equal(fclose(file), 0);
}

static void what_is_no_solid_is_no_body(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"cube.obj --body rigid --mode surface -o a.slv", "--body fills a solid"},
        {"cube.obj --body soft --tetrahedra -o a.slv", "--body and tetrahedra exclude each other"},
        {"star.obj --body rigid --spacing 3 -o a.slv", "star.obj: "},
        {"cube.obj --body stiff -o a.slv", "--body"},
        {"cube.obj --body soft --cluster-size 1 -o a.slv", "--cluster-size"},
    };
    write_box_mesh("cube.obj", 0, 1);
    write_octahedron("star.obj");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run run = run_voxelize(cases[i][0]);
        assert_int_not_equal(run.status, 0);
        if (!strstr(run.messages, cases[i][1])) {
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i][0], run.messages, cases[i][1]);
        }
        assert_false(has_file("a.slv"));
        discard_run(&run);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_rigid_body_is_one_cluster_of_all_particles),
        IN_FOLDER(neighbors_of_a_soft_body_share_a_cluster),
        IN_FOLDER(clusters_do_not_bridge_gaps),
        IN_FOLDER(what_is_no_solid_is_no_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
