// SPDX-License-Identifier: MIT
// selvage-play: plays scenes and packs. It uses only the public header of the library.
#define _POSIX_C_SOURCE 200809L
#include "formats/file_bytes.h"
#include "runtime/player/app/command_line.h"
#include "runtime/player/app/devices.h"
#include "runtime/player/app/play_headless.h"
#include "runtime/player/app/play_offscreen.h"
#include "runtime/player/app/play_window.h"
#include "tools/common/console.h"
#include "tools/common/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

// Reports a missing file before any error about displays or drivers.
static slv_result find_files(const slv_play_request *request, slv_error *error) {
    for (size_t i = 0; i < request->file_count; i++) {
        char first = 0;
        size_t size = 0;
        slv_error cause = {0};
        const slv_result result =
            slv_file_bytes_head(request->files[i], &first, sizeof first, &size, &cause);
        if (result != SLV_OK) {
            return slv_fail(error, result, "%.300s: %s", request->files[i], cause.text);
        }
    }
    return SLV_OK;
}

static slv_result play(const slv_play_request *request, slv_console *console, slv_error *error) {
    slv_result result = SLV_OK;
    if (request->mode == SLV_PLAY_WINDOW || request->mode == SLV_PLAY_OFFSCREEN) {
        result = find_files(request, error);
        if (result != SLV_OK) {
            return result;
        }
    }
    switch (request->mode) {
    case SLV_PLAY_HEADLESS:
        result = slv_play_headless(request, console, error);
        break;
    case SLV_PLAY_OFFSCREEN:
        result = slv_play_offscreen(request, console, error);
        break;
    case SLV_PLAY_WINDOW:
        result = slv_play_window(request, console, error);
        break;
    case SLV_PLAY_DEVICES:
        result = slv_play_list_devices(request->json);
        break;
    case SLV_PLAY_NOTHING:
        break;
    }
    if (result == SLV_OK && (fflush(stdout) || ferror(stdout))) {
        result =
            slv_fail(error, SLV_ERROR_FILE, "cannot write to standard output: %s", strerror(errno));
    }
    return result;
}

// The documented exit statuses are 0 to 5.
static int exit_status(slv_result result) {
    switch (result) {
    case SLV_ERROR_DIVERGED: // caused by the content of the scene
        return SLV_ERROR_CONTENT;
    case SLV_ERROR_DEVICE:
        return SLV_ERROR_MEMORY;
    default:
        return (int)result;
    }
}

int main(int argc, char **argv) {
    slv_console console = {.program = "selvage-play"};
    slv_common_options common = {.help = false};
    slv_play_request request;
    slv_error error = {0};
    (void)signal(SIGPIPE, SIG_IGN); // a closed pipe is reported as a write error
    slv_signals_clean_up();
    slv_result result = slv_play_read_command_line(argc, argv, &common, &request, &error);
    console.quiet = common.quiet;
    console.verbose = common.verbose;
    if (result == SLV_OK) {
        result = play(&request, &console, &error);
    }
    if (result != SLV_OK) {
        slv_console_error(&console, NULL, "%s", error.text);
    }
    return exit_status(result);
}
