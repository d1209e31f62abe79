// SPDX-License-Identifier: MIT
#include "runtime/step/features/limits.h"

#include "kernels/limits.h"
#include "runtime/base/check.h"
#include "runtime/base/shift.h"
#include "runtime/model/paint.h"
#include "runtime/model/tethers.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/features/tearing.h"

#include <float.h>
#include <string.h>

// Longest length over rest length of cloth that has contacts and no limit of its own. One look at strain
// moves a particle at most gentle_step times the mean length of distance constraints, so that a heavy
// collider still stretches the cloth beyond.
static const float usual_strain = 1.06f;
static const float gentle_step = 0.05f;

extern const slv_feature slv_feature_limits;

slv_limits *slv_limits_get(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_limits, body);
}

static slv_result out_of_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

// --- Paint ------------------------------------------------------------------------------------------

static slv_result refuse_paint(slv_error *error, const char *painted, const char *missing) {
    return slv_fail(error, SLV_ERROR_ARGUMENT, "paint: %s is painted, but %s", painted, missing);
}

static slv_result check_painted_limits(const slv_garment_def *def, slv_error *error) {
    bool distances = false;
    bool backstops = false;
    for (uint32_t i = 0; i < def->limit_count; i++) {
        distances |= def->limits[i].max_distance >= 0.0f;
        backstops |= def->limits[i].backstop >= 0.0f;
    }
    if (def->paint.max_distance != SLV_CHANNEL_NONE && !distances) {
        return refuse_paint(error, "max_distance", "no limit gives a distance");
    }
    return def->paint.backstop != SLV_CHANNEL_NONE && !backstops
               ? refuse_paint(error, "backstop", "no limit gives one")
               : SLV_OK;
}

slv_result slv_limits_check_paint(const slv_garment_def *def, bool added, slv_error *error) {
    const slv_result status = added ? check_painted_limits(def, error) : SLV_OK;
    if (status != SLV_OK) {
        return status;
    }
    if (def->paint.tether_slack != SLV_CHANNEL_NONE && !(def->tether_slack > 0.0f)) {
        return refuse_paint(error, "tether_slack", "it is not given");
    }
    return def->paint.strain_limit != SLV_CHANNEL_NONE && !(def->strain_limit > 0.0f)
               ? refuse_paint(error, "strain_limit", "it is not given")
               : SLV_OK;
}

// --- Strain and tethers -----------------------------------------------------------------------------

// A limit that means nothing is given at 1: as much of the rest as is painted.
static double loosened(const slv_body *body, float limit, slv_channel channel, uint32_t particle) {
    return 1.0 + (double)slv_paint_weight(body, channel, particle) * ((double)limit - 1.0);
}

static slv_result paint_strain(slv_body *body, const slv_garment_def *def, slv_error *error) {
    slv_limits *own = slv_limits_get(body);
    if (!own->strain_limits) {
        own->strain_limits =
            slv_memory_take(&body->memory, body->count, sizeof *own->strain_limits);
    }
    if (!own->strain_limits) {
        return out_of_memory(error);
    }
    own->strain_least = def->strain_limit;
    for (uint32_t p = 0; p < body->count; p++) {
        const float limit = (float)loosened(body, def->strain_limit, def->paint.strain_limit, p);
        own->strain_limits[p] = limit;
        own->strain_least = limit < own->strain_least ? limit : own->strain_least;
    }
    return SLV_OK;
}

static slv_result define_strain(slv_body *body, const slv_garment_def *def, slv_error *error) {
    const slv_result status =
        def->paint.strain_limit != SLV_CHANNEL_NONE ? paint_strain(body, def, error) : SLV_OK;
    if (status == SLV_OK) {
        slv_limits_get(body)->strain = def->strain_limit;
    }
    return status;
}

static slv_result create_tethers(slv_body *body, const slv_garment_def *def, slv_memory *scratch,
                                 slv_error *error) {
    slv_limits *own = slv_limits_get(body);
    if (!(def->tether_slack > 0.0f)) {
        return SLV_OK;
    }
    double *length = slv_memory_take(scratch, body->count, sizeof *length);
    own->tether = slv_memory_take(&body->memory, body->count, sizeof *own->tether);
    own->tether_length = slv_memory_take(&body->memory, body->count, sizeof *own->tether_length);
    if (!length || !own->tether || !own->tether_length ||
        !slv_find_tethers(body, own->tether, length, scratch)) {
        return out_of_memory(error);
    }
    for (uint32_t p = 0; p < body->count; p++) {
        const double slack = loosened(body, def->tether_slack, def->paint.tether_slack, p);
        own->tether_length[p] = (float)(slack * (length[p] < DBL_MAX ? length[p] : 0));
    }
    return SLV_OK;
}

// --- Limits by set ----------------------------------------------------------------------------------

