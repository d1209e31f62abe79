// SPDX-License-Identifier: MIT
#include "runtime/world/snapshot.h"

#include "runtime/base/float_modes.h"
#include "runtime/layout/layout_build.h"
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"

#include <string.h>

#include <xxhash.h>

uint64_t slv_snapshot_get_checksum(const void *bytes, size_t size) {
    const size_t behind = offsetof(slv_snapshot_head, checksum) + sizeof(uint64_t);
    return XXH3_64bits((const char *)bytes + behind, size - behind);
}

size_t slv_snapshot_get_body_size(const slv_body *body) {
    return sizeof(slv_snapshot_body) +
           (size_t)body->count * (6 * sizeof(float) + 6 * sizeof(int16_t) + 1);
}

// --- Saving -----------------------------------------------------------------------------------------

static size_t get_size(const slv_world *world) {
    size_t size =
        sizeof(slv_snapshot_head) + world->colliders.count * sizeof(slv_snapshot_collider);
    for (uint32_t i = 0; i < world->body_count; i++) {
        size += slv_snapshot_get_body_size(world->bodies[i]) +
                slv_features_get_size(&world->layout, world->bodies[i]);
    }
    return size;
}

size_t slv_world_get_snapshot_size(slv_world *world) {
    return slv_begin(world) == SLV_OK ? get_size(world) : 0;
}

static char *save_colliders(const slv_world *world, char *to) {
    for (uint32_t i = 0; i < world->colliders.count; i++, to += sizeof(slv_snapshot_collider)) {
        const slv_collider_entry *entry = &world->colliders.entries[i];
        slv_snapshot_collider saved = {.kind = entry->kind};
        memcpy(saved.record, entry->record, sizeof saved.record);
        memcpy(to, &saved, sizeof saved);
    }
    return to;
}

static char *save_body(const slv_world *world, uint32_t index, char *to) {
    const slv_body *body = world->bodies[index];
    slv_snapshot_body head = {body->count, body->pose};
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        slv_layout_read(&world->layout, index, p, 1, values);
        memcpy(to, values, sizeof values);
        to += sizeof values;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        int16_t remainders[6];
        slv_layout_read_remainders(&world->layout, index, p, 1, remainders);
        memcpy(to, remainders, sizeof remainders);
        to += sizeof remainders;
    }
    memcpy(to, body->fixed, body->count);
    return slv_features_save(&world->layout, index, body, to + body->count);
}

slv_result slv_world_save_snapshot(slv_world *world, void *bytes, size_t size) {
    slv_result status = slv_begin(world);
    if (status != SLV_OK) {
        return status;
    }
    if (!bytes || size < get_size(world)) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "%zu bytes for a snapshot, it needs %zu", size,
                          get_size(world));
    }
    status = slv_world_fetch_all(world);
    if (status != SLV_OK) {
        return status;
    }
    char *next = save_colliders(world, (char *)bytes + sizeof(slv_snapshot_head));
    for (uint32_t i = 0; i < world->body_count; i++) {
        next = save_body(world, i, next);
    }
    slv_snapshot_head head;
    memset(&head, 0, sizeof head); // padding too: the same state gives the same bytes
    memcpy(head.magic, SLV_SNAPSHOT_MAGIC, sizeof head.magic);
    head.version = SLV_SNAPSHOT_VERSION;
    head.size = get_size(world);
    head.body_count = world->body_count;
    head.collider_count = world->colliders.count;
    head.parameters = world->parameters;
    head.clock = world->clock;
    memcpy(head.origin, world->origin, sizeof head.origin);
    head.clip_count = world->clip_count;
    for (uint32_t i = 0; i < world->clip_count; i++) {
        head.plays[i] = world->clips[i]->play;
    }
    memcpy(bytes, &head, sizeof head);
    head.checksum = slv_snapshot_get_checksum(bytes, head.size);
    memcpy(bytes, &head, sizeof head);
    return SLV_OK;
}

// --- Restoring --------------------------------------------------------------------------------------

