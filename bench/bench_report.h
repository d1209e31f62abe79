// SPDX-License-Identifier: MIT
// The report of a benchmark: one line per figure (name, value, target, ratio, verdict) on standard output, and the
// same as JSON in a file.
#ifndef SLV_BENCH_REPORT_H
#define SLV_BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct slv_bench_report {
    FILE *json; // NULL: none
    bool first;
} slv_bench_report;

typedef struct slv_bench_option {
    const char *name;     // "--full"
    const char *argument; // name of its argument, "CELLS"; NULL: none
    const char *help;
    const char *const *choices; // allowed arguments, ended by NULL; NULL: any
    const char *value;          // out: the argument, "" without one; NULL: not given
} slv_bench_option;

// Parses --help, --json FILE and the benchmark's own `count` options. Exits after --help (0) and after an unknown
// option (1). Returns FILE, or NULL.
const char *slv_bench_arguments(int argc, char **argv, const char *about, slv_bench_option *options,
                                int count);

void slv_bench_begin(slv_bench_report *report, const char *json_path); // NULL: no JSON
// A figure with a target. Ratio: 1 at the target, above 1 better than it.
void slv_bench_at_least(slv_bench_report *report, const char *name, double value, double target,
                        const char *unit);
void slv_bench_at_most(slv_bench_report *report, const char *name, double value, double target,
                       const char *unit);
// A figure without a target, for comparison.
void slv_bench_note(slv_bench_report *report, const char *name, double value, const char *unit);
void slv_bench_end(slv_bench_report *report);

// Processor time of this process, seconds. For work on one thread that does not wait; other processes disturb it
// less than wall time.
double slv_bench_seconds(void);
// Wall time, seconds from any start.
double slv_bench_clock(void);

// Says "PROGRAM: error: why" and exits with 4.
_Noreturn void slv_bench_stop(const char *why);

// Reads every byte of a file once, the lower bound of any verification.
void slv_bench_read_words(const void *bytes, size_t size);

#endif
