// SPDX-License-Identifier: MIT
// Range checks of values that a caller or a file gives. A check that fails writes one sentence with the
// value's name, the value and its range into error, and returns SLV_ERROR_ARGUMENT. NaN is never in range.
#ifndef SLV_RUNTIME_BASE_CHECK_H
#define SLV_RUNTIME_BASE_CHECK_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>

// Metres from the origin. A step in which a particle is beyond 1e6 m counts as diverged.
#define SLV_POSITION_LIMIT 9e5
// Metres from the origin that a particle of a saved state is at most. A teleport can take a particle at the limit of
// divergence twice as far.
#define SLV_RESTORED_LIMIT 1e7
// Seconds of simulated time that a call takes at most, and of a motion that is led at least.
#define SLV_LONGEST_SECONDS 3600.0
#define SLV_SHORTEST_LEAD 1e-6

// low <= value <= high, with a relative tolerance of 1e-7: a limit that was rounded to float is in range.
bool slv_is_between(double value, double low, double high);

// Whether all floats at bytes, at any alignment, are finite.
bool slv_are_finite(const void *bytes, size_t count);
// Whether they are within -limit … limit.
bool slv_are_within(const void *bytes, size_t count, double limit);
// Whether all bytes are 0 or 1.
bool slv_are_truth_values(const void *bytes, size_t count);

slv_result slv_check_between(slv_error *error, const char *name, double value, double low,
                             double high);
// Seconds in which a collider, a clip or fixed particles are led to a target.
slv_result slv_check_lead(slv_error *error, double seconds);
// Each of values within -limit … limit.
slv_result slv_check_vector(slv_error *error, const char *name, const float *values, int count,
                            double limit);
// A unit quaternion; its length may differ from 1 by 0.001.
slv_result slv_check_rotation(slv_error *error, const char *name, const float rotation[4]);

#endif
