// SPDX-License-Identifier: MIT
#include "runtime/world/collider.h"

#include "formats/field.h"
#include "runtime/base/float_modes.h"
#include "runtime/world/begin.h"
#include "runtime/world/clock.h"
#include "runtime/world/collider_list.h"
#include "runtime/world/fetch.h"
#include "runtime/world/handles.h"
#include "runtime/world/origin.h"
#include "runtime/world/pack.h"
#include "runtime/world/rebuild.h"
#include "runtime/world/sleeping.h"

#include <math.h>
#include <string.h>

enum { COLLIDER_COOKIE = 0x3C0111D3 };

static const double most_samples = 1 << 27; // of a field: 512 MiB as floats
// Radians a step, for each component alone: all three together are 1.8 sqrt(3) = 3.12, just below half a turn, up to
// which the sense of rotation is certain.
static const double largest_turn = 1.8;
// Fraction of the distance from a shape's surface to its middle: a particle that moves less in a step needs no
// sweep. Beyond the middle, projection would push it out on the far side.
static const float safe_fraction = 0.5f;

slv_collider_def slv_default_collider_def(void) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_collider_def def = {.cookie = COLLIDER_COOKIE};
    slv_fill_defaults(&slv_collider_table, &def);
    return def;
}

// --- Checking ---------------------------------------------------------------------------------------

static slv_result check_spin(slv_error *error, const float spin[3], double time_step) {
    return slv_check_vector(error, "angular_velocity", spin, 3, largest_turn / time_step);
}

static slv_result check_def(slv_error *error, const slv_collider_def *def, double time_step) {
    if (!def || def->cookie != COLLIDER_COOKIE) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "def: a definition must come from slv_default_collider_def");
    }
    slv_result status = slv_check_fields(error, &slv_collider_table, def);
    if (status == SLV_OK) {
        const slv_parameter *row = slv_find_field(&slv_collider_table, "high");
        status = slv_check_between(error, "high", (double)def->high, (double)def->low, row->max);
    }
    if (status == SLV_OK) {
        status = check_spin(error, def->angular_velocity, time_step);
    }
    if (status == SLV_OK && def->kind == SLV_COLLIDER_FIELD &&
        (def->pack_path != NULL) == (def->pack_bytes != NULL)) {
        (void)slv_fail(error, SLV_ERROR_ARGUMENT,
                       "pack_path, pack_bytes: a field needs exactly one of them");
        status = SLV_ERROR_ARGUMENT;
    }
    return status;
}

// --- Records ----------------------------------------------------------------------------------------

// sin(x)/x and cos(x) by their series, to a double's last bits for |x| <= 2.
static void find_sine(double x, double *ratio, double *cosine) {
    double term_s = 1.0;
    double term_c = 1.0;
    *ratio = 1.0;
    *cosine = 1.0;
    for (int n = 1; n < 15 && x > 0.0; n++) { // of 0 all terms are 0
        term_c *= -x * x / ((2 * n - 1) * (2.0 * n));
        term_s *= -x * x / ((2 * n) * (2.0 * n + 1));
        *cosine += term_c;
        *ratio += term_s;
    }
}

static void set_motion(float *record, const float velocity[3], const float spin[3],
                       double time_step) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        record[SLV_COLLIDER_VELOCITY + d] = (float)((double)velocity[d] * time_step);
        square += (double)spin[d] * (double)spin[d];
    }
    double half = 0.5 * sqrt(square) * time_step;
    double ratio = 1.0;
    double cosine = 1.0;
    find_sine(half, &ratio, &cosine);
    for (int d = 0; d < 3; d++) {
        record[SLV_COLLIDER_ROTATION_STEP + d] = (float)(0.5 * time_step * ratio * (double)spin[d]);
    }
    record[SLV_COLLIDER_ROTATION_STEP + 3] = (float)cosine;
    record[SLV_COLLIDER_TOTAL] = 0.0f;
}

// Both by parity, so that either is the present one.
static void set_pose(float *record, const float position[3], const float rotation[4]) {
    for (int parity = 0; parity < 2; parity++) {
        float *pose = record + SLV_COLLIDER_POSE + 8 * parity;
        memcpy(pose, position, 3 * sizeof *pose);
        pose[3] = 0.0f;
        memcpy(pose + 4, rotation, 4 * sizeof *pose);
        slv_normalize_rotation(pose + 4);
    }
}

