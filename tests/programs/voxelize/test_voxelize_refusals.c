// SPDX-License-Identifier: MIT
// Errors: one line that names file and reason, the exit status of its kind, and no output.
#define _XOPEN_SOURCE 700
#include "tests/common/folder.h"
#include "tests/common/random.h"
#include "tests/programs/voxelize/run.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { USAGE = 1, FILES = 2, CONTENT = 3 };

// source: the text after "error: "; NULL for any.
static void expect_refusal(const char *arguments, int status, const char *source,
                           const char *reason) {
    program_run run = run_voxelize(arguments);
    char start[256];
    (void)snprintf(start, sizeof start, "selvage-voxelize: error: %s%s",
                   source != NULL ? source : "", source != NULL ? ": " : "");
    const char *end = strchr(run.messages, '\n');
    if (run.status != status || strncmp(run.messages, start, strlen(start)) != 0 || end == NULL ||
        end[1] != '\0' || strstr(run.messages, reason) == NULL || run.out[0] != '\0') {
        fail_msg("'%s' ended with %d and said '%s'; expected %d, '%s…%s…'", arguments, run.status,
                 run.messages, status, start, reason);
    }
    discard_run(&run);
}

static void expect_bad_mesh(const char *path, int status, const char *reason) {
    char line[256];
    const size_t before = count_files();
    (void)snprintf(line, sizeof line, "%s -o out.slv --sdf out.sdf --depfile out.d", path);
    expect_refusal(line, status, path, reason);
    assert_int_equal(count_files(), before);
}

static void missing_files_and_folders_are_rejected(void **state) {
    (void)state;
    expect_bad_mesh("nowhere.obj", FILES, "");
    assert_int_equal(mkdir("folder.obj", 0700), 0);
    expect_bad_mesh("folder.obj", FILES, "directory");
    expect_bad_mesh("folder.obj/deeper.stl", FILES, "");
}

static void empty_and_random_files_are_rejected(void **state) {
    (void)state;
    static const char *const names[] = {"mesh.obj", "mesh.stl", "mesh.ply", "mesh.glb",
                                        "mesh.fbx", "mesh.dae", "mesh.xyz", "mesh"};
    unsigned char noise[5000];
    uint32_t seed = 12345;
    for (size_t n = 0; n < sizeof noise; n++) {
        noise[n] = (unsigned char)(next_bits(&seed) >> 24);
    }
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        folder_write(names[n], "", 0);
        expect_bad_mesh(names[n], CONTENT, "empty");
        folder_write(names[n], noise, sizeof noise);
        expect_bad_mesh(names[n], CONTENT, "");
    }
}

static void truncated_binary_meshes_are_rejected(void **state) {
    (void)state;
    unsigned char stl[84 + 50 * 4] = {0}; // says four triangles
    stl[80] = 4;
    for (size_t cut = 1; cut < sizeof stl; cut += 31) {
        folder_write("cut.stl", stl, cut);
        expect_bad_mesh("cut.stl", CONTENT, "");
    }
}

