// SPDX-License-Identifier: MIT
// The experiments of the paper on phantoms (Fratarcangeli and Pellacini 2015), at its sizes, with generated shapes:
//   color-experiments FOLDER OUT BACKEND [--quick]
// FOLDER holds NAME-greedy.slv, NAME-phantom.slv and for the cloth NAME-hybrid.slv and NAME-Q.slv, made by
// bench/reproduce_color.sh. Files written to OUT:
//   table2-BACKEND.csv        launches and time of a frame, residual at the end
//   NAME-BACKEND-time.csv     residual against time, a column per solver
//   cloth-colors.csv         residual against the number of colors (on the CPU)
//   cloth-SOLVER-shape.csv    final positions of the cloth's particles (on the CPU)
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "runtime/include/selvage/selvage.h"
#include "runtime/step/plan.h"
#include "runtime/world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    const char *name;
    uint32_t iterations;        // of Gauss-Seidel in a frame, as in the paper
    uint32_t jacobi_iterations; // of averaged Jacobi
    float stretch;              // initial length over rest length
    uint32_t frames;
} scene;

static const scene scenes[] = {
    {"ball", 8, 110, 1.25f, 24},
    {"blob", 16, 74, 1.5f, 24},
    {"tori", 4, 40, 1.25f, 24}, // the paper says 43 iterations in 40 launches; 40 is used
    {"cloth", 1, 1, 4.0f, 400},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct variant {
    const char *name;
    const char *pack; // suffix of the scene's name
    slv_solver solver;
} variant;

static const variant variants[] = {
    {"jacobi", "greedy", SLV_PBD_JACOBI},
    {"gs", "greedy", SLV_PBD_GS},
    {"phantom", "phantom", SLV_PBD_GS},
    {"hybrid", "hybrid", SLV_PBD_GS},
};
enum { VARIANTS = sizeof variants / sizeof *variants, HYBRID = 3 };

typedef struct bench {
    const char *folder, *out, *backend;
    bool quick;
} bench;

static void check(slv_result status, const char *what) {
    if (status != SLV_OK) {
        (void)fprintf(stderr, "color-experiments: %s\n", what);
        exit((int)status);
    }
}

// Without integration: only the solver moves particles, and the remaining stretch is its residual.
static slv_world *make_world(const bench *b, const scene *s, const variant *v, const char *pack) {
    char path[512];
    char message[512] = "";
    slv_world *world = NULL;
    slv_garment_id id;
    slv_world_def def = slv_default_world_def();
    def.backend = b->backend;
    def.fallback = false;
    def.keep_state = false;
    def.threads = 1;
    def.time_step = 1.0 / 60.0;
    def.parameters.solver = v->solver;
    def.parameters.integrate = false;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations =
        v->solver == SLV_PBD_JACOBI ? s->jacobi_iterations : s->iterations;
    check(slv_world_create(&def, &world, message, sizeof message), message);
    slv_garment_def garment = slv_default_garment_def();
    (void)snprintf(path, sizeof path, "%s/%s-%s.slv", b->folder, s->name, pack);
    garment.pack_path = path;
    garment.stretch = s->stretch;
    garment.stretch_stiffness = 1e7f; // nearly rigid, as in the paper
    if (slv_world_add_garment(world, &garment, &id) != SLV_OK) {
        check(SLV_ERROR_ARGUMENT, slv_world_get_message(world));
    }
    return world;
}

// Launches of the solver in one frame.
static uint32_t count_launches(slv_world *world) {
    uint32_t count = 0;
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, SLV_STAGE_SOLVE);
    while (slv_plan_next(&cursor) != NULL) {
        count++;
    }
    return count;
}

static double residual(slv_world *world) {
    slv_measures measures;
    check(slv_world_get_measures(world, &measures), "cannot measure");
    return measures.residual;
}

static FILE *open_csv(const bench *b, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.csv", b->out, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        (void)fprintf(stderr, "color-experiments: %s cannot be written\n", path);
        exit(2);
    }
    return file;
}

