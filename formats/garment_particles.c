// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <float.h>
#include <math.h>

// INFO, PPOS, PINV, PORD, PCOL: what every garment has; and PPNT, which some have.

static bool is_inside(double value, double low, double high) {
    return value >= low && value <= high; // false for NaN
}

static slv_result check_info(const slv_garment_info *info, slv_error *error) {
    const uint32_t kind = SLV_SECTION_INFO;
    if (info->particle_count > INT32_MAX) {
        return slv_fail_section(error, kind, "%u particles, at most %d are possible",
                                info->particle_count, INT32_MAX);
    }
    if (info->mode < SLV_GARMENT_SOLID || info->mode > SLV_GARMENT_SHAPE) {
        return slv_fail_section(error, kind, "mode %u, known are %d to %d", info->mode,
                                SLV_GARMENT_SOLID, SLV_GARMENT_SHAPE);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(info->frame[axis])) {
            return slv_fail_section(error, kind, "the frame is not finite");
        }
        double low = (double)info->bounds_min[axis];
        double high = (double)info->bounds_max[axis];
        if (!is_inside(low, -(double)FLT_MAX, high) || !is_inside(high, low, (double)FLT_MAX)) {
            return slv_fail_section(error, kind, "the bounds are no finite box");
        }
    }
    if (!is_inside((double)info->spacing, 0, (double)FLT_MAX) ||
        !is_inside((double)info->mass, 0, (double)FLT_MAX)) {
        return slv_fail_section(error, kind, "spacing and mass must be finite and not negative");
    }
    if (!slv_all_zero(info->zero, sizeof info->zero)) {
        return slv_fail_section(error, kind, "reserved bytes are not zero");
    }
    return SLV_OK;
}

// Being inside finite bounds, positions are finite.
static slv_result check_positions(const slv_garment *garment, slv_error *error) {
    const float *axes[3] = {garment->x, garment->y, garment->z};
    size_t n = garment->info.particle_count;
    for (int axis = 0; axis < 3; axis++) {
        float low = garment->info.bounds_min[axis];
        float high = garment->info.bounds_max[axis];
        size_t bad = slv_find_outside(axes[axis], n, low, high);
        if (bad < n) {
            return slv_fail_section(
                error, SLV_SECTION_POSITION,
                "%c of stored particle %zu is %g, outside of INFO's bounds %g to %g", 'x' + axis,
                bad, (double)axes[axis][bad], (double)low, (double)high);
        }
    }
    return SLV_OK;
}

static slv_result check_inverse_mass(const slv_garment *garment, slv_error *error) {
    size_t n = garment->info.particle_count;
    size_t bad = slv_find_outside(garment->inverse_mass, n, 0, FLT_MAX);
    if (bad < n) {
        return slv_fail_section(error, SLV_SECTION_INVMASS,
                                "stored particle %zu has %g, should be finite and not negative",
                                bad, (double)garment->inverse_mass[bad]);
    }
    return SLV_OK;
}

static inline double mass_of(double inverse) {
    return inverse > 0 ? 1 / inverse : 0;
}

// Summed in double, in one order on every machine. Eight partial sums: divisions are independent of
// each other, additions to one sum are not.
static double movable_mass(const slv_garment *garment) {
    enum { LANES = 8 };
    double sums[LANES] = {0};
    const float *inverse_mass = garment->inverse_mass;
    const uint32_t n = garment->info.particle_count;
    const uint32_t whole = n - n % LANES;
    for (uint32_t s = 0; s < whole; s += LANES) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            sums[lane] += mass_of((double)inverse_mass[s + lane]);
        }
    }
    double sum = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        sum += sums[lane];
    }
    for (uint32_t s = whole; s < n; s++) {
        sum += mass_of((double)inverse_mass[s]);
    }
    return sum;
}

static slv_result check_mass(const slv_garment *garment, slv_error *error) {
    const double tolerance = 1e-3; // of the sum; inverses and mass are rounded to floats
    double sum = movable_mass(garment);
    double mass = (double)garment->info.mass;
    if (!(fabs(mass - sum) <= tolerance * sum)) {
        return slv_fail_section(error, SLV_SECTION_INFO,
                                "mass %g kg, but the particles that can move have %g kg together",
                                mass, sum);
    }
    return SLV_OK;
}

