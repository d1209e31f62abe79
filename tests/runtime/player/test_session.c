// SPDX-License-Identifier: MIT
// Inputs are read back exactly, and a replay gives the same bits, with and without the simulating thread.
#define _XOPEN_SOURCE 700
#include "runtime/player/app/session.h"
#include "runtime/player/app/sim_thread.h"
#include "tests/common/generated_garment.h"
#include "tests/formats/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static slv_console console = {.program = "test", .quiet = true};

static int open_folder(void **state) {
    static scratch temporary;
    *state = &temporary;
    if (scratch_open(&temporary) != 0) {
        return -1;
    }
    generated_write_and_free(make_grid(12, 1, 12, 0.02f, NULL),
                             scratch_path(&temporary, "cloth.slv"));
    return 0;
}

static int close_folder(void **state) {
    scratch_close(*state);
    return 0;
}

// --- Text ----------------------------------------------------------------------------------------

static void read_back(const slv_input *input) {
    char line[SLV_INPUT_LINE];
    slv_input other;
    slv_error error = {0};
    const size_t length = slv_input_print(input, line);
    assert_int_equal(length, strlen(line));
    if (slv_input_parse(line, &other, &error) != SLV_OK) {
        fail_msg("%s: %s", line, error.text);
    }
    char again[SLV_INPUT_LINE];
    (void)slv_input_print(&other, again);
    assert_string_equal(line, again);
    assert_true(other.tick == input->tick && other.kind == input->kind);
    for (int d = 0; d < 3; d++) {
        assert_true(other.vector[d] == input->vector[d]);
        assert_true(other.velocity[d] == input->velocity[d]);
    }
}

static void inputs_are_read_back_exactly(void **state) {
    (void)state;
    slv_input grab = {.tick = UINT64_MAX - 1, .kind = SLV_INPUT_GRAB, .garment = 3, .count = 64};
    for (uint32_t i = 0; i < grab.count; i++) {
        grab.particles[i] = UINT32_MAX - i;
    }
    read_back(&grab);
    read_back(
        &(slv_input){.tick = 7, .kind = SLV_INPUT_PULL, .vector = {0.1f, -1.0f / 3.0f, 1.4e-45f}});
    read_back(&(slv_input){
        .kind = SLV_INPUT_BALL, .vector = {0.1f, 2.0f, -3.5f}, .velocity = {0.0f, -0.7f, 1e-30f}});
    grab.kind = SLV_INPUT_CUT;
    read_back(&grab);
    read_back(&(slv_input){.kind = SLV_INPUT_RELEASE});
    read_back(&(slv_input){.kind = SLV_INPUT_RESET});
    slv_input set = {.kind = SLV_INPUT_PARAMETERS,
                     .parameters = slv_default_world_def().parameters};
    set.parameters.solver = SLV_PBD_GS;
    set.parameters.relaxation = 1.7f;
    set.parameters.gravity[0] = 0.3f;
    set.parameters.stiffness = 0.7f;
    read_back(&set);
    // Older recordings have no stiffness.
    slv_input old;
    slv_error error = {0};
    assert_int_equal(
        slv_input_parse("3 parameters PD_GS 4 4 0x1p+0 0 1 0x0p+0 -0x1p+3 0x0p+0 0x0p+0 "
                        "0x0p+0 0x0p+0 0x0p+0\n",
                        &old, &error),
        SLV_OK);
    assert_true(old.parameters.stiffness == 1.0f);
}

// Parameters that a recording does not name have their default; the order does not matter.
static void parameters_are_read_by_name(void **state) {
    (void)state;
    slv_input input;
    slv_error error = {0};
    const slv_parameters initial = slv_default_world_def().parameters;
    assert_int_equal(
        slv_input_parse("3 parameters wind=1,-2,0x1p-1 solver=PBD_GS damping=4\n", &input, &error),
        SLV_OK);
    const slv_parameters *p = &input.parameters;
    assert_int_equal(p->solver, SLV_PBD_GS);
    assert_true(p->wind[0] == 1.0f && p->wind[1] == -2.0f && p->wind[2] == 0.5f);
    assert_true(p->damping == 4.0f);
    assert_true(p->relaxation == initial.relaxation && p->gravity[1] == initial.gravity[1]);
    assert_int_equal(p->outer_iterations, initial.outer_iterations);
}

