// SPDX-License-Identifier: MIT
// Messages of a tool on standard error as "program: error: source: text", and a progress bar where
// standard error is a terminal. --quiet suppresses everything except errors.
#ifndef SLV_TOOLS_CONSOLE_H
#define SLV_TOOLS_CONSOLE_H

#include "formats/result.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_console {
    const char *program;
    bool quiet;
    bool verbose;
    bool bar_shown; // private, as the following
    double bar_time;
    const char *rate_of; // task of the current rate, and its start time
    double rate_start;
} slv_console;

// source is the file or option the message is about; NULL for none.
void slv_console_error(slv_console *console, const char *source, const char *format, ...)
    SLV_PRINTF(3, 4);
void slv_console_warning(slv_console *console, const char *source, const char *format, ...)
    SLV_PRINTF(3, 4);
void slv_console_note(slv_console *console, const char *format, ...) SLV_PRINTF(2, 3); // --verbose

// Progress of `what`, redrawn at most ten times a second. slv_console_progress_end clears the line.
void slv_console_progress(slv_console *console, const char *what, uint64_t done, uint64_t total);
// The same with units per second and the remaining time: "measuring  [####    ]  42%  310 frames/s,
// 2 s left".
void slv_console_progress_rate(slv_console *console, const char *what, const char *unit,
                               uint64_t done, uint64_t total);
void slv_console_progress_end(slv_console *console);

// Seconds from a monotonic clock.
double slv_console_seconds(void);

#endif
