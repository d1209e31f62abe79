// SPDX-License-Identifier: MIT
// A bound on the components of velocities, as the fabric paper (2016) has it against blow-ups. It bounds what a particle
// keeps of its last step, after damping and before the forces of this one. A step thus moves a particle at its own
// velocity, and the next one begins within the bound.
#ifndef SLV_KERNELS_SPEED_H
#define SLV_KERNELS_SPEED_H

#include "kernels/shapes.h"
#include "kernels/slots.h"

// A component of the displacement that a particle keeps of its last step.
SLV_INLINE float slv_bound_displacement(const SLV_PRIVATE slv_launch *launch, float kept) {
    float bound = slv_max(slv_min(kept, launch->speed_limit), 0.0f - launch->speed_limit);
    return launch->speed_limit > 0.0f ? bound : kept;
}

// Runs after slv_integrate, which has moved the slot by its velocity and gravity.
SLV_INLINE void slv_clamp_speed(SLV_GLOBAL float *state, const SLV_PRIVATE slv_body_layout *body,
                                const SLV_PRIVATE slv_launch *launch, int slot) {
    if (slot < 0 || !(state[body->inverse_mass + slot] > 0.0f)) {
        return;
    }
    int start = slv_step_start(body, launch);
    int before = slv_step_before(body, launch);
    for (int d = 0; d < 3; d++) {
        int at = slot * body->stride + d * body->component;
        float kept =
            launch->velocity_factor * slv_last_displacement(state, body, start, before, at);
        float bound = slv_bound_displacement(launch, kept);
        if (bound != kept) {
            state[body->predicted + at] += bound - kept;
            slv_displace(state, body, at, bound - kept);
        }
    }
}

#endif
