// SPDX-License-Identifier: MIT
// selvage-play --headless: output files and options.
#define _XOPEN_SOURCE 700
#include "runtime/include/selvage/selvage.h"
#include "tests/formats/sample_collider.h"
#include "tests/formats/sample_garment.h"
#include "tests/programs/play/headless.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Output files ------------------------------------------------------------------------------------

static void the_report_has_all_documented_keys(void **state) {
    (void)state;
    play_well("scene.json --headless --frames 7 --threads 1 --report r.json");
    slv_json *json = read_json("r.json");
    const slv_json_value *root = slv_json_root(json);
    assert_int_equal(root->count, 16);
    assert_int_equal(get(root, "warnings", SLV_JSON_ARRAY)->count, 0);
    const slv_json_value *inside = get(root, "insideAtStart", SLV_JSON_OBJECT);
    assert_true(get(inside, "particles", SLV_JSON_NUMBER)->number == 0);
    assert_true(get(root, "insideAtEnd", SLV_JSON_OBJECT)->count == inside->count);
    assert_true(get(root, "garments", SLV_JSON_NUMBER)->number >= 1);
    assert_true(get(root, "asleep", SLV_JSON_NUMBER)->number == 0);
    assert_int_equal(get(root, "clips", SLV_JSON_ARRAY)->count, 0);
    assert_string_equal(get(root, "backend", SLV_JSON_STRING)->text, "cpu");
    assert_true(get(root, "device", SLV_JSON_STRING)->length > 0);
    assert_true(get(root, "threads", SLV_JSON_NUMBER)->number == 1);
    assert_true(get(root, "realTimeFactor", SLV_JSON_NUMBER)->number > 0);
    assert_true(get(root, "launchesPerFrame", SLV_JSON_NUMBER)->number >= 8);
    assert_true(get(root, "submissionsPerFrame", SLV_JSON_NUMBER)->number == 0);
    assert_true(get(root, "issueMsPerFrame", SLV_JSON_NUMBER)->number == 0);
    const slv_json_value *stages = get(root, "stageMsPerFrame", SLV_JSON_OBJECT);
    assert_true(get(stages, "integrate", SLV_JSON_NUMBER)->number > 0);
    assert_true(get(stages, "solve", SLV_JSON_NUMBER)->number > 0);
    const slv_json_value *frames = get(root, "frames", SLV_JSON_ARRAY);
    assert_int_equal(frames->count, 7);
    double number = 1;
    for (const slv_json_value *frame = frames->first; frame; frame = frame->next) {
        assert_int_equal(frame->count, 6);
        assert_true(get(frame, "frame", SLV_JSON_NUMBER)->number == number++);
        assert_true(get(frame, "residual", SLV_JSON_NUMBER)->number >= 0);
        assert_true(get(frame, "kineticEnergy", SLV_JSON_NUMBER)->number > 0);
        assert_true(get(frame, "maxStretch", SLV_JSON_NUMBER)->number > 0.5);
        assert_true(get(frame, "stepMs", SLV_JSON_NUMBER)->number > 0);
        const char *hash = get(frame, "hash", SLV_JSON_STRING)->text;
        assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
        assert_int_equal(strlen(hash), 16);
    }
    slv_json_free(json);
}

