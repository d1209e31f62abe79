// SPDX-License-Identifier: MIT
#include "formats/named_sets.h"

#include "formats/section_check.h"
#include "formats/value_check.h"

#include <stdlib.h>
#include <string.h>

// Numbers and names follow one another without a gap, so that checking them takes time in proportion to
// their bytes.

slv_named_set slv_named_sets_get(const slv_named_sets *sets, uint32_t index) {
    const slv_particle_set *set = &sets->sets[index];
    return (slv_named_set){
        .name = sets->names + set->name_offset,
        .name_length = set->name_length,
        .count = set->count,
        .particles = sets->particles + set->first,
    };
}

static slv_result check_layout(const slv_named_sets *sets, uint32_t kind, const slv_sets_info *info,
                               slv_error *error) {
    uint32_t index_end = 0;
    uint32_t name_end = 0;
    for (uint32_t i = 0; i < info->set_count; i++) {
        const slv_particle_set *set = &sets->sets[i];
        if (set->name_length < 1 || set->name_length > 255) {
            return slv_fail_section(error, kind,
                                    "the name of set %u has %u bytes, should be 1 to 255", i,
                                    set->name_length);
        }
        if (set->first != index_end || set->count > info->index_count - index_end ||
            set->name_offset != name_end || set->name_length > info->name_bytes - name_end) {
            return slv_fail_section(
                error, kind, "set %u does not follow the one before it, or ends too late", i);
        }
        index_end += set->count;
        name_end += set->name_length;
    }
    if (index_end != info->index_count || name_end != info->name_bytes) {
        return slv_fail_section(error, kind, "particle numbers or names that belong to no set");
    }
    return SLV_OK;
}

static slv_result check_set(const slv_named_sets *sets, uint32_t kind, uint32_t index,
                            uint32_t limit, slv_error *error) {
    slv_named_set set = slv_named_sets_get(sets, index);
    if (!slv_is_utf8(set.name, set.name_length)) {
        return slv_fail_section(error, kind, "the name of set %u is not UTF-8 text", index);
    }
    uint64_t next = 0; // the smallest number that may follow
    for (uint32_t i = 0; i < set.count; i++) {
        if (set.particles[i] < next || set.particles[i] >= limit) {
            return slv_fail_section(
                error, kind,
                "set %u lists stored particle %u: numbers must ascend and stay below "
                "%u",
                index, set.particles[i], limit);
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

static slv_result check_names_differ(const slv_named_sets *sets, uint32_t kind, slv_error *error) {
    uint32_t count = sets->count;
    slv_named_set *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (!sorted) {
        return slv_no_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = slv_named_sets_get(sets, i);
    }
    qsort(sorted, count, sizeof *sorted, compare_names);
    slv_result result = SLV_OK;
    for (uint32_t i = 1; result == SLV_OK && i < count; i++) {
        if (compare_names(&sorted[i - 1], &sorted[i]) == 0) {
            result = slv_fail_section(error, kind, "two sets are called \"%.*s\"",
                                      (int)sorted[i].name_length, sorted[i].name);
        }
    }
    free(sorted);
    return result;
}

static slv_result take_sets(const slv_pack *pack, uint32_t kind, slv_named_sets *sets,
                            slv_error *error) {
    size_t size = 0;
    const slv_sets_info *info = slv_pack_get_section(pack, kind, &size);
    if (!info) {
        return SLV_OK;
    }
    if (size < sizeof *info || info->zero != 0) {
        return slv_fail_section(error, kind, "its first %zu bytes are bad or missing",
                                sizeof *info);
    }
    uint64_t needed = sizeof *info + (uint64_t)info->set_count * sizeof(slv_particle_set) +
                      (uint64_t)info->index_count * 4 + info->name_bytes;
    if (size != needed) {
        return slv_fail_section(error, kind, "%zu bytes long, should be %llu", size,
                                (unsigned long long)needed);
    }
    sets->count = info->set_count;
    sets->sets = (const void *)(info + 1);
    sets->particles = (const void *)(sets->sets + info->set_count);
    sets->names = (const void *)(sets->particles + info->index_count);
    return check_layout(sets, kind, info, error);
}

slv_result slv_named_sets_open(const slv_pack *pack, uint32_t kind, uint32_t limit,
                               slv_named_sets *sets, slv_error *error) {
    *sets = (slv_named_sets){0};
    slv_result result = take_sets(pack, kind, sets, error);
    for (uint32_t i = 0; result == SLV_OK && i < sets->count; i++) {
        result = check_set(sets, kind, i, limit, error);
    }
    return result == SLV_OK ? check_names_differ(sets, kind, error) : result;
}