static void meshes_without_a_proper_triangle_are_rejected(void **state) {
    (void)state;
    folder_write_text("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    expect_bad_mesh("points.obj", CONTENT, "no faces");
    folder_write_text("lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    expect_bad_mesh("lines.obj", CONTENT, "no faces");
    folder_write_text("flat.obj",
                      "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 0 0\nf 1 2 3\nf 1 4 2\nf 1 1 2\n");
    expect_bad_mesh("flat.obj", CONTENT, "degenerate");
}

static void coordinates_must_be_finite(void **state) {
    (void)state;
    static const char *const values[] = {"nan", "inf", "-inf", "1e999"};
    for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
        char text[128];
        (void)snprintf(text, sizeof text, "v 0 0 0\nv 1 %s 0\nv 0 1 0\nf 1 2 3\n", values[n]);
        folder_write_text("odd.obj", text);
        expect_bad_mesh("odd.obj", CONTENT, "");
    }
    folder_write_text("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
    expect_bad_mesh("range.obj", CONTENT, "");
}

static void wrong_options_are_rejected(void **state) {
    (void)state;
    static const char *const lines[] = {
        "",
        "cube.obj",
        "-o out.slv",
        "cube.obj other.obj -o out.slv",
        "cube.obj -o out.slv --spacing 0",
        "cube.obj -o out.slv --spacing -1",
        "cube.obj -o out.slv --spacing nan",
        "cube.obj -o out.slv --spacing wide",
        "cube.obj -o out.slv --spacing",
        "cube.obj -o out.slv --resolution 0",
        "cube.obj -o out.slv --spacing 1 --resolution 5",
        "cube.obj -o out.slv --mode liquid",
        "cube.obj -o out.slv --mass 0",
        "cube.obj -o out.slv --mass 1 --density 2",
        "cube.obj -o out.slv --scale 0",
        "cube.obj -o out.slv --up x",
        "cube.obj -o out.slv --frobnicate",
        "cube.obj --sdf out.sdf --with-sdf",
        "cube.obj -o out.slv --shape rope:5",
        "--shape rope:5 -o out.slv --sdf out.sdf",
        "--shape rope:5 -o out.slv --mode solid",
        "--shape rope:5 -o out.slv --resolution 5",
        "--shape rope:0 -o out.slv",
        "--shape poncho:4x4:3 -o out.slv",
        "cube.obj -o same.out --sdf same.out",
        "cube.obj -o cube.obj",
        "cube.obj -o ",
        "cube.obj -o out.slv --depfile=",
    };
    write_box_mesh("cube.obj", 0, 1);
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        expect_refusal(lines[n], USAGE, NULL, "");
        assert_int_equal(count_files(), 1);
    }
    expect_voxelize("cube.obj --sdf still-a-mesh.sdf"); // nothing overwrote it
}

static void options_without_effect_give_a_warning(void **state) {
    (void)state;
    static const char *const lines[][2] = {
        {"--shape rope:5 -o out.slv --padding 5", "warning: --padding: "},
        {"--shape rope:5 -o out.slv --scale 5", "warning: --scale: "},
        {"--shape rope:5 -o out.slv --up z", "warning: --up: "},
        {"cube.obj --sdf out.sdf --mode shell", "warning: --mode: "},
        {"cube.obj --sdf out.sdf --mass 5", "warning: --mass: "},
        {"cube.obj --sdf out.sdf --density 5", "warning: --density: "},
    };
    write_box_mesh("cube.obj", 0, 1);
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        program_run run = run_voxelize(lines[n][0]);
        assert_int_equal(run.status, 0);
        assert_non_null(strstr(run.messages, lines[n][1]));
        discard_run(&run);
    }
    expect_refusal("cube.obj -o out.slv --memory-limit 0", USAGE, NULL, "(MiB)");
}

static void each_stage_is_reported_once(void **state) {
    (void)state;
    static const char *const lines[] = {"cube.obj -v -o out.slv", "cube.obj -v --sdf out.sdf",
                                        "cube.obj -v -o out.slv --sdf out.sdf --mode surface"};
    write_box_mesh("cube.obj", 0, 1);
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        program_run run = run_voxelize(lines[n]);
        const char *first = strstr(run.messages, " field: ");
        assert_non_null(first);
        assert_null(strstr(first + 1, " field: "));
        discard_run(&run);
    }
}

static void a_grid_beyond_the_limit_is_rejected_with_a_spacing_that_fits(void **state) {
    (void)state;
    static const char *const modes[] = {"solid", "shell"};
    write_box_mesh("cube.obj", 0, 1);
    for (size_t m = 0; m < 2; m++) {
        char line[256];
        (void)snprintf(line, sizeof line,
                       "cube.obj -o out.slv --mode %s --spacing 1e-4 --memory-limit 20", modes[m]);
        expect_refusal(line, USAGE, "cube.obj", "--spacing ");
        program_run run = run_voxelize(line);
        const char *fitting = strstr(run.messages, "--spacing ");
        (void)snprintf(line, sizeof line, "cube.obj -o out.slv --mode %s --memory-limit 20 %.*s",
                       modes[m], (int)strcspn(fitting + 10, " \n") + 10, fitting);
        assert_false(has_file("out.slv"));
        expect_voxelize(line);
        assert_int_equal(remove("out.slv"), 0);
        discard_run(&run);
    }
    expect_refusal("cube.obj --sdf out.sdf --spacing 1e-5", USAGE, "cube.obj", "TiB");
    expect_refusal("cube.obj --sdf out.sdf --spacing 5e-4 --memory-limit 100000", USAGE, "cube.obj",
                   "2^32");
    expect_refusal("--shape box:900x900x900 -o out.slv", USAGE, "--shape", "--memory-limit");
    assert_int_equal(count_files(), 1);
}

