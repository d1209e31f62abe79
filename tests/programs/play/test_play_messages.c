// SPDX-License-Identifier: MIT
// selvage-play --headless: messages and exit statuses, warnings, runs that fail or are interrupted.
#define _XOPEN_SOURCE 700
#include "tests/formats/sample_collider.h"
#include "tests/formats/scratch.h"
#include "tests/programs/play/headless.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

// --- Messages ----------------------------------------------------------------------------------------

static void help_and_version_go_to_standard_output(void **state) {
    (void)state;
    play_well("--help");
    char *text = read_file("out.txt");
    assert_non_null(strstr(text, "--headless"));
    assert_non_null(strstr(text, "--steps-per-frame"));
    free(text);
    play_well("--version");
    expect_file("out.txt", "selvage-play (Selvage) " SLV_VERSION "\n");
}

static void a_run_prints_one_summary_line(void **state) {
    (void)state;
    play_well("scene.json --headless --frames 3 --threads 1");
    char *text = read_file("out.txt");
    assert_memory_equal(text, "3 frames, 0.048 s in ", strlen("3 frames, 0.048 s in "));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    free(text);
    play_well("scene.json --headless --frames 3 --quiet");
    expect_file("out.txt", "");
}

static void unsupported_scene_keys_give_a_warning(void **state) {
    (void)state;
    write_file("tear.json", "{\"softObjects\": [{\"src\": \"cloth.slv\"}],\n"
                            "\"modelPath\": \"m\"}");
    play_well("tear.json --headless --frames 1");
    char *text = read_file("err.txt");
    assert_non_null(strstr(text, "selvage-play: warning: tear.json:2: modelPath: "));
    free(text);
    play_well("tear.json --headless --frames 1 --quiet");
    expect_file("err.txt", "");
}

// Cloth below a floor at the start; where it cannot come out, at the end as well. A stretched start is a warning.
static void particles_inside_and_stretch_give_warnings(void **state) {
    (void)state;
    write_file("sunk.json", "{\"softObjects\": [{\"src\": \"cloth.slv\", \"stretch\": 2}],\n"
                            "\"colliders\": [{\"type\": \"plane\", \"offset\": 50}]}");
    play_well("sunk.json --headless --frames 1 --report sunk.report");
    char *text = read_file("err.txt");
    assert_non_null(strstr(text, "selvage-play: warning: at the start "));
    assert_non_null(strstr(text, " particles are inside colliders or the model; the deepest is "));
    assert_non_null(strstr(text, " of object 0 (cloth.slv) at ("));
    assert_non_null(strstr(text, " inside collider 0\n"));
    assert_non_null(strstr(text, "selvage-play: warning: at the end "));
    assert_non_null(strstr(text, "selvage-play: warning: a distance constraint is stretched to "));
    free(text);
    text = read_file("sunk.report");
    assert_non_null(strstr(text, "\"insideAtStart\": {\"particles\": "));
    assert_non_null(strstr(text, "\"insideAtEnd\": {\"particles\": "));
    assert_non_null(strstr(text, "\"warnings\": [\"at the end "));
    assert_non_null(strstr(text, "\", \"a distance constraint is stretched to "));
    free(text);
    play_well("scene.json --headless --frames 1 --report fine.report");
    expect_file("err.txt", "");
    text = read_file("fine.report");
    assert_non_null(strstr(text, "\"insideAtEnd\": {\"particles\": 0, \"deepestMm\": 0},"));
    assert_non_null(strstr(text, "\"warnings\": [],"));
    free(text);
}

// Height of particle 15 in a frame of an export, m.
static double exported_height(const char *path, unsigned long frame) {
    csv_row rows[30 * 11];
    const size_t count = read_csv(path, rows, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].frame == frame && rows[i].particle == 15) {
            return (double)rows[i].position[1];
        }
    }
    fail_msg("%s has no frame %lu", path, frame);
    return 0;
}

