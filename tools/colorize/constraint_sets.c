// SPDX-License-Identifier: MIT
#include "tools/colorize/constraint_sets.h"

#include <stdlib.h>
#include <string.h>

// --- Order ------------------------------------------------------------------------------------------

static bool ends_are_equal(const slv_constraint_set *set, const uint32_t *order, uint32_t i,
                           uint32_t j) {
    for (uint32_t e = 0; e < set->arity; e++) {
        if (set->ends[e][order[i]] != set->ends[e][order[j]]) {
            return false;
        }
    }
    return true;
}

// Constraints between the same particles are rare; they are sorted by rest value.
static void sort_equal_ends(const slv_constraint_set *set, uint32_t *order) {
    for (uint32_t i = 1; i < set->count; i++) {
        for (uint32_t j = i; j > 0 && ends_are_equal(set, order, j - 1, j) &&
                             set->rest[order[j]] < set->rest[order[j - 1]];
             j--) {
            const uint32_t kept = order[j];
            order[j] = order[j - 1];
            order[j - 1] = kept;
        }
    }
}

// Radix sort: stable sorts by the last end, then by the one before it, and so on.
static void sort_by_ends(const slv_constraint_set *set, uint32_t particles, uint32_t *order,
                         uint32_t *scratch, uint32_t *next) {
    for (uint32_t i = 0; i < set->count; i++) {
        order[i] = i;
    }
    for (uint32_t e = set->arity; e-- > 0;) {
        memset(next, 0, ((size_t)particles + 1) * sizeof *next);
        for (uint32_t i = 0; i < set->count; i++) {
            next[set->ends[e][i] + 1]++;
        }
        for (uint32_t p = 0; p < particles; p++) {
            next[p + 1] += next[p];
        }
        for (uint32_t i = 0; i < set->count; i++) {
            scratch[next[set->ends[e][order[i]]]++] = order[i];
        }
        memcpy(order, scratch, set->count * sizeof *order);
    }
}

static void apply_order(void *values, const uint32_t *order, uint32_t count, uint32_t *scratch) {
    uint32_t *words = values; // floats are copied as words
    for (uint32_t i = 0; i < count; i++) {
        scratch[i] = words[order[i]];
    }
    memcpy(words, scratch, count * sizeof *words);
}

static slv_result sort_set(slv_constraint_set *set, uint32_t particles, slv_error *error) {
    uint32_t *order = calloc((size_t)set->count + 1, sizeof *order);
    uint32_t *scratch = calloc((size_t)set->count + 1, sizeof *scratch);
    uint32_t *next = calloc((size_t)particles + 2, sizeof *next);
    const bool done = order && scratch && next;
    if (done) {
        sort_by_ends(set, particles, order, scratch, next);
        sort_equal_ends(set, order);
        for (uint32_t e = 0; e < set->arity; e++) {
            apply_order(set->ends[e], order, set->count, scratch);
        }
        apply_order(set->rest, order, set->count, scratch);
    }
    free(order);
    free(scratch);
    free(next);
    return done ? SLV_OK : slv_no_memory(error);
}

// --- Sets -------------------------------------------------------------------------------------------

static uint64_t count_of(const slv_garment *garment, uint32_t kind, uint32_t material) {
    uint64_t count = 0;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        count += group->kind == kind && group->material == material ? group->count : 0;
    }
    return count;
}

// Uncolored groups get the number after the last color.
static void set_colors(slv_constraint_set *set, const slv_constraint_group *group, uint32_t first) {
    const bool colored = group->color != SLV_UNCOLORED;
    const uint32_t color = set->solved_colors;
    set->solved_colors += colored ? 1 : 0;
    set->coloring.color_count = color + 1;
    for (uint32_t i = first; i < first + group->count; i++) {
        set->coloring.color[i] = color;
    }
}

