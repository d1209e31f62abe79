// SPDX-License-Identifier: MIT
#include "formats/garment_verify.h"

#include "formats/value_check.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// CGRP, CDST, CBND: constraints by kind, in groups. Solvers run a coloured group, or a colour of
// particles, in parallel without locks; what makes that safe is proved here.

// --- one kind --------------------------------------------------------------------------------------

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

static slv_result verify_pairs(const slv_pack *pack, uint32_t kind, uint32_t n,
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
    return check_pairs(pairs, kind, n, error);
}

// --- groups ----------------------------------------------------------------------------------------

// Where the next group of the table must continue.
typedef struct group_cursor {
    uint32_t kind;
    uint32_t colour; // next colour of this kind; SLV_UNCOLOURED once an uncoloured group was met
    uint64_t first;
} group_cursor;

static const slv_pair_constraints *pairs_of(const slv_garment *garment, uint32_t kind) {
    return kind == SLV_CONSTRAINT_DISTANCE ? &garment->distance : &garment->bending;
}

static slv_result check_group_numbers(const slv_garment *garment, uint32_t index,
                                      slv_error *error) {
    const slv_constraint_group *group = &garment->groups[index];
    if (group->kind == SLV_CONSTRAINT_TETRAHEDRON || group->kind == SLV_CONSTRAINT_PHANTOM) {
        return slv_fail_section(error, SLV_SECTION_GROUP,
                                "group %u holds %s, which this version does not support", index,
                                group->kind == SLV_CONSTRAINT_PHANTOM ? "phantoms" : "tetrahedra");
    }
    if (group->kind != SLV_CONSTRAINT_DISTANCE && group->kind != SLV_CONSTRAINT_BENDING) {
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
    uint64_t count = pairs_of(garment, cursor->kind)->count;
    if (cursor->first != count) {
        return slv_fail_section(
            error, SLV_SECTION_GROUP, "groups cover %llu of %llu constraints of kind %u",
            (unsigned long long)cursor->first, (unsigned long long)count, cursor->kind);
    }
    return SLV_OK;
}

static slv_result advance(const slv_garment *garment, uint32_t index, group_cursor *cursor,
                          slv_error *error) {
    const slv_constraint_group *group = &garment->groups[index];
    uint64_t left = pairs_of(garment, group->kind)->count - cursor->first;
    if (group->first != cursor->first || group->count > left) {
        return slv_fail_section(error, SLV_SECTION_GROUP,
                                "group %u is %llu + %llu constraints, should begin at %llu with at "
                                "most %llu",
                                index, (unsigned long long)group->first,
                                (unsigned long long)group->count, (unsigned long long)cursor->first,
                                (unsigned long long)left);
    }
    if (group->colour != SLV_UNCOLOURED && group->colour != cursor->colour) {
        return slv_fail_section(
            error, SLV_SECTION_GROUP,
            "group %u has colour %u: colours of a kind count 0, 1, 2 and so on, and "
            "uncoloured groups come last",
            index, group->colour);
    }
    cursor->colour = group->colour == SLV_UNCOLOURED ? SLV_UNCOLOURED : cursor->colour + 1;
    cursor->first += group->count;
    return SLV_OK;
}

static slv_result check_groups(const slv_garment *garment, slv_error *error) {
    group_cursor cursor = {.kind = SLV_CONSTRAINT_DISTANCE};
    for (uint32_t i = 0; i < garment->group_count; i++) {
        slv_result result = check_group_numbers(garment, i, error);
        uint32_t kind = garment->groups[i].kind;
        if (result == SLV_OK && kind < cursor.kind) {
            result = slv_fail_section(error, SLV_SECTION_GROUP, "groups are not sorted by kind");
        }
        if (result == SLV_OK && kind > cursor.kind) {
            result = check_covered(garment, &cursor, error);
            cursor = (group_cursor){.kind = kind};
        }
        if (result == SLV_OK) {
            result = advance(garment, i, &cursor, error);
        }
        if (result != SLV_OK) {
            return result;
        }
    }
    slv_result result = check_covered(garment, &cursor, error);
    if (result == SLV_OK && cursor.kind == SLV_CONSTRAINT_DISTANCE) {
        result = check_covered(garment, &(group_cursor){.kind = SLV_CONSTRAINT_BENDING}, error);
    }
    return result;
}

// --- colours ---------------------------------------------------------------------------------------

// Marks being collected in one word of the bitset. Numbers mostly rise from one constraint to the
// next, so a word in a register gathers many marks before the memory sees them.
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

// Whether any particle occurs twice among the ends. The bitset is all zero before.
static bool share_particles(uint64_t *bits, const uint32_t *a, const uint32_t *b, uint64_t count) {
    mark_stream stream_a = {0, 0};
    mark_stream stream_b = {0, 0};
    uint64_t shared = 0;
    for (uint64_t i = 0; i < count; i++) {
        shared |= mark(&stream_a, bits, a[i]);
        shared |= mark(&stream_b, bits, b[i]);
    }
    shared |= put_marks(&stream_a, bits);
    shared |= put_marks(&stream_b, bits);
    return shared != 0;
}

// Small groups take their marks back one by one: thousands of them must not cost thousands of sweeps.
static void clear_marks(uint64_t *bits, size_t words, const uint32_t *a, const uint32_t *b,
                        uint64_t count) {
    if (count >= words / 4) {
        memset(bits, 0, words * sizeof *bits);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        bits[a[i] / 64] = 0;
        bits[b[i] / 64] = 0;
    }
}

static slv_result check_group_colours(const slv_garment *garment, slv_error *error) {
    size_t words = ((size_t)garment->info.particle_count + 63) / 64;
    uint64_t *bits = calloc(words + 1, sizeof *bits);
    if (!bits) {
        return slv_fail(error, SLV_ERROR_INTERNAL, "out of memory");
    }
    slv_result result = SLV_OK;
    for (uint32_t g = 0; result == SLV_OK && g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        if (group->colour == SLV_UNCOLOURED) {
            continue;
        }
        const slv_pair_constraints *pairs = pairs_of(garment, group->kind);
        const uint32_t *a = pairs->a + group->first;
        const uint32_t *b = pairs->b + group->first;
        if (share_particles(bits, a, b, group->count)) {
            result = slv_fail_section(error, SLV_SECTION_GROUP,
                                      "group %u is coloured, but two of its constraints share a "
                                      "particle",
                                      g);
        }
        clear_marks(bits, words, a, b, group->count);
    }
    free(bits);
    return result;
}

// A coloured particle and its partners along distance constraints must differ in colour. Neighbours
// in the list mostly begin in the same range, so the last one found is tried first.
static slv_result check_particle_colours(const slv_garment *garment, slv_error *error) {
    if (garment->colour_count == 0 || garment->colours[0].colour == SLV_UNCOLOURED) {
        return SLV_OK;
    }
    const slv_pair_constraints *pairs = &garment->distance;
    const slv_colour_range *range = garment->colours;
    for (uint64_t i = 0; i < pairs->count; i++) {
        if (pairs->a[i] - range->first >= range->count) {
            range = &garment->colours[slv_garment_particle_colour(garment, pairs->a[i])];
        }
        if (pairs->b[i] - range->first < range->count) {
            return slv_fail_section(
                error, SLV_SECTION_COLOUR,
                "distance constraint %llu joins stored particles %u and %u, both of "
                "colour %u",
                (unsigned long long)i, pairs->a[i], pairs->b[i], range->colour);
        }
    }
    return SLV_OK;
}

slv_result slv_verify_constraints(const slv_pack *pack, slv_garment *garment, slv_error *error) {
    uint32_t n = garment->info.particle_count;
    size_t size = 0;
    garment->groups = slv_pack_get_section(pack, SLV_SECTION_GROUP, &size);
    if (!garment->groups) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "missing");
    }
    if (size % sizeof *garment->groups != 0 || size / sizeof *garment->groups > UINT32_MAX) {
        return slv_fail_section(error, SLV_SECTION_GROUP, "%zu bytes are no list of groups", size);
    }
    garment->group_count = (uint32_t)(size / sizeof *garment->groups);
    slv_result result = verify_pairs(pack, SLV_SECTION_DISTANCE, n, &garment->distance, error);
    if (result == SLV_OK) {
        result = verify_pairs(pack, SLV_SECTION_BENDING, n, &garment->bending, error);
    }
    if (result == SLV_OK) {
        result = check_groups(garment, error);
    }
    if (result == SLV_OK) {
        result = check_group_colours(garment, error);
    }
    return result == SLV_OK ? check_particle_colours(garment, error) : result;
}
