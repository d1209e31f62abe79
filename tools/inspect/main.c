// SPDX-License-Identifier: MIT
// selvage-inspect: shows the content of a pack.
#define _POSIX_C_SOURCE 200809L
#include "tools/common/console.h"
#include "tools/common/signals.h"
#include "tools/inspect/command_line.h"
#include "tools/inspect/request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    slv_console console = {.program = "selvage-inspect"};
    slv_common_options common = {.help = false};
    slv_request request;
    slv_error error;
    slv_signals_clean_up(); // SIGPIPE ends the program as usual
    slv_result result = slv_command_line_read(argc, argv, &common, &request, &error);
    console.quiet = common.quiet;
    console.verbose = common.verbose;
    if (result) {
        slv_console_error(&console, NULL, "%s", error.text);
        return (int)result;
    }
    if (request.pack) {
        return (int)slv_request_run(&request, &console);
    }
    if (fflush(stdout) || ferror(stdout)) { // --help or --version went there
        slv_console_error(&console, NULL, "cannot write to standard output: %s", strerror(errno));
        return SLV_ERROR_FILE;
    }
    return SLV_OK;
}