// Figure 10: final positions of the cloth's particles.
static void write_shape(const bench *b, slv_world *world, const variant *v) {
    char name[64];
    slv_particle_view view;
    (void)snprintf(name, sizeof name, "cloth-%s-shape", v->name);
    check(slv_garment_get_positions(world, slv_world_get_garment(world, 0), &view), "no positions");
    FILE *file = open_csv(b, name);
    (void)fprintf(file, "particle,x,y,z\n");
    for (uint32_t p = 0; p < view.count; p++) {
        float position[3];
        slv_particle_view_get(&view, p, position);
        (void)fprintf(file, "%u,%.6g,%.6g,%.6g\n", p, (double)position[0], (double)position[1],
                      (double)position[2]);
    }
    (void)fclose(file);
}

// One curve: residual after each frame against elapsed time.
static void run_variant(const bench *b, const scene *s, const variant *v, FILE *table,
                        FILE *curve) {
    slv_world *world = make_world(b, s, v, v->pack);
    const double first = residual(world);
    // A frame of averaged Jacobi takes as long as many frames of the others.
    const bool slow = v->solver == SLV_PBD_JACOBI && s->jacobi_iterations > 1;
    const uint32_t frames = b->quick ? 3 : slow ? 4 : s->frames;
    check(slv_world_step(world, 1), "cannot step"); // warm-up: compiles kernels, touches pages
    const uint32_t launches = count_launches(world);
    check(slv_world_reset(world), "cannot begin anew");
    double elapsed = 0;
    double last = first;
    (void)fprintf(curve, "%s,0,0,%.9g\n", v->name, first);
    for (uint32_t f = 1; f <= frames; f++) {
        const double start = slv_bench_clock();
        check(slv_world_step(world, 1), "cannot step");
        elapsed += slv_bench_clock() - start;
        last = residual(world);
        (void)fprintf(curve, "%s,%u,%.9g,%.9g\n", v->name, f, 1e3 * elapsed, last);
    }
    (void)fprintf(table, "%s,%s,%u,%u,%.6g,%.6g,%.6g\n", s->name, v->name,
                  v->solver == SLV_PBD_JACOBI ? s->jacobi_iterations : s->iterations, launches,
                  1e3 * elapsed / frames, first, last);
    (void)printf("%-6s %-8s %4u launches per frame, %8.3f ms per frame, residual %.4g -> %.4g\n",
                 s->name, v->name, launches, 1e3 * elapsed / frames, first, last);
    if (strcmp(s->name, "cloth") == 0 && strcmp(b->backend, "cpu") == 0) {
        write_shape(b, world, v);
    }
    slv_world_destroy(world);
}

static void run_scene(const bench *b, const scene *s, FILE *table) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%s-time", s->name, b->backend);
    FILE *curve = open_csv(b, name);
    (void)fprintf(curve, "solver,frame,ms,residual\n");
    const int count = strcmp(s->name, "cloth") == 0 ? VARIANTS : HYBRID;
    for (int v = 0; v < count; v++) {
        run_variant(b, s, &variants[v], table, curve);
    }
    (void)fclose(curve);
}

// Figure 5: residual of the same cloth by number of colors, after equal iterations.
static void run_colors(const bench *b) {
    const scene *cloth = &scenes[SCENES - 1];
    FILE *file = open_csv(b, "cloth-colors");
    (void)fprintf(file, "colors,iteration,residual\n");
    for (int q = 2; q <= 6; q++) {
        char pack[16];
        (void)snprintf(pack, sizeof pack, "%d", q);
        slv_world *world = make_world(b, cloth, &variants[2], pack);
        for (uint32_t f = 1; f <= 400; f++) {
            check(slv_world_step(world, 1), "cannot step");
            if (f % 10 == 0) {
                (void)fprintf(file, "%d,%u,%.9g\n", q, f, residual(world));
            }
        }
        slv_world_destroy(world);
    }
    (void)fclose(file);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        (void)fprintf(stderr, "usage: color-experiments FOLDER OUT BACKEND [--quick]\n");
        return 1;
    }
    const bench b = {argv[1], argv[2], argv[3], argc > 4 && strcmp(argv[4], "--quick") == 0};
    char name[64];
    (void)snprintf(name, sizeof name, "table2-%s", b.backend);
    FILE *table = open_csv(&b, name);
    (void)fprintf(table, "scene,solver,iterations,launches,ms,residual_before,residual_after\n");
    for (int s = 0; s < SCENES; s++) {
        run_scene(&b, &scenes[s], table);
    }
    (void)fclose(table);
    if (strcmp(b.backend, "cpu") == 0) {
        run_colors(&b);
    }
    return 0;
}
