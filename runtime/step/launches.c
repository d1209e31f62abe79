// SPDX-License-Identifier: MIT
#include "runtime/step/launches.h"

int slv_count_rows(const slv_body_layout *body_layout) {
    return slv_body_is_grid(body_layout) ? body_layout->rows * body_layout->layers
                                         : body_layout->slots / SLV_BLOCK;
}

int slv_count_lanes(int count) {
    return (count + SLV_LANES - 1) / SLV_LANES;
}

static void launch(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined,
                   bool with_inert) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (with_inert || !body_layout->inert) {
            slv_plan_launch_rows(writer, slv_body_is_grid(body_layout) ? split : joined, i, 0, 0,
                                 slv_count_rows(body_layout));
        }
    }
    slv_plan_barrier(writer);
}

void slv_launch_blocks(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined) {
    launch(writer, split, joined, true);
}

void slv_launch_solved(slv_plan_writer *writer, slv_kernel_id split, slv_kernel_id joined) {
    launch(writer, split, joined, false);
}
