// SPDX-License-Identifier: MIT
// A cloth in a game's loop: frames of uneven length, held corners that follow an animation, and what to
// draw between two steps.
#include <selvage/selvage.h>

#include <stdio.h>

enum { HELD = 2 };

// Positions of the held corners in the animation (x, y, z each) `time` seconds into the game.
static void animate(double time, const float *rest, float *targets) {
    for (int i = 0; i < HELD; i++) {
        targets[3 * i] = rest[3 * i] + (float)(0.2 * time * (1.0 - time));
        targets[3 * i + 1] = rest[3 * i + 1] + (float)(0.1 * time);
        targets[3 * i + 2] = rest[3 * i + 2];
    }
}

// One frame: lead, advance, draw.
static slv_result frame(slv_world *world, slv_garment_id cloth, const uint32_t held[HELD],
                        const float *targets, double seconds, slv_surface_view *drawn) {
    slv_advance_report report = {.fraction = 1.0f};
    slv_result status = slv_garment_lead_fixed(world, cloth, held, HELD, targets, seconds);
    if (status == SLV_OK) {
        status = slv_world_advance(world, seconds, &report);
    }
    if (status == SLV_ERROR_DIVERGED) { // rolled back already; the game starts the cloth again
        status = slv_world_reset(world);
    }
    return status == SLV_OK ? slv_garment_get_surface_at(world, cloth, report.fraction, drawn)
                            : status;
}

int main(int argc, char **argv) {
    char message[512];
    slv_world *world = NULL;
    slv_world_def world_def = slv_default_world_def();
    world_def.parameters.relaxation = 1.7f; // stiffer cloth for the same iterations
    if (slv_world_create(&world_def, &world, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    static const uint32_t held[HELD] = {0, 20}; // two corners, in the cloth's own order
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = argc > 1 ? argv[1] : "cloth.slv";
    def.fixed = held;
    def.fixed_count = HELD;
    slv_garment_id cloth;
    slv_particle_view start;
    slv_result status = slv_world_add_garment(world, &def, &cloth);
    if (status == SLV_OK) {
        status = slv_garment_get_positions(world, cloth, &start);
    }
    float rest[3 * HELD];
    for (int i = 0; status == SLV_OK && i < HELD; i++) {
        const uint32_t slot = start.slot[held[i]] * start.stride;
        rest[3 * i] = start.x[slot];
        rest[3 * i + 1] = start.y[slot];
        rest[3 * i + 2] = start.z[slot];
    }
    double time = 0.0;
    slv_surface_view drawn = {0};
    for (int n = 0; status == SLV_OK && n < 60; n++) {
        const double seconds = n % 3 ? 1.0 / 60.0 : 1.0 / 40.0; // as the clock has it
        float targets[3 * HELD];
        animate(time + seconds, rest, targets);
        status = frame(world, cloth, held, targets, seconds, &drawn);
        time += seconds;
    }
    if (status != SLV_OK) {
        fprintf(stderr, "%s\n", slv_world_get_message(world));
        return 1;
    }
    printf("%.3f s, %llu steps, %u vertices to draw\n", time,
           (unsigned long long)slv_world_get_step_count(world), drawn.vertex_count);
    slv_world_destroy(world);
    return 0;
}