// The shape's numbers, a box around it, and how far something may move a step without being swept: half
// of the distance to the middle.
static void set_shape(float *record, const slv_collider_def *def) {
    float *size = record + SLV_COLLIDER_SIZE;
    float *extent = record + SLV_COLLIDER_EXTENT;
    float safe = SLV_FAR;
    switch (def->kind) {
    case SLV_COLLIDER_PLANE:
    case SLV_COLLIDER_FIELD:
        break;
    case SLV_COLLIDER_SPHERE:
    case SLV_COLLIDER_CAPSULE:
        size[0] = def->radius;
        size[1] = def->kind == SLV_COLLIDER_CAPSULE ? 0.5f * def->length : 0.0f;
        extent[0] = extent[2] = def->radius;
        extent[1] = def->radius + size[1];
        safe = safe_fraction * def->radius;
        break;
    case SLV_COLLIDER_BOX:
        for (int d = 0; d < 3; d++) {
            size[d] = extent[d] = 0.5f * def->size[d];
            safe = fminf(safe, safe_fraction * size[d]);
        }
        break;
    case SLV_COLLIDER_WEDGE:
        size[0] = extent[0] = 0.5f * def->size[0];
        size[1] = def->size[1];
        extent[1] = 0.5f * def->size[1];
        record[SLV_COLLIDER_CENTER + 1] = extent[1];
        size[2] = extent[2] = 0.5f * def->size[2];
        safe = 0.0f; // its edge is as thin as can be
        break;
    case SLV_COLLIDER_FUNNEL:
        size[0] = def->steepness;
        size[1] = def->low;
        size[2] = def->high;
        size[3] = def->wall;
        extent[0] = extent[2] = slv_exponential(def->high / def->steepness) + def->wall;
        extent[1] = 0.5f * (def->high - def->low);
        record[SLV_COLLIDER_CENTER + 1] = 0.5f * (def->high + def->low);
        safe = safe_fraction * def->wall;
        break;
    }
    record[SLV_COLLIDER_SAFE_STEP] = safe;
    record[SLV_COLLIDER_FRICTION] = def->friction;
    record[SLV_COLLIDER_KINETIC_FRICTION] =
        def->kinetic_friction < 0.0f ? def->friction : def->kinetic_friction;
    record[SLV_COLLIDER_RESTITUTION] = def->restitution;
}

// --- Fields -----------------------------------------------------------------------------------------

static void set_field(float *record, const slv_field_info *info) {
    float *field = record + SLV_COLLIDER_SAMPLES;
    for (int d = 0; d < 3; d++) {
        float half = 0.5f * (float)((info->cells[d] - 1) * info->spacing);
        field[d] = (float)info->origin[d];
        field[4 + d] = (float)info->cells[d];
        record[SLV_COLLIDER_EXTENT + d] = half;
        record[SLV_COLLIDER_CENTER + d] = field[d] + half;
    }
    field[3] = (float)info->spacing;
    record[SLV_COLLIDER_SAFE_STEP] = 0.5f * field[3];
}

// Room for count samples more, in whole lanes. It doubles, so that many fields are not copied for each one that is added.
static bool grow_samples(slv_collider_list *list, size_t count) {
    if (count <= list->sample_room - list->sample_count) {
        return true;
    }
    const size_t least = list->sample_count + count;
    const size_t room = least > 2 * list->sample_room ? least : 2 * list->sample_room;
    float *samples = slv_memory_grow(&list->field_memory, list->samples, list->sample_count, room,
                                     sizeof *samples);
    list->samples = samples ? samples : list->samples;
    list->sample_room = samples ? room : list->sample_room;
    return samples != NULL;
}

// Samples of a field take whole lanes.
static size_t padded_count(size_t samples) {
    return (samples + 15) / 16 * 16;
}

