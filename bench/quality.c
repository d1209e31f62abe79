// SPDX-License-Identifier: MIT
// Time at equal quality. A cloth of 100 x 100 particles, 1 m and 0.2 kg, falls from the horizontal, held at two corners,
// until it hangs at rest. Quality is its largest stretch then; time is that of one thread for a frame of 1/60 s.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "bench/plain_cloth.h"
#include "tests/common/generated_garment.h"

#include <selvage/selvage.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 100, FRAMES = 300, TIMED_FROM = 60 };

static const float damping = 1.0f; // 1/s, so that it comes to rest within the frames

typedef struct settings {
    slv_solver solver;
    uint32_t steps, inner; // of a frame, of a step; one outer iteration
    float relaxation;
    float stretch, shear, bending; // N/m
    double floor;                  // metres below the corners; 0: none
} settings;

// The shortest time of a frame, and the largest stretch after the last.
typedef struct outcome {
    double milliseconds, stretch;
} outcome;

static void check(slv_world *world, slv_result status) {
    if (status != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
}

static void add_cloth(slv_world *world, const settings *how, uint32_t side) {
    char path[64];
    const uint32_t corners[2] = {0, side - 1};
    (void)snprintf(path, sizeof path, "/tmp/selvage-quality-%ld.slv", (long)getpid());
    generated_write_and_free(make_grid(side, 1, side, 1.0f / (float)(side - 1), NULL), path);
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = path;
    def.fixed = corners;
    def.fixed_count = 2;
    def.particle_mass = 0.2f / (float)(side * side);
    def.stretch_stiffness = how->stretch;
    def.shear_stiffness = how->shear;
    def.bending_stiffness = how->bending;
    const slv_result status = slv_world_add_garment(world, &def, NULL);
    (void)remove(path);
    check(world, status);
}

static slv_world *open_world(const settings *how, uint32_t side) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = how->solver;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations = how->inner;
    def.parameters.relaxation = how->relaxation;
    def.parameters.damping = damping;
    def.time_step = 1.0 / 60.0 / how->steps;
    def.threads = 1;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    add_cloth(world, how, side);
    if (how->floor > 0.0) {
        slv_collider_def plane = slv_default_collider_def();
        plane.kind = SLV_COLLIDER_PLANE;
        plane.position[1] = -how->floor;
        check(world, slv_world_add_collider(world, &plane, NULL));
    }
    return world;
}

static outcome run_side(settings how, uint32_t side, int frames) {
    outcome result = {.milliseconds = 1e9};
    slv_world *world = open_world(&how, side);
    slv_measures measures;
    for (int frame = 0; frame < frames; frame++) {
        const double begin = slv_bench_seconds();
        check(world, slv_world_step(world, how.steps));
        const double taken = 1e3 * (slv_bench_seconds() - begin);
        if (frame >= TIMED_FROM && taken < result.milliseconds) {
            result.milliseconds = taken;
        }
    }
    check(world, slv_world_get_measures(world, &measures));
    result.stretch = measures.max_stretch;
    slv_world_destroy(world);
    return result;
}

static outcome run(settings how) {
    return run_side(how, SIDE, FRAMES);
}

// The same work as PD_RBGS with these settings.
static outcome run_plain(const settings *how) {
    outcome result = {.milliseconds = 1e9};
    plain_cloth *cloth = plain_cloth_create(SIDE, how->stretch, how->shear);
    if (!cloth) {
        slv_bench_stop("out of memory");
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        const double begin = slv_bench_seconds();
        for (uint32_t step = 0; step < how->steps; step++) {
            plain_cloth_step(cloth, 1.0f / 60.0f / (float)how->steps, damping, (int)how->inner,
                             how->relaxation);
        }
        const double taken = 1e3 * (slv_bench_seconds() - begin);
        result.milliseconds = taken < result.milliseconds ? taken : result.milliseconds;
    }
    result.stretch = plain_cloth_measure_stretch(cloth);
    plain_cloth_destroy(cloth);
    return result;
}

// A goal, and settings with which each solver reaches it, found by trial (docs/MULTIGRID.md).
typedef struct goal {
    const char *name;
    double stretch, milliseconds;
    settings multigrid, colors;
} goal;

