// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"

#include <time.h>

void slv_bench_begin(slv_bench_report *report, const char *json_path) {
    report->json = json_path ? fopen(json_path, "w") : NULL;
    report->first = true;
    printf("%-44s %12s %12s %8s  %s\n", "name", "value", "target", "ratio", "verdict");
    if (report->json) {
        (void)fputs("[", report->json);
    }
}

static void write_json(slv_bench_report *report, const char *name, double value, const char *unit) {
    if (report->json) {
        (void)fprintf(report->json, "%s\n  {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"",
                      report->first ? "" : ",", name, value, unit);
        report->first = false;
    }
}

static void judged(slv_bench_report *report, const char *name, double value, double target,
                   const char *unit, double ratio) {
    const char *verdict = ratio >= 1 ? "met" : "missed";
    printf("%-44s %7.3g %-4s %7.3g %-4s %7.2fx  %s\n", name, value, unit, target, unit, ratio,
           verdict);
    write_json(report, name, value, unit);
    if (report->json) {
        (void)fprintf(report->json, ", \"target\": %.6g, \"ratio\": %.4g, \"verdict\": \"%s\"}",
                      target, ratio, verdict);
    }
}

void slv_bench_at_least(slv_bench_report *report, const char *name, double value, double target,
                        const char *unit) {
    judged(report, name, value, target, unit, value / target);
}

void slv_bench_at_most(slv_bench_report *report, const char *name, double value, double target,
                       const char *unit) {
    judged(report, name, value, target, unit, target / value);
}

void slv_bench_note(slv_bench_report *report, const char *name, double value, const char *unit) {
    printf("%-44s %7.3g %-4s %12s %8s  %s\n", name, value, unit, "-", "-", "for comparison");
    write_json(report, name, value, unit);
    if (report->json) {
        (void)fputs("}", report->json);
    }
}

void slv_bench_end(slv_bench_report *report) {
    if (report->json) {
        (void)fputs("\n]\n", report->json);
        (void)fclose(report->json);
        report->json = NULL;
    }
}

double slv_bench_seconds(void) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
