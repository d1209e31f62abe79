// SPDX-License-Identifier: MIT
// Sleep in the form and in the step (kernels/sleep.h). A world none of whose garments may sleep has neither.
#ifndef SLV_RUNTIME_STEP_FEATURES_SLEEP_H
#define SLV_RUNTIME_STEP_FEATURES_SLEEP_H

#include "runtime/step/plan.h"

void slv_sleep_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor);
void slv_sleep_fill(slv_layout *layout, slv_body *const *bodies, double time_step);

// Launches of the step: when colliders have moved; before points are sorted; when it is known who is near
// whom; when the step is over.
void slv_sleep_begin(slv_plan_writer *writer);
void slv_sleep_seat(slv_plan_writer *writer);
void slv_sleep_meet(slv_plan_writer *writer);
void slv_sleep_end(slv_plan_writer *writer);

// What the future of a body's sleep depends on, but for its rest_positions.
typedef struct slv_sleep_state {
    float rest;   // steps
    float box[6]; // metres
} slv_sleep_state;
slv_sleep_state slv_sleep_read(const slv_layout *layout, uint32_t index);
// Positions must have been written before.
void slv_sleep_write(slv_layout *layout, uint32_t index, slv_sleep_state sleep_state);
// Where particles first … first + count - 1 in own order were when the count began: [count][3].
void slv_rest_positions_read(const slv_layout *layout, uint32_t index, uint32_t first,
                             uint32_t count, float *values);
void slv_rest_positions_write(slv_layout *layout, uint32_t index, uint32_t first, uint32_t count,
                              const float *values);
// Awake, wherever it is.
slv_sleep_state slv_awake_state(void);

bool slv_sleep_is_asleep(const slv_layout *layout, uint32_t index);

#endif
