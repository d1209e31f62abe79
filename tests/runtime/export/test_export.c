// SPDX-License-Identifier: MIT
// The export functions: invalid arguments are named, an abandoned run leaves no file, and numbers have decimal points
// in every locale. The test exports_agree compares the contents of the files.
#define _POSIX_C_SOURCE 200809L
#include "runtime/export/export.h"
#include "tests/common/test_world.h"
#include "tests/formats/scratch.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const names[] = {"a.csv",  "a.obj", "a.pc2",   "a.mdd",
                                    "a.usda", "a.glb", "a.##.csv"};
enum { NAMES = sizeof names / sizeof *names };

typedef struct fixture {
    scratch temporary;
    slv_world *world;
} fixture;

static int setup(void **state) {
    static fixture made;
    *state = &made;
    if (scratch_open(&made.temporary) != 0 || chdir(made.temporary.folder) != 0) {
        return -1;
    }
    const slv_world_def def = slv_default_world_def();
    made.world = must_create(&def);
    (void)must_add(made.world, make_grid(4, 1, 5, 0.1f, NULL), slv_default_garment_def());
    return 0;
}

static int teardown(void **state) {
    fixture *made = *state;
    slv_world_destroy(made->world);
    (void)chdir("/");
    scratch_close(&made->temporary);
    return 0;
}

static slv_export_def particles_to(const char *path) {
    slv_export_def def = slv_default_export_def();
    def.path = path;
    def.what = SLV_EXPORT_PARTICLES;
    return def;
}

static slv_export *open_well(slv_world *world, const char *path) {
    const slv_export_def def = particles_to(path);
    slv_export *run = NULL;
    if (slv_export_open(world, &def, &run) != SLV_OK) {
        fail_msg("%s: %s", path, slv_world_get_message(world));
    }
    return run;
}

static void assert_refused(slv_world *world, const slv_export_def *def, slv_result status,
                           const char *name) {
    slv_export *run = (slv_export *)1;
    assert_int_equal(slv_export_open(world, def, &run), status);
    assert_null(run);
    if (!strstr(slv_world_get_message(world), name)) {
        fail_msg("'%s' should name %s", slv_world_get_message(world), name);
    }
}

