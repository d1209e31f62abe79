// SPDX-License-Identifier: MIT
#include "runtime/step/features/sleep.h"

#include "kernels/sleep.h"
#include "runtime/base/check.h"
#include "runtime/base/shift.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/features/locks.h"
#include "runtime/step/neighbor_search.h"

#include <math.h>
#include <string.h>

static const float never = SLV_FAR;    // steps
static const double usual_delay = 0.5; // seconds, of bodies that only moves change

// Of a body.
typedef struct sleep_data {
    float speed; // m/s below which it falls asleep in the end; 0 = never
    float delay; // s
} sleep_data;

// What the future of a body's sleep depends on, beside its rest positions.
typedef struct sleep_state {
    float rest;   // steps
    float box[6]; // metres
} sleep_state;

extern const slv_feature slv_feature_sleep;

static sleep_data *get_data(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_sleep, body);
}

static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    (void)garment;
    (void)scratch;
    (void)error;
    *get_data(body) = (sleep_data){.speed = def->sleep_speed, .delay = def->sleep_delay};
    return SLV_OK;
}

// --- Layout -----------------------------------------------------------------------------------------

bool slv_sleep_exists(const slv_layout *layout) {
    return layout->bodies && layout->bodies[slv_layout_common_body(layout)].sleep_states > 0;
}

static void reserve_body(slv_body_layout *body_layout, slv_body_extents *extents,
                         slv_layout_cursor *cursor) {
    size_t floats = slv_count_vector_floats(body_layout);
    body_layout->rest_positions = slv_reserve_state(cursor, floats);
    body_layout->rest_boxes = slv_reserve_state(cursor, 6 * (size_t)body_layout->tiles);
    extents->state[SLV_ASPECT_sleep] = (slv_extent){(size_t)body_layout->asleep, SLV_SLEEP_FLOATS};
    extents->state[SLV_ASPECT_rest_positions] =
        (slv_extent){(size_t)body_layout->rest_positions, floats};
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    const size_t count = layout->body_count;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any = any || get_data(bodies[i])->speed > 0.0f;
    }
    if (!any) {
        return;
    }
    const int sleep_states = slv_reserve_state(cursor, (count + 1) * SLV_SLEEP_FLOATS);
    const int touch_marks = slv_reserve_table(cursor, count * SLV_TOUCH_MARKS);
    for (size_t i = 0; i < count + 2; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->sleep_states = sleep_states;
        body_layout->sleep_state_count = (int)count;
        body_layout->touch_marks = touch_marks;
        body_layout->asleep = sleep_states + (int)i * SLV_SLEEP_FLOATS;
    }
    layout->bodies[slv_layout_common_body(layout)].asleep = SLV_ZERO;
    layout->bodies[slv_layout_search_body(layout)].asleep =
        sleep_states + (int)count * SLV_SLEEP_FLOATS;
    for (size_t i = 0; i < count; i++) {
        reserve_body(&layout->bodies[i], &layout->extents[i], cursor);
    }
}

// --- Filling ----------------------------------------------------------------------------------------

static bool never_moves(const slv_body *body) {
    for (uint32_t p = 0; p < body->count; p++) {
        if (body->mass[p] > 0.0f) {
            return false;
        }
    }
    return true;
}

// A body that may not sleep never has enough steps at rest. A body without masses sleeps while no move changes
// it, so that garments that lie on it can sleep.
static void fill_sleeper(const slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step) {
    const sleep_data *data = get_data(body);
    const slv_body_layout *body_layout = &layout->bodies[index];
    float *own = layout->state + body_layout->asleep;
    const slv_body_reach reach = slv_neighbor_search_get_reach(layout, body);
    const bool led = never_moves(body);
    const bool sleeps = led || data->speed > 0.0f;
    const double delay = led ? usual_delay : (double)data->delay;
    const double limit = led ? 0.0 : (double)data->speed * delay;
    const double steps = fmax(ceil(delay / time_step), 2.0);
    own[SLV_SLEEP_STEPS_NEEDED] = sleeps ? (float)steps : never;
    own[SLV_SLEEP_WAKE_BELOW] = (float)floor(0.5 * steps);
    own[SLV_SLEEP_LIMIT_SQUARE] = (float)(limit * limit);
    own[SLV_SLEEP_MARGIN] = body_layout->collides ? body_layout->reach : -1.0f;
    own[SLV_SLEEP_REACH] = reach.others;
    own[SLV_SLEEP_HAS_POINTS] = reach.any < 0.0f ? 0.0f : 1.0f;
    own[SLV_SLEEP_SURFACE] = -1.0f;
    if (slv_contacts_include_surfaces(body) && slv_contacts_get_material(body)->with_garments) {
        own[SLV_SLEEP_SURFACE] = slv_contacts_get_material(body)->thickness;
    }
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)scratch;
    for (uint32_t i = 0; slv_sleep_exists(layout) && i < layout->body_count; i++) {
        fill_sleeper(layout, i, bodies[i], settings->time_step);
        slv_sleep_wake_body(layout, i);
    }
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

