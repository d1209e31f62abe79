// SPDX-License-Identifier: MIT
// A run: some steps, done by an engine in one go.
#ifndef SLV_RUNTIME_STEP_RUN_H
#define SLV_RUNTIME_STEP_RUN_H

#include "kernels/body_layout.h"

#include <stdint.h>

typedef struct slv_run {
    slv_launch launch; // what all launches share: parity and step are those of the first step
    uint32_t count;
    uint32_t move_steps; // SLV_STAGE_MOVE changes nothing after that many, and may be left out
} slv_run;

#endif