static void the_report_has_clip_statistics(void **state) {
    (void)state;
    slv_error error = {0};
    const sample_collider sample = {.particles = 12, .frames = 41, .error = 1e-4};
    assert_int_equal(sample_collider_write(&sample, "man.slv", &error), SLV_OK);
    write_file("man.json", "{\"modelPath\": \"man.slv\", \"modelSpeed\": 7.3, \"softObjects\": "
                           "[{\"src\": \"cloth.slv\", \"fixed\": [0, 5]}]}");
    play_well("man.json --headless --frames 20 --verbose --report r.json");
    slv_json *json = read_json("r.json");
    const slv_json_value *clips = get(slv_json_root(json), "clips", SLV_JSON_ARRAY);
    assert_int_equal(clips->count, 1);
    assert_int_equal(clips->first->count, 6);
    assert_true(get(clips->first, "particles", SLV_JSON_NUMBER)->number == 12);
    assert_true(get(clips->first, "frames", SLV_JSON_NUMBER)->number == 41);
    assert_true(get(clips->first, "time", SLV_JSON_NUMBER)->number > 0);
    assert_true(get(clips->first, "decodedGroups", SLV_JSON_NUMBER)->number >= 6);
    assert_true(get(clips->first, "waits", SLV_JSON_NUMBER)->number >= 0);
    assert_true(get(clips->first, "waitMs", SLV_JSON_NUMBER)->number >= 0);
    slv_json_free(json);
    char *messages = read_file("err.txt");
    assert_non_null(strstr(messages, "clip 0: "));
    assert_non_null(strstr(messages, " groups of frames decoded; waited "));
    free(messages);
}

static void json_prints_the_report(void **state) {
    (void)state;
    play_well("scene.json --headless --frames 2 --json");
    slv_json *json = read_json("out.txt");
    assert_int_equal(get(slv_json_root(json), "frames", SLV_JSON_ARRAY)->count, 2);
    slv_json_free(json);
    play_well("scene.json --headless --frames 0 --json");
    json = read_json("out.txt");
    assert_int_equal(get(slv_json_root(json), "frames", SLV_JSON_ARRAY)->count, 0);
    slv_json_free(json);
}

static void the_report_does_not_depend_on_threads(void **state) {
    (void)state;
    play_well("scene.json --headless --frames 25 --report a.json");
    play_well("scene.json --headless --frames 25 --report b.json");
    play_well("scene.json --headless --frames 25 --threads 1 --report c.json");
    play_well("scene.json --headless --frames 25 --threads 3 --instruction-set baseline "
              "--report d.json");
    assert_true(same_hashes("a.json", "b.json"));
    assert_true(same_hashes("a.json", "c.json"));
    assert_true(same_hashes("a.json", "d.json"));
    play_well("scene.json --headless --frames 25 --inner 5 --report e.json");
    assert_false(same_hashes("a.json", "e.json"));
}

static void the_export_has_every_particle_in_pack_order(void **state) {
    (void)state;
    enum { PARTICLES = 30, FRAMES = 4 };
    csv_row rows[PARTICLES * (FRAMES + 1)];
    play_well("scene.json --headless --frames 4 --export p.csv");
    assert_int_equal(read_csv("p.csv", rows, sizeof rows / sizeof *rows), PARTICLES * (FRAMES + 1));
    sample_garment sample;
    sample_grid(&sample, 6, 1, 5);
    for (size_t i = 0; i < PARTICLES * (FRAMES + 1); i++) {
        const size_t particle = i % PARTICLES;
        const uint32_t stored = sample.garment.stored_of_own[particle];
        assert_int_equal(rows[i].frame, i / PARTICLES);
        assert_int_equal(rows[i].particle, particle);
        if (rows[i].frame == 0) { // before the first step: exact
            assert_true(rows[i].position[0] == sample.garment.x[stored]);
            assert_true(rows[i].position[1] == sample.garment.y[stored]);
            assert_true(rows[i].position[2] == sample.garment.z[stored]);
        } else { // 0 and 5 are fixed, the others fall
            const bool fell = rows[i].position[1] < rows[particle].position[1];
            assert_true(fell == (particle != 0 && particle != 5));
        }
    }
    sample_free(&sample);
}

static void the_export_lists_garment_after_garment(void **state) {
    (void)state;
    csv_row rows[128] = {{0}};
    play_well("cloth.slv cloth.slv --headless --frames 1 --fixed 0,1 --export p.csv");
    assert_int_equal(read_csv("p.csv", rows, 128), 120);
    assert_int_equal(rows[59].particle, 59);
    assert_memory_equal(rows[89].position, rows[119].position, sizeof rows->position);
    assert_true(rows[60].position[1] == rows[0].position[1]);  // fixed
    assert_true(rows[62].position[1] < rows[2].position[1]);   // not fixed
    assert_true(rows[90].position[1] == rows[30].position[1]); // also in the second pack
}