// Targets become the positions at the start, normals point along +y.
static void reset_limits(const slv_body *body) {
    const slv_limits *own = slv_limits_get(body);
    for (uint32_t p = 0; own->limits && p < body->count; p++) {
        float *limit = own->limits + (size_t)p * SLV_LIMIT_FLOATS;
        memcpy(limit, body->start + 6 * (size_t)p, 3 * sizeof *limit);
        limit[3] = own->start_limits[2 * (size_t)p];
        limit[4] = limit[6] = 0.0f;
        limit[5] = 1.0f;
        limit[7] = own->start_limits[2 * (size_t)p + 1];
    }
}

static bool allocate_limits(slv_body *body) {
    slv_limits *own = slv_limits_get(body);
    size_t n = body->count;
    own->limits = slv_memory_take(&body->memory, n * SLV_LIMIT_FLOATS, sizeof *own->limits);
    own->start_limits = slv_memory_take(&body->memory, 2 * n, sizeof *own->start_limits);
    for (size_t i = 0; own->start_limits && i < 2 * n; i++) {
        own->start_limits[i] = -1.0f;
    }
    return own->limits && own->start_limits;
}

static float painted(const slv_body *body, float limit, slv_channel channel, uint32_t particle) {
    return limit < 0.0f ? limit : slv_paint_weight(body, channel, particle) * limit;
}

static void limit_particle(const slv_body *body, uint32_t particle, const slv_limit_def *limit,
                           const slv_paint_def *paint) {
    float *start = slv_limits_get(body)->start_limits + 2 * (size_t)particle;
    start[0] = painted(body, limit->max_distance, paint->max_distance, particle);
    start[1] = painted(body, limit->backstop, paint->backstop, particle);
}

static slv_result limit_set(const slv_body *body, const slv_garment *garment,
                            const slv_limit_def *limit, const slv_paint_def *paint,
                            slv_error *error) {
    for (uint32_t p = 0; !limit->set && p < body->count; p++) {
        limit_particle(body, p, limit, paint);
    }
    for (uint32_t i = 0; limit->set && i < garment->set_count; i++) {
        slv_named_set set = slv_garment_get_set(garment, i);
        if (set.name_length == strlen(limit->set) &&
            memcmp(set.name, limit->set, set.name_length) == 0) {
            for (uint32_t n = 0; n < set.count; n++) {
                limit_particle(body, garment->own_of_stored[set.particles[n]], limit, paint);
            }
            return SLV_OK;
        }
    }
    if (!limit->set) {
        return SLV_OK;
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "limits: the pack has no set '%s'", limit->set);
}

static slv_result create_limits(slv_body *body, const slv_garment *garment,
                                const slv_garment_def *def, slv_error *error) {
    slv_result status = SLV_OK;
    if (def->limit_count > 0 && !allocate_limits(body)) {
        status = out_of_memory(error);
    }
    for (uint32_t i = 0; status == SLV_OK && i < def->limit_count; i++) {
        status = limit_set(body, garment, &def->limits[i], &def->paint, error);
    }
    if (status == SLV_OK) {
        reset_limits(body);
    }
    return status;
}

// Tethers and limits stay while a garment exists.
static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    slv_result status = garment ? create_limits(body, garment, def, error)
                                : slv_limits_check_paint(def, false, error);
    if (status == SLV_OK && garment) {
        status = create_tethers(body, def, scratch, error);
    }
    return status == SLV_OK ? define_strain(body, def, error) : status;
}

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const slv_limits *own = slv_limits_get(bodies[i]);
        const size_t slots = (size_t)body_layout->slots;
        if (own->strain_limits) {
            body_layout->strain_limits = slv_reserve_state(cursor, slots);
        }
        if (own->tether) {
            body_layout->tethers = slv_reserve_table(cursor, slots);
            body_layout->tether_lengths = slv_reserve_state(cursor, slots);
        }
        if (own->limits) {
            body_layout->limits = slv_reserve_state(cursor, slots * SLV_LIMIT_FLOATS);
            layout->extents[i].state[SLV_ASPECT_limits] =
                (slv_extent){(size_t)body_layout->limits, slots * SLV_LIMIT_FLOATS};
        }
    }
}

// Cloth that has contacts has a strain limit unless told otherwise: contacts do not see springs and would
// stretch single ones. What may tear, or starts enlarged, has none.
static void set_strain(const slv_layout *layout, slv_body_layout *body_layout,
                       const slv_body *body) {
    const slv_limits *own = slv_limits_get(body);
    const bool chosen = own->strain < 0.0f;
    const bool sensible = slv_contacts_concern(layout, body) && !slv_tearing_is_possible(body) &&
                          body->stretch == 1.0f;
    body_layout->strained_last = chosen;
    body_layout->strain_step = chosen ? gentle_step * body->spacing : SLV_FAR;
    body_layout->strain = !chosen ? own->strain : sensible ? usual_strain : 0.0f;
    body_layout->strain_least = own->strain_limits ? own->strain_least : body_layout->strain;
}

