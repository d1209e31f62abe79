// SPDX-License-Identifier: MIT
// selvage-voxelize as a program: results for inputs with a known outcome.
#define _XOPEN_SOURCE 700
#include "formats/field.h"
#include "formats/garment.h"
#include "tests/common/folder.h"
#include "tests/programs/voxelize/run.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_pack *open_pack(const char *path, slv_garment *garment) {
    slv_pack *pack = NULL;
    slv_error error = {0};
    if (slv_pack_open(path, NULL, &pack, &error) != SLV_OK ||
        slv_garment_open(pack, garment, &error) != SLV_OK) {
        fail_msg("%s: %s", path, error.text);
        abort(); // not reached: cmocka jumps, which analyzers do not model
    }
    return pack;
}

static bool has_set(const slv_garment *garment, const char *name, uint32_t count) {
    for (uint32_t n = 0; n < garment->set_count; n++) {
        const slv_named_set set = slv_garment_get_set(garment, n);
        if (set.name_length == strlen(name) && memcmp(set.name, name, set.name_length) == 0) {
            return set.count == count;
        }
    }
    return false;
}

static void a_cube_contains_exactly_the_samples_strictly_inside(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o cube.slv --mode solid --spacing 0.1");
    slv_garment garment;
    slv_pack *pack = open_pack("cube.slv", &garment);
    assert_int_equal(garment.info.particle_count, 9 * 9 * 9);
    assert_int_equal(garment.constraints[SLV_CONSTRAINT_DISTANCE].count, 3 * 8 * 9 * 9);
    assert_int_equal(garment.color_count, 2);
    assert_int_equal(garment.group_count, 6);
    assert_int_equal(garment.info.mode, SLV_GARMENT_SOLID);
    assert_true(has_set(&garment, "top", 81) && has_set(&garment, "x-min", 81));
    // In own order x varies fastest, then y, then z.
    for (uint32_t own = 0; own < 729; own++) {
        const uint32_t stored = garment.stored_of_own[own];
        const uint32_t position[3] = {1 + own % 9, 1 + own / 9 % 9, 1 + own / 81};
        assert_true(fabsf(garment.x[stored] - 0.1f * (float)position[0]) < 1e-6f);
        assert_true(fabsf(garment.y[stored] - 0.1f * (float)position[1]) < 1e-6f);
        assert_true(fabsf(garment.z[stored] - 0.1f * (float)position[2]) < 1e-6f);
    }
    // 300 kg/m³; each particle represents one litre.
    assert_true(fabsf(garment.info.mass - 0.729f * 300) < 1e-3f);
    slv_pack_close(pack);
}

static void a_shell_is_one_layer_around_the_surface(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o cube.slv --mode shell --spacing 0.1 --mass 2");
    slv_garment garment;
    slv_pack *pack = open_pack("cube.slv", &garment);
    assert_int_equal(garment.info.particle_count, 11 * 11 * 11 - 9 * 9 * 9);
    assert_true(garment.info.mass == 2);
    assert_int_equal(garment.info.mode, SLV_GARMENT_SHELL);
    slv_pack_close(pack);
}

static void surface_particles_keep_the_order_of_the_file(void **state) {
    (void)state;
    folder_write_text("flag.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 9 9 9\n"
                                  "g hoist\nf 1 3 4\ng fly\nf 1 2 3\n");
    expect_voxelize("flag.obj -o flag.slv --mode surface --density 0.5");
    slv_garment garment;
    slv_pack *pack = open_pack("flag.slv", &garment);
    assert_int_equal(garment.info.particle_count, 4); // the fifth vertex has no triangle
    const float x[4] = {0, 2, 2, 0};
    for (uint32_t own = 0; own < 4; own++) {
        assert_true(garment.x[garment.stored_of_own[own]] == x[own]);
    }
    assert_int_equal(garment.constraints[SLV_CONSTRAINT_DISTANCE].count, 5);
    assert_int_equal(garment.constraints[SLV_CONSTRAINT_BENDING].count, 1);
    assert_true(garment.info.mass == 1);
    assert_true(has_set(&garment, "hoist", 3) && has_set(&garment, "fly", 3) &&
                has_set(&garment, "boundary", 4));
    assert_null(garment.grid);
    slv_pack_close(pack);
}

