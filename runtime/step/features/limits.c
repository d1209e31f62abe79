// SPDX-License-Identifier: MIT
#include "runtime/step/features/limits.h"

#include "kernels/limits.h"
#include "runtime/base/check.h"
#include "runtime/model/limits.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"

#include <string.h>

// Longest length over rest length of cloth that has contacts and no limit of its own. One look at strain
// moves a particle at most gentle_step times the mean length of distance constraints, so that a heavy
// collider still stretches the cloth beyond.
static const float usual_strain = 1.06f;
static const float gentle_step = 0.05f;

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const slv_body *body = bodies[i];
        const size_t slots = (size_t)body_layout->slots;
        if (body->strain_limits) {
            body_layout->strain_limits = slv_reserve_state(cursor, slots);
        }
        if (body->tether) {
            body_layout->tethers = slv_reserve_table(cursor, slots);
            body_layout->tether_lengths = slv_reserve_state(cursor, slots);
        }
        if (body->limits) {
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
    const bool chosen = body->strain < 0.0f;
    const bool sensible =
        slv_contacts_concern(layout, body) && !(body->tearing > 0.0f) && body->stretch == 1.0f;
    body_layout->strained_last = chosen;
    body_layout->strain_step = chosen ? gentle_step * body->contact_material.spacing : SLV_FAR;
    body_layout->strain = !chosen ? body->strain : sensible ? usual_strain : 0.0f;
    body_layout->strain_least = body->strain_limits ? body->strain_least : body_layout->strain;
}

static void fill_tethers(const slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (int slot = 0; slot < body_layout->slots; slot++) {
        layout->table[body_layout->tethers + slot] = -1;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        uint32_t slot = layout->slots[index][p];
        bool held = body->tether[p] != UINT32_MAX && body->tether[p] != p;
        layout->table[(uint32_t)body_layout->tethers + slot] =
            held ? (int)layout->slots[index][body->tether[p]] * body_layout->stride : -1;
        layout->state[(uint32_t)body_layout->tether_lengths + slot] = body->tether_length[p];
    }
}

static void fill_strains(const slv_layout *layout, uint32_t index, const slv_body *body) {
    float *limits = layout->state + layout->bodies[index].strain_limits;
    for (uint32_t p = 0; p < body->count; p++) {
        limits[layout->slots[index][p]] = body->strain_limits[p];
    }
}

void slv_limits_write(slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (!body->limits) {
        return;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        memcpy(layout->state + body_layout->limits +
                   (size_t)layout->slots[index][p] * SLV_LIMIT_FLOATS,
               body->limits + (size_t)p * SLV_LIMIT_FLOATS, SLV_LIMIT_FLOATS * sizeof(float));
    }
    layout->extents[index].written |= 1u << SLV_ASPECT_limits;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)settings;
    (void)scratch;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        set_strain(layout, &layout->bodies[i], bodies[i]);
        if (bodies[i]->tether) {
            fill_tethers(layout, i, bodies[i]);
        }
        if (bodies[i]->strain_limits) {
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
    slv_limits_reset(body);
    slv_limits_write(layout, index, body);
}

static size_t get_size(const slv_layout *layout, const slv_body *body) {
    (void)layout;
    return body->limits ? (size_t)body->count * SLV_LIMIT_FLOATS * sizeof(float) : 0;
}

static void save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to) {
    (void)index;
    memcpy(to, body->limits, get_size(layout, body));
}

static const char *check(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, uint8_t *marks) {
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
        memcpy(body->limits, from, size);
        slv_limits_write(layout, index, body);
    }
}

const slv_feature slv_feature_limits = {
    .name = "limits",
    .reserve = reserve,
    .fill = fill,
    .launch = {[SLV_POINT_ITERATION_END] = launch, [SLV_POINT_LAST_PASS] = launch_last},
    .reset = reset,
    .get_size = get_size,
    .save = save,
    .check = check,
    .restore = restore,
};
