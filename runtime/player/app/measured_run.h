// SPDX-License-Identifier: MIT
// A run whose frames are measured, with or without pictures: --report, --json and --depfile.
#ifndef SLV_PLAYER_MEASURED_RUN_H
#define SLV_PLAYER_MEASURED_RUN_H

#include "formats/result.h"
#include "runtime/player/app/command_line.h"
#include "runtime/player/app/devices.h"
#include "runtime/player/app/report.h"
#include "runtime/player/app/session.h"
#include "tools/common/console.h"
#include "tools/common/output_files.h"

typedef struct slv_measured_run {
    const slv_play_request *request;
    slv_console *console;
    slv_session *session; // open
    slv_play_report report;
    char *text;          // of the report, once it is finished
    const char **inputs; // files that were read
    size_t input_count;
    slv_output_files files;
    slv_atomic_file *report_file, *depfile; // in `files`; NULL: not requested
    char last_note[SLV_NOTE_ROOM];          // last note about the device
} slv_measured_run;

// Opens the outputs of a run whose first three fields are set.
slv_result slv_measured_run_begin(slv_measured_run *run, slv_error *error);

// Steps and measures one frame; `frame` counts from 1.
slv_result slv_measured_run_frame(slv_measured_run *run, uint64_t frame, slv_error *error);

// Writes the files and prints warnings.
slv_result slv_measured_run_finish(slv_measured_run *run, slv_error *error);

// On failure no file is written. A zeroed run is ignored.
void slv_measured_run_free(slv_measured_run *run);

#endif