static void auto_makes_solids_of_closed_meshes_and_shells_of_open_ones(void **state) {
    (void)state;
    slv_garment garment;
    write_box_mesh("cube.obj", -1, 1);
    expect_voxelize("cube.obj -o cube.slv");
    slv_pack *pack = open_pack("cube.slv", &garment);
    assert_int_equal(garment.info.mode, SLV_GARMENT_SOLID);
    slv_pack_close(pack);

    folder_write_text("open.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    expect_voxelize("open.obj -o open.slv --resolution 16");
    pack = open_pack("open.slv", &garment);
    assert_int_equal(garment.info.mode, SLV_GARMENT_SHELL);
    assert_true(garment.info.particle_count >= 16 * 16);
    slv_pack_close(pack);
}

static void shapes_have_their_documented_counts(void **state) {
    (void)state;
    slv_garment garment;
    expect_voxelize("--shape grid:100x100 -o grid.slv");
    slv_pack *pack = open_pack("grid.slv", &garment);
    assert_int_equal(garment.info.particle_count, 10000);
    assert_int_equal(garment.constraints[SLV_CONSTRAINT_DISTANCE].count, 19800);
    assert_int_equal(garment.info.mode, SLV_GARMENT_SHAPE);
    assert_true(garment.info.spacing == 0.01f);
    assert_true(fabsf(garment.info.mass - 0.2f) < 1e-6f); // one square metre
    slv_pack_close(pack);
    const char *const runs[] = {"--shape rope:50 -o x.slv", "--shape rope:1 -o x.slv",
                                "--shape box:5x6x7 -o x.slv --mass 3",
                                "--shape poncho:30x20:6 --spacing 0.03 -o x.slv"};
    const uint32_t counts[] = {50, 1, 210, 564};
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        expect_voxelize(runs[n]);
        pack = open_pack("x.slv", &garment);
        assert_int_equal(garment.info.particle_count, counts[n]);
        slv_pack_close(pack);
    }
}

static void meshes_far_from_the_origin_give_the_same_garment(void **state) {
    (void)state;
    slv_garment near_one;
    slv_garment far_one;
    write_box_mesh("near.obj", 0, 1);
    write_box_mesh("far.obj", 1e6, 1e6 + 1);
    expect_voxelize("near.obj -o near.slv --mode solid --spacing 0.125");
    expect_voxelize("far.obj -o far.slv --mode solid --spacing 0.125");
    slv_pack *near_pack = open_pack("near.slv", &near_one);
    slv_pack *far_pack = open_pack("far.slv", &far_one);
    assert_int_equal(near_one.info.particle_count, 343);
    assert_int_equal(far_one.info.particle_count, 343);
    for (uint32_t own = 0; own < 343; own++) {
        const double near_x = (double)near_one.x[near_one.stored_of_own[own]];
        const double far_x = far_one.info.frame[0] + (double)far_one.x[far_one.stored_of_own[own]];
        assert_true(fabs(far_x - 1e6 - near_x) < 1e-6);
    }
    slv_pack_close(near_pack);
    slv_pack_close(far_pack);
}

// The header numbers of the text, and the distance at sample (i, j, k).
static double distance_at(const slv_sdf_grid *grid, uint32_t i, uint32_t j, uint32_t k) {
    return (double)grid->values[((size_t)k * grid->cells[1] + j) * grid->cells[0] + i];
}

static void the_text_field_has_the_distances_of_the_cube(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj --sdf cube.sdf --spacing 0.25 --padding 1");
    assert_int_equal(count_files(), 2); // no pack
    size_t size = 0;
    char *text = folder_read("cube.sdf", &size);
    assert_int_equal(strncmp(text, "6 6 6\n-0.25 -0.25 -0.25\n0.25\n", 29), 0);
    free(text);
    slv_sdf_grid grid;
    slv_error error = {0};
    assert_int_equal(slv_sdf_read("cube.sdf", 1000, &grid, &error), SLV_OK);
    assert_true(fabs(distance_at(&grid, 0, 0, 0) - 0.25 * sqrt(3)) < 1e-6);
    assert_true(fabs(distance_at(&grid, 3, 3, 3) + 0.5) < 1e-6);
    assert_true(fabs(distance_at(&grid, 0, 3, 2) - 0.25) < 1e-6);
    assert_true(distance_at(&grid, 1, 3, 3) == 0);
    slv_sdf_free(&grid);
}

