// SPDX-License-Identifier: MIT
#include "runtime/step/features/sleep.h"

#include "kernels/sleep.h"
#include "runtime/step/features/contact.h"
#include "runtime/world/engine.h"

#include <math.h>
#include <string.h>

static const float never = SLV_FAR;    // steps
static const double usual_delay = 0.5; // seconds, of who never moves by itself

// --- Layout -----------------------------------------------------------------------------------------

bool slv_form_sleeps(const slv_form *form) {
    return form->parts && form->parts[slv_form_common_part(form)].sleepers > 0;
}

static size_t count_floats(const slv_part *part) {
    return (part->stride == 1 ? 3 : (size_t)part->stride) * (size_t)part->slots;
}

static void lay_out_part(slv_part *part, slv_part_extents *extents, slv_layout *layout) {
    size_t floats = count_floats(part);
    part->berths = slv_layout_state(layout, floats);
    part->berth_boxes = slv_layout_state(layout, 6 * (size_t)part->tiles);
    extents->state[SLV_ASPECT_REST] = (slv_extent){(size_t)part->asleep, SLV_SLEEP_FLOATS};
    extents->state[SLV_ASPECT_BERTHS] = (slv_extent){(size_t)part->berths, floats};
}

void slv_sleep_lay_out(slv_form *form, slv_body *const *bodies, slv_layout *layout) {
    const size_t parts = form->part_count;
    bool any = false;
    for (size_t i = 0; i < parts; i++) {
        any = any || bodies[i]->manner.sleep_speed > 0.0f;
    }
    if (!any) {
        return;
    }
    const int sleepers = slv_layout_state(layout, (parts + 1) * SLV_SLEEP_FLOATS);
    const int meetings = slv_layout_table(layout, parts * SLV_MEETINGS);
    for (size_t i = 0; i < parts + 2; i++) {
        slv_part *part = &form->parts[i];
        part->sleepers = sleepers;
        part->sleeper_count = (int)parts;
        part->meetings = meetings;
        part->asleep = sleepers + (int)i * SLV_SLEEP_FLOATS;
    }
    form->parts[slv_form_common_part(form)].asleep = SLV_NOTHING;
    form->parts[slv_form_pairs_part(form)].asleep = sleepers + (int)parts * SLV_SLEEP_FLOATS;
    for (size_t i = 0; i < parts; i++) {
        lay_out_part(&form->parts[i], &form->extents[i], layout);
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

// Whoever may not sleep is at rest only while it does not move at all; what is led by others sleeps when it
// is.
static void fill_sleeper(const slv_form *form, uint32_t index, const slv_body *body,
                         double time_step) {
    const slv_manner *manner = &body->manner;
    const slv_part *part = &form->parts[index];
    float *own = form->state + part->asleep;
    const bool led = never_moves(body);
    const bool sleeps = led || manner->sleep_speed > 0.0f;
    const double delay = led ? usual_delay : (double)manner->sleep_delay;
    const double limit = led ? 0.0 : (double)manner->sleep_speed * delay;
    const double steps = fmax(ceil(delay / time_step), 2.0);
    own[SLV_SLEEP_NEED] = sleeps ? (float)steps : never;
    own[SLV_SLEEP_CALL] = (float)floor(0.5 * steps);
    own[SLV_SLEEP_LIMIT] = (float)(limit * limit);
    own[SLV_SLEEP_MARGIN] = part->collides ? part->reach : -1.0f;
    own[SLV_SLEEP_RADIUS] = manner->with_garments ? manner->radius : -1.0f;
    own[SLV_SLEEP_POINTS] = manner->with_garments || manner->with_itself ? 1.0f : 0.0f;
}

void slv_sleep_fill(slv_form *form, slv_body *const *bodies, double time_step) {
    for (uint32_t i = 0; slv_form_sleeps(form) && i < form->part_count; i++) {
        fill_sleeper(form, i, bodies[i], time_step);
        slv_sleep_write(form, i, slv_no_slumber());
    }
}

// --- The step ---------------------------------------------------------------------------------------

// Row n is part n.
static void launch_all(slv_plan_writer *writer, slv_kernel_id kernel) {
    slv_plan_launch_rows(writer, kernel, slv_form_common_part(writer->form), 0, 0,
                         (int)writer->form->part_count);
    slv_plan_barrier(writer);
}

// All slots of all parts.
static void launch_slots(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined) {
    for (uint32_t i = 0; i < writer->form->part_count; i++) {
        const slv_part *part = &writer->form->parts[i];
        const bool grid = part->stride == 1;
        slv_plan_launch_rows(writer, grid ? split : joined, i, 0, 0,
                             grid ? part->rows * part->layers : part->slots / SLV_BLOCK);
    }
    slv_plan_barrier(writer);
}

// Clearing first lets everybody finish looking at who slept in the step before.
void slv_sleep_begin(slv_plan_writer *writer) {
    if (slv_form_sleeps(writer->form)) {
        launch_all(writer, SLV_ID_sleep_clear);
        launch_all(writer, SLV_ID_sleep_wake);
        launch_all(writer, SLV_ID_sleep_gate);
    }
}

void slv_sleep_seat(slv_plan_writer *writer) {
    if (slv_form_sleeps(writer->form)) {
        slv_plan_launch_rows(writer, SLV_ID_sleep_seat, slv_form_pairs_part(writer->form), 0, 0,
                             writer->form->contact.points / SLV_BLOCK);
        slv_plan_barrier(writer);
    }
}

void slv_sleep_meet(slv_plan_writer *writer) {
    const slv_form *form = writer->form;
    if (!slv_form_sleeps(form) || !form->contact.pairs) {
        return;
    }
    slv_plan_launch_rows(writer, SLV_ID_sleep_meet, slv_form_pairs_part(form), 0, 0,
                         form->contact.points / SLV_BLOCK);
    slv_plan_barrier(writer);
    launch_all(writer, SLV_ID_sleep_rouse);
    launch_slots(writer, SLV_ID_sleep_rise_split, SLV_ID_sleep_rise_joined);
    slv_sleep_seat(writer);
    slv_plan_launch_rows(writer, SLV_ID_sleep_find, slv_form_pairs_part(form), 0, 0,
                         form->contact.points / SLV_BLOCK);
    slv_plan_barrier(writer);
}

void slv_sleep_end(slv_plan_writer *writer) {
    const slv_form *form = writer->form;
    if (!slv_form_sleeps(form)) {
        return;
    }
    for (uint32_t i = 0; i < form->part_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_sleep_look, i, 0, 0, form->parts[i].tiles);
    }
    slv_plan_barrier(writer);
    for (uint32_t i = 0; i < form->part_count; i++) {
        const int groups = (form->parts[i].tiles + SLV_SLEEP_FOLD - 1) / SLV_SLEEP_FOLD;
        slv_plan_launch_rows(writer, SLV_ID_sleep_fold, i, 0, 0, groups);
    }
    slv_plan_barrier(writer);
    for (uint32_t i = 0; i < form->part_count; i++) {
        slv_plan_launch_rows(writer, SLV_ID_sleep_count, i, 0, 0, 1);
    }
    slv_plan_barrier(writer);
    launch_slots(writer, SLV_ID_sleep_settle_split, SLV_ID_sleep_settle_joined);
}

// --- What lies in it --------------------------------------------------------------------------------

slv_slumber slv_no_slumber(void) {
    return (slv_slumber){.box = {-SLV_FAR, -SLV_FAR, -SLV_FAR, SLV_FAR, SLV_FAR, SLV_FAR}};
}

slv_slumber slv_sleep_read(const slv_form *form, uint32_t index) {
    const float *own = form->state + form->parts[index].asleep;
    slv_slumber slumber = {.rest = own[SLV_SLEEP_REST + form->parity]};
    memcpy(slumber.box, own + SLV_SLEEP_BOX, sizeof slumber.box);
    return slumber;
}

void slv_berths_read(const slv_form *form, uint32_t index, uint32_t first, uint32_t count,
                     float *values) {
    const slv_part *part = &form->parts[index];
    const float *berths = form->state + part->berths;
    for (uint32_t p = first; p < first + count; p++, values += 3) {
        size_t at = (size_t)form->slots[index][p] * (size_t)part->stride;
        for (size_t d = 0; d < 3; d++) {
            values[d] = berths[at + d * (size_t)part->component];
        }
    }
}

void slv_berths_write(slv_form *form, uint32_t index, uint32_t first, uint32_t count,
                      const float *values) {
    const slv_part *part = &form->parts[index];
    float *berths = form->state + part->berths;
    for (uint32_t p = first; p < first + count; p++, values += 3) {
        size_t at = (size_t)form->slots[index][p] * (size_t)part->stride;
        for (size_t d = 0; d < 3; d++) {
            berths[at + d * (size_t)part->component] = values[d];
        }
    }
    form->extents[index].written |= 1u << SLV_ASPECT_BERTHS;
}

// Who sleeps is nowhere else than where it is.
static void stop(slv_form *form, uint32_t index) {
    const slv_part *part = &form->parts[index];
    const size_t size = count_floats(part) * sizeof(float);
    const int others[] = {part->y, part->prev[0], part->prev[1]};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        memcpy(form->state + others[i], form->state + part->q, size);
    }
    form->extents[index].written |= 1u << SLV_ASPECT_GOALS | 1u << SLV_ASPECT_PREVIOUS;
}

