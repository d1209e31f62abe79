// SPDX-License-Identifier: MIT
// selvage-play --headless from a shell: files, messages, exit statuses.
#define _XOPEN_SOURCE 700
#include "runtime/base/json.h"
#include "runtime/include/selvage/selvage.h"
#include "tests/formats/sample_collider.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

// --- Every test runs in a folder with a pack and a scene ---------------------------------------------

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = NULL;
    size_t size = 0;
    ssize_t length = getdelim(&text, &size, '\0', file);
    if (length < 0) {
        text[0] = '\0';
    }
    (void)fclose(file);
    return text;
}

static int setup(void **state) {
    static scratch temporary;
    (void)unsetenv("DISPLAY");
    (void)unsetenv("WAYLAND_DISPLAY");
    *state = &temporary;
    if (scratch_open(&temporary) != 0 || chdir(temporary.folder) != 0) {
        return -1;
    }
    sample_garment sample;
    sample_grid(&sample, 6, 1, 5);
    const slv_result result = sample_write(&sample.garment, NULL, "cloth.slv", NULL);
    sample_free(&sample);
    write_file("scene.json", "{\"softObjects\": [{\"src\": \"cloth.slv\", \"fixed\": [0, 5]}]}");
    return result == SLV_OK ? 0 : -1;
}

static int teardown(void **state) {
    (void)chdir("/");
    scratch_close(*state);
    return 0;
}

// Runs the program with these arguments; its output is in out.txt and err.txt.
static int play(const char *arguments) {
    char command[2048];
    (void)snprintf(command, sizeof command, "'%s' %s >out.txt 2>err.txt", SLV_PLAY_PROGRAM,
                   arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void play_well(const char *arguments) {
    if (play(arguments) != 0) {
        char *messages = read_file("err.txt");
        fail_msg("%s: %s", arguments, messages);
    }
}

static void refuse(const char *arguments, int status, const char *message) {
    const int got = play(arguments);
    char *messages = read_file("err.txt");
    if (got != status || strstr(messages, message) == NULL ||
        strncmp(messages, "selvage-play: error: ", strlen("selvage-play: error: ")) != 0) {
        fail_msg("%s: status %d, expected %d; messages %s", arguments, got, status, messages);
    }
    free(messages);
}

static void expect_file(const char *path, const char *text) {
    char *found = read_file(path);
    assert_string_equal(found, text);
    free(found);
}

static slv_json *read_json(const char *path) {
    char *text = read_file(path);
    slv_json *json = NULL;
    slv_error error = {0};
    if (slv_json_parse(text, strlen(text), &json, &error) != SLV_OK) {
        fail_msg("%s:%s", path, error.text);
    }
    free(text);
    return json;
}

static const slv_json_value *get(const slv_json_value *object, const char *key,
                                 slv_json_type type) {
    const slv_json_value *value = slv_json_member(object, key);
    if (value == NULL || value->type != type) {
        fail_msg("the report has no %s of the right type", key);
    }
    return value;
}

// Whether two reports have the same states.
static bool same_hashes(const char *path, const char *other) {
    slv_json *a = read_json(path);
    slv_json *b = read_json(other);
    const slv_json_value *frame_a = get(slv_json_root(a), "frames", SLV_JSON_ARRAY)->first;
    const slv_json_value *frame_b = get(slv_json_root(b), "frames", SLV_JSON_ARRAY)->first;
    bool same = true;
    for (; frame_a && frame_b; frame_a = frame_a->next, frame_b = frame_b->next) {
        same = same && strcmp(get(frame_a, "hash", SLV_JSON_STRING)->text,
                              get(frame_b, "hash", SLV_JSON_STRING)->text) == 0;
    }
    same = same && !frame_a && !frame_b;
    slv_json_free(a);
    slv_json_free(b);
    return same;
}

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

typedef struct csv_row {
    unsigned long frame, particle;
    float position[3];
} csv_row;

static size_t read_csv(const char *path, csv_row *rows, size_t room) {
    FILE *file = fopen(path, "r");
    char text[256];
    size_t count = 0;
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "frame,particle,x,y,z\n");
    while (fgets(text, sizeof text, file)) {
        csv_row *row = &rows[count++];
        char *at = text;
        assert_true(count <= room);
        row->frame = strtoul(at, &at, 10);
        assert_int_equal(*at++, ',');
        row->particle = strtoul(at, &at, 10);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(*at++, ',');
            row->position[i] = strtof(at, &at);
        }
        assert_string_equal(at, "\n");
    }
    (void)fclose(file);
    return count;
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
