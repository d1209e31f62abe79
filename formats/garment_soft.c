// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <float.h>

// CTET and CPHM: what soft things have beside springs, and copies of particles.

static bool are_different(const slv_garment *garment, const slv_tetrahedra *tetrahedra,
                          uint64_t index) {
    uint32_t ends[4];
    for (int e = 0; e < 4; e++) {
        ends[e] = slv_garment_original(garment, tetrahedra->ends[e][index]);
    }
    return ends[0] != ends[1] && ends[0] != ends[2] && ends[0] != ends[3] && ends[1] != ends[2] &&
           ends[1] != ends[3] && ends[2] != ends[3];
}

static slv_result check_tetrahedra(const slv_garment *garment, slv_error *error) {
    const slv_tetrahedra *tetrahedra = &garment->tetrahedra;
    const uint32_t limit = garment->info.particle_count + garment->phantoms.copies;
    const size_t count = (size_t)tetrahedra->count;
    for (int e = 0; e < 4; e++) {
        size_t bad = slv_find_not_below(tetrahedra->ends[e], count, limit);
        if (bad < count) {
            return slv_fail_section(error, SLV_SECTION_TETRAHEDRON,
                                    "tetrahedron %zu has stored particle %u, there are %u", bad,
                                    tetrahedra->ends[e][bad], limit);
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!are_different(garment, tetrahedra, i)) {
            return slv_fail_section(error, SLV_SECTION_TETRAHEDRON,
                                    "tetrahedron %llu has a particle twice", (unsigned long long)i);
        }
    }
    size_t outside = slv_find_outside(tetrahedra->rest, count, 0, FLT_MAX);
    if (outside < count) {
        return slv_fail_section(error, SLV_SECTION_TETRAHEDRON,
                                "tetrahedron %zu has volume %g, should be finite and not negative",
                                outside, (double)tetrahedra->rest[outside]);
    }
    return SLV_OK;
}

slv_result slv_verify_tetrahedra(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    slv_tetrahedra *tetrahedra = &garment->tetrahedra;
    size_t size = 0;
    const uint32_t *bytes = slv_pack_get_section(pack, SLV_SECTION_TETRAHEDRON, &size);
    if (!bytes) {
        return SLV_OK;
    }
    if (size % 20 != 0) {
        return slv_fail_section(error, SLV_SECTION_TETRAHEDRON,
                                "%zu bytes, tetrahedra have 20 each", size);
    }
    tetrahedra->count = size / 20;
    for (size_t e = 0; e < 4; e++) {
        tetrahedra->ends[e] = bytes + e * tetrahedra->count;
    }
    tetrahedra->rest = (const void *)(bytes + 4 * tetrahedra->count);
    return check_tetrahedra(garment, error);
}

// Originals that ascend and ends that ascend make every copy somebody's, and nobody's twice.
static slv_result check_phantoms(const slv_garment *garment, slv_error *error) {
    const slv_phantom_constraints *phantoms = &garment->phantoms;
    const uint32_t n = garment->info.particle_count;
    uint64_t next = 0; // the smallest original that may follow
    uint32_t end = 0;
    for (uint32_t i = 0; i < phantoms->count; i++) {
        if (phantoms->original[i] < next || phantoms->original[i] >= n) {
            return slv_fail_section(
                error, SLV_SECTION_PHANTOM,
                "phantom constraint %u is of stored particle %u: numbers must ascend and stay "
                "below %u",
                i, phantoms->original[i], n);
        }
        if (phantoms->end[i] <= end || phantoms->end[i] > (uint32_t)INT32_MAX - n) {
            return slv_fail_section(
                error, SLV_SECTION_PHANTOM,
                "phantom constraint %u ends at copy %u: ends must ascend, and particles with "
                "their copies stay below 2147483648",
                i, phantoms->end[i]);
        }
        next = (uint64_t)phantoms->original[i] + 1;
        end = phantoms->end[i];
    }
    return SLV_OK;
}

slv_result slv_verify_phantoms(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    slv_phantom_constraints *phantoms = &garment->phantoms;
    size_t size = 0;
    const uint32_t *bytes = slv_pack_get_section(pack, SLV_SECTION_PHANTOM, &size);
    if (!bytes) {
        return SLV_OK;
    }
    if (size % 8 != 0 || size == 0 || size / 8 > garment->info.particle_count) {
        return slv_fail_section(error, SLV_SECTION_PHANTOM,
                                "%zu bytes, phantom constraints have 8 each and there are 1 to %u",
                                size, garment->info.particle_count);
    }
    phantoms->count = (uint32_t)(size / 8);
    phantoms->original = bytes;
    phantoms->end = bytes + phantoms->count;
    slv_result result = check_phantoms(garment, error);
    phantoms->copies = result == SLV_OK ? phantoms->end[phantoms->count - 1] : 0;
    return result;
}
