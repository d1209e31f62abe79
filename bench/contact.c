// SPDX-License-Identifier: MIT
// Cost of contacts: the broad phase against a plain one, cloth against itself and against 64 colliders,
// threads, and how the cost grows. Steps are played kernel by kernel on one thread, and the launches in
// question are timed, each kernel once a step: a pass. The same steps are played several times, since
// the machine is shared; the shortest time of each step counts, and the mean of all steps. Searches
// skip points that cannot have come near since the last search, as in any world, except where the
// report says "all searched". The gain of threads is taken from whole steps with and without contacts.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "bench/contact_baseline.h"
#include "kernels/bins.h"
#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/world/world.h"
#include "tests/common/generated_garment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const float spacing = 0.02f;         // metres
static const double seconds_a_figure = 1.0; // of measuring

// --- Worlds -----------------------------------------------------------------------------------------

typedef struct scene {
    uint32_t side;
    uint32_t threads;
    bool itself;
    bool colliders; // 32 spheres and 32 capsules under the cloth
    bool floor;
    bool search_all; // no search is skipped
    bool sleeps;     // once it is at rest
} scene;

static slv_world *make_world(scene measured_scene) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.threads = measured_scene.threads;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations = 1;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    float extent = spacing * (float)measured_scene.side;
    for (int n = 0; measured_scene.colliders && n < 64; n++) {
        slv_collider_def one = slv_default_collider_def();
        one.kind = n % 2 ? SLV_COLLIDER_CAPSULE : SLV_COLLIDER_SPHERE;
        one.radius = extent / 20.0f;
        one.length = extent / 10.0f;
        one.rotation[2] = one.rotation[3] = sqrtf(0.5f); // capsules lie along x
        one.position[0] = (double)(extent * (0.5f + (float)(n % 8)) / 8.0f);
        one.position[1] = (double)(-one.radius - 0.005f);
        const int row = n / 8;
        one.position[2] = (double)(extent * (0.5f + (float)row) / 8.0f);
        if (slv_world_add_collider(world, &one, NULL) != SLV_OK) {
            slv_bench_stop(slv_world_get_message(world));
        }
    }
    if (measured_scene.floor) {
        slv_collider_def plane = slv_default_collider_def();
        plane.kind = SLV_COLLIDER_PLANE;
        plane.position[1] = -0.1;
        if (slv_world_add_collider(world, &plane, NULL) != SLV_OK) {
            slv_bench_stop(slv_world_get_message(world));
        }
    }
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/selvage-contact-%ld.slv", (long)getpid());
    generated_write_and_free(make_grid(measured_scene.side, 1, measured_scene.side, spacing, NULL),
                             path);
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = path;
    garment.particle_mass = 0.0001f;
    garment.self_collision = measured_scene.itself;
    garment.sleep_speed = measured_scene.sleeps ? 0.005f : 0.0f;
    if (slv_world_add_garment(world, &garment, NULL) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
    (void)remove(path);
    return world;
}

static void step(slv_world *world, uint32_t count) {
    if (slv_world_step(world, count) != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
}

static double time_step(slv_world *world, double seconds) {
    double best = 1e9;
    for (double start = slv_bench_clock(); slv_bench_clock() - start < seconds;) {
        double begin = slv_bench_clock();
        step(world, 1);
        double taken = slv_bench_clock() - begin;
        best = taken < best ? taken : best;
    }
    return best;
}

// --- Launches ---------------------------------------------------------------------------------------

static bool is_named(const slv_plan_launch *launch, const char *const *names) {
    const char *name = slv_kernel_infos[launch->kernel].name;
    for (; *names; names++) {
        if (strncmp(name, *names, strlen(*names)) == 0) {
            return true;
        }
    }
    return false;
}

// Plays the launches of a stage. Returns the seconds of kernels whose names begin with one of `names`,
// each kernel once.
static double play_stage(slv_world *world, slv_stage stage, slv_launch launch,
                         const char *const *names) {
    const slv_instruction_set *set = slv_find_instruction_set(NULL);
    const slv_layout *layout = &world->layout;
    bool seen[SLV_KERNEL_COUNT] = {false};
    double sum = 0.0;
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, stage);
    for (const slv_plan_launch *one; (one = slv_plan_next(&cursor)) != NULL;) {
        slv_plan_set_launch(&launch, one);
        const slv_cpu_arrays arrays = slv_cpu_get_arrays(world->engine, one->body);
        double begin = slv_bench_clock();
        set->kernels[one->kernel](&arrays, &layout->bodies[one->body], &launch, one->first,
                                  one->end);
        sum += is_named(one, names) && !seen[one->kernel] ? slv_bench_clock() - begin : 0.0;
        seen[one->kernel] = true;
    }
    return sum;
}

