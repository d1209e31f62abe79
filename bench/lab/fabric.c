// SPDX-License-Identifier: MIT
// Figure 7 of the fabric paper: frame rate against the number of free particles that fall onto a fabric of 29 x 29 particles,
// with a sphere and a floor below. As in the paper, particles have 0.1 g and a radius of 0.05 m, springs 100 N/m, and
// velocities decay by 0.999 a millisecond, their components stay within 20 m/s, and each particle of a pair goes a tenth of
// their overlap. data/scenes/fabric-paper.json is the same scene for the player.
#include "bench/bench_report.h"
#include "bench/lab/lab.h"
#include "tests/common/generated_garment.h"

#include <math.h>
#include <unistd.h>

enum { SIDE = 29, LAYER = 10, ROUNDS = 3 };

static const double radius = 0.05;      // m
static const double spacing = 0.1;      // m, of the fabric
static const double time_step = 0.0005; // s: half the longest stable one, √(m/K)

static void add(slv_world *world, generated_garment *made, slv_garment_def def) {
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/selvage-fabric-%ld.slv", (long)getpid());
    generated_write_and_free(made, path);
    def.pack_path = path;
    const slv_result status = slv_world_add_garment(world, &def, NULL);
    (void)remove(path);
    if (status != SLV_OK) {
        lab_stop("fabric", slv_world_get_message(world));
    }
}

static slv_garment_def define(void) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 1e-4f;
    def.stretch_stiffness = 100.0f;
    def.collision_radius = (float)radius;
    def.garment_collision = true;
    def.self_collision = true;
    def.strain_limit = 0.0f;
    return def;
}

static void add_colliders(slv_world *world) {
    slv_collider_def floor = slv_default_collider_def();
    slv_collider_def sphere = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    sphere.kind = SLV_COLLIDER_SPHERE;
    sphere.radius = 0.5f;
    sphere.position[0] = sphere.position[2] = 0.5 * (SIDE - 1) * spacing;
    sphere.position[1] = 0.6;
    if (slv_world_add_collider(world, &floor, NULL) != SLV_OK ||
        slv_world_add_collider(world, &sphere, NULL) != SLV_OK) {
        lab_stop("fabric", slv_world_get_message(world));
    }
}

// Free particles lie in layers of 10 x 10 above the fabric.
static slv_world *open_scene(uint32_t free_particles, uint32_t threads) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = SLV_MS_SYMPLECTIC_EULER;
    def.parameters.damping =
        1.00075f; // 0.999 a millisecond: 1 / (1 + 1.00075 h) is 0.999^(1000 h) at this h
    def.parameters.speed_limit = 20.0f;
    def.parameters.pair_correction = 0.1f;
    def.time_step = time_step;
    def.threads = threads;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        lab_stop("fabric", message);
    }
    add_colliders(world);
    slv_garment_def fabric = define();
    fabric.position[1] = 1.3;
    add(world, make_grid(SIDE, 1, SIDE, (float)spacing, NULL), fabric);
    if (free_particles > 0) {
        slv_garment_def loose = define();
        generated_garment *made = make_loose_grid(LAYER, free_particles / (LAYER * LAYER), LAYER,
                                                  2.4f * (float)radius, false);
        generated_remove_springs(made);
        loose.position[0] = loose.position[2] = 0.8;
        loose.position[1] = 1.5;
        add(world, made, loose);
    }
    return world;
}

void lab_study_fabric(const char *folder, bool quick) {
    FILE *file = lab_open_csv(folder, "fabric");
    const uint32_t steps = quick ? 200 : 1600; // the particles have met the fabric
    const uint32_t timed = steps / 8;
    (void)fprintf(file, "free_particles,threads,step_us\n");
    for (uint32_t count = 0; count <= 1000; count += quick ? 500 : 100) {
        for (uint32_t threads = 1; threads <= 2; threads++) {
            slv_world *world = open_scene(count, threads);
            double best = (double)INFINITY;
            for (int round = 0; round <= ROUNDS; round++) { // the first one only lets them fall
                const double begin = slv_bench_clock();
                if (slv_world_step(world, round == 0 ? steps : timed) != SLV_OK) {
                    lab_stop("fabric", slv_world_get_message(world));
                }
                const double seconds = (slv_bench_clock() - begin) / (double)timed;
                best = round == 0 ? best : fmin(best, seconds);
            }
            (void)fprintf(file, "%u,%u,%.4g\n", count, threads, 1e6 * best);
            (void)fflush(file);
            slv_world_destroy(world);
        }
    }
    (void)fclose(file);
}
