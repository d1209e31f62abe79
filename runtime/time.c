// SPDX-License-Identifier: MIT
#include "runtime/cpu_step.h"
#include "runtime/world.h"

#include <math.h>

static const double longest_advance = 3600.0; // seconds in one call
// A step counts as due when no more than this share of it is missing: sums of seconds like 1/60 fall
// short of whole steps by rounding alone.
static const double due_tolerance = 1e-6;

slv_status slv_world_run(slv_world *world, uint64_t count) {
    while (count > 0) {
        uint32_t batch = count < 1u << 20 ? (uint32_t)count : 1u << 20;
        slv_cpu_steps steps = {
            .form = &world->form,
            .bodies = world->bodies,
            .kernels = world->instruction_set->kernels,
            .team = world->team,
            .parameters = world->parameters,
            .time_step = world->time_step,
            .count = batch,
        };
        uint32_t done = slv_cpu_run(&steps);
        world->clock.steps += done;
        for (uint32_t i = 0; i < world->body_count; i++) {
            world->bodies[i]->surface.current = false;
            slv_body_forget_moves(world->bodies[i]);
        }
        if (done < batch) {
            return slv_refuse(world, SLV_STATUS_DIVERGED,
                              "step %llu blew up and was taken back: the time step is too long for "
                              "this stiffness and mass, or something was moved too far",
                              (unsigned long long)world->clock.steps + 1);
        }
        count -= batch;
    }
    return SLV_STATUS_OK;
}

slv_status slv_world_step(slv_world *world, uint32_t count) {
    slv_status status = slv_begin(world);
    return status == SLV_STATUS_OK ? slv_world_run(world, count) : status;
}

// time += seconds without loss: what the first double cannot hold goes into the second.
static void add_time(double time[2], double seconds) {
    double sum = time[0] + seconds;
    double shown = sum - time[0];
    double lost = (time[0] - (sum - shown)) + (seconds - shown);
    double low = time[1] + lost;
    time[0] = sum + low;
    time[1] = low - (time[0] - sum);
}

slv_status slv_world_advance(slv_world *world, double seconds, float *fraction) {
    slv_status status = slv_begin(world);
    if (status == SLV_STATUS_OK) {
        status = slv_check_between(&world->error, "seconds", seconds, 0.0, longest_advance);
    }
    if (status != SLV_STATUS_OK) {
        return status;
    }
    slv_clock *clock = &world->clock;
    const slv_clock before = *clock;
    add_time(clock->time, seconds);
    double steps = clock->time[0] / world->time_step;
    double due = floor(steps + due_tolerance);
    clock->due = (uint64_t)due > clock->due ? (uint64_t)due : clock->due;
    status = slv_world_run(world, clock->due - before.due);
    if (status != SLV_STATUS_OK) { // time that was not lived through has not passed
        clock->due = before.due + (clock->steps - before.steps);
        clock->time[0] = before.time[0];
        clock->time[1] = before.time[1];
    } else if (fraction) {
        *fraction = (float)fmin(fmax(steps - (double)clock->due, 0.0), 1.0);
    }
    return status;
}

uint64_t slv_world_step_count(const slv_world *world) {
    return world ? world->clock.steps : 0;
}
