// SPDX-License-Identifier: MIT
// Estimates of the time of a step, which decide how a team divides its work (runtime/backends/cpu/cpu_schedule.h).
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_COSTS_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_COSTS_H

#include "runtime/step/plan.h"

#include <stdbool.h>

enum { SLV_SHARED_BODIES = 16 }; // bodies whose rows are divided, at most

// What waiting costs, seconds.
typedef struct slv_schedule_costs {
    double barrier; // a barrier of the team
    double wake;    // waking the other members for a run
} slv_schedule_costs;

// Those of threads that spin while they wait, or not.
slv_schedule_costs slv_schedule_get_costs(bool spins);

// How a team divides a step.
typedef struct slv_division {
    uint32_t members;   // of the team that take part
    int *shared_number; // [body_count]: of a large garment its number in `shared`, else -1
    int shared[SLV_SHARED_BODIES]; // large garments: their rows are divided
    uint32_t shared_count;
} slv_division;

// The division with the shortest estimated time, for a team of that size. False without memory.
bool slv_divide(slv_division *division, const slv_layout *layout, const slv_plan *plan,
                uint32_t team_size, const slv_schedule_costs *costs, slv_memory *memory);

#endif
