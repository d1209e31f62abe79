// SPDX-License-Identifier: MIT
// The time of a world: steps done, and seconds that became steps.
#ifndef SLV_RUNTIME_WORLD_CLOCK_H
#define SLV_RUNTIME_WORLD_CLOCK_H

#include <stdint.h>

// How far time has come. Seconds are summed in two doubles, which keeps what one would round away: the
// sum does not depend on how time was cut.
typedef struct slv_clock {
    uint64_t steps; // done since the start
    uint64_t due;   // of these, by slv_world_advance
    double time[2]; // seconds handed to slv_world_advance
} slv_clock;

// Adds seconds without loss.
void slv_clock_add(slv_clock *clock, double seconds);
// Steps whose time has come and that are not done.
uint64_t slv_clock_count_left(const slv_clock *clock, double time_step);
// The fewest steps that take so many seconds.
uint64_t slv_clock_count_steps(double seconds, double time_step);
// How far the present lies past the last step, in steps: 0 … 1. Time comes in any portions, steps do not.
double slv_clock_get_fraction(const slv_clock *clock, double time_step);

#endif
