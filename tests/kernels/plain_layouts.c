// SPDX-License-Identifier: MIT
#include "tests/kernels/plain_layouts.h"

#include "kernels/all.h"

// Columns from the last to the first: their order must not matter.
#define SLV_KERNEL(name, domain, traits, call)                                                     \
    static void plain_##name(float *state, int *table, const slv_body_layout *body,                \
                             const slv_launch *launch, int first, int end) {                       \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)launch;                                                                              \
        const slv_domain over = SLV_DOMAIN_##domain;                                               \
        for (int row = first; row < end; row++) {                                                  \
            for (int column = slv_domain_columns(over, body) - 1; column >= 0; column--) {         \
                const int from = column, to = column + 1;                                          \
                (void)from, (void)to;                                                              \
                for (int d = slv_domain_dimensions(over) > 2 ? 2 : 0; d >= 0; d--) {               \
                    call;                                                                          \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#include "kernels/list.h"

#define SLV_KERNEL(name, domain, traits, call) {#name, SLV_DOMAIN_##domain, plain_##name},
const plain_kernel plain_kernels[SLV_KERNEL_COUNT] = {
#include "kernels/list.h"
};

static void play_stage(slv_world *world, slv_stage stage, slv_launch launch) {
    slv_layout *layout = &world->layout;
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, stage);
    for (const slv_plan_launch *one; (one = slv_plan_next(&cursor)) != NULL;) {
        if (layout->state[layout->bodies[one->body].asleep] > 0.0f) {
            continue;
        }
        slv_plan_set_launch(&launch, one);
        for (int row = one->end - 1; row >= one->first;
             row--) { // the order of rows must not matter either
            plain_kernels[one->kernel].run(layout->state, layout->table, &layout->bodies[one->body],
                                           &launch, row, row + 1);
        }
    }
}

void play_plainly(slv_world *world, int steps) {
    const slv_parameters *parameters = &world->parameters;
    slv_launch launch = {.limit = 1e6f, .overlap_step = 2.0f * parameters->pair_correction};
    for (int d = 0; d < 3; d++) {
        launch.gravity_step[d] =
            (float)((double)parameters->gravity[d] * world->time_step * world->time_step);
    }
    launch.velocity_factor = (float)(1.0 / (1.0 + (double)parameters->damping * world->time_step));
    for (int n = 0; n < steps; n++) {
        launch.parity = world->layout.parity;
        play_stage(world, SLV_STAGE_WAKE, launch);
        play_stage(world, SLV_STAGE_INTEGRATE, launch);
        play_stage(world, SLV_STAGE_SOLVE, launch);
        play_stage(world, SLV_STAGE_CHECK, launch);
        play_stage(world, SLV_STAGE_SLEEP, launch);
        world->layout.parity ^= 1;
    }
    world->colliders_behind = true;
}
