// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

// CPHM: copies of particles.

// Where originals and ends both ascend, every copy has one original.
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