static void bad_definitions_are_refused(void **state) {
    slv_world *world = ((fixture *)*state)->world;
    slv_export_def def = particles_to("a.csv");
    assert_refused(world, NULL, SLV_ERROR_ARGUMENT, "def");
    def.cookie = 0;
    assert_refused(world, &def, SLV_ERROR_ARGUMENT, "slv_default_export_def");
    def = particles_to(NULL);
    assert_refused(world, &def, SLV_ERROR_ARGUMENT, "path");
    def = particles_to("folder.csv/a");
    assert_refused(world, &def, SLV_ERROR_ARGUMENT, ".usda");
    def = particles_to("a.csv");
    def.what = (slv_export_what)7;
    assert_refused(world, &def, SLV_ERROR_ARGUMENT, "what");
    const double bad_rates[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 1e7};
    for (size_t i = 0; i < sizeof bad_rates / sizeof *bad_rates; i++) {
        def = particles_to("a.csv");
        def.frame_rate = bad_rates[i];
        assert_refused(world, &def, SLV_ERROR_ARGUMENT, "frame_rate");
    }
    def = particles_to("nowhere/a.glb");
    assert_refused(world, &def, SLV_ERROR_FILE, "nowhere/a.glb");
    assert_int_equal(slv_export_open(world, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_export_open(NULL, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_export_frame(NULL, world), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_export_finish(NULL, world), SLV_ERROR_ARGUMENT);
    slv_export_abandon(NULL);
}

static void a_world_without_garments_has_nothing_to_export(void **state) {
    (void)state;
    const slv_world_def def = slv_default_world_def();
    slv_world *empty = must_create(&def);
    const slv_export_def export_def = particles_to("a.csv");
    assert_refused(empty, &export_def, SLV_ERROR_ARGUMENT, "no garment");
    slv_world_destroy(empty);
}

static void an_abandoned_run_leaves_nothing_behind(void **state) {
    fixture *made = *state;
    const unsigned files = scratch_count(&made->temporary);
    for (size_t i = 0; i < NAMES; i++) {
        slv_export *run = open_well(made->world, names[i]);
        assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
        must_step(made->world, 1);
        assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
        slv_export_abandon(run);
        assert_int_equal(scratch_count(&made->temporary), files);
        run = open_well(made->world, names[i]); // no frame at all
        assert_int_equal(slv_export_finish(run, made->world), SLV_ERROR_ARGUMENT);
        assert_int_equal(scratch_count(&made->temporary), files);
    }
}

static void a_garment_added_meanwhile_is_refused(void **state) {
    fixture *made = *state;
    slv_export *run = open_well(made->world, "a.pc2");
    (void)must_add(made->world, make_chain(3, 0.1f), slv_default_garment_def());
    assert_int_equal(slv_export_frame(run, made->world), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(made->world), "1 garments, now there are 2"));
    slv_export_abandon(run);
}

static void one_frame_is_enough(void **state) {
    fixture *made = *state;
    for (size_t i = 0; i < NAMES; i++) {
        slv_export *run = open_well(made->world, names[i]);
        assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
        assert_int_equal(slv_export_finish(run, made->world), SLV_OK);
    }
    assert_int_equal(access("a_0000.obj", R_OK), 0);
    assert_int_equal(access("a.glb", R_OK), 0);
}

static void numbers_have_decimal_points_in_every_locale(void **state) {
    fixture *made = *state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    must_step(made->world, 3);
    slv_export *run = open_well(made->world, "a.csv");
    assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
    assert_int_equal(slv_export_finish(run, made->world), SLV_OK);
    (void)setlocale(LC_NUMERIC, "C");
    FILE *file = fopen("a.csv", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        unsigned commas = 0;
        for (const char *c = line; *c; c++) {
            commas += *c == ',';
        }
        assert_int_equal(commas, 4);
    }
    assert_non_null(file);
    (void)fclose(file);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *text) {
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(found, text);
}

// A folder with the name of the third file: it cannot appear, so none does.
static void a_sequence_of_files_appears_whole_or_not_at_all(void **state) {
    fixture *made = *state;
    write_text("a_0000.obj", "old");
    slv_export *run = open_well(made->world, "a.obj");
    for (int frame = 0; frame < 4; frame++) {
        assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
    }
    assert_int_equal(mkdir("a_0002.obj", 0700), 0);
    assert_int_equal(scratch_count(&made->temporary), 2);
    assert_int_equal(slv_export_finish(run, made->world), SLV_ERROR_FILE);
    assert_int_equal(scratch_count(&made->temporary), 2);
    assert_text("a_0000.obj", "old");
    assert_int_equal(rmdir("a_0002.obj"), 0);
}

// The first garment rests, the second one is thrown; 0.25 s and 0.5 m/s are exact in binary.
static void a_file_a_frame_has_objects_velocities_and_radii(void **state) {
    (void)state;
    slv_world_def world_def = plain_world(SLV_PBD_GS, 0.25);
    world_def.parameters.gravity[1] = 0.0f;
    slv_world *world = must_create(&world_def);
    slv_garment_def def = slv_default_garment_def();
    (void)must_add(world, make_chain(1, 0.1f), def);
    def.position[0] = 2.0;
    def.velocity[2] = 0.5f;
    def.collision_radius = 0.125f;
    (void)must_add(world, make_chain(2, 0.5f), def);
    slv_export *run = open_well(world, "f#.####.csv");
    assert_int_equal(slv_export_frame(run, world), SLV_OK);
    must_step(world, 2);
    assert_int_equal(slv_export_frame(run, world), SLV_OK);
    assert_int_equal(slv_export_finish(run, world), SLV_OK);
    char text[600] = "";
    FILE *file = fopen("f#.0001.csv", "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    const char *rest = strstr(text, "\n1,0,");
    const char first[] = "object,particle,x,y,z,vx,vy,vz,radius\n0,0,0,0,0,0,0,0,";
    assert_non_null(rest);
    assert_int_equal(strncmp(text, first, strlen(first)), 0);
    assert_string_equal(rest, "\n1,0,2,0,0.25,0,0,0.5,0.125\n1,1,2.5,0,0.25,0,0,0.5,0.125\n");
    slv_export *plain = open_well(world, "take#2.csv"); // no # before the extension
    assert_int_equal(slv_export_frame(plain, world), SLV_OK);
    assert_int_equal(slv_export_finish(plain, world), SLV_OK);
    file = fopen("take#2.csv", "rb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    slv_export_def meshes = slv_default_export_def();
    meshes.path = "f.####.csv";
    meshes.what = SLV_EXPORT_RENDER;
    slv_export *none = NULL;
    assert_int_not_equal(slv_export_open(world, &meshes, &none), SLV_OK);
    slv_world_destroy(world);
}

// A garment larger than the first one must not overflow the buffers of the export.
static void another_world_is_refused(void **state) {
    const fixture *made = *state;
    const slv_world_def def = slv_default_world_def();
    slv_world *other = must_create(&def);
    (void)must_add(other, make_grid(40, 1, 50, 0.1f, NULL), slv_default_garment_def());
    slv_export *run = open_well(made->world, "a.csv");
    assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
    assert_int_equal(slv_export_frame(run, other), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(other), "another world"));
    run->world = other; // as if it had the address of the first, which was destroyed
    assert_int_equal(slv_export_frame(run, other), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(other), "20 particles"));
    slv_export_abandon(run);
    slv_world_destroy(other);
}

// Whether a file contains the text.
static bool contains(const char *path, const char *text) {
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    (void)fclose(file);
    for (size_t i = 0; i < size; i++) { // GLB has zeros
        bytes[i] = (char)(bytes[i] ? bytes[i] : ' ');
    }
    bytes[size] = '\0';
    return strstr(bytes, text) != NULL;
}

// Text formats without a frame of their own have positions of the world, the others say what theirs are relative to.
static void files_say_where_a_world_is(void **state) {
    fixture *made = *state;
    static const double origin[3] = {10000.25, 0.0, -3.0};
    static const double other[3] = {0.0, 0.0, 0.0};
    assert_int_equal(slv_world_set_origin(made->world, origin), SLV_OK);
    for (int n = 0; n < NAMES; n++) {
        slv_export *run = open_well(made->world, names[n]);
        assert_int_equal(slv_export_frame(run, made->world), SLV_OK);
        assert_int_equal(slv_export_finish(run, made->world), SLV_OK);
    }
    assert_true(contains("a.csv", "\n0,0,0,0,0\n"));
    assert_true(contains("a.00.csv", "\n0,0,0,0,0,"));
    assert_true(contains("a_0000.obj", "# relative to 10000.25 0 -3\n"));
    assert_true(contains("a.rest.obj", "# relative to 10000.25 0 -3\n"));
    assert_true(contains("a.usda", "double3 xformOp:translate = (10000.25, 0, -3)"));
    assert_true(contains("a.glb", "\"translation\":[10000.25,0,-3]"));
    slv_export *run = open_well(made->world, "a.csv");
    assert_int_equal(slv_world_set_origin(made->world, other), SLV_OK);
    assert_int_equal(slv_export_frame(run, made->world), SLV_ERROR_UNSUPPORTED);
    slv_export_abandon(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bad_definitions_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_world_without_garments_has_nothing_to_export, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_abandoned_run_leaves_nothing_behind, setup, teardown),
        cmocka_unit_test_setup_teardown(a_garment_added_meanwhile_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(another_world_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_a_frame_has_objects_velocities_and_radii, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_sequence_of_files_appears_whole_or_not_at_all, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(files_say_where_a_world_is, setup, teardown),
        cmocka_unit_test_setup_teardown(one_frame_is_enough, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_have_decimal_points_in_every_locale, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