static void the_message_for_a_mesh_without_inside_names_what_works(void **state) {
    (void)state;
    folder_write_text("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal("sheet.obj -o out.slv --mode solid", CONTENT, "sheet.obj", "--mode shell");
    write_box_mesh("cube.obj", 0.1, 0.9);
    expect_refusal("cube.obj -o out.slv --mode solid --spacing 3", CONTENT, "cube.obj",
                   "--spacing 0.133");
    expect_voxelize("cube.obj -o out.slv --mode solid --spacing 0.133");
}

static void targets_that_cannot_be_written_are_rejected(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    assert_int_equal(mkdir("folder", 0700), 0);
    expect_refusal("cube.obj -o nowhere/out.slv", FILES, "nowhere/out.slv", "");
    expect_refusal("cube.obj -o folder", FILES, "folder", "directory");
    expect_refusal("cube.obj --sdf nowhere/out.sdf", FILES, "nowhere/out.sdf", "");
    expect_refusal("cube.obj -o out.slv --depfile nowhere/out.d", FILES, "nowhere/out.d", "");
    expect_refusal("--shape rope:5 -o nowhere/out.slv", FILES, "nowhere/out.slv", "");
    assert_int_equal(count_files(), 2);
}

static void a_full_disk_is_reported_and_leaves_nothing(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    if (has_file("/dev/full")) {
        expect_refusal("cube.obj -o /dev/full", FILES, "/dev/full", "");
        expect_refusal("cube.obj --sdf /dev/full", FILES, "/dev/full", "");
        expect_refusal("cube.obj --sdf /dev/full -o out.slv", FILES, "/dev/full", "");
    }
    // A limit on the file size interrupts a write, as a full disk would.
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const struct rlimit tight = {.rlim_cur = 20000, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN); // children inherit it
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    expect_refusal("cube.obj -o out.slv --spacing 0.03 --depfile out.d", FILES, "out.slv", "");
    expect_refusal("cube.obj --sdf out.sdf --spacing 0.03", FILES, "out.sdf", "");
    expect_refusal("cube.obj -o out.slv --sdf out.sdf --mode surface --spacing 0.03", FILES,
                   "out.sdf", "");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(count_files(), 1);
}

static void a_failed_run_leaves_an_old_pack_unchanged(void **state) {
    (void)state;
    write_box_mesh("cube.obj", 0, 1);
    expect_voxelize("cube.obj -o out.slv");
    expect_voxelize("cube.obj -o copy.slv");
    folder_write_text("bad.obj", "v 0 0 0\n");
    expect_refusal("bad.obj -o out.slv", CONTENT, "bad.obj", "");
    expect_refusal("cube.obj -o out.slv --depfile nowhere/out.d", FILES, "nowhere/out.d", "");
    assert_true(have_same_bytes("out.slv", "copy.slv"));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(missing_files_and_folders_are_rejected),
        IN_FOLDER(empty_and_random_files_are_rejected),
        IN_FOLDER(truncated_binary_meshes_are_rejected),
        IN_FOLDER(meshes_without_a_proper_triangle_are_rejected),
        IN_FOLDER(coordinates_must_be_finite),
        IN_FOLDER(wrong_options_are_rejected),
        IN_FOLDER(options_without_effect_give_a_warning),
        IN_FOLDER(each_stage_is_reported_once),
        IN_FOLDER(a_grid_beyond_the_limit_is_rejected_with_a_spacing_that_fits),
        IN_FOLDER(the_message_for_a_mesh_without_inside_names_what_works),
        IN_FOLDER(targets_that_cannot_be_written_are_rejected),
        IN_FOLDER(a_full_disk_is_reported_and_leaves_nothing),
        IN_FOLDER(a_failed_run_leaves_an_old_pack_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