static void the_text_of_a_far_mesh_has_the_coordinates_of_the_file(void **state) {
    (void)state;
    write_box_mesh("far.obj", 1e6, 1e6 + 8);
    expect_voxelize("far.obj --sdf far.sdf --spacing 1 --padding 1");
    size_t size = 0;
    char *text = folder_read("far.sdf", &size);
    assert_int_equal(strncmp(text, "10 10 10\n999999 999999 999999\n1\n", 32), 0);
    free(text);
}

static void the_field_in_the_pack_equals_the_text(void **state) {
    (void)state;
    write_box_mesh("cube.obj", -1, 1);
    expect_voxelize("cube.obj -o cube.slv --with-sdf --sdf cube.sdf --resolution 20");
    slv_sdf_grid grid;
    slv_error error = {0};
    slv_garment garment;
    slv_field_info info;
    const uint8_t *coded = NULL;
    assert_int_equal(slv_sdf_read("cube.sdf", 100000, &grid, &error), SLV_OK);
    slv_pack *pack = open_pack("cube.slv", &garment);
    assert_int_equal(slv_field_open(pack, &info, &coded, &error), SLV_OK);
    assert_memory_equal(info.cells, grid.cells, sizeof grid.cells);
    assert_memory_equal(info.cells, garment.grid->cells, sizeof grid.cells);
    const size_t count = (size_t)info.cells[0] * info.cells[1] * info.cells[2];
    float *values = malloc(count * sizeof *values);
    assert_non_null(values);
    slv_field_decode(&info, coded, values);
    uint32_t inside = 0;
    for (size_t n = 0; n < count; n++) {
        assert_true(fabsf(values[n] - grid.values[n]) <= 6e-6f * fabsf(values[n]));
        inside += values[n] < 0;
    }
    assert_int_equal(inside, garment.info.particle_count);
    free(values);
    slv_pack_close(pack);
    slv_sdf_free(&grid);
}

static void the_same_run_gives_the_same_bytes_with_any_number_of_threads(void **state) {
    (void)state;
    const char *const modes[] = {"solid", "shell", "surface"};
    write_box_mesh("cube.obj", -0.7, 1.3);
    for (size_t m = 0; m < 3; m++) {
        for (int threads = 1; threads <= 4; threads++) {
            char line[256];
            (void)snprintf(line, sizeof line,
                           "cube.obj -o %d.slv --sdf %d.sdf --with-sdf --mode %s --resolution 40 "
                           "--threads %d",
                           threads, threads, modes[m], threads % 4);
            expect_voxelize(line);
            char pack[16];
            char text[16];
            (void)snprintf(pack, sizeof pack, "%d.slv", threads);
            (void)snprintf(text, sizeof text, "%d.sdf", threads);
            assert_true(have_same_bytes("1.slv", pack));
            assert_true(have_same_bytes("1.sdf", text));
        }
    }
}

static void provenance_names_what_shaped_the_pack_and_no_folder(void **state) {
    (void)state;
    slv_garment garment;
    char line[4200];
    char folder[4096];
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o here.slv --spacing 0.25 --mass 4");
    assert_non_null(realpath(".", folder));
    (void)snprintf(line, sizeof line, "%s/cube.obj -o there.slv --spacing 0.25 --mass 4 -q",
                   folder);
    expect_voxelize(line);
    assert_true(have_same_bytes("here.slv", "there.slv"));
    slv_pack *pack = open_pack("here.slv", &garment);
    cJSON *json = cJSON_ParseWithLength(garment.provenance, garment.provenance_size);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "input")), "cube.obj");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "tool")),
                        "selvage-voxelize");
    assert_int_equal(strlen(cJSON_GetStringValue(cJSON_GetObjectItem(json, "input_xxh3"))), 16);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "spacing")) == 0.25);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "mass")) == 4);
    cJSON_Delete(json);
    slv_pack_close(pack);
}

static void the_json_report_is_one_object_with_the_counts(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    program_run run = run_voxelize("cube.obj -o cube.slv --spacing 0.1 --json");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.messages, "");
    cJSON *json = cJSON_Parse(run.out);
    assert_non_null(json);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "particles")) == 729);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "mode")), "solid");
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "embedding_max_error")) < 1e-6);
    const cJSON *mesh = cJSON_GetObjectItem(json, "mesh");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(mesh, "closed")));
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(mesh, "polygons")) == 6);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "seconds"), "import"));
    cJSON_Delete(json);
    discard_run(&run);
}

