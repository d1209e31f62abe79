// SPDX-License-Identifier: MIT
#include "runtime/step/features/limits.h"

#include "kernels/limits.h"
#include "kernels/wind.h"
#include "runtime/step/features/contact.h"

#include <string.h>

// Of cloth that meets something. What pulls harder than such steps, a cannonball, has its way.
static const float usual_strain = 1.06f;
static const float gentle_step = 0.05f; // of the mean length of distance constraints

// --- Form -------------------------------------------------------------------------------------------

// Cloth that meets something is kept in shape unless told otherwise: contacts know nothing of springs and
// would pull single ones long. What may tear, or starts enlarged, is left alone.
static void lay_out_strain(const slv_layout *layout, slv_body_layout *body_layout,
                           const slv_body *body, slv_layout_cursor *cursor) {
    bool meets = slv_contact_meets(layout, body);
    bool chosen = body->strain < 0.0f;
    bool sensible = meets && !(body->tearing > 0.0f) && body->stretch == 1.0f;
    body_layout->strained_last = chosen;
    body_layout->strain_step = chosen ? gentle_step * body->contact_material.spacing : SLV_FAR;
    body_layout->strain = !chosen ? body->strain : sensible ? usual_strain : 0.0f;
    body_layout->strain_least = body->strain_limits ? body->strain_least : body_layout->strain;
    body_layout->strain_limits =
        body->strain_limits ? slv_reserve_state(cursor, (size_t)body_layout->slots) : 0;
    body_layout->strains =
        body_layout->strain > 0.0f ? slv_reserve_table(cursor, (size_t)body_layout->tiles) : 0;
}

void slv_limits_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const slv_body *body = bodies[i];
        size_t slots = (size_t)body_layout->slots;
        body_layout->drag = body->triangle_count > 0 ? body->drag : 0.0f;
        lay_out_strain(layout, body_layout, body, cursor);
        if (body_layout->drag > 0.0f) {
            body_layout->fans = slv_reserve_table(cursor, slots + 1);
            body_layout->fan_ends = slv_reserve_table(cursor, 6 * (size_t)body->triangle_count);
        }
        if (body->tether) {
            body_layout->tethers = slv_reserve_table(cursor, slots);
            body_layout->tether_lengths = slv_reserve_state(cursor, slots);
        }
        if (body->limits) {
            body_layout->limits = slv_reserve_state(cursor, slots * SLV_LIMIT_FLOATS);
        }
    }
}

static void fill_fans(const slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const uint32_t *slots = layout->slots[index];
    int *first = layout->table + body_layout->fans;
    int *ends = layout->table + body_layout->fan_ends;
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        first[slots[body->triangles[i]] + 1]++;
    }
    for (int slot = 0; slot < body_layout->slots; slot++) {
        first[slot + 1] += first[slot];
    }
    for (size_t i = 3 * (size_t)body->triangle_count; i-- > 0;) { // fills each from its end
        size_t triangle = i - i % 3;
        uint32_t slot = slots[body->triangles[i]];
        int at = --first[slot + 1];
        ends[2 * at] = (int)slots[body->triangles[triangle + (i + 1) % 3]] * body_layout->stride;
        ends[2 * at + 1] =
            (int)slots[body->triangles[triangle + (i + 2) % 3]] * body_layout->stride;
    }
    for (int slot = 0; slot < body_layout->slots;
         slot++) { // now each says where it begins: one to the left
        first[slot] = first[slot + 1];
    }
    first[body_layout->slots] = 3 * (int)body->triangle_count;
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
    layout->extents[index].written |= 1u << SLV_ASPECT_LIMITS;
}

void slv_limits_fill(slv_layout *layout, slv_body *const *bodies) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        if (body_layout->drag > 0.0f) {
            fill_fans(layout, i, bodies[i]);
        }
        if (bodies[i]->tether) {
            fill_tethers(layout, i, bodies[i]);
        }
        if (bodies[i]->strain_limits) {
            fill_strains(layout, i, bodies[i]);
        }
        if (bodies[i]->limits) {
            layout->extents[i].state[SLV_ASPECT_LIMITS] = (slv_extent){
                (size_t)body_layout->limits, (size_t)body_layout->slots * SLV_LIMIT_FLOATS};
            slv_limits_write(layout, i, bodies[i]);
        }
    }
}

// --- The step ---------------------------------------------------------------------------------------

void slv_wind_launch(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->drag > 0.0f) {
            slv_plan_launch_rows(writer, SLV_ID_wind_apply, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

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

void slv_limits_launch(slv_plan_writer *writer) {
    launch_strain(writer, false);
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->limits > 0 || body_layout->tethers > 0) {
            slv_plan_launch_rows(writer, SLV_ID_limit_apply, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

void slv_limits_launch_last(slv_plan_writer *writer) {
    launch_strain(writer, true);
}