static void the_depfile_names_scene_and_packs(void **state) {
    (void)state;
    play_well("scene.json --headless --frames 1 --report r.json --depfile r.d");
    char *text = read_file("r.d");
    assert_non_null(strstr(text, "r.json:"));
    assert_non_null(strstr(text, "scene.json"));
    assert_non_null(strstr(text, "cloth.slv"));
    free(text);
}

// --- Options -----------------------------------------------------------------------------------------

static void options_override_the_scene(void **state) {
    (void)state;
    write_file("full.json",
               "{\"softObjects\": [{\"src\": \"cloth.slv\", \"fixed\": [0, 5]}], "
               "\"solver\": \"PD_GS\", \"innerIterations\": 3, \"outerIterations\": 2, "
               "\"relaxation\": 1.5, \"timestep\": 0.003, \"stepsPerFrame\": 5, \"damping\": 0.7}");
    play_well("full.json --headless --frames 5 --report full-report.json");
    play_well("scene.json --headless --frames 5 --solver PD_GS --inner 3 --outer 2 "
              "--relaxation 1.5 --timestep 0.003 --steps-per-frame 5 --damping 0.7 "
              "--report options.json");
    assert_true(same_hashes("full-report.json", "options.json"));
    // Each option changes the state.
    static const char *const without[] = {
        "--solver PD_RBGS", "--inner 4",     "--outer 3",           "--relaxation 1.4",
        "--timestep 0.002", "--damping 0.1", "--steps-per-frame 4", "--no-integration",
    };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments,
                       "full.json --headless --frames 5 %s --report other.json", without[i]);
        play_well(arguments);
        assert_false(same_hashes("full-report.json", "other.json"));
    }
    play_well("scene.json --headless --frames 5 --solver PD_JACOBI --report plain.json");
    play_well("scene.json --headless --frames 5 --solver PD_JACOBI --damped-jacobi "
              "--report damped.json");
    assert_false(same_hashes("plain.json", "damped.json"));
}

static void play_with_value(const char *option, double value, bool is_valid) {
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "scene.json --headless --frames 0 %s=%.10g", option,
                   value);
    if (is_valid) {
        play_well(arguments);
    } else {
        refuse(arguments, 1, option);
    }
}

static void play_at_ends(const char *option, const slv_parameter_info *info) {
    const bool is_whole = info->type == SLV_TYPE_UINT32;
    play_with_value(option, info->min, true);
    play_with_value(option, info->max, true);
    play_with_value(option, info->max + (is_whole ? 1.0 : info->max / 1000.0), false);
    play_with_value(option, is_whole ? info->min - 1.0 : info->min - 1e-7, false);
}

static void options_have_the_ranges_of_the_parameters(void **state) {
    (void)state;
    slv_parameter_info info;
    int count = 0;
    for (int group = 0; group < SLV_GROUP_COUNT; group++) {
        for (uint32_t i = 0; slv_get_parameter_info((slv_parameter_group)group, i, &info); i++) {
            if (info.option && info.type != SLV_TYPE_BOOL && info.type != SLV_TYPE_ENUM) {
                play_at_ends(info.option, &info);
                count++;
            }
        }
    }
    assert_true(count >= 6);
    assert_true(slv_find_parameter_info(SLV_GROUP_WORLD, "threads", &info));
    play_at_ends("--threads", &info);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_report_has_all_documented_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(the_report_has_clip_statistics, setup, teardown),
        cmocka_unit_test_setup_teardown(json_prints_the_report, setup, teardown),
        cmocka_unit_test_setup_teardown(the_report_does_not_depend_on_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(the_export_has_every_particle_in_pack_order, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_export_lists_garment_after_garment, setup, teardown),
        cmocka_unit_test_setup_teardown(the_depfile_names_scene_and_packs, setup, teardown),
        cmocka_unit_test_setup_teardown(options_override_the_scene, setup, teardown),
        cmocka_unit_test_setup_teardown(options_have_the_ranges_of_the_parameters, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
