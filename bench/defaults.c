// SPDX-License-Identifier: MIT
// What a scene reaches that says nothing but its packs and what holds them: the largest stretch at rest, for several
// lengths of a step, and the time of a frame of 1/60 s on one thread. Only damping is given, so that cloth comes to rest
// within the frames.
#define _DEFAULT_SOURCE // mkstemp
#include "bench/bench_report.h"

#include <selvage/selvage.h>

#include <stdlib.h>
#include <unistd.h>

static const double goal = 1.10;   // length over rest length
static const float damping = 1.0f; // 1/s
static const double seconds = 6.0; // of simulated time; the last tenth is timed

// A pack, as arguments of selvage-voxelize, and what of it is held.
typedef struct held_pack {
    const char *name, *arguments;
    const char *set; // NULL: particles
    uint32_t corners[2];
} held_pack;

static const held_pack packs[] = {
    {"grid of 100 x 100", "--shape grid:100x100", NULL, {0, 99}},
    {"grid of 26 x 26, 38 mm", "--shape grid:26x26 --spacing 0.0375", NULL, {0, 25}},
    {"rope of 64", "--shape rope:64", "ends", {0, 0}},
    {"poncho of 4,212", "--shape poncho:66x66:12 --spacing 0.02", NULL, {0, 65}},
    {"cape of 1,845 vertices", "cape.obj --mode surface", "collar", {0, 0}},
    {"skirt of 2,232 vertices", "skirt.obj --mode surface", "waist", {0, 0}},
};

typedef struct outcome {
    double milliseconds, stretch;
} outcome;

static void make_pack(const held_pack *pack, char *path) {
    char command[1024];
    const int file = mkstemp(path);
    (void)snprintf(command, sizeof command, "cd '%s' && '%s' %s -o %s --quiet", SLV_DATA_FOLDER,
                   SLV_VOXELIZE_PROGRAM, pack->arguments, path);
    if (file < 0 || close(file) != 0 || system(command) != 0) { // NOLINT(cert-env33-c)
        slv_bench_stop("selvage-voxelize made no pack");
    }
}

static slv_world *open_world(const held_pack *pack, const char *path, slv_solver solver,
                             double time_step) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.parameters.damping = damping;
    def.time_step = time_step;
    def.threads = 1;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = path;
    garment.fixed = pack->corners;
    garment.fixed_count = pack->set ? 0 : 2;
    garment.fixed_sets = &pack->set;
    garment.fixed_set_count = pack->set ? 1 : 0;
    if (slv_world_add_garment(world, &garment, NULL) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    return world;
}

static double step(slv_world *world, uint32_t count) {
    const double begin = slv_bench_seconds();
    if (slv_world_step(world, count) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    return slv_bench_seconds() - begin;
}

static outcome run(const held_pack *pack, const char *path, slv_solver solver, double time_step) {
    slv_world *world = open_world(pack, path, solver, time_step);
    const uint32_t tenth = (uint32_t)(0.1 * seconds / time_step);
    slv_measures measures;
    (void)step(world, 9 * tenth);
    const double taken = step(world, tenth);
    if (slv_world_get_measures(world, &measures) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    slv_world_destroy(world);
    return (outcome){1e3 * taken / 60.0 / (tenth * time_step), measures.max_stretch};
}

static void measure(slv_bench_report *report, const held_pack *pack) {
    static const double steps[] = {1.0 / 60.0, 1.0 / 120.0, 0.002, 0.001};
    char path[] = "/tmp/selvage-bench-XXXXXX";
    make_pack(pack, path);
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        const outcome ours = run(pack, path, SLV_SOLVER_AUTO, steps[n]);
        const outcome colors = run(pack, path, SLV_PD_RBGS, steps[n]);
        char text[96];
        (void)snprintf(text, sizeof text, "%s, steps of %.3g ms, stretch", pack->name,
                       1e3 * steps[n]);
        slv_bench_at_most(report, text, ours.stretch, goal, "");
        slv_bench_note(report, "  a frame", ours.milliseconds, "ms");
        slv_bench_note(report, "  with PD_RBGS, stretch", colors.stretch, "");
        slv_bench_note(report, "  a frame", colors.milliseconds, "ms");
    }
    (void)unlink(path);
}

int main(int argc, char **argv) {
    slv_bench_report report;
    slv_bench_begin(
        &report, slv_bench_arguments(argc, argv,
                                     "Stretch at rest of scenes that say nothing but their packs.",
                                     NULL, 0));
    for (size_t n = 0; n < sizeof packs / sizeof *packs; n++) {
        measure(&report, &packs[n]);
    }
    slv_bench_end(&report);
    return 0;
}
