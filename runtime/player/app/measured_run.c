// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/app/measured_run.h"

#include "runtime/player/app/loaded_scene.h"
#include "tools/common/depfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Output files are opened before the first step, so that a path that cannot be written fails at once. They appear
// together after the last frame.

// Prefixes an error with the name of its file.
static slv_result about(const char *path, slv_result result, slv_error *error) {
    const slv_error cause = *error;
    return result == SLV_OK || path == NULL
               ? result
               : slv_fail(error, result, "%.300s: %s", path, cause.text);
}

static slv_result check_outputs(const slv_measured_run *run, slv_error *error) {
    const slv_play_request *request = run->request;
    const char *const outputs[] = {request->report, request->depfile};
    const char *error_source = NULL;
    const slv_result result =
        slv_output_files_check(outputs, 2, run->inputs, run->input_count, &error_source, error);
    return about(error_source, result, error);
}

static slv_result open_output(slv_measured_run *run, const char *path, slv_atomic_file **file,
                              slv_error *error) {
    return path == NULL ? SLV_OK
                        : about(path, slv_output_files_open(&run->files, path, file, error), error);
}

static slv_result open_outputs(slv_measured_run *run, slv_error *error) {
    run->inputs =
        slv_loaded_scene_list_files(run->request, &run->session->loaded, &run->input_count);
    if (run->inputs == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result result = check_outputs(run, error);
    if (result == SLV_OK) {
        result = open_output(run, run->request->report, &run->report_file, error);
    }
    return result == SLV_OK ? open_output(run, run->request->depfile, &run->depfile, error)
                            : result;
}

slv_result slv_measured_run_frame(slv_measured_run *run, uint64_t frame, slv_error *error) {
    slv_world *world = run->session->loaded.world;
    const uint32_t steps = run->session->loaded.steps_per_frame;
    slv_frame_record record = {0};
    const double begin = slv_console_seconds();
    slv_error cause = {0};
    slv_result result = slv_session_run(run->session, steps, &cause);
    const double seconds = slv_console_seconds() - begin;
    if (result != SLV_OK) {
        return slv_fail(error, result, "frame %" PRIu64 ": %s", frame, cause.text);
    }
    slv_result status = slv_world_get_measures(world, &record.measures);
    if (status == SLV_OK) {
        status = slv_world_get_hash(world, &record.hash);
    }
    if (status != SLV_OK) {
        return slv_fail(error, status, "frame %" PRIu64 ": %s", frame,
                        slv_world_get_message(world));
    }
    (void)slv_play_print_note(slv_world_get_device(world).note, run->console, run->last_note);
    record.step_ms = 1000.0 * seconds / steps;
    run->report.stepping_seconds += seconds;
    run->report.simulated_seconds += steps * run->session->loaded.time_step;
    return slv_report_add(&run->report, &record, error);
}

static void note_settings(slv_measured_run *run) {
    const slv_parameters p = slv_world_get_parameters(run->session->loaded.world);
    slv_console_note(run->console,
                     "%u garments, %s, %u outer x %u inner iterations, %u steps of %g s a frame, "
                     "on %s, %u threads",
                     (unsigned)slv_world_get_garment_count(run->session->loaded.world),
                     slv_solver_get_name(slv_world_get_solver(run->session->loaded.world)),
                     (unsigned)p.outer_iterations, (unsigned)p.inner_iterations,
                     (unsigned)run->session->loaded.steps_per_frame, run->session->loaded.time_step,
                     run->report.device.device, (unsigned)run->report.device.threads);
}

// --- Writing -------------------------------------------------------------------------------------

// The output that a depfile names: for one file per frame, the file of frame 0.
static const char *exported(const slv_play_request *request, char *first, size_t size) {
    const char *path = request->export_file;
    const size_t length = strlen(path);
    const char *ending = length >= 4 ? path + length - 4 : path;
    if (strcasecmp(ending, ".csv") == 0 && ending > path && ending[-1] == '#') {
        (void)snprintf(first, size, "%s", path);
        size_t at = strlen(first);
        while (at > 0 && first[at - 1] != '#') {
            at--;
        }
        while (at > 0 && first[at - 1] == '#') {
            first[--at] = '0';
        }
        return first;
    }
    if (strcasecmp(ending, ".obj") != 0) {
        return path;
    }
    (void)snprintf(first, size, "%.*s_0000.obj", (int)(length - 4), path);
    return first;
}

static slv_result write_depfile(const slv_measured_run *run, slv_error *error) {
    const slv_play_request *request = run->request;
    char first[4096];
    const char *output = request->report ? request->report : exported(request, first, sizeof first);
    const slv_depfile_rule rule = {&output, 1, run->inputs, run->input_count};
    return about(request->depfile, slv_depfile_put(&rule, run->depfile, error), error);
}

static slv_result write_files(slv_measured_run *run, const char *text, size_t size,
                              slv_error *error) {
    const slv_play_request *request = run->request;
    slv_result result = SLV_OK;
    if (run->report_file) {
        result =
            about(request->report, slv_atomic_write(run->report_file, text, size, error), error);
    }
    if (result == SLV_OK && run->depfile) {
        result = write_depfile(run, error);
    }
    if (result != SLV_OK) {
        return result;
    }
    const char *error_source = NULL;
    result = slv_output_files_flush(&run->files, &error_source, error);
    if (result == SLV_OK) {
        result = slv_output_files_publish(&run->files, &error_source, error);
    }
    return about(error_source, result, error);
}

static void note_waits(const slv_measured_run *run) {
    for (uint32_t i = 0; i < run->report.clip_count; i++) {
        const slv_clip_report *clip = &run->report.clips[i];
        slv_console_note(run->console,
                         "clip %" PRIu32 ": %" PRIu64 " groups of frames decoded; waited %" PRIu64
                         " times, %.3g ms in all",
                         i, clip->decoded_groups, clip->waits, 1000.0 * clip->wait_seconds);
    }
}

static void print_warnings(const slv_measured_run *run) {
    for (size_t i = 0; i < SLV_REPORT_WARNINGS; i++) {
        if (run->report.warnings[i][0] != '\0') {
            slv_console_warning(run->console, NULL, "%s", run->report.warnings[i]);
        }
    }
}

slv_result slv_measured_run_begin(slv_measured_run *run, slv_error *error) {
    const slv_result result = open_outputs(run, error);
    if (result == SLV_OK) {
        run->report.device = slv_world_get_device(run->session->loaded.world);
        run->report.steps_per_frame = run->session->loaded.steps_per_frame;
        (void)slv_play_print_note(run->report.device.note, run->console, run->last_note);
        note_settings(run);
    }
    return result;
}

slv_result slv_measured_run_finish(slv_measured_run *run, slv_error *error) {
    slv_world *world = run->session->loaded.world;
    size_t size = 0;
    run->report.device = slv_world_get_device(world); // a failed GPU may have been replaced
    (void)slv_world_get_timing(world, &run->report.timing);
    slv_report_ask_world(&run->report, world);
    slv_report_find_warnings(&run->report, run->request, &run->session->loaded);
    run->text = slv_report_text(&run->report, &size);
    if (run->text == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the report");
    }
    const slv_result result = write_files(run, run->text, size, error);
    if (result == SLV_OK) {
        note_waits(run);
        print_warnings(run);
    }
    return result;
}

void slv_measured_run_free(slv_measured_run *run) {
    slv_output_files_abandon(&run->files);
    free(run->text);
    free(run->inputs);
    slv_report_free(&run->report);
}