void slv_sleep_write(slv_form *form, uint32_t index, slv_slumber slumber) {
    float *own = form->state + form->parts[index].asleep;
    own[SLV_SLEEP_STILL] = 0.0f;
    own[SLV_SLEEP_REST] = own[SLV_SLEEP_REST + 1] = slumber.rest;
    memcpy(own + SLV_SLEEP_BOX, slumber.box, sizeof slumber.box);
    form->extents[index].written |= 1u << SLV_ASPECT_REST;
    if (slumber.rest >= own[SLV_SLEEP_NEED]) {
        stop(form, index);
    }
}

// --- Waking -----------------------------------------------------------------------------------------

slv_status slv_sleep_wake(slv_world *world, uint32_t index) {
    slv_status status = SLV_STATUS_OK;
    if (slv_form_sleeps(&world->form) && index < world->form.part_count) {
        status = slv_engine_fetch(world, 1u << SLV_ASPECT_REST);
        if (status == SLV_STATUS_OK) {
            slv_sleep_write(&world->form, index, slv_no_slumber());
        }
    }
    return status;
}

slv_status slv_sleep_wake_all(slv_world *world) {
    slv_status status = SLV_STATUS_OK;
    for (uint32_t i = 0; status == SLV_STATUS_OK && i < world->form.part_count; i++) {
        status = slv_sleep_wake(world, i);
    }
    return status;
}

