// SPDX-License-Identifier: MIT
// The step, on this machine's processors.
#ifndef SLV_RUNTIME_CPU_STEP_H
#define SLV_RUNTIME_CPU_STEP_H

#include "runtime/cpu_kernels.h"
#include "runtime/form.h"
#include "runtime/team.h"

typedef struct slv_cpu_steps {
    slv_form *form;
    slv_body *const *bodies; // one a part
    const slv_cpu_kernels *kernels;
    slv_team *team;
    slv_parameters parameters;
    double time_step;
    uint32_t count; // steps to do
} slv_cpu_steps;

// Does the steps and returns how many were done: fewer when one blew up, which is then taken back.
uint32_t slv_cpu_run(const slv_cpu_steps *steps);

#endif