static const goal goals[] = {
    {"stretch <= 1.10",
     1.10,
     1.5,
     {SLV_PD_MULTIGRID, 8, 1, 1.0f, 2000.0f, 0.0f, 0.0f, 0.0},
     {SLV_PD_RBGS, 8, 24, 1.94f, 2000.0f, 0.0f, 0.0f, 0.0}},
    {"stretch <= 1.03",
     1.03,
     1.5,
     {SLV_PD_MULTIGRID, 16, 1, 1.0f, 8000.0f, 0.0f, 0.0f, 0.0},
     {SLV_PD_RBGS, 16, 40, 1.94f, 16000.0f, 0.0f, 0.0f, 0.0}},
    {"stretch + shear <= 1.10",
     1.10,
     1.5,
     {SLV_PD_MULTIGRID, 8, 1, 1.0f, 2000.0f, 1000.0f, 0.0f, 0.0},
     {SLV_PD_RBGS, 8, 32, 1.9f, 2000.0f, 1000.0f, 0.0f, 0.0}},
    {"stretch + shear <= 1.03",
     1.03,
     3.0,
     {SLV_PD_MULTIGRID, 16, 1, 1.0f, 4000.0f, 2000.0f, 0.0f, 0.0},
     {SLV_PD_RBGS, 16, 28, 1.9f, 4000.0f, 2000.0f, 0.0f, 0.0}},
};

static void print_at_most(slv_bench_report *report, const char *name, const char *what,
                          double value, double target, const char *unit) {
    char text[96];
    (void)snprintf(text, sizeof text, "%s, %s", name, what);
    if (target > 0.0) {
        slv_bench_at_most(report, text, value, target, unit);
    } else {
        slv_bench_note(report, text, value, unit);
    }
}

static void measure_goal(slv_bench_report *report, const goal *one) {
    const outcome ours = run(one->multigrid);
    const outcome colors = run(one->colors);
    const outcome plain = run_plain(&one->colors);
    print_at_most(report, one->name, "PD_MULTIGRID", ours.milliseconds, one->milliseconds, "ms");
    print_at_most(report, one->name, "its stretch", ours.stretch, one->stretch, "");
    print_at_most(report, one->name, "PD_RBGS", colors.milliseconds, 0.0, "ms");
    print_at_most(report, one->name, "its stretch", colors.stretch, 0.0, "");
    print_at_most(report, one->name, "plain GS", plain.milliseconds, 0.0, "ms");
    print_at_most(report, one->name, "its stretch", plain.stretch, 0.0, "");
    print_at_most(report, one->name, "PD_RBGS over PD_MULTIGRID",
                  colors.milliseconds / ours.milliseconds, 0.0, "x");
    print_at_most(report, one->name, "plain GS over PD_MULTIGRID",
                  plain.milliseconds / ours.milliseconds, 0.0, "x");
}

// What a sweep costs beside everything else of a step: the difference of two numbers of them.
static double time_sweep(settings how) {
    enum { FEW = 1, MANY = 17, FRAMES_OF_SWEEPS = TIMED_FROM + 60 };
    how.inner = FEW;
    const double few = run_side(how, SIDE, FRAMES_OF_SWEEPS).milliseconds;
    how.inner = MANY;
    const double many = run_side(how, SIDE, FRAMES_OF_SWEEPS).milliseconds;
    return (many - few) / (MANY - FEW) / how.steps;
}

static void measure_sweeps(slv_bench_report *report) {
    settings how = goals[1].multigrid; // without shear
    const double plain = time_sweep(how);
    how.shear = 4000.0f;
    const double shear = time_sweep(how);
    how.bending = 800.0f;
    const double bending = time_sweep(how);
    slv_bench_note(report, "a sweep, stretch", 1e3 * plain, "us");
    slv_bench_at_most(report, "a sweep with shear, over stretch", shear / plain, 2.0, "x");
    slv_bench_at_most(report, "a sweep with shear and bending, over stretch", bending / plain, 2.0,
                      "x");
}

static void measure_floor(slv_bench_report *report) {
    settings how = goals[3].multigrid;
    const outcome without = run(how);
    how.floor = 5.0;
    const outcome with = run(how);
    slv_bench_at_most(report, "a floor 5 m below, over none",
                      with.milliseconds / without.milliseconds, 1.1, "x");
    slv_bench_at_most(report, "a floor 5 m below, stretch", with.stretch, goals[3].stretch, "");
}

static void measure_sizes(slv_bench_report *report) {
    settings how = goals[2].multigrid;
    how.stretch = 20000.0f;
    how.shear = 10000.0f;
    const outcome large = run_side(how, 300, FRAMES);
    slv_bench_note(report, "300x300, stretch + shear", large.milliseconds, "ms");
    slv_bench_at_most(report, "300x300, its stretch", large.stretch, 1.10, "");
}

int main(int argc, char **argv) {
    slv_bench_report report;
    slv_bench_begin(&report, slv_bench_arguments(argc, argv, "Time at equal quality.", NULL, 0));
    for (size_t n = 0; n < sizeof goals / sizeof *goals; n++) {
        measure_goal(&report, &goals[n]);
    }
    measure_sweeps(&report);
    measure_floor(&report);
    measure_sizes(&report);
    slv_bench_end(&report);
    return 0;
}