// Gives the memory of fields that are gone back. Without memory for a shorter list the longer one stays.
static void shrink_samples(slv_collider_list *list) {
    slv_memory memory = {.allocator = list->field_memory.allocator};
    size_t total = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        total += padded_count(list->entries[i].sample_count);
    }
    float *samples = total > 0 ? slv_memory_take(&memory, total, sizeof *samples) : NULL;
    if (total > 0 && !samples) {
        return;
    }
    list->sample_count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        slv_collider_entry *entry = &list->entries[i];
        if (samples && entry->sample_count > 0) {
            memcpy(samples + list->sample_count, list->samples + entry->first_sample,
                   entry->sample_count * sizeof *samples);
        }
        entry->first_sample = entry->sample_count > 0 ? list->sample_count : 0;
        list->sample_count += padded_count(entry->sample_count);
    }
    slv_memory_release(&list->field_memory);
    list->field_memory = memory;
    list->samples = samples;
    list->sample_room = total;
}

static slv_result take_field(slv_world *world, const slv_pack *pack, slv_collider_entry *entry) {
    slv_collider_list *list = &world->colliders;
    slv_field_info info;
    const uint8_t *coded = NULL;
    if (slv_field_open(pack, &info, &coded, &world->error) != SLV_OK) {
        return SLV_ERROR_CONTENT;
    }
    double samples = (double)info.cells[0] * info.cells[1] * info.cells[2];
    if (info.cells[0] < 2 || info.cells[1] < 2 || info.cells[2] < 2 || samples > most_samples) {
        return slv_refuse(
            world, SLV_ERROR_CONTENT,
            "section SDFG: %u x %u x %u samples, a collider needs from 2 x 2 x 2 to %g",
            info.cells[0], info.cells[1], info.cells[2], most_samples);
    }
    size_t count = padded_count((size_t)samples);
    if (!grow_samples(list, count)) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_field_decode(&info, coded, list->samples + list->sample_count);
    entry->first_sample = list->sample_count;
    entry->sample_count = (size_t)samples;
    list->sample_count += count;
    set_field(entry->record, &info);
    return SLV_OK;
}

static slv_result load_field(slv_world *world, const slv_collider_def *def,
                             slv_collider_entry *entry) {
    const slv_pack_source source = {def->pack_path, def->pack_bytes, def->pack_size, false};
    slv_world_pack pack;
    slv_result status = slv_world_open_pack(world, &source, &pack);
    if (status == SLV_OK) {
        status = take_field(world, pack.pack, entry);
    }
    slv_world_close_pack(world, &pack);
    entry->pack_size = pack.file_size;
    return status;
}

// --- Adding and removing ----------------------------------------------------------------------------

static bool grow_entries(slv_collider_list *list) {
    uint32_t room = list->room > 0 ? 2 * list->room : SLV_LANES;
    slv_collider_entry *entries =
        slv_memory_grow(&list->memory, list->entries, list->count, room, sizeof *entries);
    if (!entries) {
        return false;
    }
    list->entries = entries;
    list->room = room;
    return true;
}

static slv_collider_entry *free_entry(slv_collider_list *list) {
    for (uint32_t i = 0; list->gap_count > 0 && i < list->count; i++) {
        if (list->entries[i].kind == SLV_SHAPE_NONE) {
            return &list->entries[i];
        }
    }
    if (list->count == list->room && !grow_entries(list)) {
        return NULL;
    }
    return &list->entries[list->count];
}