// stored_of_own[own_of_stored[s]] == s for all s makes own_of_stored one-to-one, so both are
// permutations and each other's inverse.
static slv_result check_order(const slv_garment *garment, slv_error *error) {
    const uint32_t *own = garment->own_of_stored;
    const uint32_t *stored = garment->stored_of_own;
    uint32_t n = garment->info.particle_count;
    size_t far = slv_find_not_below(own, n, n);
    if (far < n) {
        return slv_fail_section(error, SLV_SECTION_ORDER,
                                "stored particle %zu has own number %u, there are %u particles",
                                far, own[far], n);
    }
    for (uint32_t s = 0; s < n; s++) {
        if (stored[own[s]] != s) {
            return slv_fail_section(error, SLV_SECTION_ORDER,
                                    "the two orders disagree about stored particle %u", s);
        }
    }
    return SLV_OK;
}

static slv_result check_color_range(const slv_garment *garment, uint32_t index, uint32_t first,
                                    slv_error *error) {
    const uint32_t kind = SLV_SECTION_COLOR;
    const slv_color_range *range = &garment->colors[index];
    bool uncolored = range->color == SLV_UNCOLORED && garment->color_count == 1;
    if (range->color != index && !uncolored) {
        return slv_fail_section(error, kind, "range %u has color %u, should be %u", index,
                                range->color, index);
    }
    if (range->first != first || range->count > garment->info.particle_count - first) {
        return slv_fail_section(error, kind,
                                "range %u is %u + %u particles, should begin at %u and stay below "
                                "%u",
                                index, range->first, range->count, first,
                                garment->info.particle_count);
    }
    if (range->zero != 0) {
        return slv_fail_section(error, kind, "reserved bytes are not zero");
    }
    return SLV_OK;
}

static slv_result verify_colors(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    const void *colors = NULL;
    slv_result result =
        slv_take_list(pack, SLV_SECTION_COLOR, &garment->color_count, &colors, error);
    garment->colors = colors;
    uint32_t first = 0;
    for (uint32_t i = 0; result == SLV_OK && i < garment->color_count; i++) {
        result = check_color_range(garment, i, first, error);
        first += garment->colors[i].count;
    }
    if (result == SLV_OK && first != garment->info.particle_count) {
        return slv_fail_section(error, SLV_SECTION_COLOR, "ranges cover %u of %u particles", first,
                                garment->info.particle_count);
    }
    return result;
}

static slv_result take_arrays(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    uint64_t n = garment->info.particle_count;
    const void *position = NULL;
    const void *inverse_mass = NULL;
    const void *order = NULL;
    slv_result result = slv_take_section(pack, SLV_SECTION_POSITION, n, &position, error);
    if (result == SLV_OK) {
        result = slv_take_section(pack, SLV_SECTION_INVMASS, n, &inverse_mass, error);
    }
    if (result == SLV_OK) {
        result = slv_take_section(pack, SLV_SECTION_ORDER, n, &order, error);
    }
    if (result == SLV_OK) {
        garment->x = position;
        garment->y = garment->x + n;
        garment->z = garment->y + n;
        garment->inverse_mass = inverse_mass;
        garment->own_of_stored = order;
        garment->stored_of_own = garment->own_of_stored + n;
    }
    return result;
}

// Every byte is a valid color, so only their number is checked.
static slv_result take_paint(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    size_t size = 0;
    const void *paint = NULL;
    slv_result result = SLV_OK;
    if (slv_pack_get_section(pack, SLV_SECTION_PAINT, &size)) {
        result =
            slv_take_section(pack, SLV_SECTION_PAINT, garment->info.particle_count, &paint, error);
    }
    garment->paint = paint;
    return result;
}

slv_result slv_verify_particles(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    const void *info = NULL;
    slv_result result = slv_take_section(pack, SLV_SECTION_INFO, 1, &info, error);
    if (result == SLV_OK) {
        garment->info = *(const slv_garment_info *)info;
        result = check_info(&garment->info, error);
    }
    if (result == SLV_OK) {
        result = take_arrays(pack, garment, error);
    }
    if (result == SLV_OK) {
        result = check_positions(garment, error);
    }
    if (result == SLV_OK) {
        result = check_inverse_mass(garment, error);
    }
    if (result == SLV_OK) {
        result = check_mass(garment, error);
    }
    if (result == SLV_OK) {
        result = check_order(garment, error);
    }
    if (result == SLV_OK) {
        result = take_paint(pack, garment, error);
    }
    return result == SLV_OK ? verify_colors(pack, garment, error) : result;
}
