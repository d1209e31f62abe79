// SPDX-License-Identifier: MIT
#include "runtime/layout/flexure_layout.h"

#include "runtime/layout/batch_layout.h"

void slv_flexure_layout_reserve(slv_body_layout *body_layout, const slv_body *body, unsigned parts,
                                slv_layout_cursor *cursor) {
    const slv_constraint_batch *batch = &body->batches[SLV_BATCH_FLEXURE];
    const size_t room = parts & SLV_PART_BATCHES ? slv_batch_count_room(batch) : 0;
    if (room == 0 || cursor->too_large) {
        return;
    }
    body_layout->flexure_areas = slv_reserve_state(cursor, room);
    for (int c = 0; c < 4; c++) {
        body_layout->flexure_factors[c] = slv_reserve_state(cursor, room);
    }
    for (int d = 0; d < 3; d++) {
        body_layout->flexure_multipliers[d] = slv_reserve_state(cursor, room);
    }
}

void slv_flexure_layout_fill(const slv_body_layout *body_layout, const slv_body *body, float *state,
                             const int *table) {
    const slv_constraint_batch *batch = &body->batches[SLV_BATCH_FLEXURE];
    const slv_batch_layout *batch_layout = &body_layout->batches[SLV_BATCH_FLEXURE];
    for (int g = 0; g < batch_layout->group_count; g++) {
        const slv_batch_group *group = &batch->groups[g];
        const int first = table[batch_layout->groups + 2 * g] * SLV_LANES;
        for (int i = 0; i < (int)group->count; i++) {
            const slv_flexure_rest *rest = &body->flexures[group->first + (uint32_t)i];
            state[body_layout->flexure_areas + first + i] = (float)rest->area;
            for (int c = 0; c < 4; c++) {
                state[body_layout->flexure_factors[c] + first + i] = (float)rest->factors[c];
            }
        }
    }
}
