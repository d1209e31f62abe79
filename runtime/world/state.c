// SPDX-License-Identifier: MIT
#include "runtime/base/check.h"
#include "runtime/layout/layout_build.h"
#include "runtime/step/features.h"
#include "runtime/world/clip.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/fetch.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/status.h"

#include <string.h>

#include <xxhash.h>

// The state of a world outside it: snapshots, hash. All in own order, so that none depends on
// the layout in which the world is solved.

// --- Snapshots --------------------------------------------------------------------------------------

// In the bytes: head; kind and record of each collider; then for each body its head, [count][6] floats, count
// bytes of `fixed`, and its features (runtime/step/features.h); all packed. Nothing in them is used before all
// of them have been checked.
typedef struct snapshot_head {
    char magic[8];
    uint64_t size;
    uint64_t checksum; // of all bytes after this number
    uint32_t version;
    uint32_t body_count;
    uint32_t collider_count;
    uint32_t zero;
    slv_parameters parameters;
    slv_clock clock;
    uint32_t clip_count;
    slv_clip_play plays[SLV_WORLD_CLIPS];
} snapshot_head;

typedef struct snapshot_body {
    uint32_t count;
    slv_pose pose;
} snapshot_body;

static const char snapshot_magic[8] = "SLVSTATE";
enum { SNAPSHOT_VERSION = 4 };

typedef struct snapshot_collider {
    int32_t kind;
    float record[SLV_COLLIDER_FLOATS];
} snapshot_collider;

static uint64_t checksum_of(const char *bytes, size_t size) {
    const size_t behind = offsetof(snapshot_head, checksum) + sizeof(uint64_t);
    return XXH3_64bits(bytes + behind, size - behind);
}

// Without features.
static size_t body_size(const slv_body *body) {
    return sizeof(snapshot_body) + (size_t)body->count * (6 * sizeof(float) + 1);
}

size_t slv_world_get_snapshot_size(const slv_world *world) {
    if (!world) {
        return 0;
    }
    size_t size = sizeof(snapshot_head) + world->colliders.count * sizeof(snapshot_collider);
    for (uint32_t i = 0; i < world->body_count; i++) {
        size +=
            body_size(world->bodies[i]) + slv_features_get_size(&world->layout, world->bodies[i]);
    }
    return size;
}

static char *save_colliders(const slv_world *world, char *to) {
    for (uint32_t i = 0; i < world->colliders.count; i++, to += sizeof(snapshot_collider)) {
        const slv_collider_entry *entry = &world->colliders.entries[i];
        snapshot_collider saved = {.kind = entry->kind};
        memcpy(saved.record, entry->record, sizeof saved.record);
        memcpy(to, &saved, sizeof saved);
    }
    return to;
}

static char *save_body(const slv_world *world, uint32_t index, char *to) {
    const slv_body *body = world->bodies[index];
    snapshot_body head = {body->count, body->pose};
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        slv_layout_read(&world->layout, index, p, 1, values);
        memcpy(to, values, sizeof values);
        to += sizeof values;
    }
    memcpy(to, body->fixed, body->count);
    return slv_features_save(&world->layout, index, body, to + body->count);
}

