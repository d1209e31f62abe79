// SPDX-License-Identifier: MIT
#include "runtime/base/check.h"
#include "runtime/step/features.h"
#include "runtime/world/clip_moves.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/snapshot.h"
#include "runtime/world/status.h"

#include <math.h>
#include <string.h>

// Ranges are those of the calls that set a number, or what steps can make of it, with room for rounding.

static const uint64_t most_steps = 1ull << 53; // doubles count steps up to here
static const double longest_move =
    1.000001e9 * 3.6;                  // steps: SLV_LONGEST_SECONDS of the shortest step
static const double most_rest = 1e-15; // of the second double of a time, relative to the first
static const double furthest_collider = 1e15; // metres: there a float's last bit exceeds any step
static const double longest_clip_time = 1.001e9; // seconds, as in slv_clip_def
static const double highest_speed = 1001.0;      // of a clip, as there
static const double rotation_tolerance = 4e-3;   // of a squared length

static slv_result unfit(slv_world *world, const char *why) {
    return slv_refuse(world, SLV_ERROR_CONTENT, "the snapshot does not fit this world: %s", why);
}

static bool is_rotation(const float rotation[4]) {
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        square += (double)rotation[i] * (double)rotation[i];
    }
    return fabs(square - 1.0) < rotation_tolerance;
}

static bool is_pose(const slv_pose *pose) {
    return slv_are_within(pose->position, 3, SLV_RESTORED_LIMIT) && is_rotation(pose->rotation);
}

// --- Time -------------------------------------------------------------------------------------------

static bool is_clock(const slv_world *world, const slv_clock *clock) {
    const double time = clock->time[0];
    const double h = world->time_step;
    if (clock->steps > most_steps || clock->due > most_steps ||
        !(time >= 0.0 && time <= (double)most_steps * h) ||
        !(fabs(clock->time[1]) <= most_rest * time)) {
        return false;
    }
    // Without a limit all steps that are due are done by the next call.
    return world->max_advance > 0.0 ||
           slv_clock_count_left(clock, h) <= slv_clock_count_steps(SLV_LONGEST_SECONDS, h);
}

static bool is_play(const slv_clip *clip, const slv_clip_play *play, uint64_t steps) {
    return fabs(play->base_time) <= longest_clip_time && play->base_step <= steps &&
           fabs(play->speed) <= highest_speed &&
           play->segment_end <= steps + SLV_CLIP_LONGEST_SEGMENT && play->loop_from >= 0.0 &&
           play->loop_from <= clip->frames.info.duration && play->loop <= 1 && play->moved <= 1 &&
           is_pose(&play->from) && is_pose(&play->to) && play->move_step <= steps &&
           play->move_begin >= 0.0 && play->move_begin <= 1.0 && play->move_length >= 0.0 &&
           play->move_length <= longest_move;
}

static slv_result check_time(slv_world *world, const slv_snapshot_head *head) {
    if (!is_clock(world, &head->clock)) {
        return unfit(world, "its clock makes no sense");
    }
    for (uint32_t i = 0; i < world->clip_count; i++) {
        if (!is_play(world->clips[i], &head->plays[i], head->clock.steps)) {
            return unfit(world, "the time or pose of a clip makes no sense");
        }
    }
    return SLV_OK;
}

// --- Colliders --------------------------------------------------------------------------------------

// Whether two records are equal but for their motion.
static bool have_same_shape(const float *one, const float *other) {
    bool same = one[SLV_COLLIDER_FRICTION] == other[SLV_COLLIDER_FRICTION] &&
                one[SLV_COLLIDER_KINETIC_FRICTION] == other[SLV_COLLIDER_KINETIC_FRICTION];
    for (int n = SLV_COLLIDER_SIZE; n < SLV_COLLIDER_FLOATS; n++) {
        same = same && one[n] == other[n];
    }
    return same;
}

static bool is_collider_pose(const float pose[8]) {
    return slv_are_within(pose, 3, furthest_collider) && isfinite(pose[3]) && is_rotation(pose + 4);
}

static bool is_collider_motion(const float *record) {
    const float total = record[SLV_COLLIDER_TOTAL];
    bool sound = total >= 0.0f && (double)total <= longest_move &&
                 slv_are_within(record + SLV_COLLIDER_VELOCITY, 3, SLV_RESTORED_LIMIT) &&
                 is_rotation(record + SLV_COLLIDER_ROTATION_STEP) &&
                 slv_are_within(record + SLV_COLLIDER_FROM, 16, furthest_collider);
    for (int parity = 0; sound && parity < 2; parity++) {
        const float done = record[SLV_COLLIDER_DONE + parity];
        sound = isfinite(done) && is_collider_pose(record + SLV_COLLIDER_POSE + 8 * parity);
        sound = sound && (total == 0.0f || (done >= -1.0f && done <= total));
    }
    return sound && (total == 0.0f || (is_collider_pose(record + SLV_COLLIDER_FROM) &&
                                       is_collider_pose(record + SLV_COLLIDER_TO)));
}

