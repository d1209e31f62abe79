// SPDX-License-Identifier: MIT
// Lines "name, value, target, ratio, verdict" on standard output, and the same as JSON in a file.
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
    const char *argument; // what follows it, "CELLS"; NULL: nothing does
    const char *help;
    const char *const *choices; // what may follow it, ended by NULL; NULL: anything
    const char *value;          // out: what followed, "" where nothing does; NULL: not given
} slv_bench_option;

// What every benchmark takes: --help, --json FILE, and the `count` options of its own. Ends the program
// after --help and after anything else. Returns the FILE, NULL without.
const char *slv_bench_arguments(int argc, char **argv, const char *about, slv_bench_option *options,
                                int count);

void slv_bench_begin(slv_bench_report *report, const char *json_path); // NULL: no JSON
// With a target: ratio is how far beyond it the value is, 1 being just there.
void slv_bench_at_least(slv_bench_report *report, const char *name, double value, double target,
                        const char *unit);
void slv_bench_at_most(slv_bench_report *report, const char *name, double value, double target,
                       const char *unit);
// Without one: for comparison only.
void slv_bench_note(slv_bench_report *report, const char *name, double value, const char *unit);
void slv_bench_end(slv_bench_report *report);

// Processor time of this process: for work on one thread that never waits, and on machines that do
// other things as well.
double slv_bench_seconds(void);

#endif