slv_result slv_world_save_snapshot(slv_world *world, void *bytes, size_t size) {
    slv_result status = slv_begin(world);
    if (status != SLV_OK) {
        return status;
    }
    if (!bytes || size < slv_world_get_snapshot_size(world)) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "%zu bytes for a snapshot, it needs %zu", size,
                          slv_world_get_snapshot_size(world));
    }
    status = slv_world_fetch_state(world);
    if (status == SLV_OK) {
        status = slv_world_fetch_colliders(world);
    }
    if (status == SLV_OK) {
        status = slv_world_fetch_bodies(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    char *next = save_colliders(world, (char *)bytes + sizeof(snapshot_head));
    for (uint32_t i = 0; i < world->body_count; i++) {
        next = save_body(world, i, next);
    }
    snapshot_head head;
    memset(&head, 0, sizeof head); // padding too: the same state gives the same bytes
    memcpy(head.magic, snapshot_magic, sizeof head.magic);
    head.version = SNAPSHOT_VERSION;
    head.size = slv_world_get_snapshot_size(world);
    head.body_count = world->body_count;
    head.collider_count = world->colliders.count;
    head.parameters = world->parameters;
    head.clock = world->clock;
    head.clip_count = world->clip_count;
    for (uint32_t i = 0; i < world->clip_count; i++) {
        head.plays[i] = world->clips[i]->play;
    }
    memcpy(bytes, &head, sizeof head);
    head.checksum = checksum_of(bytes, head.size);
    memcpy(bytes, &head, sizeof head);
    return SLV_OK;
}

static slv_result unfit(slv_world *world, const char *why) {
    return slv_refuse(world, SLV_ERROR_CONTENT, "the snapshot does not fit this world: %s", why);
}

static slv_result check_head(slv_world *world, const char *bytes, size_t size,
                             snapshot_head *head) {
    if (!bytes || size < sizeof *head) {
        return unfit(world, "it is too short");
    }
    memcpy(head, bytes, sizeof *head); // its truth values are looked at behind the checksum only
    if (memcmp(head->magic, snapshot_magic, sizeof head->magic) != 0 ||
        head->version != SNAPSHOT_VERSION) {
        return unfit(world, "it is not a snapshot of this version");
    }
    if (head->size > size || head->size < sizeof *head ||
        head->checksum != checksum_of(bytes, head->size)) {
        return unfit(world, "its checksum is wrong");
    }
    if (head->body_count != world->body_count) {
        return unfit(world, "it has another number of garments");
    }
    if (head->clip_count != world->clip_count) {
        return unfit(world, "it has another number of clips");
    }
    if (head->collider_count != world->colliders.count) {
        return unfit(world, "it has another number of colliders");
    }
    return slv_check_fields(&world->error, &slv_parameters_table, &head->parameters);
}

// Checks one body and moves *bytes to the next.
static slv_result check_body(slv_world *world, const slv_body *body, const char **bytes,
                             const char *end) {
    snapshot_body head;
    if ((size_t)(end - *bytes) < sizeof head) {
        return unfit(world, "it is too short");
    }
    memcpy(&head, *bytes, sizeof head);
    if (head.count != body->count || (size_t)(end - *bytes) < body_size(body)) {
        return unfit(world, "a garment has another number of particles");
    }
    *bytes += body_size(body);
    const char *wrong = slv_features_check(&world->layout, body, bytes, (size_t)(end - *bytes));
    return wrong ? unfit(world, wrong) : SLV_OK;
}

static slv_result check_bodies(slv_world *world, const char *bytes, const char *end) {
    slv_result status = SLV_OK;
    const char *next = bytes;
    for (uint32_t i = 0; status == SLV_OK && i < world->body_count; i++) {
        status = check_body(world, world->bodies[i], &next, end);
    }
    return status == SLV_OK && next != end ? unfit(world, "it is too long") : status;
}

// A collider keeps its shape: what moves is taken from the snapshot, the rest must be what it is.
static slv_result check_colliders(slv_world *world, const char *bytes) {
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        snapshot_collider saved;
        memcpy(&saved, bytes + i * sizeof saved, sizeof saved);
        const slv_collider_entry *entry = &world->colliders.entries[i];
        bool same = saved.kind == entry->kind;
        for (int n = SLV_COLLIDER_SIZE; n < SLV_COLLIDER_SAMPLES; n++) {
            same = same && saved.record[n] == entry->record[n];
        }
        if (!same) {
            return unfit(world, "a collider has another shape");
        }
        if (!slv_are_finite(saved.record, SLV_COLLIDER_FLOATS)) {
            return unfit(world, "a collider's way makes no sense");
        }
    }
    return SLV_OK;
}

static void restore_colliders(slv_world *world, const char *bytes) {
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        snapshot_collider saved;
        memcpy(&saved, bytes + i * sizeof saved, sizeof saved);
        world->colliders.entries[i].kind = saved.kind;
        memcpy(world->colliders.entries[i].record, saved.record, sizeof saved.record);
    }
    slv_colliders_write(&world->colliders, &world->layout);
    world->colliders_behind = false;
}

