// SPDX-License-Identifier: MIT
#include "runtime/base/float_modes.h"
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/clip_moves.h"
#include "runtime/world/clock.h"
#include "runtime/world/contacts.h"
#include "runtime/world/run.h"

static const float divergence_limit = 1e6f; // metres from the origin

// What is the same in every launch.
static slv_launch make_launch(const slv_world *world) {
    const slv_parameters *parameters = &world->parameters;
    double h = world->time_step;
    slv_launch launch = {
        .parity = world->layout.parity,
        .damped = parameters->damped_jacobi,
        .limit = divergence_limit,
        .overlap_step = 2.0f * parameters->pair_correction,
    };
    if (parameters->integrate) {
        launch.velocity_factor = (float)(1.0 / (1.0 + (double)parameters->damping * h));
        for (int d = 0; d < 3; d++) {
            launch.gravity_step[d] = (float)((double)parameters->gravity[d] * h * h);
        }
        slv_features_set_launch(parameters, h, &launch);
    }
    return launch;
}

// --- Steps ------------------------------------------------------------------------------------------

static slv_result run_batch(slv_world *world, uint32_t count, uint32_t *done) {
    const slv_run run = {.launch = make_launch(world), .count = count};
    slv_outcome outcome = {.done = 0};
    slv_result status = slv_world_run(world, &run, &outcome);
    *done = outcome.done;
    return status;
}

static slv_result refuse_divergence(slv_world *world) {
    return slv_refuse(world, SLV_ERROR_DIVERGED,
                      "step %llu diverged and was rolled back: the time step is too long for this "
                      "stiffness and mass, or something was moved too far",
                      (unsigned long long)world->clock.steps + 1);
}

// Does count steps, then makes lists of neighbors longer for the next call. Where they prove too short it makes
// longer ones at once and goes on or, unless it may (`grows`), ends its steps there. SLV_ERROR_DIVERGED ends it
// before the step that diverged.
static slv_result run_steps(slv_world *world, uint64_t count, bool grows, uint64_t *total) {
    slv_result status = SLV_OK;
    bool ended = false;
    *total = 0;
    while (status == SLV_OK && !ended && *total < count) {
        const uint64_t left = count - *total;
        uint32_t batch = left < 1u << 20 ? (uint32_t)left : 1u << 20;
        uint32_t done = 0;
        status = slv_clips_prepare(world, &batch);
        if (status == SLV_OK) {
            status = run_batch(world, batch, &done);
        }
        *total += done;
        if (status != SLV_OK || done == batch) {
            continue;
        }
        bool too_short = false;
        status = slv_contacts_check_lists(world, &too_short);
        if (status == SLV_OK && !too_short) {
            status = refuse_divergence(world);
        }
        ended = !grows;
        if (status == SLV_OK && grows) {
            status = slv_contacts_grow(world);
        }
    }
    return status == SLV_OK && count > 0 ? slv_contacts_grow(world) : status;
}

slv_result slv_world_step(slv_world *world, uint32_t count) {
    SLV_DEFAULT_FLOAT_MODES;
    uint64_t done = 0;
    const slv_result status = slv_begin(world);
    return status == SLV_OK ? run_steps(world, count, true, &done) : status;
}

static uint64_t most_steps(const slv_world *world) {
    return world->max_advance > 0.0 ? slv_clock_count_steps(world->max_advance, world->time_step)
                                    : UINT64_MAX;
}

slv_result slv_world_advance(slv_world *world, double seconds, slv_advance_report *report) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        status = slv_check_between(&world->error, "seconds", seconds, 0.0, SLV_LONGEST_SECONDS);
    }
    if (status != SLV_OK) {
        return status;
    }
    slv_clock *clock = &world->clock;
    const slv_clock before = *clock;
    uint64_t done = 0;
    slv_clock_add(clock, seconds);
    const uint64_t left = slv_clock_count_left(clock, world->time_step);
    const uint64_t most = most_steps(world);
    status = run_steps(world, left < most ? left : most, false, &done);
    if (status != SLV_OK && clock->steps < before.steps) {
        return status; // a GPU took everything with it, and the clock was set back too
    }
    clock->due = before.due + done;
    if (status != SLV_OK) { // time that was not lived through has not passed
        clock->time[0] = before.time[0];
        clock->time[1] = before.time[1];
    }
    if (report) {
        *report = (slv_advance_report){.steps_done = done,
                                       .steps_left = slv_clock_count_left(clock, world->time_step),
                                       .fraction =
                                           (float)slv_clock_get_fraction(clock, world->time_step)};
    }
    return status;
}

slv_result slv_world_drop_steps(slv_world *world) {
    SLV_DEFAULT_FLOAT_MODES;
    const slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        world->clock.due += slv_clock_count_left(&world->clock, world->time_step);
    }
    return status;
}

uint64_t slv_world_get_step_count(const slv_world *world) {
    return world ? world->clock.steps : 0;
}