// --- For everybody ----------------------------------------------------------------------------------

slv_status slv_garment_wake(slv_world *world, slv_garment_id id) {
    slv_status status = slv_begin(world);
    if (status == SLV_STATUS_OK && !slv_find_body(world, id)) {
        status = SLV_STATUS_ARGUMENT;
    }
    return status == SLV_STATUS_OK ? slv_sleep_wake(world, id.index) : status;
}

static bool is_asleep(const slv_form *form, uint32_t index) {
    const float *own = form->state + form->parts[index].asleep;
    return slv_form_sleeps(form) && own[SLV_SLEEP_REST + form->parity] >= own[SLV_SLEEP_NEED];
}

slv_status slv_garment_is_asleep(slv_world *world, slv_garment_id id, bool *asleep) {
    slv_status status = slv_begin(world);
    if (status == SLV_STATUS_OK && !slv_find_body(world, id)) {
        status = SLV_STATUS_ARGUMENT;
    }
    if (status != SLV_STATUS_OK || !asleep) {
        return status == SLV_STATUS_OK ? slv_refuse(world, SLV_STATUS_ARGUMENT, "asleep is NULL")
                                       : status;
    }
    status = slv_engine_fetch(world, 1u << SLV_ASPECT_REST);
    if (status == SLV_STATUS_OK) {
        *asleep = is_asleep(&world->form, id.index);
    }
    return status;
}

slv_status slv_world_count_asleep(slv_world *world, uint32_t *count) {
    slv_status status = slv_begin(world);
    if (status != SLV_STATUS_OK || !count) {
        return status == SLV_STATUS_OK ? slv_refuse(world, SLV_STATUS_ARGUMENT, "count is NULL")
                                       : status;
    }
    status = slv_engine_fetch(world, 1u << SLV_ASPECT_REST);
    *count = 0;
    for (uint32_t i = 0; status == SLV_STATUS_OK && i < world->body_count; i++) {
        *count += is_asleep(&world->form, i) ? 1 : 0;
    }
    return status;
}