static bool make_room(slv_world *world, const char *bytes) {
    bool done = true;
    for (uint32_t i = 0; done && i < world->body_count; i++) {
        bytes += body_size(world->bodies[i]);
        bytes = slv_features_make_room(world->bodies[i], bytes, &done);
    }
    return done;
}

static const char *restore_body(slv_world *world, uint32_t index, const char *from) {
    slv_body *body = world->bodies[index];
    snapshot_body head;
    memcpy(&head, from, sizeof head);
    from += sizeof head;
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        memcpy(values, from, sizeof values);
        slv_layout_write(&world->layout, index, p, 1, values);
        from += sizeof values;
    }
    memcpy(body->fixed, from, body->count);
    body->pose = head.pose;
    body->surface.current = false;
    from = slv_features_restore(&world->layout, index, body, from + body->count);
    slv_layout_set_response(&world->layout, index, body, world->time_step);
    world->stale = world->stale || slv_features_need_rebuild(body);
    return from;
}

slv_result slv_world_restore_snapshot(slv_world *world, const void *bytes, size_t size) {
    snapshot_head head = {.size = 0};
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        status = check_head(world, bytes, size, &head);
    }
    if (status != SLV_OK) {
        return status;
    }
    const char *colliders = (const char *)bytes + sizeof head;
    const char *first = colliders + world->colliders.count * sizeof(snapshot_collider);
    if (head.size < (size_t)(first - (const char *)bytes)) {
        return unfit(world, "it is too short");
    }
    status = check_colliders(world, colliders);
    if (status == SLV_OK) {
        status = check_bodies(world, first, (const char *)bytes + head.size);
    }
    if (status == SLV_OK && !make_room(world, first)) {
        status = slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    if (status == SLV_OK) {
        status = slv_world_rebuild_layout(world, world->body_count, &head.parameters);
    }
    if (status != SLV_OK) {
        return status;
    }
    world->clock = head.clock;
    for (uint32_t i = 0; i < world->clip_count; i++) {
        world->clips[i]->play = head.plays[i];
        world->clips[i]->mesh_current = false;
    }
    world->behind = 0;
    world->bodies_behind = false;
    restore_colliders(world, colliders);
    for (uint32_t i = 0; i < world->body_count; i++) {
        first = restore_body(world, i, first);
    }
    return slv_world_renew_layout(world);
}

// --- Hash -------------------------------------------------------------------------------------------

static void hash_floats(void *stream, const float *values, size_t count) {
    (void)XXH3_64bits_update(stream, values, count * sizeof *values);
}

slv_result slv_world_get_hash(slv_world *world, uint64_t *hash) {
    enum { CHUNK = 64 };
    slv_result status = slv_begin_with(world, hash, "hash");
    if (status != SLV_OK) {
        return status;
    }
    status = slv_world_fetch_state(world);
    if (status != SLV_OK) {
        return status;
    }
    status = slv_world_fetch_colliders(world);
    if (status != SLV_OK) {
        return status;
    }
    XXH3_state_t stream;
    (void)XXH3_64bits_reset(&stream);
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        const float *pose = world->colliders.entries[i].record + SLV_COLLIDER_POSE;
        (void)XXH3_64bits_update(&stream, pose, 8 * sizeof *pose);
    }
    for (uint32_t i = 0; i < world->body_count; i++) {
        uint32_t count = world->bodies[i]->count;
        for (uint32_t p = 0; p < count; p += CHUNK) {
            float values[6 * CHUNK];
            uint32_t some = count - p < CHUNK ? count - p : CHUNK;
            slv_layout_read(&world->layout, i, p, some, values);
            (void)XXH3_64bits_update(&stream, values, some * 6 * sizeof *values);
        }
        slv_features_hash(&world->layout, i, hash_floats, &stream);
    }
    *hash = XXH3_64bits_digest(&stream);
    return SLV_OK;
}
