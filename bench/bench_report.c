// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // program_invocation_short_name
#include "bench/bench_report.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --- Arguments --------------------------------------------------------------------------------------

static void print_help(FILE *out, const char *program, const char *about,
                       const slv_bench_option *options, int count) {
    const char *name = strrchr(program, '/');
    (void)fprintf(out,
                  "Usage: %s [options]\n%s\nPrints a line for each figure: name, value, target, "
                  "ratio, verdict.\n\n",
                  name ? name + 1 : program, about);
    for (int i = 0; i < count; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%s %s", options[i].name,
                       options[i].argument ? options[i].argument : "");
        (void)fprintf(out, "  %-18s  %s\n", text, options[i].help);
    }
    (void)fprintf(out, "  %-18s  %s\n  %-18s  %s\n", "--json FILE",
                  "also write the figures as JSON", "--help", "print this text");
}

// Exits with 1 where the argument of an option is not among its choices.
static void check_choice(const char *program, const slv_bench_option *option) {
    const char *const *choice = option->choices;
    if (!choice) {
        return;
    }
    for (; *choice; choice++) {
        if (strcmp(*choice, option->value) == 0) {
            return;
        }
    }
    (void)fprintf(stderr, "%s: error: %s '%s': must be one of", program, option->name,
                  option->value);
    for (choice = option->choices; *choice; choice++) {
        (void)fprintf(stderr, "%s %s", choice == option->choices ? "" : ",", *choice);
    }
    (void)fputc('\n', stderr);
    exit(1);
}

// The option at argv[*at], or NULL. Moves *at to the option's last word.
static slv_bench_option *take(int argc, char **argv, int *at, slv_bench_option *options,
                              int count) {
    for (int i = 0; i < count; i++) {
        slv_bench_option *option = &options[i];
        if (strcmp(argv[*at], option->name) == 0 && (!option->argument || *at + 1 < argc)) {
            option->value = option->argument ? argv[++*at] : "";
            check_choice(argv[0], option);
            return option;
        }
    }
    return NULL;
}

const char *slv_bench_arguments(int argc, char **argv, const char *about, slv_bench_option *options,
                                int count) {
    slv_bench_option json = {"--json", "FILE", "", NULL, NULL};
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            print_help(stdout, argv[0], about, options, count);
            exit(0);
        }
        if (!take(argc, argv, &at, options, count) && !take(argc, argv, &at, &json, 1)) {
            (void)fprintf(stderr, "%s: error: unknown option %s\n\n", argv[0], argv[at]);
            print_help(stderr, argv[0], about, options, count);
            exit(1);
        }
    }
    return json.value;
}

// --- Figures ----------------------------------------------------------------------------------------

void slv_bench_begin(slv_bench_report *report, const char *json_path) {
    report->json = json_path ? fopen(json_path, "w") : NULL;
    if (json_path && !report->json) {
        perror(json_path);
        exit(2);
    }
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

static void print_figure(slv_bench_report *report, const char *name, double value, double target,
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
    print_figure(report, name, value, target, unit, value / target);
}

void slv_bench_at_most(slv_bench_report *report, const char *name, double value, double target,
                       const char *unit) {
    print_figure(report, name, value, target, unit, target / value);
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

static double seconds_of(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double slv_bench_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double slv_bench_clock(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

_Noreturn void slv_bench_stop(const char *why) {
    (void)fprintf(stderr, "%s: error: %s\n", program_invocation_short_name, why);
    exit(4);
}

void slv_bench_read_words(const void *bytes, size_t size) {
    const uint64_t *words = bytes;
    uint64_t sum = 0;
    for (size_t i = 0; i < size / sizeof *words; i++) {
        sum += words[i];
    }
    volatile uint64_t value = sum;
    (void)value;
}