static void invalid_input_lines_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {"",
                                        "\n",
                                        "12\n",
                                        "12 dance\n",
                                        "-1 reset\n",
                                        "x reset\n",
                                        "12 reset now\n",
                                        "12 grab\n",
                                        "12 grab 0\n",
                                        "12 grab 0 -4\n",
                                        "12 grab 0 99999999999\n",
                                        "12 pull 1 2\n",
                                        "12 pull 1 2 nan\n",
                                        "12 pull 1 2 3 4\n",
                                        "12 parameters PD_MAGIC 4 4 1 0 1 0 0 0 0\n",
                                        "12 parameters PD_GS 4 4 1 2 1 0 0 0 0\n",
                                        "12 parameters\n",
                                        "12 parameters solver\n",
                                        "12 parameters solver=\n",
                                        "12 parameters solver=PD_MAGIC\n",
                                        "12 parameters magic=1\n",
                                        "12 parameters =1\n",
                                        "12 parameters relaxation=2\n",
                                        "12 parameters outer_iterations=10001\n",
                                        "12 parameters outer_iterations=1.5\n",
                                        "12 parameters integrate=2\n",
                                        "12 parameters wind=1,2\n",
                                        "12 parameters wind=1 2 3\n",
                                        "12 parameters wind=1,2,3,4\n",
                                        "12 parameters damping=1 2\n",
                                        "99999999999999999999999 reset\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        slv_input input;
        slv_error error = {0};
        if (slv_input_parse(lines[i], &input, &error) != SLV_ERROR_CONTENT) {
            fail_msg("was taken: %s", lines[i]);
        }
    }
}

// --- Recordings ----------------------------------------------------------------------------------

static slv_play_request request_for(scratch *temporary, const char *record, const char *replay) {
    static char path[600];
    (void)snprintf(path, sizeof path, "%s/cloth.slv", temporary->folder);
    return (slv_play_request){.files = {path},
                              .file_count = 1,
                              .backend = "cpu",
                              .threads = 1,
                              .fixed = "0,11",
                              .record = record,
                              .replay = replay};
}

static void must(slv_result result, const slv_error *error) {
    if (result != SLV_OK) {
        fail_msg("%s", error->text);
    }
}

static void apply(slv_session *session, slv_input input) {
    slv_error error = {0};
    must(slv_session_apply(session, &input, &error), &error);
}

static void run_steps(slv_session *session, uint32_t steps) {
    slv_error error = {0};
    must(slv_session_run(session, steps, &error), &error);
}

static uint64_t hash_of(slv_session *session) {
    uint64_t hash = 0;
    assert_int_equal(slv_world_get_hash(session->loaded.world, &hash), SLV_OK);
    return hash;
}

// Applies one input of each kind, at steps that are not multiples of a frame.
static void play_with(slv_session *session) {
    slv_parameters parameters = slv_world_get_parameters(session->loaded.world);
    parameters.relaxation = 1.5f;
    run_steps(session, 13);
    apply(session, (slv_input){.kind = SLV_INPUT_GRAB, .count = 2, .particles = {60, 61}});
    apply(session, (slv_input){.kind = SLV_INPUT_PULL, .vector = {0.05f, 0.1f, 0.0f}});
    run_steps(session, 21);
    apply(session, (slv_input){.kind = SLV_INPUT_PARAMETERS, .parameters = parameters});
    run_steps(session, 8);
    parameters.stiffness = 0.3f;
    apply(session, (slv_input){.kind = SLV_INPUT_PARAMETERS, .parameters = parameters});
    apply(session,
          (slv_input){.kind = SLV_INPUT_CUT, .count = 5, .particles = {11, 40, 41, 42, 130}});
    run_steps(session, 7);
    apply(session, (slv_input){.kind = SLV_INPUT_RELEASE});
    run_steps(session, 5);
    apply(session, (slv_input){.kind = SLV_INPUT_RESET});
    apply(session, (slv_input){.kind = SLV_INPUT_BALL,
                               .vector = {0.1f, -0.6f, 0.1f},
                               .velocity = {0.0f, 7.0f, 0.0f}});
    run_steps(session, 30);
    apply(session, (slv_input){.kind = SLV_INPUT_GRAB, .count = 1, .particles = {0}});
    apply(session, (slv_input){.kind = SLV_INPUT_PULL, .vector = {0.0f, 0.2f, 0.0f}});
    run_steps(session, 9);
    apply(session, (slv_input){.kind = SLV_INPUT_RELEASE});
}

