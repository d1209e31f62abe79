// SPDX-License-Identifier: MIT
// What tests and benchmarks know of an engine of the CPU backend.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_ENGINE_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_ENGINE_H

#include "runtime/backends/cpu/cpu_schedule.h"

// The schedule of the plan that it loaded last.
const slv_schedule *slv_cpu_get_schedule(const void *context);

// Waiting costs that much from the next load on. With costs of 0 all threads take part in all work.
void slv_cpu_set_costs(void *context, slv_schedule_costs costs);

#endif