// Only its motion: the rest of a collider is that of the world.
static void restore_colliders(slv_world *world, const char *bytes) {
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        slv_snapshot_collider saved;
        memcpy(&saved, bytes + i * sizeof saved, sizeof saved);
        memcpy(world->colliders.entries[i].record, saved.record, sizeof saved.record);
    }
    slv_colliders_write(&world->colliders, &world->layout);
    world->colliders_behind = false;
}

static bool make_room(slv_world *world, const char *bytes) {
    bool done = true;
    for (uint32_t i = 0; done && i < world->body_count; i++) {
        bytes += slv_snapshot_get_body_size(world->bodies[i]);
        bytes = slv_features_make_room(world->bodies[i], bytes, &done);
    }
    return done;
}

// All bodies as they are now, in the form of a snapshot; NULL without memory.
static char *keep_bodies(const slv_world *world, slv_memory *scratch) {
    char *kept = slv_memory_take(scratch, get_size(world), 1);
    char *next = kept;
    for (uint32_t i = 0; kept && i < world->body_count; i++) {
        next = save_body(world, i, next);
    }
    return kept;
}

// Takes over into all bodies what layouts are made from. A layout that cannot follow is stale from then on.
static void take_bodies(slv_world *world, const char *from) {
    for (uint32_t i = 0; i < world->body_count; i++) {
        slv_body *body = world->bodies[i];
        from += slv_snapshot_get_body_size(body);
        memcpy(body->fixed, from - body->count, body->count);
        world->stale = world->stale || slv_features_need_rebuild(body);
        from = slv_features_take(body, from);
        world->stale = world->stale || slv_features_need_rebuild(body);
    }
}

// A layout for the state in the bytes, which is not written yet. On failure the world is as it was.
static slv_result make_layout(slv_world *world, const slv_parameters *parameters,
                              const char *bytes) {
    slv_memory scratch = {.allocator = world->memory.allocator};
    const bool stale = world->stale;
    slv_result status = slv_world_fetch_all(world);
    const char *kept = status == SLV_OK ? keep_bodies(world, &scratch) : NULL;
    if (status == SLV_OK && (!kept || !make_room(world, bytes))) {
        status = slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    } else if (status == SLV_OK) {
        take_bodies(world, bytes);
        status = slv_world_rebuild_layout(world, world->body_count, parameters);
        if (status != SLV_OK) {
            take_bodies(world, kept);
            world->stale = stale;
        }
    }
    slv_memory_release(&scratch);
    return status;
}

static const char *restore_body(slv_world *world, uint32_t index, const char *from) {
    slv_body *body = world->bodies[index];
    slv_snapshot_body head;
    memcpy(&head, from, sizeof head);
    from += sizeof head;
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        memcpy(values, from, sizeof values);
        slv_layout_write(&world->layout, index, p, 1, values);
        from += sizeof values;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        int16_t remainders[6];
        memcpy(remainders, from, sizeof remainders);
        slv_layout_write_remainders(&world->layout, index, p, 1, remainders);
        from += sizeof remainders;
    }
    body->pose = head.pose;
    body->surface.current = false;
    if (!slv_features_need_rebuild(body)) { // else the layout was made with its fixed particles
        slv_layout_set_response(&world->layout, index, body, world->time_step);
    }
    return slv_features_restore(&world->layout, index, body, from + body->count);
}

slv_result slv_world_restore_snapshot(slv_world *world, const void *bytes, size_t size) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_snapshot_head head;
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        status = slv_snapshot_check(world, bytes, size, &head);
    }
    if (status != SLV_OK) {
        return status;
    }
    const char *colliders = (const char *)bytes + sizeof head;
    const char *next = colliders + world->colliders.count * sizeof(slv_snapshot_collider);
    status = make_layout(world, &head.parameters, next);
    if (status != SLV_OK) {
        return status;
    }
    world->clock = head.clock;
    memcpy(world->origin, head.origin, sizeof world->origin);
    for (uint32_t i = 0; i < world->clip_count; i++) {
        world->clips[i]->play = head.plays[i];
        world->clips[i]->mesh_current = false;
    }
    world->behind = 0;
    world->bodies_behind = false;
    restore_colliders(world, colliders);
    for (uint32_t i = 0; i < world->body_count; i++) {
        next = restore_body(world, i, next);
    }
    return SLV_OK;
}