static uint64_t record(scratch *temporary, const char *path) {
    slv_play_request request = request_for(temporary, path, NULL);
    slv_session session;
    slv_error error = {0};
    must(slv_session_open(&session, &request, &console, &error), &error);
    play_with(&session);
    const uint64_t hash = hash_of(&session);
    must(slv_session_finish(&session, &error), &error);
    slv_session_close(&session);
    return hash;
}

static void a_replay_gives_the_same_bits(void **state) {
    scratch *temporary = *state;
    char path[600];
    (void)snprintf(path, sizeof path, "%s/input.txt", temporary->folder);
    const uint64_t hash = record(temporary, path);
    slv_play_request request = request_for(temporary, NULL, path);
    slv_session session;
    slv_error error = {0};
    must(slv_session_open(&session, &request, &console, &error), &error);
    while (!slv_session_done(&session)) {
        run_steps(&session, 8);
    }
    must(slv_session_finish(&session, &error), &error);
    assert_true(hash_of(&session) == hash);
    slv_session_close(&session);
}

static slv_result replay_all(scratch *temporary, const char *path, slv_error *error) {
    slv_play_request request = request_for(temporary, NULL, path);
    slv_session session;
    slv_result result = slv_session_open(&session, &request, &console, error);
    while (result == SLV_OK && !slv_session_done(&session)) {
        result = slv_session_run(&session, 8, error);
    }
    if (result == SLV_OK) {
        result = slv_session_finish(&session, error);
    }
    slv_session_close(&session);
    return result;
}

// Another valid number than the default.
static double other_number(const slv_parameter_info *info, double initial) {
    const bool is_whole = info->type != SLV_TYPE_FLOAT && info->type != SLV_TYPE_DOUBLE;
    const double toward =
        initial < info->max ? fmin(info->max, initial + 1.0) : fmax(info->min, initial - 1.0);
    const double other = is_whole ? toward : 0.5 * (initial + toward);
    return initial < info->min ? info->min : other;
}

static void change_parameter(const slv_parameter_info *info, slv_parameters *parameters) {
    double values[4] = {0};
    assert_int_equal(slv_get_parameter_values(info, parameters, values), SLV_OK);
    for (uint32_t i = 0; i < info->count; i++) {
        values[i] = other_number(info, values[i]);
    }
    assert_int_equal(slv_set_parameter_values(info, parameters, values), SLV_OK);
}

static bool same_parameter(const slv_parameter_info *info, const slv_parameters *a,
                           const slv_parameters *b) {
    double left[4] = {0};
    double right[4] = {0};
    assert_int_equal(slv_get_parameter_values(info, a, left), SLV_OK);
    assert_int_equal(slv_get_parameter_values(info, b, right), SLV_OK);
    for (size_t i = 0; i < 4; i++) {
        if (left[i] != right[i]) {
            return false;
        }
    }
    return true;
}

