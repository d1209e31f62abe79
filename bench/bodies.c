// SPDX-License-Identifier: MIT
// Shape matching: clusters of four particles, and one rigid body, an iteration on one core; against plain C.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "bench/bodies_baseline.h"
#include "tests/common/generated_body.h"

#include <selvage/selvage.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FEW = 10, MANY = 110, SMALL = 40000, RIGID = 16 }; // iterations; clusters; particles a side

static const float spacing = 0.02f;         // metres
static const double seconds_a_figure = 1.0; // of measuring

static slv_world *open_world(generated_garment *made, uint32_t iterations) {
    char path[64];
    char message[256];
    slv_world *world = NULL;
    (void)snprintf(path, sizeof path, "/tmp/selvage-bench-%ld.slv", (long)getpid());
    generated_write_and_free(made, path);
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.parameters.solver = SLV_PBD_GS;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations = iterations;
    def.parameters.gravity[1] = 0.0f;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = path;
    garment.spin[1] = 2.0f;
    garment.spin[2] = 0.5f;
    if (slv_world_add_garment(world, &garment, NULL) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    (void)remove(path);
    return world;
}

// Squares of four particles that share none.
static generated_garment *make_squares(uint32_t count) {
    const uint32_t rows = 200;
    generated_garment *made = make_loose_grid(count / rows * 2, 2 * rows, 1, spacing, false);
    uint32_t *ends = calloc(count, sizeof *ends);
    uint32_t *members = calloc(4 * (size_t)count, sizeof *members);
    if (!ends || !members) {
        slv_bench_stop("out of memory");
    }
    const uint32_t width = count / rows * 2;
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t corner = 2 * (c % (width / 2)) + 2 * width * (c / (width / 2));
        const uint32_t square[4] = {corner, corner + 1, corner + width, corner + width + 1};
        for (size_t m = 0; m < 4; m++) {
            members[4 * (size_t)c + m] = square[m];
        }
        ends[c] = 4 * (c + 1);
    }
    generated_remove_springs(made);
    generated_view(made)->clusters = (slv_clusters){count, 4 * count, ends, members};
    generated_keep(made, ends, members);
    return made;
}

static double time_step(slv_world *world) {
    const double begin = slv_bench_seconds();
    if (slv_world_step(world, 1) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    return slv_bench_seconds() - begin;
}

// Seconds of an iteration: worlds that differ in their number of iterations alone take turns.
static double time_iteration(slv_world *few, slv_world *many) {
    double least[2] = {1e9, 1e9};
    slv_world *const worlds[2] = {few, many};
    const double begin = slv_bench_clock();
    while (slv_bench_clock() - begin < seconds_a_figure) {
        for (int n = 0; n < 2; n++) {
            const double seconds = time_step(worlds[n]);
            least[n] = seconds < least[n] ? seconds : least[n];
        }
    }
    slv_world_destroy(few);
    slv_world_destroy(many);
    return (least[1] - least[0]) / (MANY - FEW);
}

// The baseline on clusters of `size` particles around points far apart.
static double time_plain(uint32_t count, uint32_t size) {
    const size_t members = (size_t)count * size;
    float(*positions)[3] = calloc(members, sizeof *positions);
    float(*offsets)[3] = calloc(members, sizeof *offsets);
    float(*rotations)[4] = calloc(count, sizeof *rotations);
    uint32_t *ends = calloc(count, sizeof *ends);
    uint32_t *numbers = calloc(members, sizeof *numbers);
    if (!positions || !offsets || !rotations || !ends || !numbers) {
        slv_bench_stop("out of memory");
    }
    const size_t layers = size / 4;
    for (size_t m = 0; m < members; m++) {
        const size_t c = m / size;
        const size_t i = m % size;
        const size_t at[3] = {i % 2, i / 2 % 2, i / 4};
        for (size_t d = 0; d < 3; d++) {
            offsets[m][d] =
                spacing * ((float)at[d] - (d < 2 ? 0.5f : 0.125f * (float)(layers - 1)));
            positions[m][d] = offsets[m][d] * 1.01f + (d == 0 ? spacing * (float)c : 0.0f);
        }
        numbers[m] = (uint32_t)m;
        ends[c] = (uint32_t)(m + 1);
        rotations[c][3] = 1.0f;
    }
    slv_plain_clusters clusters = {positions, (const float(*)[3])offsets, ends, numbers, rotations,
                                   count};
    double least = 1e9;
    const double begin = slv_bench_clock();
    while (slv_bench_clock() - begin < seconds_a_figure) {
        const double start = slv_bench_seconds();
        slv_plain_match(&clusters);
        const double seconds = slv_bench_seconds() - start;
        least = seconds < least ? seconds : least;
    }
    free(positions);
    free(offsets);
    free(rotations);
    free(ends);
    free(numbers);
    return least;
}

int main(int count, char **arguments) {
    const char *json =
        slv_bench_arguments(count, arguments, "Rigid and soft bodies by shape matching.", NULL, 0);
    slv_bench_report report;
    slv_bench_begin(&report, json);
    const double small = time_iteration(open_world(make_squares(SMALL), FEW),
                                        open_world(make_squares(SMALL), MANY)) /
                         SMALL;
    const double plain = time_plain(SMALL, 4) / SMALL;
    const double rigid =
        time_iteration(open_world(make_body(RIGID, RIGID, RIGID, spacing, 0, 1), FEW),
                       open_world(make_body(RIGID, RIGID, RIGID, spacing, 0, 1), MANY));
    const double plain_rigid = time_plain(1, RIGID * RIGID * RIGID);
    slv_bench_at_least(&report, "clusters of 4 particles, one core", 1e-6 / small, 20.0, "M/s");
    slv_bench_note(&report, "the same, plain C without momentum", 1e-6 / plain, "M/s");
    slv_bench_at_most(&report, "iteration of a rigid body of 4,096", 1e6 * rigid, 30.0, "us");
    slv_bench_note(&report, "the same, plain C without momentum", 1e6 * plain_rigid, "us");
    slv_bench_end(&report);
    return 0;
}
