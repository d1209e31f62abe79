// SPDX-License-Identifier: MIT
#include "runtime/player/app/play_headless.h"

#include "runtime/player/app/measured_run.h"

#include <inttypes.h>
#include <stdio.h>

static slv_result run_frames(slv_measured_run *run, slv_error *error) {
    slv_result result = SLV_OK;
    // A replay runs to its end, unless --frames is given.
    const bool until_end = run->session->replaying && !run->request->frames_given;
    const uint64_t frames = until_end ? UINT64_MAX : run->request->frames;
    for (uint64_t frame = 1; frame <= frames && result == SLV_OK; frame++) {
        if (slv_session_done(run->session)) {
            break;
        }
        result = slv_measured_run_frame(run, frame, error);
        slv_console_progress(run->console, "Frames", frame, until_end ? 0 : frames);
    }
    slv_console_progress_end(run->console);
    return result;
}

// A summary line, or the report with --json.
static void print_outcome(const slv_measured_run *run) {
    const slv_play_report *report = &run->report;
    if (run->request->json) {
        (void)fputs(run->text, stdout);
    } else if (!run->request->quiet && report->frame_count > 0) {
        char threads[32] = "";
        if (report->device.threads > 0) {
            (void)snprintf(threads, sizeof threads, ", %u thread%s",
                           (unsigned)report->device.threads,
                           report->device.threads == 1 ? "" : "s");
        }
        (void)printf("%zu frames, %.6g s in %.3g s: %.3g times real time on %s%s; state "
                     "%016" PRIx64 "\n",
                     report->frame_count, report->simulated_seconds, report->stepping_seconds,
                     slv_report_real_time_factor(report), report->device.device, threads,
                     report->frames[report->frame_count - 1].hash);
    }
}

slv_result slv_play_headless(const slv_play_request *request, slv_console *console,
                             slv_error *error) {
    slv_session session;
    slv_measured_run run = {.request = request, .console = console, .session = &session};
    slv_result result = slv_session_open(&session, request, console, error);
    if (result == SLV_OK) {
        result = slv_measured_run_begin(&run, error);
    }
    if (result == SLV_OK) {
        result = run_frames(&run, error);
    }
    if (result == SLV_OK) {
        result = slv_session_finish(&session, error);
    }
    if (result == SLV_OK) {
        result = slv_measured_run_finish(&run, error);
    }
    if (result == SLV_OK) {
        print_outcome(&run);
    }
    slv_measured_run_free(&run);
    slv_session_close(&session);
    return result;
}