// Records a change of the parameters and replays it, which compares the hashes.
static void record_parameters(scratch *temporary, const slv_parameters *parameters) {
    char path[600];
    slv_error error = {0};
    slv_session session;
    (void)snprintf(path, sizeof path, "%s/parameters.txt", temporary->folder);
    slv_play_request request = request_for(temporary, path, NULL);
    must(slv_session_open(&session, &request, &console, &error), &error);
    run_steps(&session, 5);
    apply(&session, (slv_input){.kind = SLV_INPUT_PARAMETERS, .parameters = *parameters});
    run_steps(&session, 11);
    must(slv_session_finish(&session, &error), &error);
    slv_session_close(&session);
    must(replay_all(temporary, path, &error), &error);

    slv_input_log log;
    slv_parameter_info info;
    must(slv_input_log_read(&log, path, &error), &error);
    assert_int_equal(log.count, 1);
    for (uint32_t i = 0; slv_get_parameter_info(SLV_GROUP_PARAMETERS, i, &info); i++) {
        if (!same_parameter(&info, &log.inputs[0].parameters, parameters)) {
            fail_msg("%s is not what was recorded", info.name);
        }
    }
    slv_input_log_free(&log);
}

static void every_parameter_is_recorded(void **state) {
    const slv_parameters initial = slv_default_world_def().parameters;
    slv_parameters all = initial;
    slv_parameter_info info;
    uint32_t count = 0;
    for (; slv_get_parameter_info(SLV_GROUP_PARAMETERS, count, &info); count++) {
        slv_parameters one = initial;
        change_parameter(&info, &one);
        assert_false(same_parameter(&info, &one, &initial));
        record_parameters(*state, &one);
        change_parameter(&info, &all);
    }
    record_parameters(*state, &all);
    assert_true(count >= 10);
}

static void replace_in_file(const char *path, const char *old, const char *new) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    char *at = strstr(text, old);
    assert_non_null(at);
    file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    assert_int_equal(fclose(file), 0);
}

static void a_replay_with_another_final_state_fails(void **state) {
    scratch *temporary = *state;
    char path[600];
    slv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/other.txt", temporary->folder);
    (void)record(temporary, path);
    replace_in_file(path, "\n84 pull 0x0p+0 ", "\n84 pull 0x1p-5 "); // also sideways
    assert_int_equal(replay_all(temporary, path, &error), SLV_ERROR_CONTENT);
}

static void a_dash_matches_any_state(void **state) {
    scratch *temporary = *state;
    char path[600];
    slv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/written.txt", temporary->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("selvage-input 1\nbegin -\n8 grab 0 5\n8 pull 0 -0.05 0\nend 24 -\n", file);
    assert_int_equal(fclose(file), 0);
    must(replay_all(temporary, path, &error), &error);
    replace_in_file(path, "end 24 -", "end 24 0123456789abcdef");
    assert_int_equal(replay_all(temporary, path, &error), SLV_ERROR_CONTENT);
}

static void broken_recordings_are_refused_with_the_line(void **state) {
    scratch *temporary = *state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"selvage-input 1", "selvage-input 9", ":1: is not a recording"},
        {"begin ", "start ", ":2: should be"},
        {NULL, NULL, "another scene"},
        {"13 grab", "13 hug", ":3: "},
        {"\n34 ", "\n3 ", "must not decrease"},
        {"\nend ", "\n", "not an input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[600];
        slv_error error = {0};
        (void)snprintf(path, sizeof path, "%s/broken%zu.txt", temporary->folder, i);
        (void)record(temporary, path);
        if (i == 2) { // changes the first digit of the hash
            FILE *file = fopen(path, "r+");
            assert_non_null(file);
            (void)fseek(file, (long)strlen("selvage-input 1\nbegin "), SEEK_SET);
            const int digit = fgetc(file);
            (void)fseek(file, -1, SEEK_CUR);
            (void)fputc(digit == '0' ? '1' : '0', file);
            assert_int_equal(fclose(file), 0);
        } else {
            replace_in_file(path, cases[i].old, cases[i].new);
        }
        assert_int_equal(replay_all(temporary, path, &error), SLV_ERROR_CONTENT);
        if (strstr(error.text, cases[i].message) == NULL) {
            fail_msg("case %zu: %s", i, error.text);
        }
    }
}