slv_result slv_world_add_collider(slv_world *world, const slv_collider_def *def,
                                  slv_collider_id *id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin_objects(world);
    if (status == SLV_OK) {
        status = check_def(&world->error, def, world->time_step);
    }
    if (status == SLV_OK) {
        status = slv_origin_check(world, def->position, 2.0 * SLV_POSITION_LIMIT);
    }
    if (status == SLV_OK) {
        status = slv_world_fetch_colliders(world);
    }
    if (status != SLV_OK) {
        return status;
    }
    slv_collider_list *list = &world->colliders;
    slv_collider_entry *entry = slv_handles_grow(&list->handles) ? free_entry(list) : NULL;
    if (!entry) {
        return slv_refuse(world, SLV_ERROR_MEMORY, "out of memory");
    }
    const slv_collider_entry before = *entry;
    const uint32_t index = (uint32_t)(entry - list->entries);
    const uint32_t count = list->count;
    const size_t samples = list->sample_count;
    *entry = (slv_collider_entry){.kind = (int)def->kind, .shape = (int)def->kind};
    set_shape(entry->record, def);
    set_motion(entry->record, def->velocity, def->angular_velocity, world->time_step);
    float position[3];
    slv_origin_make_local(world, def->position, position);
    set_pose(entry->record, position, def->rotation);
    slv_origin_slide_plane(entry);
    if (def->kind == SLV_COLLIDER_FIELD) {
        status = load_field(world, def, entry);
    }
    memcpy(entry->start, entry->record, sizeof entry->start);
    memcpy(entry->start_origin, world->origin, sizeof entry->start_origin);
    list->count = index == count ? count + 1 : count;
    if (status == SLV_OK) {
        status = slv_sleep_wake_all(world);
    }
    if (status != SLV_OK) {
        slv_memory_limit_remove_pack(&world->memory_limit, list->entries[index].pack_size);
        list->entries[index] = before;
        list->count = count;
        list->sample_count = samples;
        if (def->kind == SLV_COLLIDER_FIELD) {
            shrink_samples(list);
        }
        return status;
    }
    world->incomplete = true;
    list->gap_count -= index < count ? 1 : 0;
    const slv_handle handle = slv_handles_add(&list->handles, index);
    list->entries[index].slot = handle.slot;
    if (id) {
        *id = (slv_collider_id){handle.slot, handle.generation};
    }
    return SLV_OK;
}

slv_collider_entry *slv_find_collider(slv_world *world, slv_collider_id id, slv_result *status) {
    *status = slv_begin(world);
    if (*status == SLV_OK) {
        *status = slv_world_fetch_colliders(world);
    }
    if (*status != SLV_OK) {
        return NULL;
    }
    const slv_collider_list *list = &world->colliders;
    const uint32_t index =
        slv_find_index(world, &list->handles, (slv_handle){id.slot, id.generation}, "collider");
    *status = index == SLV_NO_INDEX ? SLV_ERROR_ARGUMENT : SLV_OK;
    return index == SLV_NO_INDEX ? NULL : &list->entries[index];
}

bool slv_collider_is_valid(const slv_world *world, slv_collider_id id) {
    return world && slv_handles_find(&world->colliders.handles,
                                     (slv_handle){id.slot, id.generation}) != SLV_NO_INDEX;
}

uint32_t slv_world_get_collider_count(const slv_world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; world && i < world->colliders.count; i++) {
        count += world->colliders.entries[i].kind != SLV_SHAPE_NONE;
    }
    return count;
}

slv_collider_id slv_world_get_collider(const slv_world *world, uint32_t index) {
    for (uint32_t i = 0; world && i < world->colliders.count; i++) {
        const slv_collider_entry *entry = &world->colliders.entries[i];
        if (entry->kind != SLV_SHAPE_NONE && index-- == 0) {
            const slv_handle handle = slv_handles_get(&world->colliders.handles, entry->slot);
            return (slv_collider_id){handle.slot, handle.generation};
        }
    }
    return (slv_collider_id){0};
}

slv_result slv_world_remove_collider(slv_world *world, slv_collider_id id) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_collider_entry *entry = slv_find_collider(world, id, &status);
    if (!entry) {
        return status;
    }
    entry->kind = SLV_SHAPE_NONE;
    world->colliders.gap_count++;
    slv_handles_remove(&world->colliders.handles, entry->slot);
    const bool field = entry->sample_count > 0;
    if (field) {
        entry->sample_count = 0;
        slv_memory_limit_remove_pack(&world->memory_limit, entry->pack_size);
        entry->pack_size = 0;
        shrink_samples(&world->colliders);
    }
    slv_colliders_write(&world->colliders, &world->layout);
    // A layout without room for the removed field. Where there is no memory for it the present one goes on.
    if (field && slv_world_rebuild_layout(world, world->body_count, &world->parameters) != SLV_OK) {
        slv_clear_message(world);
    }
    return slv_sleep_wake_all(world);
}

// --- Moving -----------------------------------------------------------------------------------------

