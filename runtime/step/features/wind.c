// SPDX-License-Identifier: MIT
// Drag of the air, and pressure of wind that does not see motion, on the triangles of a garment (kernels/wind.h).
#include "kernels/wind.h"
#include "runtime/model/triangles.h"
#include "runtime/step/feature.h"

extern const slv_feature slv_feature_wind;

// Of a body: the triangles on which air drags it are those of a flat grid's squares, or those of a mesh whose
// vertices are particles.
typedef struct wind_data {
    float drag;              // drag coefficient
    float pressure;          // N s/m³, of the wind that does not see motion
    slv_triangles triangles; // none before there is drag or pressure
} wind_data;

static wind_data *get_data(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_wind, body);
}

// --- Body -------------------------------------------------------------------------------------------

static slv_result out_of_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

static slv_result find_triangles(wind_data *wind, slv_body *body, slv_memory *scratch,
                                 slv_error *error) {
    slv_triangles *triangles = &wind->triangles;
    if (!slv_triangles_have_grid(body) && !slv_triangles_are_drawn(body)) {
        return slv_fail(
            error, SLV_ERROR_ARGUMENT,
            "drag, wind_pressure: the air needs a flat grid or a mesh whose vertices are particles "
            "(selvage-voxelize --mode surface)");
    }
    const bool done = slv_triangles_have_grid(body)
                          ? slv_triangles_find_grid(triangles, body, &body->memory, scratch)
                          : slv_triangles_find_drawn(triangles, body, &body->memory);
    return done ? SLV_OK : out_of_memory(error);
}

static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    wind_data *wind = get_data(body);
    slv_result status = SLV_OK;
    (void)garment;
    const bool blown = def->drag > 0.0f || def->wind_pressure > 0.0f;
    if (blown && wind->triangles.count == 0) {
        status = find_triangles(wind, body, scratch, error);
    }
    if (status == SLV_OK) {
        wind->drag = def->drag;
        wind->pressure = def->wind_pressure;
    }
    return status;
}

// --- Layout -----------------------------------------------------------------------------------------

static bool is_blown(const slv_body_layout *body_layout) {
    return body_layout->drag > 0.0f || body_layout->wind_pressure > 0.0f;
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const wind_data *wind = get_data(bodies[i]);
        body_layout->drag = wind->triangles.count > 0 ? wind->drag : 0.0f;
        body_layout->wind_pressure =
            wind->triangles.count > 0 ? wind->pressure * (float)settings->time_step : 0.0f;
        if (is_blown(body_layout)) {
            body_layout->fans = slv_reserve_table(cursor, (size_t)body_layout->slots + 1);
            body_layout->fan_ends = slv_reserve_table(cursor, 6 * (size_t)wind->triangles.count);
        }
    }
}

static void fill_fans(const slv_layout *layout, uint32_t index, const wind_data *wind) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const uint32_t *slots = layout->slots[index];
    int *first = layout->table + body_layout->fans;
    int *ends = layout->table + body_layout->fan_ends;
    for (size_t i = 0; i < 3 * (size_t)wind->triangles.count; i++) {
        first[slots[wind->triangles.corners[i]] + 1]++;
    }
    for (int slot = 0; slot < body_layout->slots; slot++) {
        first[slot + 1] += first[slot];
    }
    for (size_t i = 3 * (size_t)wind->triangles.count; i-- > 0;) { // fills each from its end
        size_t triangle = i - i % 3;
        uint32_t slot = slots[wind->triangles.corners[i]];
        int at = --first[slot + 1];
        ends[2 * at] =
            (int)slots[wind->triangles.corners[triangle + (i + 1) % 3]] * body_layout->stride;
        ends[2 * at + 1] =
            (int)slots[wind->triangles.corners[triangle + (i + 2) % 3]] * body_layout->stride;
    }
    for (int slot = 0; slot < body_layout->slots;
         slot++) { // now each says where it begins: one to the left
        first[slot] = first[slot + 1];
    }
    first[body_layout->slots] = 3 * (int)wind->triangles.count;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    (void)settings;
    (void)scratch;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        if (is_blown(&layout->bodies[i])) {
            fill_fans(layout, i, get_data(bodies[i]));
        }
    }
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

static void set_launch(const slv_parameters *parameters, double time_step, slv_launch *values) {
    for (int d = 0; d < 3; d++) {
        values->wind[d] = (float)((double)parameters->wind[d] * time_step);
    }
}

static void launch(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (is_blown(body_layout)) {
            slv_plan_launch_rows(writer, SLV_ID_wind_apply, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

const slv_feature slv_feature_wind = {
    .name = "wind",
    .body_size = sizeof(wind_data),
    .define = define,
    .reserve = reserve,
    .fill = fill,
    .set_launch = set_launch,
    .launch = {[SLV_POINT_SOLVE_BEGIN] = launch},
};
