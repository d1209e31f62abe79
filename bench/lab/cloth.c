// SPDX-License-Identifier: MIT
// Cloths of the studies.
#define _POSIX_C_SOURCE 200809L
#include "bench/lab/lab.h"
#include "tests/common/random.h"

#include "runtime/world/world.h"
#include "tests/common/generated_garment.h"
#if defined(SLV_HAS_COLORIZE)
#include "tools/colorize/factor.h"
#endif

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

lab_cloth lab_default_cloth(slv_solver solver) {
    return (lab_cloth){.solver = solver,
                       .side = 10,
                       .spacing = 1.0,
                       .mass = 1.0,
                       .stiffness = {100.0, 0.0, 0.0},
                       .time_step = 0.01,
                       .threads = 1,
                       .outer = 1,
                       .inner = 300};
}

static slv_world *create(const lab_cloth *cloth) {
    char message[512];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = cloth->solver;
    def.parameters.outer_iterations = cloth->outer;
    def.parameters.inner_iterations = cloth->inner;
    def.parameters.damping = (float)cloth->air;
    for (int d = 0; d < 3; d++) {
        def.parameters.gravity[d] = d == 1 ? (float)-cloth->gravity : 0.0f;
        def.parameters.wind[d] = (float)cloth->wind[d];
    }
    def.time_step = cloth->time_step;
    def.threads = cloth->threads;
    def.timing = cloth->timing;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        lab_stop("slv_world_create", message);
    }
    return world;
}

static slv_garment_def define(const lab_cloth *cloth, const uint32_t *fixed, uint32_t count) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = (float)cloth->mass;
    garment.stretch_stiffness = (float)cloth->stiffness[0];
    garment.shear_stiffness = (float)cloth->stiffness[1];
    garment.bending_stiffness = (float)cloth->stiffness[2];
    garment.spring_damping = (float)cloth->damping;
    garment.strain_limit = cloth->strain_limit > 0.0 ? (float)cloth->strain_limit : 0.0f;
    const bool blown = cloth->wind[0] != 0.0 || cloth->wind[2] != 0.0;
    garment.wind_pressure = blown ? (float)cloth->wind_pressure : 0.0f;
    garment.drag = blown && !(cloth->wind_pressure > 0.0) ? 1.0f : 0.0f;
    garment.fixed = fixed;
    garment.fixed_count = count;
    return garment;
}

// As selvage-colorize --factor does. Without the tools the solvers iterate.
static void write_pack(const lab_cloth *cloth, const uint32_t *fixed, uint32_t count,
                       const char *path) {
    generated_garment *made = make_grid(cloth->side, 1, cloth->side, (float)cloth->spacing, NULL);
#if defined(SLV_HAS_COLORIZE)
    slv_made_factor factor = {.array_count = 0};
    slv_error error = {.text = ""};
    char names[8192] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%u", i > 0 ? "," : "", fixed[i]);
    }
    const slv_factor_options options = {.time_step = cloth->time_step,
                                        .particle_mass = (double)(float)cloth->mass,
                                        .stretch = (double)(float)cloth->stiffness[0],
                                        .shear = (double)(float)cloth->stiffness[1],
                                        .bending = (double)(float)cloth->stiffness[2],
                                        .damping = (double)(float)cloth->damping,
                                        .fixed = names};
    if (cloth->factored) {
        if (slv_factor_create(generated_finish(made), &options, &factor, &error) != SLV_OK) {
            lab_stop("slv_factor_create", error.text);
        }
        generated_view(made)->factor = factor.view;
    }
    generated_write_and_free(made, path);
    slv_factor_destroy(&factor);
#else
    (void)fixed;
    (void)count;
    generated_write_and_free(made, path);
#endif
}

slv_world *lab_open(const lab_cloth *cloth) {
    char path[64];
    uint32_t *fixed = malloc(cloth->side * sizeof *fixed);
    uint32_t count = 0;
    if (!fixed) {
        lab_stop("lab_open", "out of memory");
    }
    for (uint32_t i = 0; i < cloth->side && cloth->fixed == LAB_LEFT_EDGE; i++) {
        fixed[count++] = i * cloth->side;
    }
    for (uint32_t i = 0; i < cloth->side && cloth->fixed == LAB_TOP_EDGE; i++) {
        fixed[count++] = i;
    }
    if (cloth->fixed == LAB_CORNERS) {
        fixed[count++] = 0;
        fixed[count++] = cloth->side - 1;
    }
    slv_world *world = create(cloth);
    (void)snprintf(path, sizeof path, "/tmp/selvage-lab-%ld.slv", (long)getpid());
    write_pack(cloth, fixed, count, path);
    slv_garment_def garment = define(cloth, fixed, count);
    garment.pack_path = path;
    if (cloth->fixed != LAB_FREE) { // upright: rows hang down from the first
        garment.rotation[0] = sqrtf(0.5f);
        garment.rotation[3] = sqrtf(0.5f);
    }
    slv_measures laid_out; // what reads or writes particles needs a layout
    slv_result status = slv_world_add_garment(world, &garment, NULL);
    status = status == SLV_OK ? slv_world_get_measures(world, &laid_out) : status;
    (void)remove(path);
    free(fixed);
    if (status != SLV_OK) {
        lab_stop("slv_world_add_garment", slv_world_get_message(world));
    }
    return world;
}

uint32_t lab_count(const slv_world *world) {
    return world->bodies[0]->count;
}

void lab_read(const slv_world *world, uint32_t particle, double position[3],
              double displacement[3]) {
    double at[6];
    slv_layout_read_exactly(&world->layout, 0, particle, at);
    for (int d = 0; d < 3; d++) {
        position[d] = at[d];
        displacement[d] = at[d] - at[3 + d];
    }
}

void lab_write(slv_world *world, uint32_t particle, const double position[3],
               const double displacement[3]) {
    double at[6];
    for (int d = 0; d < 3; d++) {
        at[d] = position[d];
        at[3 + d] = position[d] - displacement[d];
    }
    slv_layout_write_exactly(&world->layout, 0, particle, at);
}

lab_springs lab_copy_springs(const slv_world *world) {
    const slv_body *body = world->bodies[0];
    lab_springs springs = {malloc(body->spring_count * sizeof *springs.list), body->spring_count};
    if (!springs.list) {
        lab_stop("lab_copy_springs", "out of memory");
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        springs.list[s] = (lab_spring){spring->a, spring->b, (double)spring->rest,
                                       body->stiffness[spring->stiffness_class]};
    }
    return springs;
}

void lab_free_springs(lab_springs springs) {
    free(springs.list);
}

void lab_displace(slv_world *world, uint32_t seed, bool in_plane, double amplitude) {
    for (uint32_t p = 0; p < lab_count(world); p++) {
        double position[3];
        double displacement[3];
        lab_read(world, p, position, displacement);
        for (int d = in_plane ? 0 : 2; d < 3; d += 2) {
            position[d] += amplitude * (next_random(&seed) / 16777216.0 - 0.5);
        }
        lab_write(world, p, position, displacement);
    }
}
