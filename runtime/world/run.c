// SPDX-License-Identifier: MIT
#include "runtime/world/run.h"

#include "runtime/step/features.h"
#include "runtime/step/features/contacts.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/engine.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/reset.h"

#include <string.h>

// Copies the state out of the layout, or back into it.
static void copy_state(slv_layout *layout, bool back) {
    const unsigned aspects = slv_features_get_state_aspects();
    float *kept = layout->kept;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        for (int a = 0; a < SLV_ASPECT_COUNT; a++) {
            const slv_extent extent = layout->extents[i].state[a];
            if (extent.count == 0 || !(aspects & 1u << a)) {
                continue;
            }
            float *own = layout->state + extent.first;
            memcpy(back ? own : kept, back ? kept : own, extent.count * sizeof *own);
            kept += extent.count;
        }
    }
}

// Aspects of this layout that steps may change on a device.
static unsigned changed_aspects(const slv_layout *layout) {
    const unsigned aspects = slv_features_get_state_aspects() | slv_features_get_read_aspects();
    unsigned present = 0;
    for (uint32_t i = 0; i <= layout->body_count; i++) {
        for (int a = 0; a < SLV_ASPECT_COUNT; a++) {
            present |= layout->extents[i].state[a].count > 0 ? 1u << a : 0;
        }
    }
    return aspects & present;
}

slv_result slv_world_keep(slv_world *world) {
    copy_state(&world->layout, false);
    slv_result status = slv_engine_fetch(world, changed_aspects(&world->layout));
    if (status != SLV_OK) {
        copy_state(&world->layout, true);
        return status;
    }
    status = slv_world_fetch_bodies(world);
    return status == SLV_OK ? slv_world_fetch_colliders(world) : status;
}

static void note_changes(slv_world *world, uint32_t done) {
    world->bodies_behind = world->bodies_behind || done > 0;
    world->colliders_behind =
        world->colliders_behind || (slv_contacts_get_layout(&world->layout)->colliders && done > 0);
}

static slv_result play(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    slv_result status = slv_engine_upload(world);
    if (status == SLV_OK) {
        status = world->backend->run(world->engine, run, &world->error);
    }
    if (status == SLV_OK) {
        status = world->backend->finish(world->engine, outcome, &world->error);
    }
    if (status != SLV_OK) {
        return status;
    }
    const int parity = world->layout.parity;
    world->layout.parity ^= (int)(outcome->done & 1);
    note_changes(world, outcome->done);
    if (world->backend->download) {
        world->behind = changed_aspects(&world->layout);
        status = world->keep_state ? slv_world_keep(world) : SLV_OK;
        world->layout.parity = status == SLV_OK ? world->layout.parity : parity;
    }
    return status;
}

// What the engine has is worth nothing after it failed: should it run again, it gets all from the layout.
static void distrust(slv_world *world) {
    for (uint32_t i = 0; i <= world->layout.body_count; i++) {
        world->layout.extents[i].written = (1u << SLV_ASPECT_COUNT) - 1;
    }
    for (uint32_t i = 0; i < world->layout.body_count; i++) {
        world->stale = world->stale || slv_features_need_rebuild(world->bodies[i]);
    }
    world->behind = 0;
    world->bodies_behind = false;
    slv_colliders_write(&world->colliders, &world->layout); // as last fetched
    world->colliders_behind = false;
}

// As play, from a layout that is made anew where it must be.
static slv_result play_whole(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    slv_run own = *run;
    slv_result status = slv_world_renew_layout(world);
    if (status != SLV_OK) {
        return status;
    }
    own.launch.parity = world->layout.parity;
    slv_features_begin_run(&world->layout, world->bodies, world->clock.steps, &own);
    return play(world, &own, outcome);
}

// What was not read back went with the device: there is nothing to go on from but the start.
static slv_result start_over(slv_world *world, slv_result status, slv_error *cause) {
    slv_world_rewind(world);
    const bool replaced = slv_engine_replace(world, cause);
    (void)slv_fail(&world->error, cause->code,
                   "%.400s; what it had done is lost with it, and the world is back at its start%s",
                   cause->text, replaced ? ", on the CPU" : "");
    return status;
}

static slv_result run_steps(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    const bool whole = world->keep_state || world->behind == 0; // the host has all of the state
    slv_result status = play_whole(world, run, outcome);
    if (status == SLV_OK || !world->backend->download) {
        return status;
    }
    slv_error cause = world->error;
    *outcome = (slv_outcome){.done = 0};
    distrust(world);
    if (!whole) {
        return start_over(world, status, &cause);
    }
    if (slv_engine_replace(world, &cause)) {
        world->error.text[0] = '\0';
        return play_whole(world, run, outcome);
    }
    world->error = cause;
    return status;
}

slv_result slv_world_run(slv_world *world, const slv_run *run, slv_outcome *outcome) {
    slv_result status = run_steps(world, run, outcome);
    world->clock.steps += outcome->done;
    for (uint32_t i = 0; i < world->body_count; i++) {
        world->bodies[i]->surface.current = false;
        slv_features_end_run(world->bodies[i], outcome->done);
    }
    return status;
}