// Row n is body n.
static void launch_all(slv_plan_writer *writer, slv_kernel_id kernel) {
    slv_plan_launch_rows(writer, kernel, slv_layout_common_body(writer->layout), 0, 0,
                         (int)writer->layout->body_count);
    slv_plan_barrier(writer);
}

// All slots of all bodies.
static void launch_slots(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        const bool grid = slv_body_is_grid(body_layout);
        slv_plan_launch_rows(writer, grid ? split : joined, i, 0, 0,
                             grid ? body_layout->rows * body_layout->layers
                                  : body_layout->slots / SLV_BLOCK);
    }
    slv_plan_barrier(writer);
}

// Clearing is a launch of its own: until it ends, other bodies read which ones slept in the step before.
static void begin(slv_plan_writer *writer) {
    if (slv_sleep_exists(writer->layout)) {
        launch_all(writer, SLV_ID_sleep_clear);
        slv_locks_launch_touch(writer);
        launch_all(writer, SLV_ID_sleep_begin_step);
        launch_all(writer, SLV_ID_sleep_set_presence);
    }
}

static void update_points(slv_plan_writer *writer) {
    if (slv_sleep_exists(writer->layout)) {
        slv_neighbor_search_launch_blocks(writer, SLV_ID_sleep_update_points);
    }
}

static void wake_touched(slv_plan_writer *writer) {
    const slv_layout *layout = writer->layout;
    if (!slv_sleep_exists(layout) || !slv_contacts_get_layout(layout)->pairs) {
        return;
    }
    slv_neighbor_search_launch_blocks(writer, SLV_ID_sleep_mark_touching);
    launch_all(writer, SLV_ID_sleep_wake_touched);
    launch_slots(writer, SLV_ID_sleep_integrate_split, SLV_ID_sleep_integrate_joined);
    update_points(writer);
    slv_neighbor_search_launch_woken(writer);
    slv_features_launch(writer, SLV_POINT_WOKEN);
}

static void end(slv_plan_writer *writer) {
    const slv_layout *layout = writer->layout;
    if (!slv_sleep_exists(layout)) {
        return;
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_sleep_measure, i, 0, 0, layout->bodies[i].tiles);
    }
    slv_plan_barrier(writer);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const int groups =
            (layout->bodies[i].tiles + SLV_SLEEP_BOX_GROUP - 1) / SLV_SLEEP_BOX_GROUP;
        slv_plan_launch_rows(writer, SLV_ID_sleep_merge_boxes, i, 0, 0, groups);
    }
    slv_plan_barrier(writer);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_sleep_count, i, 0, 0, 1);
    }
    slv_plan_barrier(writer);
    launch_slots(writer, SLV_ID_sleep_stop_split, SLV_ID_sleep_stop_joined);
}

// --- What lies in it --------------------------------------------------------------------------------

static sleep_state read_state(const slv_layout *layout, uint32_t index) {
    const float *own = layout->state + layout->bodies[index].asleep;
    sleep_state read = {.rest = own[SLV_SLEEP_STEPS + layout->parity]};
    memcpy(read.box, own + SLV_SLEEP_BOX, sizeof read.box);
    return read;
}

static void read_rest_position(const slv_layout *layout, uint32_t index, uint32_t particle,
                               float position[3]) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const float *first = layout->state + body_layout->rest_positions +
                         (size_t)layout->slots[index][particle] * (size_t)body_layout->stride;
    for (size_t d = 0; d < 3; d++) {
        position[d] = first[d * (size_t)body_layout->component];
    }
}

static void write_rest_position(slv_layout *layout, uint32_t index, uint32_t particle,
                                const float position[3]) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    float *first = layout->state + body_layout->rest_positions +
                   (size_t)layout->slots[index][particle] * (size_t)body_layout->stride;
    for (size_t d = 0; d < 3; d++) {
        first[d * (size_t)body_layout->component] = position[d];
    }
    layout->extents[index].written |= 1u << SLV_ASPECT_rest_positions;
}

// A body that sleeps has the same present, previous and predicted positions, without remainders.
static void stop(slv_layout *layout, uint32_t index) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const size_t size = slv_count_vector_floats(body_layout) * sizeof(float);
    memset(layout->state + body_layout->predicted, 0, size);
    for (int parity = 0; parity < 2; parity++) {
        memcpy(layout->state + body_layout->prev[parity], layout->state + body_layout->q, size);
    }
    slv_layout_stop(layout, index);
    layout->extents[index].written |= 1u << SLV_ASPECT_PREDICTED;
}