static void fill_set(const slv_garment *garment, bool keep, slv_constraint_set *set) {
    const slv_constraints *from = &garment->constraints[set->kind];
    const uint32_t n = garment->info.particle_count;
    uint32_t next = 0;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        if (group->kind != set->kind || group->material != set->material) {
            continue;
        }
        if (keep) {
            set_colors(set, group, next);
        }
        for (uint64_t i = group->first; i < group->first + group->count; i++, next++) {
            for (uint32_t e = 0; e < set->arity; e++) {
                const uint32_t end = from->ends[e][i];
                const bool copy = keep && end >= n;
                set->ends[e][next] =
                    copy ? end : garment->own_of_stored[slv_garment_get_original(garment, end)];
            }
            set->rest[next] = from->rest[i];
        }
    }
}

static bool allocate(slv_constraint_set *set, bool keep) {
    set->rest = calloc((size_t)set->count + 1, sizeof *set->rest);
    bool done = set->rest != NULL;
    for (uint32_t e = 0; e < set->arity; e++) {
        set->ends[e] = calloc((size_t)set->count + 1, sizeof *set->ends[e]);
        done = done && set->ends[e];
    }
    if (keep) {
        set->coloring.element_count = set->count;
        set->coloring.color = calloc((size_t)set->count + 1, sizeof *set->coloring.color);
        done = done && set->coloring.color;
    }
    return done;
}

static slv_result add_set(const slv_garment *garment, uint32_t kind, uint32_t material, bool keep,
                          slv_constraint_sets *sets, slv_error *error) {
    const uint64_t count = count_of(garment, kind, material);
    if (count == 0) {
        return SLV_OK;
    }
    if (count >= UINT32_MAX / SLV_ARITY_MAX) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "%llu constraints of one kind, at most %u can be colored",
                        (unsigned long long)count, UINT32_MAX / SLV_ARITY_MAX - 1);
    }
    slv_constraint_set *set = &sets->sets[sets->count++];
    *set = (slv_constraint_set){.kind = kind,
                                .material = material,
                                .arity = slv_constraint_kinds[kind].arity,
                                .count = (uint32_t)count};
    sets->constraints += count;
    if (!allocate(set, keep)) {
        return slv_no_memory(error);
    }
    fill_set(garment, keep, set);
    return keep ? SLV_OK : sort_set(set, garment->info.particle_count, error);
}

// Takes over the copies of the pack with their numbers.
static bool take_copies(const slv_garment *garment, slv_phantoms *phantoms) {
    const uint32_t n = garment->info.particle_count;
    for (uint32_t i = 0; i < garment->phantoms.copies; i++) {
        const uint32_t stored = slv_garment_get_copied(garment, n + i);
        uint32_t copy = 0;
        if (!slv_phantoms_add(phantoms, garment->own_of_stored[stored], &copy)) {
            return false;
        }
    }
    return true;
}

slv_result slv_constraint_sets_create(const slv_garment *garment, bool keep, slv_phantoms *phantoms,
                                      slv_constraint_sets *sets, slv_error *error) {
    *sets = (slv_constraint_sets){0};
    sets->sets = calloc((size_t)SLV_CONSTRAINT_END * garment->material_count, sizeof *sets->sets);
    slv_result result = sets->sets ? SLV_OK : slv_no_memory(error);
    if (result == SLV_OK && keep && !take_copies(garment, phantoms)) {
        result = slv_no_memory(error);
    }
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        const bool has_ends = slv_constraint_kinds[kind].arity > 0;
        for (uint32_t m = 0; has_ends && result == SLV_OK && m < garment->material_count; m++) {
            result = add_set(garment, kind, m, keep, sets, error);
        }
    }
    if (result != SLV_OK) {
        slv_constraint_sets_destroy(sets);
    }
    return result;
}

void slv_constraint_sets_destroy(slv_constraint_sets *sets) {
    for (uint32_t s = 0; sets->sets && s < sets->count; s++) {
        slv_constraint_set *set = &sets->sets[s];
        for (uint32_t e = 0; e < SLV_ARITY_MAX; e++) {
            free(set->ends[e]);
        }
        free(set->rest);
        slv_coloring_destroy(&set->coloring);
    }
    free(sets->sets);
    *sets = (slv_constraint_sets){0};
}
