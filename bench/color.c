// SPDX-License-Identifier: MIT
// Time and memory of selvage-colorize, measured on the whole program. The inputs are cubes of 100,000 to 800,000
// constraints: a grid split into tetrahedra, with springs along all edges. Also the launches of the squishy ball
// with and without phantoms, and constraint projections per second by color and in file order.
//   bench-color [--json FILE] [--projections]      --projections: only the last of these
#define _DEFAULT_SOURCE
#include "bench/bench_report.h"
#include "bench/color_baseline.h"
#include "runtime/include/selvage/selvage.h"
#include "tests/common/random.h"
#include "tests/common/soft_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct cost {
    double seconds; // processor time
    double bytes;   // peak resident size
} cost;

static cost color(const char *input, const char *output, const char *scheme, const char *report) {
    struct rusage usage = {0};
    int status = 0;
    (void)fflush(stdout); // otherwise the child prints the buffer again
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

// The number that follows a text in the report; the first one after `after`.
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

// Exponent e of time ~ constraints^e: slope of a line fitted to the logarithms.
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

static const char INPUT[] = "bench-color-in.slv";
static const char OUTPUT[] = "bench-color-out.slv";
static const char REPORT[] = "bench-color.json";

// Displaces particles at random. Regular lattices are colored by formula; this measures the general algorithm.
static void shake(soft_shape *shape) {
    uint32_t seed = 1;
    for (uint32_t p = 0; p < shape->particle_count; p++) {
        for (int d = 0; d < 3; d++) {
            shape->positions[p][d] += 0.003f * (next_fraction(&seed) - 0.5f);
        }
    }
}

static void measure_cubes(slv_bench_report *report, const char *scheme, double limit) {
    enum { SIZES = 4 };
    static const uint32_t sides[SIZES] = {21, 26, 32, 41}; // 110, 209, 396 and 847 thousand
    double constraints[SIZES];
    double seconds[SIZES];
    double bytes = 0;
    char name[80];
    for (int i = 0; i < SIZES; i++) {
        soft_shape cube = soft_lattice(sides[i], sides[i], sides[i], 0.01f, NULL);
        shake(&cube);
        constraints[i] = (double)cube.spring_count + cube.tetrahedron_count;
        soft_write(&cube, 1.0f, INPUT);
        soft_free(&cube);
        cost best = color(INPUT, OUTPUT, scheme, REPORT);
        for (int again = 0; again < 2; again++) {
            const cost next = color(INPUT, OUTPUT, scheme, REPORT);
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
    (void)snprintf(name, sizeof name, "%s, memory per constraint", scheme);
    slv_bench_at_most(report, name, bytes, 400, "bytes");
    (void)snprintf(name, sizeof name, "%s, exponent of time in constraints", scheme);
    slv_bench_at_most(report, name, exponent(constraints, seconds, SIZES), 1.1, "");
}

static void measure_ball(slv_bench_report *report) {
    soft_shape ball = soft_ball(6, 4, 20, 12);
    slv_bench_note(report, "squishy ball, springs", ball.spring_count, "");
    slv_bench_note(report, "squishy ball, tetrahedra", ball.tetrahedron_count, "");
    soft_write(&ball, 1.0f, INPUT);
    soft_free(&ball);
    (void)color(INPUT, OUTPUT, "phantom", REPORT);
    const char *launches = "launches_per_iteration";
    const double before = find_number(REPORT, launches, "\"before\":");
    const double after = find_number(REPORT, launches, "\"after\":");
    slv_bench_note(report, "squishy ball, phantoms",
                   find_number(REPORT, "", "\"phantom_particles\":"), "");
    slv_bench_at_most(report, "squishy ball, greedy launches per iteration", before, 110, "");
    slv_bench_at_most(report, "squishy ball, phantom launches per iteration", after, 56, "");
    slv_bench_at_least(report, "squishy ball, greedy / phantom launches", before / after, 1.8, "x");
}

// --- Projections ------------------------------------------------------------------------------------

enum { SIDE = 100, ITERATIONS = 200, TRIES = 9 };
static const float STRETCH = 1.5f;
static const double STIFFNESS = 1e5; // N/m

static slv_world *open_world(uint32_t threads) {
    slv_world_def def = slv_default_world_def();
    slv_garment_def garment = slv_default_garment_def();
    slv_garment_id id;
    slv_world *world = NULL;
    char message[512] = "";
    def.backend = "cpu";
    def.threads = threads;
    def.time_step = 1.0 / 60.0;
    def.parameters.solver = SLV_PBD_GS;
    def.parameters.integrate = false;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations = ITERATIONS;
    garment.pack_path = OUTPUT;
    garment.stretch = STRETCH;
    garment.stretch_stiffness = (float)STIFFNESS;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK ||
        slv_world_add_garment(world, &garment, &id) != SLV_OK) {
        (void)fprintf(stderr, "bench-color: %s\n", world ? slv_world_get_message(world) : message);
        exit(2);
    }
    return world;
}

// Seconds of a step, the best of several from the same start. residual: after the last one.
static double time_steps(uint32_t threads, double *residual) {
    slv_world *world = open_world(threads);
    slv_measures measures = {0};
    double best = HUGE_VAL;
    for (int n = 0; n < TRIES; n++) {
        (void)slv_world_reset(world);
        const double start = slv_bench_clock();
        if (slv_world_step(world, 1) != SLV_OK) {
            (void)fprintf(stderr, "bench-color: %s\n", slv_world_get_message(world));
            exit(2);
        }
        best = fmin(best, slv_bench_clock() - start);
    }
    (void)slv_world_get_measures(world, &measures);
    *residual = measures.residual;
    slv_world_destroy(world);
    return best;
}

static double time_file_order(const soft_shape *cloth, double *residual) {
    const double step = 1.0 / 60.0;
    double best = HUGE_VAL;
    for (int n = 0; n < TRIES; n++) {
        file_order *plain =
            file_order_create(cloth, STRETCH, (float)(1.0 / (STIFFNESS * step * step)),
                              (float)cloth->particle_count / 1.0f);
        if (!plain) {
            exit(4);
        }
        const double start = slv_bench_clock();
        file_order_iterate(plain, ITERATIONS);
        best = fmin(best, slv_bench_clock() - start);
        *residual = file_order_residual(plain);
        file_order_destroy(plain);
    }
    return best;
}

static void measure_projections(slv_bench_report *report) {
    soft_shape cloth = soft_cloth(SIDE, 0.01f);
    double residual[3];
    soft_write(&cloth, 1.0f, INPUT);
    (void)color(INPUT, OUTPUT, "greedy", REPORT);
    const double work = 1e-6 * ITERATIONS * cloth.spring_count;
    const double plain = work / time_file_order(&cloth, &residual[0]);
    const double one = work / time_steps(1, &residual[1]);
    const double two = work / time_steps(2, &residual[2]);
    slv_bench_note(report, "mesh of 10,000 particles, springs", cloth.spring_count, "");
    slv_bench_note(report, "projections/s in file order, one thread", plain, "M");
    slv_bench_at_least(report, "projections/s by color, one thread", one, 450, "M");
    slv_bench_at_least(report, "projections/s by color, two threads", two, 850, "M");
    slv_bench_at_least(report, "by color / file order, one thread each", one / plain, 4, "x");
    slv_bench_note(report, "residual in file order", residual[0], "m2");
    slv_bench_note(report, "residual by color", residual[1], "m2");
    soft_free(&cloth);
}

int main(int argc, char **argv) {
    slv_bench_option options[] = {
        {"--projections", NULL, "only how fast colored constraints are solved", NULL, NULL}};
    const char *json = slv_bench_arguments(
        argc, argv, "Coloring: time, memory, launches; and what it does for the solver.", options,
        1);
    const bool only = options[0].value != NULL;
    slv_bench_report report;
    slv_bench_begin(&report, json);
    if (!only) {
        measure_cubes(&report, "greedy", 1.0);
        measure_cubes(&report, "phantom", 10.0);
        measure_ball(&report);
    }
    measure_projections(&report);
    slv_bench_end(&report);
    (void)remove(INPUT);
    (void)remove(OUTPUT);
    (void)remove(REPORT);
    return 0;
}
