// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <float.h>

// CDST, CBND: what joins two particles.

// Where neither end is a copy they differ already.
static slv_result check_originals(const slv_garment *garment, const slv_pair_constraints *pairs,
                                  uint32_t kind, slv_error *error) {
    const uint32_t n = garment->info.particle_count;
    for (uint64_t i = 0; garment->phantoms.count > 0 && i < pairs->count; i++) {
        if ((pairs->a[i] >= n || pairs->b[i] >= n) &&
            slv_garment_original(garment, pairs->a[i]) ==
                slv_garment_original(garment, pairs->b[i])) {
            return slv_fail_section(
                error, kind, "constraint %llu joins stored particle %u to a copy of itself",
                (unsigned long long)i, slv_garment_original(garment, pairs->a[i]));
        }
    }
    return SLV_OK;
}

static slv_result check_pairs(const slv_pair_constraints *pairs, uint32_t kind, uint32_t n,
                              slv_error *error) {
    size_t count = (size_t)pairs->count;
    size_t bad_a = slv_find_not_below(pairs->a, count, n);
    size_t bad_b = slv_find_not_below(pairs->b, count, n);
    if (bad_a < count || bad_b < count) {
        size_t bad = bad_a < bad_b ? bad_a : bad_b;
        return slv_fail_section(error, kind,
                                "constraint %zu joins stored particles %u and %u, there are %u",
                                bad, pairs->a[bad], pairs->b[bad], n);
    }
    size_t same = slv_find_equal(pairs->a, pairs->b, count);
    if (same < count) {
        return slv_fail_section(error, kind, "constraint %zu joins stored particle %u to itself",
                                same, pairs->a[same]);
    }
    size_t outside = slv_find_outside(pairs->rest, count, 0, FLT_MAX);
    if (outside < count) {
        return slv_fail_section(error, kind,
                                "constraint %zu has rest length %g, should be finite and not "
                                "negative",
                                outside, (double)pairs->rest[outside]);
    }
    return SLV_OK;
}

static slv_result verify_pairs(const slv_pack *pack, const slv_garment *garment, uint32_t kind,
                               slv_pair_constraints *pairs, slv_error *error) {
    size_t size = 0;
    const uint32_t *bytes = slv_pack_get_section(pack, kind, &size);
    if (!bytes) {
        return SLV_OK; // none of this kind
    }
    if (size % 12 != 0) {
        return slv_fail_section(error, kind, "%zu bytes, constraints have 12 each", size);
    }
    pairs->count = size / 12;
    pairs->a = bytes;
    pairs->b = pairs->a + pairs->count;
    pairs->rest = (const void *)(pairs->b + pairs->count);
    const uint32_t limit = garment->info.particle_count + garment->phantoms.copies;
    slv_result result = check_pairs(pairs, kind, limit, error);
    return result == SLV_OK ? check_originals(garment, pairs, kind, error) : result;
}

// A colored particle and its partners along distance constraints must differ in color. Neighbors
// in the list mostly begin in the same range, so the last one found is tried first.
static slv_result check_particle_colors(const slv_garment *garment, slv_error *error) {
    if (garment->color_count == 0 || garment->colors[0].color == SLV_UNCOLORED) {
        return SLV_OK;
    }
    const slv_pair_constraints *pairs = &garment->distance;
    const slv_color_range *range = garment->colors;
    for (uint64_t i = 0; i < pairs->count; i++) {
        const uint32_t a = slv_garment_original(garment, pairs->a[i]);
        const uint32_t b = slv_garment_original(garment, pairs->b[i]);
        if (a - range->first >= range->count) {
            range = &garment->colors[slv_garment_particle_color(garment, a)];
        }
        if (b - range->first < range->count) {
            return slv_fail_section(
                error, SLV_SECTION_COLOR,
                "distance constraint %llu joins stored particles %u and %u, both of "
                "color %u",
                (unsigned long long)i, a, b, range->color);
        }
    }
    return SLV_OK;
}

// A copy that no constraint needs would only cost memory, and a few bytes could ask for billions.
static slv_result check_copies(const slv_garment *garment, slv_error *error) {
    uint64_t ends =
        2 * garment->distance.count + 2 * garment->bending.count + 4 * garment->tetrahedra.count;
    if (garment->phantoms.copies > ends) {
        return slv_fail_section(error, SLV_SECTION_PHANTOM,
                                "%u copies of particles, but constraints have only %llu ends",
                                garment->phantoms.copies, (unsigned long long)ends);
    }
    return SLV_OK;
}

slv_result slv_verify_constraints(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    size_t size = 0;
    garment->groups = slv_pack_get_section(pack, SLV_SECTION_GROUP, &size);
    if (!garment->groups) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "missing");
    }
    if (size % sizeof *garment->groups != 0 || size / sizeof *garment->groups > UINT32_MAX) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "%zu bytes are no list of groups", size);
    }
    garment->group_count = (uint32_t)(size / sizeof *garment->groups);
    slv_result result = slv_verify_phantoms(pack, garment, error);
    if (result == SLV_OK) {
        result = verify_pairs(pack, garment, SLV_SECTION_DISTANCE, &garment->distance, error);
    }
    if (result == SLV_OK) {
        result = verify_pairs(pack, garment, SLV_SECTION_BENDING, &garment->bending, error);
    }
    if (result == SLV_OK) {
        result = slv_verify_tetrahedra(pack, garment, error);
    }
    if (result == SLV_OK) {
        result = check_copies(garment, error);
    }
    if (result == SLV_OK) {
        result = slv_verify_groups(garment, error);
    }
    return result == SLV_OK ? check_particle_colors(garment, error) : result;
}
