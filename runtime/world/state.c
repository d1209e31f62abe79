// SPDX-License-Identifier: MIT
#include "runtime/model/limits.h"
#include "runtime/model/tears.h"
#include "runtime/step/features/limits.h"
#include "runtime/step/features/sleep.h"
#include "runtime/world/clip.h"
#include "runtime/world/tearing.h"
#include "runtime/world/world.h"

#include "kernels/limits.h"

#include <math.h>
#include <string.h>

#include <xxhash.h>

// The state of a world outside it: reset, snapshots, hash. All in own order, so that none depends on
// the form in which the world is solved.

// --- Reset ------------------------------------------------------------------------------------------

// Where a body's limits and tears lie behind its moves in a snapshot.
static size_t limits_size(const slv_body *body) {
    return body->limits ? (size_t)body->count * SLV_LIMIT_FLOATS * sizeof(float) : 0;
}

static size_t tears_size(const slv_body *body) {
    return body->torn ? body->spring_count : 0;
}

// Which springs are torn becomes what `torn` (one array after another, NULL: none) says. A form can tear but
// not mend, so there will be a new one.
static void mark_tears(slv_world *world, const uint8_t *const *torn) {
    for (uint32_t i = 0; i < world->body_count; i++) {
        slv_body *body = world->bodies[i];
        for (uint32_t s = 0; body->torn && s < body->spring_count; s++) {
            body->torn[s] = torn && torn[i][s];
            body->torn_count = (s == 0 ? 0 : body->torn_count) + body->torn[s];
        }
        slv_body_settle_tearing(body);
        body->tears_behind = false;
        body->torn_shown = UINT32_MAX;
        body->surface.current = false;
        world->stale = world->stale || body->torn;
    }
}

static slv_result mend_tears(slv_world *world, const uint8_t *const *torn) {
    mark_tears(world, torn);
    return world->stale ? slv_world_rebuild_layout(world, world->body_count, &world->parameters)
                        : SLV_OK;
}

static void reset_body(slv_world *world, uint32_t index) {
    slv_body *body = world->bodies[index];
    memcpy(body->fixed, body->start_fixed, body->count * sizeof *body->fixed);
    body->pose = body->start_pose;
    slv_limits_reset(body);
    slv_limits_write(&world->layout, index, body);
    body->move_count = 0;
    body->moves_changed = true;
    memset(body->move_of, 0, body->count * sizeof *body->move_of);
    body->surface.current = false;
    slv_layout_set_response(&world->layout, index, body, world->time_step);
    slv_layout_write(&world->layout, index, 0, body->count, body->start);
    if (slv_layout_sleeps(&world->layout)) {
        slv_sleep_write(&world->layout, index, slv_awake_state());
    }
}

static void rewind_all(slv_world *world) {
    for (uint32_t i = 0; i < world->body_count; i++) {
        reset_body(world, i);
    }
    slv_clips_reset(world);
    slv_colliders_reset(&world->colliders);
    slv_colliders_write(&world->colliders, &world->layout);
    world->behind = 0;
    world->colliders_behind = false;
    world->clock = (slv_clock){0};
}

void slv_world_rewind(slv_world *world) {
    mark_tears(world, NULL);
    rewind_all(world);
}

slv_result slv_world_reset(slv_world *world) {
    slv_result status = slv_begin(world);
    if (status == SLV_OK) {
        status = mend_tears(world, NULL);
    }
    if (status == SLV_OK) {
        rewind_all(world);
    }
    return status;
}

// --- Snapshots --------------------------------------------------------------------------------------

// In the bytes: head; kind and record of each collider; then for each body its head, its sleep where
// anybody may, [count][6] floats, count bytes of `fixed`, its moves, their ways, its limits and which of its
// springs are torn; all packed. Nothing in them is trusted before everything has been looked at.
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
    uint32_t move_count;
    slv_pose pose;
} snapshot_body;

static const char snapshot_magic[8] = "SLVSTATE";
enum { SNAPSHOT_VERSION = 3 };

typedef struct snapshot_collider {
    int32_t kind;
    float record[SLV_COLLIDER_FLOATS];
} snapshot_collider;

static uint64_t checksum_of(const char *bytes, size_t size) {
    const size_t behind = offsetof(snapshot_head, checksum) + sizeof(uint64_t);
    return XXH3_64bits(bytes + behind, size - behind);
}

// Sleep comes right behind the head, where anybody may.
static size_t sleep_size(const slv_world *world, const slv_body *body) {
    return slv_layout_sleeps(&world->layout)
               ? sizeof(slv_sleep_state) + (size_t)body->count * 3 * sizeof(float)
               : 0;
}

