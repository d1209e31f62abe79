// SPDX-License-Identifier: MIT
#include "runtime/base/check.h"

#include "runtime/include/selvage/selvage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool slv_is_between(double value, double low, double high) {
    const double tolerance = 1e-7; // relative: above 6e-8, the rounding error of a float
    return value >= low - tolerance * fabs(low) && value <= high + tolerance * fabs(high);
}

bool slv_are_finite(const void *bytes, size_t count) {
    for (size_t n = 0; n < count; n++) {
        float value = 0.0f;
        memcpy(&value, (const char *)bytes + n * sizeof value, sizeof value);
        if (!isfinite(value)) {
            return false;
        }
    }
    return true;
}

bool slv_are_within(const void *bytes, size_t count, double limit) {
    for (size_t n = 0; n < count; n++) {
        float value = 0.0f;
        memcpy(&value, (const char *)bytes + n * sizeof value, sizeof value);
        if (!(fabs((double)value) <= limit)) {
            return false;
        }
    }
    return true;
}

bool slv_are_truth_values(const void *bytes, size_t count) {
    for (size_t n = 0; n < count; n++) {
        if (((const unsigned char *)bytes)[n] > 1) {
            return false;
        }
    }
    return true;
}

slv_result slv_check_between(slv_error *error, const char *name, double value, double low,
                             double high) {
    return slv_is_between(value, low, high)
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_ARGUMENT, "%s is %g, should be from %g to %g", name,
                          value, low, high);
}

slv_result slv_check_lead(slv_error *error, double seconds) {
    return slv_check_between(error, "seconds", seconds, SLV_SHORTEST_LEAD, SLV_LONGEST_SECONDS);
}

slv_result slv_check_vector(slv_error *error, const char *name, const float *values, int count,
                            double limit) {
    slv_result status = SLV_OK;
    for (int i = 0; status == SLV_OK && i < count; i++) {
        char element[64];
        (void)snprintf(element, sizeof element, "%s[%d]", name, i);
        status = slv_check_between(error, element, (double)values[i], -limit, limit);
    }
    return status;
}

// What rounding leaves of a quaternion of floats is a thousand times less.
static const double unit_tolerance = 1e-3; // of the length from 1

slv_result slv_check_rotation(slv_error *error, const char *name, const float rotation[4]) {
    slv_result status = slv_check_vector(error, name, rotation, 4, 1.0 + unit_tolerance);
    if (status != SLV_OK) {
        return status;
    }
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        square += (double)rotation[i] * (double)rotation[i];
    }
    return fabs(square - 1.0) < 2.0 * unit_tolerance
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_ARGUMENT, "%s has length %g, a rotation has 1", name,
                          sqrt(square));
}
