// SPDX-License-Identifier: MIT
#include "runtime/world/clock.h"

#include <math.h>

// A step counts as due when no more than this fraction of it is missing: sums of seconds like 1/60 fall
// short of whole steps by rounding alone.
static const double due_tolerance = 1e-6;

void slv_clock_add(slv_clock *clock, double seconds) {
    double *time = clock->time; // what the first double cannot hold goes into the second
    double sum = time[0] + seconds;
    double shown = sum - time[0];
    double lost = (time[0] - (sum - shown)) + (seconds - shown);
    double low = time[1] + lost;
    time[0] = sum + low;
    time[1] = low - (time[0] - sum);
}

uint64_t slv_clock_count_left(const slv_clock *clock, double time_step) {
    const double due = floor(clock->time[0] / time_step + due_tolerance);
    return due > (double)clock->due ? (uint64_t)due - clock->due : 0;
}

uint64_t slv_clock_count_steps(double seconds, double time_step) {
    return (uint64_t)ceil(seconds / time_step - due_tolerance);
}

double slv_clock_get_fraction(const slv_clock *clock, double time_step) {
    double steps = clock->time[0] / time_step;
    return fmin(fmax(steps - (double)clock->due, 0.0), 1.0);
}