// Where a collider is `fraction` of a step past the last one: on its path, or at rest.
static void find_present(const float *record, double fraction, float pose[8]) {
    const float total = record[SLV_COLLIDER_TOTAL];
    const float done = fminf(record[SLV_COLLIDER_DONE] + (float)fraction, total);
    memcpy(pose, record + SLV_COLLIDER_POSE, 8 * sizeof *pose);
    if (total > 0.0f && fraction > 0.0 && done > 0.0f) {
        slv_interpolate_pose(record, 0, done, total, pose);
    }
}

// A path to a pose that begins `begin` steps past the last one and takes `length` of them.
static slv_result move_collider(slv_world *world, slv_collider_entry *entry,
                                const double position[3], const float rotation[4], double begin,
                                double length) {
    slv_pose pose;
    slv_result status =
        slv_origin_take_pose(world, position, rotation, 2.0 * SLV_POSITION_LIMIT, &pose);
    if (status != SLV_OK) {
        return status;
    }
    float *record = entry->record;
    const float rest[3] = {0.0f, 0.0f, 0.0f};
    float present[8];
    find_present(record, begin, present);
    set_motion(record, rest, rest, world->time_step);
    memcpy(record + SLV_COLLIDER_FROM, present, sizeof present);
    memcpy(record + SLV_COLLIDER_TO, pose.position, 3 * sizeof *record);
    memcpy(record + SLV_COLLIDER_TO + 4, pose.rotation, 4 * sizeof *record);
    slv_normalize_rotation(record + SLV_COLLIDER_TO + 4);
    record[SLV_COLLIDER_DONE] = record[SLV_COLLIDER_DONE + 1] = (float)-begin;
    record[SLV_COLLIDER_TOTAL] = (float)length;
    slv_colliders_write_one(&world->colliders, entry, &world->layout);
    return SLV_OK;
}

slv_result slv_collider_move(slv_world *world, slv_collider_id id, const double position[3],
                             const float rotation[4], uint32_t steps) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_collider_entry *entry = slv_find_collider(world, id, &status);
    if (entry) {
        status = slv_check_between(&world->error, "steps", steps, 1, 1 << 24);
    }
    return entry && status == SLV_OK
               ? move_collider(world, entry, position, rotation, 0.0, (double)steps)
               : status;
}

slv_result slv_collider_lead(slv_world *world, slv_collider_id id, const double position[3],
                             const float rotation[4], double seconds) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_collider_entry *entry = slv_find_collider(world, id, &status);
    if (entry) {
        status = slv_check_lead(&world->error, seconds);
    }
    return entry && status == SLV_OK
               ? move_collider(world, entry, position, rotation,
                               slv_clock_get_fraction(&world->clock, world->time_step),
                               seconds / world->time_step)
               : status;
}

slv_result slv_collider_set_velocity(slv_world *world, slv_collider_id id, const float velocity[3],
                                     const float angular_velocity[3]) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    slv_collider_entry *entry = slv_find_collider(world, id, &status);
    if (!entry) {
        return status;
    }
    if (!velocity || !angular_velocity) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "velocity or angular_velocity is NULL");
    }
    const slv_parameter *row = slv_find_field(&slv_collider_table, "velocity");
    status = slv_check_vector(&world->error, "velocity", velocity, 3, row->max);
    if (status == SLV_OK) {
        status = check_spin(&world->error, angular_velocity, world->time_step);
    }
    if (status == SLV_OK) {
        set_motion(entry->record, velocity, angular_velocity, world->time_step);
        slv_colliders_write_one(&world->colliders, entry, &world->layout);
    }
    return status;
}

slv_result slv_collider_get_pose(slv_world *world, slv_collider_id id, double position[3],
                                 float rotation[4]) {
    slv_result status = SLV_OK;
    const slv_collider_entry *entry = slv_find_collider(world, id, &status);
    if (!entry) {
        return status;
    }
    const float *pose = entry->record + SLV_COLLIDER_POSE;
    if (position) {
        slv_origin_make_global(world, pose, position);
    }
    if (rotation) {
        memcpy(rotation, pose + 4, 4 * sizeof *pose);
    }
    return SLV_OK;
}
