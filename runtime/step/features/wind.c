// SPDX-License-Identifier: MIT
// Drag of the air on the triangles of a garment (kernels/wind.h).
#include "kernels/wind.h"
#include "runtime/step/feature.h"

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    (void)settings;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        body_layout->drag = bodies[i]->triangle_count > 0 ? bodies[i]->drag : 0.0f;
        if (body_layout->drag > 0.0f) {
            body_layout->fans = slv_reserve_table(cursor, (size_t)body_layout->slots + 1);
            body_layout->fan_ends =
                slv_reserve_table(cursor, 6 * (size_t)bodies[i]->triangle_count);
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

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)settings;
    (void)scratch;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        if (layout->bodies[i].drag > 0.0f) {
            fill_fans(layout, i, bodies[i]);
        }
    }
    return true;
}

static void launch(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->drag > 0.0f) {
            slv_plan_launch_rows(writer, SLV_ID_wind_apply, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

const slv_feature slv_feature_wind = {
    .name = "wind",
    .reserve = reserve,
    .fill = fill,
    .launch = {[SLV_POINT_SOLVE_BEGIN] = launch},
};