static slv_result check_colliders(slv_world *world, const char *bytes) {
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        slv_snapshot_collider saved;
        memcpy(&saved, bytes + i * sizeof saved, sizeof saved);
        const slv_collider_entry *entry = &world->colliders.entries[i];
        if (saved.kind != entry->kind || !have_same_shape(saved.record, entry->record)) {
            return unfit(world, "a collider has another shape or friction");
        }
        if (!is_collider_motion(saved.record)) {
            return unfit(world, "a collider's motion makes no sense");
        }
    }
    return SLV_OK;
}

// --- Bodies -----------------------------------------------------------------------------------------

// Checks one body and moves *bytes to the next. `marks` are as in slv_features_check.
static slv_result check_body(slv_world *world, const slv_body *body, const char **bytes,
                             const char *end, uint8_t *marks) {
    slv_snapshot_body head;
    if ((size_t)(end - *bytes) < sizeof head) {
        return unfit(world, "it is too short");
    }
    memcpy(&head, *bytes, sizeof head);
    const size_t size = slv_snapshot_get_body_size(body);
    if (head.count != body->count || (size_t)(end - *bytes) < size) {
        return unfit(world, "a garment has another number of particles");
    }
    if (!is_pose(&head.pose)) {
        return unfit(world, "the pose of a garment makes no sense");
    }
    if (!slv_are_within(*bytes + sizeof head, 6 * (size_t)body->count, SLV_RESTORED_LIMIT)) {
        return unfit(world, "the position of a particle makes no sense");
    }
    if (!slv_are_truth_values(*bytes + size - body->count, body->count)) {
        return unfit(world, "whether a particle is fixed is neither 0 nor 1");
    }
    *bytes += size;
    const char *wrong =
        slv_features_check(&world->layout, body, bytes, (size_t)(end - *bytes), marks);
    return wrong ? unfit(world, wrong) : SLV_OK;
}

static slv_result check_bodies(slv_world *world, const char *bytes, const char *end) {
    slv_memory scratch = {.allocator = world->memory.allocator};
    uint32_t most = 0;
    for (uint32_t i = 0; i < world->body_count; i++) {
        most = world->bodies[i]->count > most ? world->bodies[i]->count : most;
    }
    uint8_t *marks = slv_memory_take(&scratch, most, sizeof *marks);
    slv_result status = marks ? SLV_OK : slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; status == SLV_OK && i < world->body_count; i++) {
        status = check_body(world, world->bodies[i], &bytes, end, marks);
    }
    slv_memory_release(&scratch);
    return status == SLV_OK && bytes != end ? unfit(world, "it is too long") : status;
}

// --- All of it --------------------------------------------------------------------------------------

static slv_result check_counts(slv_world *world, const slv_snapshot_head *head) {
    if (head->body_count != world->body_count) {
        return unfit(world, "it has another number of garments");
    }
    if (head->clip_count != world->clip_count) {
        return unfit(world, "it has another number of clips");
    }
    if (head->collider_count != world->colliders.count) {
        return unfit(world, "it has another number of colliders");
    }
    for (int d = 0; d < 3; d++) {
        if (!slv_is_between(head->origin[d], -SLV_POSITION_LIMIT, SLV_POSITION_LIMIT)) {
            return unfit(world, "its origin makes no sense");
        }
    }
    slv_error error;
    return slv_check_fields(&error, &slv_parameters_table, &head->parameters) == SLV_OK
               ? SLV_OK
               : unfit(world, error.text);
}

static slv_result check_head(slv_world *world, const char *bytes, size_t size,
                             slv_snapshot_head *head) {
    if (!bytes || size < sizeof *head) {
        return unfit(world, "it is too short");
    }
    memcpy(head, bytes, sizeof *head); // truth values in it are read after their check
    if (memcmp(head->magic, SLV_SNAPSHOT_MAGIC, sizeof head->magic) != 0 ||
        head->version != SLV_SNAPSHOT_VERSION) {
        return unfit(world, "it is not a snapshot of this version");
    }
    if (head->size > size || head->size < sizeof *head ||
        head->checksum != slv_snapshot_get_checksum(bytes, (size_t)head->size)) {
        return unfit(world, "its checksum is wrong");
    }
    return check_counts(world, head);
}

slv_result slv_snapshot_check(slv_world *world, const char *bytes, size_t size,
                              slv_snapshot_head *head) {
    slv_result status = check_head(world, bytes, size, head);
    const size_t colliders = world->colliders.count * sizeof(slv_snapshot_collider);
    if (status == SLV_OK && head->size - sizeof *head < colliders) {
        status = unfit(world, "it is too short");
    }
    if (status == SLV_OK) {
        status = check_time(world, head);
    }
    if (status == SLV_OK) {
        status = check_colliders(world, bytes + sizeof *head);
    }
    return status == SLV_OK
               ? check_bodies(world, bytes + sizeof *head + colliders, bytes + head->size)
               : status;
}