static void quiet_prints_nothing_and_help_lists_all_options(void **state) {
    (void)state;
    program_run run = run_voxelize("--shape rope:5 -o rope.slv --quiet");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, "");
    assert_string_equal(run.messages, "");
    discard_run(&run);
    run = run_voxelize("--help");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.messages, "");
    const char *const words[] = {
        "--mode", "--spacing", "--resolution", "--padding",  "--sdf",          "--scale", "--up",
        "--mass", "--density", "--shape",      "--with-sdf", "--memory-limit", "kg/m2"};
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        assert_non_null(strstr(run.out, words[n]));
    }
    discard_run(&run);
}

static void the_rule_names_the_output_and_every_file_read(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o cube.slv --depfile cube.d");
    size_t size = 0;
    char *rule = folder_read("cube.d", &size);
    assert_int_equal(strncmp(rule, "cube.slv:", 9), 0);
    assert_non_null(strstr(rule, "cube.obj"));
    free(rule);
}

static void scale_and_up_axis_change_metres_and_directions(void **state) {
    (void)state;
    slv_garment garment;
    folder_write_text("mast.obj", "v 0 0 0\nv 1 0 0\nv 0 0 300\nf 1 2 3\n");
    expect_voxelize("mast.obj -o mast.slv --mode surface --scale 0.01 --up z");
    slv_pack *pack = open_pack("mast.slv", &garment);
    assert_true(fabsf(garment.info.bounds_max[1] - 3) < 1e-6f);
    assert_true(fabsf(garment.info.bounds_max[2]) < 1e-6f);
    slv_pack_close(pack);
}

static void too_little_padding_is_raised_with_a_warning(void **state) {
    (void)state;
    slv_garment garment;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o two.slv --mode shell --spacing 0.1");
    program_run run = run_voxelize("cube.obj -o one.slv --mode shell --spacing 0.1 --padding 1");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.messages, "warning: --padding"));
    discard_run(&run);
    assert_true(have_same_bytes("one.slv", "two.slv"));
    slv_pack *pack = open_pack("one.slv", &garment);
    slv_pack_close(pack);
}

static void a_text_origin_that_loses_digits_gives_a_warning(void **state) {
    (void)state;
    const struct {
        double low;
        bool warned;
    } cases[] = {{100, false}, {1000000.04, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_box_mesh("box.obj", cases[c].low, cases[c].low + 1);
        program_run run = run_voxelize("box.obj --sdf box.sdf --spacing 0.1");
        assert_int_equal(run.status, 0);
        assert_int_equal(strstr(run.messages, "warning: the .sdf file's origin") != NULL,
                         cases[c].warned);
        discard_run(&run);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_cube_contains_exactly_the_samples_strictly_inside),
        IN_FOLDER(a_shell_is_one_layer_around_the_surface),
        IN_FOLDER(surface_particles_keep_the_order_of_the_file),
        IN_FOLDER(auto_makes_solids_of_closed_meshes_and_shells_of_open_ones),
        IN_FOLDER(shapes_have_their_documented_counts),
        IN_FOLDER(meshes_far_from_the_origin_give_the_same_garment),
        IN_FOLDER(the_text_field_has_the_distances_of_the_cube),
        IN_FOLDER(the_text_of_a_far_mesh_has_the_coordinates_of_the_file),
        IN_FOLDER(the_field_in_the_pack_equals_the_text),
        IN_FOLDER(the_same_run_gives_the_same_bytes_with_any_number_of_threads),
        IN_FOLDER(provenance_names_what_shaped_the_pack_and_no_folder),
        IN_FOLDER(the_json_report_is_one_object_with_the_counts),
        IN_FOLDER(quiet_prints_nothing_and_help_lists_all_options),
        IN_FOLDER(the_rule_names_the_output_and_every_file_read),
        IN_FOLDER(scale_and_up_axis_change_metres_and_directions),
        IN_FOLDER(too_little_padding_is_raised_with_a_warning),
        IN_FOLDER(a_text_origin_that_loses_digits_gives_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
