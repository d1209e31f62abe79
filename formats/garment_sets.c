// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <stdlib.h>
#include <string.h>

// PSET: named particle sets, for pins and attachments. Their numbers and names follow one another
// without a gap, so that checking them takes time in proportion to their bytes.

slv_named_set slv_garment_get_set(const slv_garment *garment, uint32_t index) {
    const slv_particle_set *set = &garment->sets[index];
    return (slv_named_set){
        .name = garment->set_names + set->name_offset,
        .name_length = set->name_length,
        .count = set->count,
        .particles = garment->set_particles + set->first,
    };
}

static slv_result check_layout(const slv_garment *garment, const slv_sets_info *info,
                               slv_error *error) {
    uint32_t index_end = 0;
    uint32_t name_end = 0;
    for (uint32_t i = 0; i < info->set_count; i++) {
        const slv_particle_set *set = &garment->sets[i];
        if (set->name_length < 1 || set->name_length > 255) {
            return slv_fail_section(error, SLV_SECTION_SETS,
                                    "the name of set %u has %u bytes, should be 1 to 255", i,
                                    set->name_length);
        }
        if (set->first != index_end || set->count > info->index_count - index_end ||
            set->name_offset != name_end || set->name_length > info->name_bytes - name_end) {
            return slv_fail_section(error, SLV_SECTION_SETS,
                                    "set %u does not follow the one before it, or ends too late",
                                    i);
        }
        index_end += set->count;
        name_end += set->name_length;
    }
    if (index_end != info->index_count || name_end != info->name_bytes) {
        return slv_fail_section(error, SLV_SECTION_SETS,
                                "particle numbers or names that belong to no set");
    }
    return SLV_OK;
}

static slv_result check_set(const slv_garment *garment, uint32_t index, slv_error *error) {
    slv_named_set set = slv_garment_get_set(garment, index);
    if (!slv_is_utf8(set.name, set.name_length)) {
        return slv_fail_section(error, SLV_SECTION_SETS, "the name of set %u is not UTF-8 text",
                                index);
    }
    uint64_t next = 0; // the smallest number that may follow
    for (uint32_t i = 0; i < set.count; i++) {
        if (set.particles[i] < next || set.particles[i] >= garment->info.particle_count) {
            return slv_fail_section(
                error, SLV_SECTION_SETS,
                "set %u lists stored particle %u: numbers must ascend and stay below "
                "%u",
                index, set.particles[i], garment->info.particle_count);
        }
        next = (uint64_t)set.particles[i] + 1;
    }
    return SLV_OK;
}

static int compare_names(const void *left, const void *right) {
    const slv_named_set *a = left;
    const slv_named_set *b = right;
    uint32_t shorter = a->name_length < b->name_length ? a->name_length : b->name_length;
    int order = memcmp(a->name, b->name, shorter);
    return order ? order : (a->name_length > b->name_length) - (a->name_length < b->name_length);
}

static slv_result check_names_differ(const slv_garment *garment, slv_error *error) {
    uint32_t count = garment->set_count;
    slv_named_set *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (!sorted) {
        return slv_fail(error, SLV_ERROR_INTERNAL, "out of memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = slv_garment_get_set(garment, i);
    }
    qsort(sorted, count, sizeof *sorted, compare_names);
    slv_result result = SLV_OK;
    for (uint32_t i = 1; result == SLV_OK && i < count; i++) {
        if (compare_names(&sorted[i - 1], &sorted[i]) == 0) {
            result = slv_fail_section(error, SLV_SECTION_SETS, "two sets are called \"%.*s\"",
                                      (int)sorted[i].name_length, sorted[i].name);
        }
    }
    free(sorted);
    return result;
}

static slv_result take_sets(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    size_t size = 0;
    const slv_sets_info *info = slv_pack_get_section(pack, SLV_SECTION_SETS, &size);
    if (!info) {
        return SLV_OK;
    }
    if (size < sizeof *info || info->zero != 0) {
        return slv_fail_section(error, SLV_SECTION_SETS, "its first %zu bytes are bad or missing",
                                sizeof *info);
    }
    uint64_t needed = sizeof *info + (uint64_t)info->set_count * sizeof(slv_particle_set) +
                      (uint64_t)info->index_count * 4 + info->name_bytes;
    if (size != needed) {
        return slv_fail_section(error, SLV_SECTION_SETS, "%zu bytes long, should be %llu", size,
                                (unsigned long long)needed);
    }
    garment->set_count = info->set_count;
    garment->sets = (const void *)(info + 1);
    garment->set_particles = (const void *)(garment->sets + info->set_count);
    garment->set_names = (const void *)(garment->set_particles + info->index_count);
    return check_layout(garment, info, error);
}

slv_result slv_verify_sets(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    slv_result result = take_sets(pack, garment, error);
    for (uint32_t i = 0; result == SLV_OK && i < garment->set_count; i++) {
        result = check_set(garment, i, error);
    }
    return result == SLV_OK ? check_names_differ(garment, error) : result;
}
