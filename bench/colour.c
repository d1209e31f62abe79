// SPDX-License-Identifier: MIT
// How long selvage-colorize takes and how much memory, as a user would measure it: the whole program, from
// reading the pack to the end of writing. Cubes of 100,000 to 800,000 constraints (springs along all edges
// of a grid cut into tetrahedra, and the tetrahedra), where every particle has many; and the launches of
// the squishy ball with phantoms and without.
//   bench-colour [OUT.json]
#define _DEFAULT_SOURCE
#include "bench/bench_report.h"
#include "tests/runtime/soft_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct cost {
    double seconds; // processor time
    double bytes;   // resident at most
} cost;

static cost colour(const char *input, const char *output, const char *scheme, const char *report) {
    struct rusage usage = {0};
    int status = 0;
    (void)fflush(stdout); // or the child would print it again
    const pid_t child = fork();
    if (child == 0) {
        if (freopen(report, "w", stdout)) {
            (void)execl(SLV_COLORIZE_PROGRAM, SLV_COLORIZE_PROGRAM, input, "-o", output, "--scheme",
                        scheme, "--of", "constraints", "--json", (char *)NULL);
        }
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
        (void)fprintf(stderr, "%s failed\n", SLV_COLORIZE_PROGRAM);
        exit(2);
    }
    const double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return (cost){seconds, 1024.0 * (double)usage.ru_maxrss};
}

// A number of the report, by the text in front of it; the first there is from `after` on.
static double find_number(const char *path, const char *after, const char *key) {
    char text[65536];
    FILE *file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    if (file) {
        (void)fclose(file);
    }
    const char *from = strstr(text, after);
    from = from ? strstr(from, key) : NULL;
    return from ? strtod(from + strlen(key), NULL) : -1.0;
}

// The exponent of time in constraints: the slope of a line through their logarithms.
static double exponent(const double *constraints, const double *seconds, int count) {
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < count; i++) {
        const double a = log(constraints[i]);
        const double b = log(seconds[i]);
        x += a / count;
        y += b / count;
        xx += a * a / count;
        xy += a * b / count;
    }
    return (xy - x * y) / (xx - x * x);
}

static const char INPUT[] = "bench-colour-in.slv";
static const char OUTPUT[] = "bench-colour-out.slv";
static const char REPORT[] = "bench-colour.json";

static void measure_cubes(slv_bench_report *report, const char *scheme, double limit) {
    enum { SIZES = 4 };
    static const uint32_t sides[SIZES] = {21, 26, 32, 41}; // 110, 209, 396 and 847 thousand
    double constraints[SIZES];
    double seconds[SIZES];
    double bytes = 0;
    char name[80];
    for (int i = 0; i < SIZES; i++) {
        soft_shape cube = soft_lattice(sides[i], sides[i], sides[i], 0.01f, NULL);
        constraints[i] = (double)cube.spring_count + cube.tetrahedron_count;
        soft_write(&cube, 1.0f, INPUT);
        soft_free(&cube);
        cost best = colour(INPUT, OUTPUT, scheme, REPORT);
        for (int again = 0; again < 2; again++) {
            const cost next = colour(INPUT, OUTPUT, scheme, REPORT);
            best.seconds = next.seconds < best.seconds ? next.seconds : best.seconds;
        }
        seconds[i] = best.seconds;
        bytes = best.bytes / constraints[i];
        (void)snprintf(name, sizeof name, "%s, %.0fK constraints", scheme, 1e-3 * constraints[i]);
        if (i + 1 < SIZES) {
            slv_bench_note(report, name, seconds[i], "s");
        }
    }
    slv_bench_at_most(report, name, seconds[SIZES - 1], limit, "s");
    (void)snprintf(name, sizeof name, "%s, memory a constraint", scheme);
    slv_bench_at_most(report, name, bytes, 400, "bytes");
    (void)snprintf(name, sizeof name, "%s, time ~ constraints to the power", scheme);
    slv_bench_at_most(report, name, exponent(constraints, seconds, SIZES), 1.1, "");
}

static void measure_ball(slv_bench_report *report) {
    soft_shape ball = soft_ball(6, 4, 20, 12);
    slv_bench_note(report, "squishy ball, springs", ball.spring_count, "");
    slv_bench_note(report, "squishy ball, tetrahedra", ball.tetrahedron_count, "");
    soft_write(&ball, 1.0f, INPUT);
    soft_free(&ball);
    (void)colour(INPUT, OUTPUT, "phantom", REPORT);
    const char *launches = "launches_per_iteration";
    const double before = find_number(REPORT, launches, "\"before\":");
    const double after = find_number(REPORT, launches, "\"after\":");
    slv_bench_note(report, "squishy ball, phantoms",
                   find_number(REPORT, "", "\"phantom_particles\":"), "");
    slv_bench_at_most(report, "squishy ball, greedy launches an iteration", before, 110, "");
    slv_bench_at_most(report, "squishy ball, phantom launches an iteration", after, 56, "");
    slv_bench_at_least(report, "squishy ball, launches saved", before / after, 1.8, "x");
}

int main(int argc, char **argv) {
    slv_bench_report report;
    slv_bench_begin(&report, argc > 1 ? argv[1] : NULL);
    measure_cubes(&report, "greedy", 1.0);
    measure_cubes(&report, "phantom", 10.0);
    measure_ball(&report);
    slv_bench_end(&report);
    (void)remove(INPUT);
    (void)remove(OUTPUT);
    (void)remove(REPORT);
    return 0;
}