static void settling_comes_before_the_first_frame(void **state) {
    (void)state;
    play_well(
        "scene.json --headless --frames 10 --steps-per-frame 5 --timestep 0.002 --export a.csv");
    play_well("scene.json --headless --frames 1 --settle 0.1 --timestep 0.002 --export b.csv");
    assert_true(exported_height("a.csv", 10) < exported_height("a.csv", 0));
    assert_true(exported_height("a.csv", 10) == exported_height("b.csv", 0));
    refuse("scene.json --headless --settle -1", 1, "--settle");
}

// A character alone, and a garment on it.
static void packs_of_characters_are_played(void **state) {
    (void)state;
    slv_error error = {0};
    const sample_collider sample = {.particles = 40, .frames = 41, .more = true, .error = 1e-4};
    assert_int_equal(sample_collider_write(&sample, "man.slv", &error), SLV_OK);
    play_well("man.slv --headless --frames 2 --settle 0.1 --report r.json");
    char *text = read_file("r.json");
    assert_non_null(strstr(text, "\"time\": 0.032"));
    free(text);
    play_well("man.slv cloth.slv --headless --frames 2 --report r.json");
    text = read_file("r.json");
    assert_non_null(strstr(text, "\"garments\": 2"));
    free(text);
}

static void meshes_are_refused_with_advice(void **state) {
    (void)state;
    write_file("cape.obj", "v 0 0 0\n");
    refuse("cape.obj --headless", 1, "selvage-voxelize makes a garment pack");
}

// What the scene, the pack and the defaults gave.
static void the_report_says_which_material_is_in_force(void **state) {
    (void)state;
    write_file("soft.json", "{\"softObjects\": [{\"src\": \"cloth.slv\", \"friction\": 0.7}]}");
    play_well("soft.json --headless --frames 1 --report r.json");
    char *text = read_file("r.json");
    assert_non_null(strstr(text, "\"materials\": ["));
    assert_non_null(strstr(text, "\"friction\": {\"value\": 0.699999988, \"from\": \"scene\"}"));
    assert_non_null(strstr(text, "\"stiffness\": {\"value\": null, \"from\": \"pack\"}"));
    assert_non_null(strstr(text, "\"restitution\": {\"value\": 0, \"from\": \"default\"}"));
    free(text);
}

static void failures_give_their_status_and_leave_no_file(void **state) {
    write_file("bad.json", "{\"softObjects\": [],\n\"timestep\": 0}");
    write_file("lost.json", "{\"softObjects\": [{\"src\": \"lost.slv\"}]}");
    write_file("junk.slv", "SELVAGE");
    (void)play("--version"); // creates out.txt and err.txt
    const unsigned files = scratch_count(*state);
    refuse("--headless", 1, "no scene or pack given");
    refuse("scene.json", 5, "window"); // setup has removed the display
    refuse("scene.json --headless --frames many", 1, "--frames");
    refuse("scene.json --headless --relaxation 2", 1, "relaxation");
    refuse("scene.json --headless --solver PD", 1, "--solver");
    refuse("scene.json --headless --fixed 3", 1, "--fixed: only for packs");
    refuse("scene.json cloth.slv --headless", 1, "one scene file or any number of packs");
    refuse("cloth.slv --headless --fixed 30", 1, "30");
    refuse("cloth.slv --headless --fixed nothing", 1, "nothing");
    refuse("scene.json --headless --report r.json --export r.json", 1, "the same file");
    refuse("scene.json --headless --depfile d", 1, "--depfile");
    refuse("none.json --headless --report r.json", 2, "none.json: cannot open");
    refuse("none.json", 2, "none.json: cannot open"); // reported before the missing display
    refuse("none.json --screenshot shot.png", 2, "none.json: cannot open");
    refuse("lost.json --headless --report r.json", 2, "lost.json:1: softObjects[0].src: ");
    refuse("scene.json --headless --report no/r.json", 2, "no/r.json: ");
    refuse("scene.json --headless --report r.json --depfile no/r.d", 2, "no/r.d: ");
    refuse("scene.json --headless --report scene.json", 1, "scene.json: would overwrite");
    refuse("scene.json --headless --report r.json --depfile cloth.slv", 1, "would overwrite");
    refuse("scene.json --headless --export no/p.csv --report r.json", 2, "no/p.csv: ");
    refuse("bad.json --headless --report r.json", 3, "bad.json:2: timestep: 0 is out of range");
    refuse("junk.slv --headless", 3, "junk.slv");
    refuse("scene.json --screenshot shot.jpg --frame 1", 1, "should end in .png");
    refuse("scene.json --screenshot shot.png --frame 9 --frames 3", 1, "is after the last");
    refuse("scene.json --headless --backend abacus --report r.json", 1, "'abacus' is none of");
    refuse("scene.json --headless --instruction-set mmx --report r.json", 1, "'mmx' is none of");
    refuse("scene.json --headless --backend opencl --device 99 --no-fallback --report r.json", 5,
           "");
    assert_int_equal(scratch_count(*state), files);
}