static double play_step(slv_world *world, const char *const *names) {
    const slv_parameters *parameters = &world->parameters;
    slv_launch launch = {.limit = 1e6f,
                         .parity = world->layout.parity,
                         .overlap_step = 2.0f * parameters->pair_correction};
    for (int d = 0; d < 3; d++) {
        launch.gravity_step[d] =
            (float)((double)parameters->gravity[d] * world->time_step * world->time_step);
    }
    launch.velocity_factor = (float)(1.0 / (1.0 + (double)parameters->damping * world->time_step));
    double seconds = play_stage(world, SLV_STAGE_WAKE, launch, names);
    (void)play_stage(world, SLV_STAGE_INTEGRATE, launch, names);
    seconds += play_stage(world, SLV_STAGE_SOLVE, launch, names);
    (void)play_stage(world, SLV_STAGE_CHECK, launch, names);
    if (world->layout.state[SLV_DIVERGED] > 0.0f) {
        slv_bench_stop("a step diverged");
    }
    world->layout.parity ^= 1;
    return seconds;
}

static const char *const broad_phase[] = {"bin_", "pair_find", NULL};
static const char *const pairs[] = {"bin_", "pair_find", "pair_fetch", "pair_push", NULL};
static const char *const against[] = {"collider_move", "contact_cull", "contact_collide", NULL};

// --- Figures ----------------------------------------------------------------------------------------

static double time_baseline(int side) {
    contact_baseline *plain = contact_baseline_create(side, spacing);
    double best = 1e9;
    if (!plain) {
        slv_bench_stop("out of memory");
    }
    for (double start = slv_bench_clock(); slv_bench_clock() - start < seconds_a_figure;) {
        double begin = slv_bench_clock();
        contact_baseline_sort(plain);
        (void)contact_baseline_pass(plain, spacing);
        double taken = slv_bench_clock() - begin;
        best = taken < best ? taken : best;
    }
    contact_baseline_destroy(plain);
    return best;
}

enum { PASSES = 48, REPEATS = 3 };

// Mean seconds of a pass in a scene after its first steps.
static double time_in(scene measured_scene, uint32_t settle, const char *const *names) {
    double shortest[PASSES];
    double sum = 0.0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        slv_world *world = make_world(measured_scene);
        world->list_room = 32; // large enough not to grow
        step(world, settle);
        for (int n = 0; n < PASSES; n++) {
            if (measured_scene.search_all) {
                slv_cpu_clusters_reset(slv_cpu_get_clusters(world->engine));
            }
            double taken = play_step(world, names);
            shortest[n] = repeat == 0 || taken < shortest[n] ? taken : shortest[n];
        }
        slv_world_destroy(world);
    }
    for (int n = 0; n < PASSES; n++) {
        sum += shortest[n];
    }
    return sum / PASSES;
}

static void measure_broad_phase(slv_bench_report *report) {
    scene falling = {.side = 316, .threads = 1, .itself = true, .search_all = true};
    double ours = time_in(falling, 5, broad_phase);
    double plain = time_baseline(316);
    slv_bench_note(report, "plain sort and 27 cells, 100K", 1e3 * plain, "ms");
    slv_bench_note(report, "grid build and query, 100K, all searched", 1e3 * ours, "ms");
    slv_bench_at_most(report, "grid build and query over plain", ours / plain, 2.5, "x");
}

// Shortest steps of four worlds in turn, so that all run under the same load.
static void time_steps(const scene *scenes, double *best, int count) {
    slv_world *worlds[4];
    for (int n = 0; n < count; n++) {
        worlds[n] = make_world(scenes[n]);
        step(worlds[n], 400);
        best[n] = 1e9;
    }
    enum { ROUNDS = 16 };
    for (int round = 0; round < ROUNDS; round++) {
        for (int n = 0; n < count; n++) {
            double taken = time_step(worlds[n], 4.0 * seconds_a_figure / ROUNDS);
            best[n] = taken < best[n] ? taken : best[n];
        }
    }
    for (int n = 0; n < count; n++) {
        slv_world_destroy(worlds[n]);
    }
}

