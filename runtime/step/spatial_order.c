// SPDX-License-Identifier: MIT
#include "runtime/step/spatial_order.h"

#include "kernels/bins.h"

#include <stdbool.h>

void slv_find_rest_position(const slv_body *body, uint32_t own, double rest[3]) {
    for (size_t d = 0; d < 3; d++) {
        rest[d] = ((double)body->start[6 * (size_t)own + d] - (double)body->start[d]) /
                  (double)body->stretch;
    }
}

static bool is_before(const slv_resting *one, const slv_resting *other, int axis) {
    return one->position[axis] != other->position[axis]
               ? one->position[axis] < other->position[axis]
               : one->own < other->own;
}

static void exchange(slv_resting *one, slv_resting *other) {
    slv_resting kept = *one;
    *one = *other;
    *other = kept;
}

// Brings the `first` that come first along an axis to the front (Hoare's quickselect).
static void partition_along(slv_resting *all, size_t count, size_t first, int axis) {
    while (count > 1) {
        slv_resting pivot = all[count / 2];
        size_t low = 0;
        size_t high = count - 1;
        while (low <= high) {
            while (is_before(&all[low], &pivot, axis)) {
                low++;
            }
            while (is_before(&pivot, &all[high], axis)) {
                high--;
            }
            if (low <= high) {
                exchange(&all[low], &all[high]);
                low++;
                if (high == 0) {
                    break;
                }
                high--;
            }
        }
        // Now all before low come no later than the pivot, and all after high no earlier.
        if (first <= high) {
            count = high + 1;
        } else if (first >= low) {
            all += low;
            count -= low;
            first -= low;
        } else {
            return;
        }
    }
}

static int find_longest_axis(const slv_resting *all, size_t count) {
    float extent[3];
    for (int d = 0; d < 3; d++) {
        float low = all[0].position[d];
        float high = low;
        for (size_t n = 1; n < count; n++) {
            low = all[n].position[d] < low ? all[n].position[d] : low;
            high = all[n].position[d] > high ? all[n].position[d] : high;
        }
        extent[d] = high - low;
    }
    int longest = extent[1] > extent[0] ? 1 : 0;
    return extent[2] > extent[longest] ? 2 : longest;
}

void slv_gather_near(slv_resting *all, size_t count) {
    while (count > SLV_LANES) {
        const size_t whole = count > SLV_BLOCK     ? SLV_BLOCK
                             : count > SLV_CLUSTER ? SLV_CLUSTER
                                                   : SLV_LANES;
        const size_t half = ((count + whole - 1) / whole + 1) / 2 * whole;
        partition_along(all, count, half, find_longest_axis(all, count));
        slv_gather_near(all, half);
        all += half;
        count -= half;
    }
}
