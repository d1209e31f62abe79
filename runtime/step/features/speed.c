// SPDX-License-Identifier: MIT
// A bound on velocities (kernels/speed.h).
#include "kernels/speed.h"

#include "runtime/step/feature.h"

extern const slv_feature slv_feature_speed;

static void set_launch(const slv_parameters *parameters, double time_step, slv_launch *values) {
    values->speed_limit = (float)((double)parameters->speed_limit * time_step);
}

static void launch(slv_plan_writer *writer) {
    if (!(writer->parameters->speed_limit > 0.0f) || !writer->parameters->integrate) {
        return;
    }
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        slv_plan_launch_rows(writer, SLV_ID_speed_clamp, i, 0, 0,
                             body_layout->inert ? 0 : body_layout->tiles);
    }
    slv_plan_barrier(writer);
}

const slv_feature slv_feature_speed = {
    .name = "speed limit",
    .set_launch = set_launch,
    .launch = {[SLV_POINT_SOLVE_BEGIN] = launch},
};