// Positions must have been written before.
static void write_state(slv_layout *layout, uint32_t index, sleep_state next) {
    float *own = layout->state + layout->bodies[index].asleep;
    own[SLV_SLEEP_ASLEEP] = 0.0f;
    own[SLV_SLEEP_STEPS] = own[SLV_SLEEP_STEPS + 1] = next.rest;
    memcpy(own + SLV_SLEEP_BOX, next.box, sizeof next.box);
    layout->extents[index].written |= 1u << SLV_ASPECT_sleep;
    if (next.rest >= own[SLV_SLEEP_STEPS_NEEDED]) {
        stop(layout, index);
    }
}

bool slv_sleep_is_asleep(const slv_layout *layout, uint32_t index) {
    const float *own = layout->state + layout->bodies[index].asleep;
    return slv_sleep_exists(layout) &&
           own[SLV_SLEEP_STEPS + layout->parity] >= own[SLV_SLEEP_STEPS_NEEDED];
}

void slv_sleep_wake_body(slv_layout *layout, uint32_t index) {
    const sleep_state awake = {.box = {-SLV_FAR, -SLV_FAR, -SLV_FAR, SLV_FAR, SLV_FAR, SLV_FAR}};
    if (slv_sleep_exists(layout)) {
        write_state(layout, index, awake);
    }
}

// --- State ------------------------------------------------------------------------------------------

static void carry(const slv_layout *from, uint32_t old, slv_layout *to, uint32_t index,
                  const slv_body *body) {
    if (!slv_sleep_exists(from) || !slv_sleep_exists(to)) {
        return;
    }
    write_state(to, index, read_state(from, old));
    for (uint32_t p = 0; p < body->count; p++) {
        float position[3];
        read_rest_position(from, old, p, position);
        write_rest_position(to, index, p, position);
    }
}

static void reset(slv_layout *layout, uint32_t index, slv_body *body) {
    (void)body;
    slv_sleep_wake_body(layout, index);
}

static void shift_positions(slv_layout *layout, uint32_t index, slv_body *body,
                            const double shift[3]) {
    if (!slv_sleep_exists(layout)) {
        return;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        float position[3];
        read_rest_position(layout, index, p, position);
        slv_shift_point(position, shift);
        write_rest_position(layout, index, p, position);
    }
    sleep_state moved = read_state(layout, index);
    if (moved.box[3] < SLV_FAR) { // it has a box
        slv_shift_point(moved.box, shift);
        slv_shift_point(moved.box + 3, shift);
    }
    write_state(layout, index, moved);
}

static size_t get_size(const slv_layout *layout, const slv_body *body) {
    return slv_sleep_exists(layout) ? sizeof(sleep_state) + (size_t)body->count * 3 * sizeof(float)
                                    : 0;
}

static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    const sleep_state saved = read_state(layout, index);
    memcpy(to, &saved, sizeof saved);
    to += sizeof saved;
    for (uint32_t p = 0; p < body->count; p++) {
        float position[3];
        read_rest_position(layout, index, p, position);
        memcpy(to, position, sizeof position);
        to += sizeof position;
    }
}

// All bytes are floats; the first is a number of steps.
static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, slv_marks marks) {
    (void)marks;
    if (size != get_size(layout, body)) {
        return "a garment sleeps otherwise";
    }
    float steps = 0.0f;
    memcpy(&steps, from, size > 0 ? sizeof steps : 0);
    return slv_are_within(from, size / sizeof(float), 2.0 * (double)SLV_FAR) && steps >= 0.0f
               ? NULL
               : "a garment's sleep makes no sense";
}

static void restore(slv_layout *layout, uint32_t index, slv_body *body, const char *from,
                    size_t size) {
    if (size == 0) {
        return;
    }
    sleep_state saved;
    memcpy(&saved, from, sizeof saved);
    from += sizeof saved;
    for (uint32_t p = 0; p < body->count; p++) {
        float position[3];
        memcpy(position, from, sizeof position);
        write_rest_position(layout, index, p, position);
        from += sizeof position;
    }
    write_state(layout, index, saved);
}

static void hash(const slv_layout *layout, uint32_t index, slv_hash_floats *add, void *stream) {
    if (slv_sleep_exists(layout)) {
        const float rest = read_state(layout, index).rest;
        add(stream, &rest, 1);
    }
}

const slv_feature slv_feature_sleep = {
    .name = "sleep",
    .body_size = sizeof(sleep_data),
    .define = define,
    .state_aspects = 1u << SLV_ASPECT_sleep | 1u << SLV_ASPECT_rest_positions,
    .reserve = reserve,
    .fill = fill,
    .carry = carry,
    .launch = {[SLV_POINT_WAKE] = begin,
               [SLV_POINT_SEARCH_BEGIN] = update_points,
               [SLV_POINT_SEARCH_END] = wake_touched,
               [SLV_POINT_STEP_END] = end},
    .reset = reset,
    .shift = shift_positions,
    .get_size = get_size,
    .save = save,
    .check = check,
    .restore = restore,
    .hash = hash,
};