static void an_input_with_a_bad_index_is_refused(void **state) {
    scratch *temporary = *state;
    slv_play_request request = request_for(temporary, NULL, NULL);
    slv_session session;
    slv_error error = {0};
    must(slv_session_open(&session, &request, &console, &error), &error);
    slv_input far = {.kind = SLV_INPUT_GRAB, .count = 1, .particles = {144}};
    slv_input other = {.kind = SLV_INPUT_GRAB, .garment = 1, .count = 1};
    assert_int_not_equal(slv_session_apply(&session, &far, &error), SLV_OK);
    assert_int_not_equal(slv_session_apply(&session, &other, &error), SLV_OK);
    run_steps(&session, 3); // still works
    slv_session_close(&session);
}

// --- The thread ----------------------------------------------------------------------------------

static void wait_until_finished(slv_sim_thread *sim) {
    const struct timespec moment = {0, 1000000};
    while (!atomic_load(&sim->finished)) {
        (void)nanosleep(&moment, NULL);
    }
}

// Plays 40 frames in a thread, with inputs at arbitrary times.
static uint64_t play_in_thread(scratch *temporary, const char *recording, slv_sim_thread *sim) {
    slv_play_request request = request_for(temporary, recording, NULL);
    slv_session session;
    slv_snapshots snapshots;
    slv_error error = {0};
    must(slv_session_open(&session, &request, &console, &error), &error);
    must(slv_snapshots_make(&snapshots, session.loaded.world, slv_session_solid_count(&session),
                            &error),
         &error);
    *sim = (slv_sim_thread){.started = false};
    atomic_store(&sim->held, true);
    must(slv_sim_thread_start(sim, &session, &snapshots, 40, &error), &error);
    const struct timespec moment = {0, 5000000};
    (void)nanosleep(&moment, NULL);
    assert_int_equal(slv_snapshots_get_newest(&snapshots, NULL)->ticks,
                     0); // while held
    atomic_store(&sim->held, false);
    slv_input input = {.kind = SLV_INPUT_GRAB, .count = 1, .particles = {70}};
    assert_true(slv_sim_thread_send(sim, &input));
    for (int i = 0; i < 20; i++) {
        const slv_snapshot *snapshot = slv_snapshots_get_newest(&snapshots, NULL);
        input = (slv_input){.kind = SLV_INPUT_PULL, .vector = {0.0f, 0.005f * (float)i, 0.0f}};
        assert_true(slv_sim_thread_send(sim, &input));
        assert_true(snapshot->positions[0] == snapshot->positions[0]);
    }
    wait_until_finished(sim);
    slv_sim_thread_stop(sim);
    const uint64_t hash = hash_of(&session);
    must(slv_session_finish(&session, &error), &error);
    slv_snapshots_free(&snapshots);
    slv_session_close(&session);
    return hash;
}

static void a_threaded_recording_replays_without_threads(void **state) {
    scratch *temporary = *state;
    char path[600];
    slv_error error = {0};
    slv_sim_thread *sim = calloc(1, sizeof *sim);
    assert_non_null(sim);
    (void)snprintf(path, sizeof path, "%s/thread.txt", temporary->folder);
    (void)play_in_thread(temporary, path, sim);
    must(replay_all(temporary, path, &error), &error); // compares the hash itself
    free(sim);
}

static void a_full_queue_refuses_input(void **state) {
    (void)state;
    slv_sim_thread *sim = calloc(1, sizeof *sim);
    assert_non_null(sim);
    const slv_input input = {.kind = SLV_INPUT_RESET};
    for (int i = 0; i < SLV_QUEUE_ROOM; i++) {
        assert_true(slv_sim_thread_send(sim, &input));
    }
    assert_false(slv_sim_thread_send(sim, &input));
    free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_read_back_exactly),
        cmocka_unit_test(parameters_are_read_by_name),
        cmocka_unit_test(invalid_input_lines_are_refused),
        cmocka_unit_test(a_replay_gives_the_same_bits),
        cmocka_unit_test(every_parameter_is_recorded),
        cmocka_unit_test(a_replay_with_another_final_state_fails),
        cmocka_unit_test(a_dash_matches_any_state),
        cmocka_unit_test(broken_recordings_are_refused_with_the_line),
        cmocka_unit_test(an_input_with_a_bad_index_is_refused),
        cmocka_unit_test(a_threaded_recording_replays_without_threads),
        cmocka_unit_test(a_full_queue_refuses_input),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