static bool is_named(const slv_json_value *list, const char *backend) {
    bool named = false;
    for (const slv_json_value *item = list->first; item; item = item->next) {
        named |= strcmp(slv_json_member(item, "backend")->text, backend) == 0;
    }
    return named;
}

// Each backend has a device or a reason, on every machine.
static void list_devices_prints_a_device_or_a_reason_per_backend(void **state) {
    (void)state;
    assert_int_equal(play("--list-devices --json"), 0);
    slv_json *json = read_json("out.txt");
    const slv_json_value *root = slv_json_root(json);
    const slv_json_value *devices = get(root, "devices", SLV_JSON_ARRAY);
    const slv_json_value *absent = get(root, "absent", SLV_JSON_ARRAY);
    static const char *const backends[] = {"opencl", "cuda"};
    for (size_t i = 0; i < 2; i++) {
        assert_true(is_named(devices, backends[i]) != is_named(absent, backends[i]));
    }
    for (const slv_json_value *item = absent->first; item; item = item->next) {
        assert_true(get(item, "reason", SLV_JSON_STRING)->length > 10);
    }
    slv_json_free(json);
}

// Jacobi with over-relaxation diverges: no report may be written.
static void an_interrupted_run_leaves_no_files(void **state) {
    const unsigned files = scratch_count(*state);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)execl(SLV_PLAY_PROGRAM, SLV_PLAY_PROGRAM, "--headless", "--frames", "100000000",
                    "--report", "r.json", "--export", "e.csv", "scene.json", (char *)NULL);
        _exit(127);
    }
    for (int n = 0; n < 2000 && scratch_count(*state) < files + 2; n++) { // both temporary files
        (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    const unsigned while_running = scratch_count(*state);
    (void)kill(child, SIGTERM);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(while_running, files + 2);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(scratch_count(*state), files);
}

static void a_diverged_run_fails_and_keeps_old_files(void **state) {
    write_file("r.json", "old");
    write_file("p.csv", "old");
    (void)play("--version");
    const unsigned files = scratch_count(*state);
    refuse("scene.json --headless --frames 1000 --solver PD_JACOBI --relaxation 1.9 "
           "--report r.json --export p.csv",
           3, "frame ");
    assert_int_equal(scratch_count(*state), files);
    char *report = read_file("r.json");
    char *csv = read_file("p.csv");
    assert_string_equal(report, "old");
    assert_string_equal(csv, "old");
    free(report);
    free(csv);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(help_and_version_go_to_standard_output, setup, teardown),
        cmocka_unit_test_setup_teardown(a_run_prints_one_summary_line, setup, teardown),
        cmocka_unit_test_setup_teardown(unsupported_scene_keys_give_a_warning, setup, teardown),
        cmocka_unit_test_setup_teardown(particles_inside_and_stretch_give_warnings, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_interrupted_run_leaves_no_files, setup, teardown),
        cmocka_unit_test_setup_teardown(list_devices_prints_a_device_or_a_reason_per_backend, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_diverged_run_fails_and_keeps_old_files, setup, teardown),
        cmocka_unit_test_setup_teardown(settling_comes_before_the_first_frame, setup, teardown),
        cmocka_unit_test_setup_teardown(packs_of_characters_are_played, setup, teardown),
        cmocka_unit_test_setup_teardown(meshes_are_refused_with_advice, setup, teardown),
        cmocka_unit_test_setup_teardown(the_report_says_which_material_is_in_force, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(failures_give_their_status_and_leave_no_file, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