static size_t body_size(const slv_world *world, const slv_body *body, uint32_t moves) {
    return sizeof(snapshot_body) + sleep_size(world, body) +
           (size_t)body->count * (6 * sizeof(float) + 1) +
           (size_t)moves * (sizeof(slv_move) + sizeof(slv_move_path)) + limits_size(body) +
           tears_size(body);
}

size_t slv_world_get_snapshot_size(const slv_world *world) {
    if (!world) {
        return 0;
    }
    size_t size = sizeof(snapshot_head) + world->colliders.count * sizeof(snapshot_collider);
    for (uint32_t i = 0; i < world->body_count; i++) {
        size += body_size(world, world->bodies[i], world->bodies[i]->move_count);
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

static char *save_sleep(const slv_world *world, uint32_t index, char *to) {
    if (!slv_layout_sleeps(&world->layout)) {
        return to;
    }
    slv_sleep_state sleep_state = slv_sleep_read(&world->layout, index);
    memcpy(to, &sleep_state, sizeof sleep_state);
    to += sizeof sleep_state;
    for (uint32_t p = 0; p < world->bodies[index]->count; p++) {
        float rest_position[3];
        slv_rest_positions_read(&world->layout, index, p, 1, rest_position);
        memcpy(to, rest_position, sizeof rest_position);
        to += sizeof rest_position;
    }
    return to;
}

static char *save_body(const slv_world *world, uint32_t index, char *to) {
    const slv_body *body = world->bodies[index];
    snapshot_body head = {body->count, body->move_count, body->pose};
    memcpy(to, &head, sizeof head);
    to = save_sleep(world, index, to + sizeof head);
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        slv_layout_read(&world->layout, index, p, 1, values);
        memcpy(to, values, sizeof values);
        to += sizeof values;
    }
    memcpy(to, body->fixed, body->count);
    to += body->count;
    if (body->move_count > 0) {
        memcpy(to, body->moves, body->move_count * sizeof *body->moves);
        to += body->move_count * sizeof *body->moves;
        memcpy(to, body->paths, body->move_count * sizeof *body->paths);
        to += body->move_count * sizeof *body->paths;
    }
    if (body->limits) {
        memcpy(to, body->limits, limits_size(body));
    }
    to += limits_size(body);
    if (body->torn) {
        memcpy(to, body->torn, tears_size(body));
    }
    return to + tears_size(body);
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
        status = slv_tear_fetch(world);
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

static slv_result check_moves(slv_world *world, const slv_body *body, const char *bytes,
                              uint32_t count) {
    for (uint32_t m = 0; m < count; m++) {
        slv_move move;
        slv_move_path way;
        memcpy(&move, bytes + m * sizeof move, sizeof move);
        memcpy(&way, bytes + count * sizeof move + m * sizeof way, sizeof way);
        bool timed = way.begin >= 0.0f && way.begin <= 1.0f && way.length > 0.0f;
        for (int d = 0; d < 3; d++) {
            timed = timed && isfinite(way.from[d]) && isfinite(way.to[d]);
        }
        if (move.particle >= body->count || move.done >= move.total || move.total > 1u << 30 ||
            !timed) {
            return unfit(world, "a particle's way makes no sense");
        }
    }
    return SLV_OK;
}

// Sleep is nothing but floats.
static slv_result check_sleep(slv_world *world, const slv_body *body, const char *bytes) {
    for (size_t n = 0; n < sleep_size(world, body) / sizeof(float); n++) {
        float value = 0.0f;
        memcpy(&value, bytes + n * sizeof value, sizeof value);
        if (!isfinite(value) || (n == 0 && value < 0.0f)) {
            return unfit(world, "a garment's sleep makes no sense");
        }
    }
    return SLV_OK;
}

// Looks at one body and tells where the next begins.
static slv_result check_body(slv_world *world, const slv_body *body, const char **bytes,
                             const char *end) {
    snapshot_body head;
    if ((size_t)(end - *bytes) < sizeof head) {
        return unfit(world, "it is too short");
    }
    memcpy(&head, *bytes, sizeof head);
    if (head.count != body->count || head.move_count > body->count ||
        (size_t)(end - *bytes) < body_size(world, body, head.move_count)) {
        return unfit(world, "a garment has another number of particles");
    }
    slv_result status = check_sleep(world, body, *bytes + sizeof head);
    if (status != SLV_OK) {
        return status;
    }
    const char *moves = *bytes + body_size(world, body, 0) - limits_size(body) - tears_size(body);
    const char *limits =
        *bytes + body_size(world, body, head.move_count) - limits_size(body) - tears_size(body);
    for (size_t n = 0; n < limits_size(body) / sizeof(float); n++) {
        float value = 0.0f;
        memcpy(&value, limits + n * sizeof value, sizeof value);
        if (!isfinite(value)) {
            return unfit(world, "a limit makes no sense");
        }
    }
    *bytes += body_size(world, body, head.move_count);
    return check_moves(world, body, moves, head.move_count);
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
        for (int n = 0; n < SLV_COLLIDER_FLOATS; n++) {
            if (!isfinite(saved.record[n])) {
                return unfit(world, "a collider's way makes no sense");
            }
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
    for (uint32_t i = 0; i < world->body_count; i++) {
        snapshot_body head;
        memcpy(&head, bytes, sizeof head);
        slv_body *body = world->bodies[i];
        if (head.move_count > body->move_count &&
            !slv_body_grow_moves(body, head.move_count - body->move_count)) {
            return false;
        }
        bytes += body_size(world, body, head.move_count);
    }
    return true;
}

// When positions have been restored.
static void restore_sleep(slv_world *world, uint32_t index, const char *from) {
    if (!slv_layout_sleeps(&world->layout)) {
        return;
    }
    slv_sleep_state sleep_state;
    memcpy(&sleep_state, from, sizeof sleep_state);
    from += sizeof sleep_state;
    for (uint32_t p = 0; p < world->bodies[index]->count; p++) {
        float rest_position[3];
        memcpy(rest_position, from, sizeof rest_position);
        slv_rest_positions_write(&world->layout, index, p, 1, rest_position);
        from += sizeof rest_position;
    }
    slv_sleep_write(&world->layout, index, sleep_state);
}

static const char *restore_body(slv_world *world, uint32_t index, const char *from) {
    slv_body *body = world->bodies[index];
    snapshot_body head;
    memcpy(&head, from, sizeof head);
    const char *sleep = from + sizeof head;
    from = sleep + sleep_size(world, body);
    for (uint32_t p = 0; p < body->count; p++) {
        float values[6];
        memcpy(values, from, sizeof values);
        slv_layout_write(&world->layout, index, p, 1, values);
        from += sizeof values;
    }
    restore_sleep(world, index, sleep);
    memcpy(body->fixed, from, body->count);
    from += body->count;
    body->pose = head.pose;
    body->move_count = head.move_count;
    if (head.move_count > 0) {
        memcpy(body->moves, from, head.move_count * sizeof *body->moves);
        from += head.move_count * sizeof *body->moves;
        memcpy(body->paths, from, head.move_count * sizeof *body->paths);
        from += head.move_count * sizeof *body->paths;
    }
    body->moves_changed = true;
    memset(body->move_of, 0, body->count * sizeof *body->move_of);
    slv_body_forget_moves(body); // drops none, but finds where each is
    body->surface.current = false;
    slv_layout_set_response(&world->layout, index, body, world->time_step);
    if (body->limits) {
        memcpy(body->limits, from, limits_size(body));
        slv_limits_write(&world->layout, index, body);
    }
    return from + limits_size(body) + tears_size(body);
}

static slv_result restore_tears(slv_world *world, const char *bytes) {
    slv_memory scratch = {.allocator = world->memory.allocator};
    const uint8_t **torn = slv_memory_take(&scratch, world->body_count, sizeof(const uint8_t *));
    slv_result status = torn ? SLV_OK : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; torn && i < world->body_count; i++) {
        snapshot_body head;
        memcpy(&head, bytes, sizeof head);
        bytes += body_size(world, world->bodies[i], head.move_count);
        torn[i] = (const uint8_t *)bytes - tears_size(world->bodies[i]);
    }
    status = status == SLV_OK ? mend_tears(world, torn) : status;
    slv_memory_release(&scratch);
    return status;
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
    status = restore_tears(world, first);
    if (status != SLV_OK) {
        return status;
    }
    world->clock = head.clock;
    for (uint32_t i = 0; i < world->clip_count; i++) {
        world->clips[i]->play = head.plays[i];
        world->clips[i]->mesh_current = false;
    }
    world->behind = 0;
    restore_colliders(world, colliders);
    for (uint32_t i = 0; i < world->body_count; i++) {
        first = restore_body(world, i, first);
    }
    return SLV_OK;
}

// --- Hash -------------------------------------------------------------------------------------------

slv_result slv_world_get_hash(slv_world *world, uint64_t *hash) {
    enum { CHUNK = 64 };
    slv_result status = slv_begin(world);
    if (status != SLV_OK) {
        return status;
    }
    if (!hash) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "hash is NULL");
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
        if (slv_layout_sleeps(&world->layout)) {
            float rest = slv_sleep_read(&world->layout, i).rest;
            (void)XXH3_64bits_update(&stream, &rest, sizeof rest);
        }
    }
    *hash = XXH3_64bits_digest(&stream);
    return SLV_OK;
}
