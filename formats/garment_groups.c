// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include <stdlib.h>
#include <string.h>

// CGRP: constraints by kind, in groups. Solvers run a colored group in parallel without locks. This file
// verifies what makes that safe: no two constraints of the group share a particle.

// --- groups ----------------------------------------------------------------------------------------

// Where the next group of the table must continue.
typedef struct group_cursor {
    uint32_t kind;
    uint32_t color; // next color of this kind; SLV_UNCOLORED after an uncolored group
    uint64_t first;
} group_cursor;

static slv_result check_group_numbers(const slv_garment *garment, uint32_t index,
                                      slv_error *error) {
    const slv_constraint_group *group = &garment->groups[index];
    if (group->kind < SLV_CONSTRAINT_FIRST || group->kind >= SLV_CONSTRAINT_END) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "group %u is of the unknown kind %u",
                                index, group->kind);
    }
    if (group->material >= garment->material_count) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "group %u has material %u, there are %u",
                                index, group->material, garment->material_count);
    }
    if (group->zero != 0) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "reserved bytes are not zero");
    }
    return SLV_OK;
}

// All constraints of the cursor's kind must have been covered.
static slv_result check_covered(const slv_garment *garment, const group_cursor *cursor,
                                slv_error *error) {
    uint64_t count = slv_garment_get_constraint_count(garment, cursor->kind);
    if (cursor->first != count) {
        return slv_fail_section(error, SLV_SECTION_GROUP,
                                "groups cover %llu of %llu %s constraints",
                                (unsigned long long)cursor->first, (unsigned long long)count,
                                slv_constraint_kinds[cursor->kind].name);
    }
    return SLV_OK;
}

static slv_result advance(const slv_garment *garment, uint32_t index, group_cursor *cursor,
                          slv_error *error) {
    const slv_constraint_group *group = &garment->groups[index];
    uint64_t left = slv_garment_get_constraint_count(garment, group->kind) - cursor->first;
    if (group->first != cursor->first || group->count > left) {
        return slv_fail_section(error, SLV_SECTION_GROUP,
                                "group %u is %llu + %llu constraints, should begin at %llu with at "
                                "most %llu",
                                index, (unsigned long long)group->first,
                                (unsigned long long)group->count, (unsigned long long)cursor->first,
                                (unsigned long long)left);
    }
    if (group->color != SLV_UNCOLORED && group->color != cursor->color) {
        return slv_fail_section(
            error, SLV_SECTION_GROUP,
            "group %u has color %u: colors of a kind count 0, 1, 2 and so on, and "
            "uncolored groups come last",
            index, group->color);
    }
    cursor->color = group->color == SLV_UNCOLORED ? SLV_UNCOLORED : cursor->color + 1;
    cursor->first += group->count;
    return SLV_OK;
}

static slv_result check_groups(const slv_garment *garment, slv_error *error) {
    group_cursor cursor = {.kind = SLV_CONSTRAINT_FIRST};
    for (uint32_t i = 0; i < garment->group_count; i++) {
        slv_result result = check_group_numbers(garment, i, error);
        uint32_t kind = garment->groups[i].kind;
        if (result == SLV_OK && kind < cursor.kind) {
            result = slv_fail_section(error, SLV_SECTION_GROUP, "groups are not sorted by kind");
        }
        while (result == SLV_OK && kind > cursor.kind) {
            result = check_covered(garment, &cursor, error);
            cursor = (group_cursor){.kind = cursor.kind + 1};
        }
        if (result == SLV_OK) {
            result = advance(garment, i, &cursor, error);
        }
        if (result != SLV_OK) {
            return result;
        }
    }
    slv_result result = SLV_OK;
    for (; result == SLV_OK && cursor.kind < SLV_CONSTRAINT_END;
         cursor = (group_cursor){.kind = cursor.kind + 1}) {
        result = check_covered(garment, &cursor, error);
    }
    return result;
}

// --- colors ---------------------------------------------------------------------------------------

// Marks being collected in one word of the bitset. Numbers mostly rise from one constraint to the
// next, so a word in a register collects many marks before it is written to memory.
typedef struct mark_stream {
    uint32_t word;
    uint64_t marks;
} mark_stream;

// Puts collected marks into the bitset; not zero when one was there already.
static inline uint64_t put_marks(const mark_stream *stream, uint64_t *bits) {
    uint64_t shared = bits[stream->word] & stream->marks;
    bits[stream->word] |= stream->marks;
    return shared;
}

static inline uint64_t mark(mark_stream *stream, uint64_t *bits, uint32_t particle) {
    uint64_t shared = 0;
    if (particle / 64 != stream->word) {
        shared = put_marks(stream, bits);
        *stream = (mark_stream){particle / 64, 0};
    }
    uint64_t bit = UINT64_C(1) << (particle % 64);
    shared |= stream->marks & bit;
    stream->marks |= bit;
    return shared;
}

// Whether any particle occurs twice among the ends of a group. The bitset is all zero before.
static bool share_particles(uint64_t *bits, const slv_constraints *set,
                            const slv_constraint_group *group) {
    const uint32_t arity = slv_constraint_kinds[group->kind].arity;
    mark_stream streams[SLV_ARITY_MAX] = {{0, 0}};
    uint64_t shared = 0;
    for (uint64_t i = group->first; i < group->first + group->count; i++) {
        for (uint32_t e = 0; e < arity; e++) {
            shared |= mark(&streams[e], bits, set->ends[e][i]);
        }
    }
    for (uint32_t e = 0; e < arity; e++) {
        shared |= put_marks(&streams[e], bits);
    }
    return shared != 0;
}

// Small groups clear their marks one by one: thousands of groups must not clear the whole set each.
static void clear_marks(uint64_t *bits, size_t words, const slv_constraints *set,
                        const slv_constraint_group *group) {
    const uint32_t arity = slv_constraint_kinds[group->kind].arity;
    if (group->count >= words / 4) {
        memset(bits, 0, words * sizeof *bits);
        return;
    }
    for (uint32_t e = 0; e < arity; e++) {
        for (uint64_t i = group->first; i < group->first + group->count; i++) {
            bits[set->ends[e][i] / 64] = 0;
        }
    }
}

// Phantom constraints never share a particle: their originals ascend and their copies follow one another.
static slv_result check_group_colors(const slv_garment *garment, slv_error *error) {
    size_t words = ((size_t)garment->info.particle_count + garment->phantoms.copies + 63) / 64;
    uint64_t *bits = calloc(words + 1, sizeof *bits);
    if (!bits) {
        return slv_no_memory(error);
    }
    slv_result result = SLV_OK;
    for (uint32_t g = 0; result == SLV_OK && g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        const slv_constraints *set = &garment->constraints[group->kind];
        if (group->color == SLV_UNCOLORED) {
            continue;
        }
        if (share_particles(bits, set, group)) {
            result = slv_fail_section(error, SLV_SECTION_GROUP,
                                      "group %u is colored, but two of its constraints share a "
                                      "particle",
                                      g);
        }
        clear_marks(bits, words, set, group);
    }
    free(bits);
    return result;
}

slv_result slv_verify_groups(const slv_garment *garment, slv_error *error) {
    slv_result result = check_groups(garment, error);
    return result == SLV_OK ? check_group_colors(garment, error) : result;
}