static void fill_tethers(const slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_limits *own = slv_limits_get(body);
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (int slot = 0; slot < body_layout->slots; slot++) {
        layout->table[body_layout->tethers + slot] = -1;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        uint32_t slot = layout->slots[index][p];
        bool held = own->tether[p] != UINT32_MAX && own->tether[p] != p;
        layout->table[(uint32_t)body_layout->tethers + slot] =
            held ? (int)layout->slots[index][own->tether[p]] * body_layout->stride : -1;
        layout->state[(uint32_t)body_layout->tether_lengths + slot] = own->tether_length[p];
    }
}

static void fill_strains(const slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_limits *own = slv_limits_get(body);
    float *limits = layout->state + layout->bodies[index].strain_limits;
    for (uint32_t p = 0; p < body->count; p++) {
        limits[layout->slots[index][p]] = own->strain_limits[p];
    }
}

void slv_limits_write(slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const slv_limits *own = slv_limits_get(body);
    if (!own->limits) {
        return;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        memcpy(layout->state + body_layout->limits +
                   (size_t)layout->slots[index][p] * SLV_LIMIT_FLOATS,
               own->limits + (size_t)p * SLV_LIMIT_FLOATS, SLV_LIMIT_FLOATS * sizeof(float));
    }
    layout->extents[index].written |= 1u << SLV_ASPECT_limits;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)settings;
    (void)scratch;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_limits *own = slv_limits_get(bodies[i]);
        set_strain(layout, &layout->bodies[i], bodies[i]);
        if (own->tether) {
            fill_tethers(layout, i, bodies[i]);
        }
        if (own->strain_limits) {
            fill_strains(layout, i, bodies[i]);
        }
        slv_limits_write(layout, i, bodies[i]);
    }
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

// What is averaged over a particle's springs comes in two launches: find, then move.
static void launch_strain(slv_plan_writer *writer, bool last) {
    static const slv_kernel_id kernels[] = {SLV_ID_limit_strain, SLV_ID_limit_apply_strain};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < writer->layout->body_count; i++) {
            const slv_body_layout *body_layout = &writer->layout->bodies[i];
            if (body_layout->strain > 0.0f && !body_layout->inert &&
                (last || !body_layout->strained_last)) {
                slv_plan_launch_rows(writer, kernels[k], i, 0, 0, body_layout->tiles);
            }
        }
        slv_plan_barrier(writer);
    }
}

static void launch(slv_plan_writer *writer) {
    launch_strain(writer, false);
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->limits > 0 || body_layout->tethers > 0) {
            slv_plan_launch_rows(writer, SLV_ID_limit_apply, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

static void launch_last(slv_plan_writer *writer) {
    launch_strain(writer, true);
}

// --- State ------------------------------------------------------------------------------------------

static void reset(slv_layout *layout, uint32_t index, slv_body *body) {
    reset_limits(body);
    slv_limits_write(layout, index, body);
}

static void shift_targets(slv_layout *layout, uint32_t index, slv_body *body,
                          const double shift[3]) {
    float *limits = slv_limits_get(body)->limits;
    for (uint32_t p = 0; limits && p < body->count; p++) {
        slv_shift_point(limits + (size_t)p * SLV_LIMIT_FLOATS, shift);
    }
    slv_limits_write(layout, index, body);
}

static size_t get_size(const slv_layout *layout, const slv_body *body) {
    (void)layout;
    return slv_limits_get(body)->limits ? (size_t)body->count * SLV_LIMIT_FLOATS * sizeof(float)
                                        : 0;
}

static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    (void)index;
    memcpy(to, slv_limits_get(body)->limits, get_size(layout, body));
}

static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, slv_marks marks) {
    (void)marks;
    if (size != get_size(layout, body)) {
        return "a garment has other limits";
    }
    return slv_are_within(from, size / sizeof(float), SLV_RESTORED_LIMIT)
               ? NULL
               : "a limit makes no sense";
}

static void restore(slv_layout *layout, uint32_t index, slv_body *body, const char *from,
                    size_t size) {
    if (size > 0) {
        memcpy(slv_limits_get(body)->limits, from, size);
        slv_limits_write(layout, index, body);
    }
}

const slv_feature slv_feature_limits = {
    .name = "limits",
    .body_size = sizeof(slv_limits),
    .define = define,
    .reserve = reserve,
    .fill = fill,
    .launch = {[SLV_POINT_ITERATION_END] = launch, [SLV_POINT_LAST_PASS] = launch_last},
    .reset = reset,
    .shift = shift_targets,
    .get_size = get_size,
    .save = save,
    .check = check,
    .restore = restore,
};
