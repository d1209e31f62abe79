// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <float.h>

// CDST, CBND, CTET and any other kind whose constraints have ends and a rest value.

static slv_result check_ends(const slv_constraints *set, uint32_t kind, uint32_t limit,
                             slv_error *error) {
    const slv_constraint_kind *info = &slv_constraint_kinds[kind];
    const size_t count = (size_t)set->count;
    for (uint32_t e = 0; e < info->arity; e++) {
        size_t bad = slv_find_not_below(set->ends[e], count, limit);
        if (bad < count) {
            return slv_fail_section(error, info->section,
                                    "constraint %zu has stored particle %u, there are %u", bad,
                                    set->ends[e][bad], limit);
        }
        for (uint32_t f = 0; f < e; f++) {
            size_t same = slv_find_equal(set->ends[f], set->ends[e], count);
            if (same < count) {
                return slv_fail_section(error, info->section,
                                        "constraint %zu has stored particle %u twice", same,
                                        set->ends[e][same]);
            }
        }
    }
    return SLV_OK;
}

// Ends that differ may still be copies of one particle. Where no end is a copy, they are not.
static slv_result check_originals(const slv_garment *garment, uint32_t kind, slv_error *error) {
    const slv_constraint_kind *info = &slv_constraint_kinds[kind];
    const slv_constraints *set = &garment->constraints[kind];
    for (uint64_t i = 0; garment->phantoms.count > 0 && i < set->count; i++) {
        uint32_t originals[SLV_ARITY_MAX];
        for (uint32_t e = 0; e < info->arity; e++) {
            originals[e] = slv_garment_get_original(garment, set->ends[e][i]);
            for (uint32_t f = 0; f < e; f++) {
                if (originals[f] == originals[e]) {
                    return slv_fail_section(
                        error, info->section,
                        "constraint %llu has stored particle %u and a copy of it",
                        (unsigned long long)i, originals[e]);
                }
            }
        }
    }
    return SLV_OK;
}

static slv_result check_rest(const slv_constraints *set, uint32_t kind, slv_error *error) {
    const slv_constraint_kind *info = &slv_constraint_kinds[kind];
    const size_t count = (size_t)set->count;
    size_t outside = slv_find_outside(set->rest, count, 0, FLT_MAX);
    return outside < count
               ? slv_fail_section(error, info->section,
                                  "constraint %zu has %s %g, should be finite and not negative",
                                  outside, info->quantity, (double)set->rest[outside])
               : SLV_OK;
}

static slv_result verify_kind(const slv_pack *pack, slv_garment *garment, uint32_t kind,
                              slv_error *error) {
    const slv_constraint_kind *info = &slv_constraint_kinds[kind];
    slv_constraints *set = &garment->constraints[kind];
    const uint32_t bytes = slv_section_find(info->section)->size;
    size_t size = 0;
    const uint32_t *words = slv_pack_get_section(pack, info->section, &size);
    if (!words) {
        return SLV_OK; // none of this kind
    }
    if (size % bytes != 0) {
        return slv_fail_section(error, info->section, "%zu bytes, constraints have %u each", size,
                                bytes);
    }
    set->count = size / bytes;
    for (uint32_t e = 0; e < info->arity; e++) {
        set->ends[e] = words + e * set->count;
    }
    set->rest = (const void *)(words + info->arity * set->count);
    slv_result result =
        check_ends(set, kind, garment->info.particle_count + garment->phantoms.copies, error);
    if (result == SLV_OK) {
        result = check_originals(garment, kind, error);
    }
    return result == SLV_OK ? check_rest(set, kind, error) : result;
}

// A colored particle and its partners along distance constraints must differ in color. Neighbors
// in the list mostly begin in the same range, so the last one found is tried first.
static slv_result check_particle_colors(const slv_garment *garment, slv_error *error) {
    if (garment->color_count == 0 || garment->colors[0].color == SLV_UNCOLORED) {
        return SLV_OK;
    }
    const slv_constraints *distance = &garment->constraints[SLV_CONSTRAINT_DISTANCE];
    const slv_color_range *range = garment->colors;
    for (uint64_t i = 0; i < distance->count; i++) {
        const uint32_t a = slv_garment_get_original(garment, distance->ends[0][i]);
        const uint32_t b = slv_garment_get_original(garment, distance->ends[1][i]);
        if (a - range->first >= range->count) {
            range = &garment->colors[slv_garment_get_particle_color(garment, a)];
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

// A copy that no constraint uses only costs memory, and a few bytes of a file could declare billions.
static slv_result check_copies(const slv_garment *garment, slv_error *error) {
    uint64_t ends = 0;
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        ends += slv_constraint_kinds[kind].arity * garment->constraints[kind].count;
    }
    if (garment->phantoms.copies > ends) {
        return slv_fail_section(error, SLV_SECTION_PHANTOM,
                                "%u copies of particles, but constraints have only %llu ends",
                                garment->phantoms.copies, (unsigned long long)ends);
    }
    return SLV_OK;
}

slv_result slv_verify_constraints(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    const void *groups = NULL;
    slv_result result =
        slv_take_list(pack, SLV_SECTION_GROUP, &garment->group_count, &groups, error);
    garment->groups = groups;
    if (result == SLV_OK) {
        result = slv_verify_phantoms(pack, garment, error);
    }
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; result == SLV_OK && kind < SLV_CONSTRAINT_END;
         kind++) {
        if (slv_constraint_kinds[kind].arity > 0) {
            result = verify_kind(pack, garment, kind, error);
        }
    }
    if (result == SLV_OK) {
        result = check_copies(garment, error);
    }
    if (result == SLV_OK) {
        result = slv_verify_groups(garment, error);
    }
    return result == SLV_OK ? check_particle_colors(garment, error) : result;
}