static void measure_cloth(slv_bench_report *report) {
    scene draped = {.side = 100, .threads = 1, .itself = true, .colliders = true, .floor = true};
    double itself = time_in(draped, 500, pairs);
    scene search_all = draped;
    search_all.search_all = true;
    slv_bench_note(report, "cloth 100x100 against itself, all searched",
                   1e3 * time_in(search_all, 500, pairs), "ms");
    scene only = draped;
    only.itself = false;
    only.floor = false;
    double spheres = time_in(only, 200, against);
    slv_bench_at_most(report, "cloth 100x100 against itself, one thread", 1e3 * itself, 0.28, "ms");
    slv_bench_at_most(report, "32 spheres, 32 capsules, one thread", 1e3 * spheres, 0.045, "ms");
    scene scenes[4] = {draped, draped, draped, draped};
    double best[4];
    scenes[1].threads = 2;
    scenes[2].itself = scenes[3].itself = false;
    scenes[3].threads = 2;
    time_steps(scenes, best, 4);
    double one = best[0] - best[2];
    double two = best[1] - best[3];
    slv_bench_note(report, "all a step does for it, one thread", 1e3 * one, "ms");
    slv_bench_at_most(report, "cloth 100x100 against itself, two threads", 1e3 * itself * two / one,
                      0.16, "ms");
    slv_bench_at_least(report, "two threads over one", one / two, 1.7, "x");
}

static void measure_off(slv_bench_report *report) {
    scene scenes[2] = {{.side = 100, .threads = 1}, {.side = 100, .threads = 1}};
    double best[2];
    time_steps(scenes, best, 2);
    slv_world *world = make_world(scenes[0]);
    uint32_t launches = 0;
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, SLV_STAGE_SOLVE);
    for (const slv_plan_launch *one; (one = slv_plan_next(&cursor)) != NULL;) {
        const char *name = slv_kernel_infos[one->kernel].name;
        launches += strncmp(name, "contact", 7) == 0 || strncmp(name, "bin", 3) == 0 ||
                    strncmp(name, "pair", 4) == 0 || strncmp(name, "collider", 8) == 0;
    }
    slv_world_destroy(world);
    slv_bench_note(report, "step without contacts", 1e3 * best[0], "ms");
    slv_bench_note(report, "launches for contacts in it", launches, "");
}

// A cloth that lies on the floor, awake and asleep.
static void measure_sleep(slv_bench_report *report) {
    double best[2];
    for (int n = 0; n < 2; n++) {
        scene one = {.side = 100, .threads = 1, .itself = true, .floor = true, .sleeps = n == 1};
        uint32_t asleep = 0;
        slv_world *world = make_world(one);
        step(world, 1500);
        best[n] = time_step(world, seconds_a_figure);
        if (slv_world_get_asleep_count(world, &asleep) != SLV_OK || asleep != (n == 1)) {
            slv_bench_stop("it is not asleep when it should be, or is when it should not");
        }
        slv_world_destroy(world);
    }
    slv_bench_note(report, "step of a cloth 100x100 at rest, awake", 1e3 * best[0], "ms");
    slv_bench_note(report, "asleep", 1e3 * best[1], "ms");
    slv_bench_at_most(report, "asleep over awake", best[1] / best[0], 0.02, "x");
}

static void measure_growth(slv_bench_report *report) {
    const uint32_t sides[3] = {100, 316, 1000};
    double each[3];
    for (int n = 0; n < 3; n++) {
        scene one = {
            .side = sides[n], .threads = 1, .itself = true, .floor = true, .search_all = true};
        each[n] = time_in(one, 3, pairs) / (double)(sides[n] * sides[n]);
    }
    slv_bench_note(report, "a particle of 10K, all searched", 1e9 * each[0], "ns");
    slv_bench_note(report, "a particle of 100K, all searched", 1e9 * each[1], "ns");
    slv_bench_note(report, "a particle of 1M, all searched", 1e9 * each[2], "ns");
    slv_bench_at_most(report, "a particle of 1M over one of 10K", each[2] / each[0], 2.5, "x");
}

int main(int count, char **arguments) {
    const char *json = slv_bench_arguments(
        count, arguments, "Contacts: the broad phase, self-collision, shapes.", NULL, 0);
    slv_bench_report report;
    slv_bench_begin(&report, json);
    measure_broad_phase(&report);
    measure_cloth(&report);
    measure_off(&report);
    measure_sleep(&report);
    measure_growth(&report);
    slv_bench_end(&report);
    return 0;
}
