// SPDX-License-Identifier: MIT
// Collider packs: decoded frames are within the error and have the same bits on every machine. Damaged or invalid packs
// are refused when opened or when decoded.
#include "tests/formats/forged_pack.h"
#include "tests/formats/sample_collider.h"
#include "tests/formats/scratch.h"

#include "formats/checksum.h"
#include "formats/file_bytes.h"
#include "tests/common/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static forged_pack make_pack(sample_collider sample) {
    scratch temporary;
    slv_error error = {0};
    assert_int_equal(scratch_open(&temporary), 0);
    const char *path = scratch_path(&temporary, "collider.slv");
    assert_int_equal(sample_collider_write(&sample, path, &error), SLV_OK);
    forged_pack pack = forged_pack_load(path);
    assert_non_null(pack.bytes);
    scratch_close(&temporary);
    return pack;
}

static const sample_collider small = {
    .particles = 6, .frames = 21, .more = true, .error = 1e-4, .table_raw = true};

static slv_result open_bytes(const forged_pack *forged, bool decode, slv_error *error) {
    slv_pack *pack = NULL;
    slv_collider_pack collider;
    slv_result result = slv_pack_open_memory(forged->bytes, forged->size, NULL, &pack, error);
    if (result == SLV_OK) {
        result = slv_collider_pack_open(pack, &collider, error);
        if (result == SLV_OK) {
            result = decode ? slv_collider_pack_verify_groups(&collider, error) : SLV_OK;
            slv_collider_pack_close(&collider);
        }
    }
    slv_pack_close(pack);
    return result;
}

// --- Frames ---------------------------------------------------------------------------------------

static double worst_error(const slv_motion *motion, slv_motion_kind kind, uint32_t frames,
                          uint64_t *hash) {
    slv_motion_decoder *decoder = slv_motion_decoder_create(motion);
    float *rows = slv_aligned_bytes((size_t)motion->count * SLV_ROW_FLOATS * sizeof *rows);
    float *frame = calloc(3 * (size_t)motion->count, sizeof *frame);
    double worst = 0.0;
    for (uint32_t f = 0; f < frames; f++) {
        if (f % SLV_GROUP_FRAMES == 0) {
            assert_null(slv_motion_decode(decoder, f / SLV_GROUP_FRAMES, rows));
            *hash = *hash * 31 + slv_checksum(rows, (size_t)motion->count * SLV_ROW_FLOATS * 4);
        }
        slv_motion_take_frame(rows, motion->count, f % SLV_GROUP_FRAMES, frame, motion->count);
        for (uint32_t i = 0; i < motion->count; i++) {
            double at[3];
            double sum = 0.0;
            sample_collider_at(kind, i, f, at);
            for (size_t d = 0; d < 3; d++) {
                const double off = (double)frame[d * motion->count + i] - at[d];
                sum += off * off;
            }
            worst = fmax(worst, sqrt(sum));
        }
    }
    free(frame);
    free(rows);
    slv_motion_decoder_destroy(decoder);
    return worst;
}

static void every_frame_is_within_the_error(void **state) {
    (void)state;
    const sample_collider samples[] = {small,
                                       {.particles = 1, .frames = 1, .error = 1e-3},
                                       {.particles = 300, .frames = 100, .error = 1e-5},
                                       {.particles = 40, .frames = SLV_GROUP_FRAMES, .error = 0.3}};
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        forged_pack forged = make_pack(samples[s]);
        slv_pack *pack = NULL;
        slv_collider_pack collider;
        slv_error error = {0};
        uint64_t hash = 0;
        assert_int_equal(slv_pack_open_memory(forged.bytes, forged.size, NULL, &pack, &error),
                         SLV_OK);
        assert_int_equal(slv_collider_pack_open(pack, &collider, &error), SLV_OK);
        for (int m = 0; m < (samples[s].more ? SLV_MOTION_COUNT : 1); m++) {
            const double worst =
                worst_error(&collider.motions[m], (slv_motion_kind)m, samples[s].frames, &hash);
            assert_true(worst <= samples[s].error);
            assert_true(worst <= (double)collider.info.largest_error * 1.0001 + 1e-12);
        }
        slv_collider_pack_close(&collider);
        slv_pack_close(pack);
        forged_pack_free(&forged);
    }
}

// The same bits with every compiler, instruction set and processor. The hash is from x86-64.
static void decoding_gives_the_same_bits_everywhere(void **state) {
    (void)state;
    forged_pack forged = make_pack((sample_collider){.particles = 64, .frames = 40, .error = 1e-4});
    slv_pack *pack = NULL;
    slv_collider_pack collider;
    slv_error error = {0};
    uint64_t hash = 0;
    assert_int_equal(slv_pack_open_memory(forged.bytes, forged.size, NULL, &pack, &error), SLV_OK);
    assert_int_equal(slv_collider_pack_open(pack, &collider, &error), SLV_OK);
    (void)worst_error(&collider.motions[0], SLV_MOTION_PARTICLES, 40, &hash);
    assert_int_equal(hash, UINT64_C(0x0b67c1e40ee1321a));
    slv_collider_pack_close(&collider);
    slv_pack_close(pack);
    forged_pack_free(&forged);
}

// --- Damage ---------------------------------------------------------------------------------------

static void a_truncated_pack_is_refused_at_every_length(void **state) {
    (void)state;
    forged_pack whole = make_pack(small);
    slv_error error = {0};
    assert_int_equal(open_bytes(&whole, true, &error), SLV_OK);
    for (size_t size = 0; size < whole.size; size++) {
        const forged_pack cut = {whole.bytes, size};
        assert_int_not_equal(open_bytes(&cut, true, &error), SLV_OK);
    }
    forged_pack_free(&whole);
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    forged_pack pack = make_pack(small);
    slv_error error = {0};
    for (size_t bit = 0; bit < 8 * pack.size; bit++) {
        pack.bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
        if (open_bytes(&pack, true, &error) == SLV_OK) {
            fail_msg("bit %zu may be flipped", bit);
        }
        pack.bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
    }
    forged_pack_free(&pack);
}

// With valid checksums: a pack that opens is decoded to the end, and no position leaves the bounds. Either result of
// opening is right; the bounds and the sanitizers are the check.
static void invalid_groups_are_refused_or_harmless(void **state) {
    (void)state;
    static const uint32_t kinds[] = {
        SLV_SECTION_PARTICLE_GROUPS, SLV_SECTION_PARTICLE_INDEX, SLV_SECTION_PARTICLE_TABLE,
        SLV_SECTION_MESH_GROUPS,     SLV_SECTION_CLIP,           SLV_SECTION_ATTACHMENTS};
    uint32_t random = 12345;
    uint32_t refused = 0;
    for (int round = 0; round < 3000; round++) {
        static forged_pack whole;
        whole = round == 0 ? make_pack(small) : whole;
        forged_pack pack = forged_pack_copy(whole.bytes, whole.size);
        const uint32_t kind = kinds[(uint32_t)round % (sizeof kinds / sizeof *kinds)];
        const slv_section_entry *entry = forged_entry(&pack, kind);
        unsigned char *bytes = forged_section(&pack, kind);
        for (int change = 0; change < 1 + round % 3; change++) {
            const uint32_t bits = next_bits(&random);
            bytes[bits % entry->stored_size] ^= (unsigned char)(bits >> 24 | 1u);
        }
        forged_pack_seal(&pack);
        slv_error error = {0};
        refused += open_bytes(&pack, true, &error) != SLV_OK;
        forged_pack_free(&pack);
        if (round == 2999) {
            forged_pack_free(&whole);
        }
    }
    assert_true(refused > 1000);
}

// --- Invalid values with valid checksums -----------------------------------------------------------------------------------------

typedef struct parts {
    slv_clip_info *clip;
    slv_motion_info *table;
    unsigned char *planes; // of the particles' table
    slv_motion_group *index;
    slv_sets_info *attachments;
    uint32_t *triangles;
} parts;

static void no_particles(parts *p) {
    p->clip->particle_count = 0;
}
static void other_particles(parts *p) {
    p->clip->particle_count++;
}
static void no_frames(parts *p) {
    p->clip->frame_count = 0;
}
static void more_frames(parts *p) {
    p->clip->frame_count += 16;
}
static void coverage_frame_beyond(parts *p) {
    p->clip->coverage_frame = p->clip->frame_count;
}
static void rate_zero(parts *p) {
    p->clip->frame_rate = 0.0;
}
static void rate_nan(parts *p) {
    p->clip->frame_rate = (double)NAN;
}
static void duration_short(parts *p) {
    p->clip->duration *= 0.5;
}
static void duration_infinite(parts *p) {
    p->clip->duration = (double)INFINITY;
}
static void bounds_swapped(parts *p) {
    p->clip->bounds_min[0] = p->clip->bounds_max[0] + 1.0f;
}
static void bounds_narrow(parts *p) {
    p->clip->bounds_max[1] = p->clip->bounds_min[1];
}
static void radius_zero(parts *p) {
    p->clip->radius = 0.0f;
}
static void coverage_nan(parts *p) {
    p->clip->coverage = NAN;
}
static void error_negative(parts *p) {
    p->clip->error = -1.0f;
}
static void bytes_not_zero(parts *p) {
    p->clip->zero[3] = 1;
}
static void step_zero(parts *p) {
    p->table->step = 0.0f;
}
static void no_predictors(parts *p) {
    p->table->predictors = 0;
}
static void many_predictors(parts *p) {
    p->table->predictors = 17;
}
static void predicted_from_itself(parts *p) {
    p->planes[2 * 3] = 3;
}
static void first_predicted(parts *p) {
    p->planes[5 * 12] = 1; // the upper byte of the first weight
}
static void group_elsewhere(parts *p) {
    p->index[1].offset += 1;
}
static void group_larger(parts *p) {
    p->index[0].key_size += 1;
}
static void group_huge(parts *p) {
    p->index[0].token_size = UINT32_MAX;
}
static void escapes_beyond(parts *p) {
    p->index[0].escape_count = UINT32_MAX;
}
static void attachment_missing(parts *p) {
    p->clip->attachment_count--;
}
static void triangle_beyond(parts *p) {
    p->triangles[4] = 5;
}
static void no_triangles(parts *p) {
    p->clip->triangle_count = 0;
}
static void sets_longer(parts *p) {
    p->attachments->index_count++;
}

static void every_fault_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *name;
        void (*apply)(parts *);
    } faults[] = {
#define FAULT(name) {#name, name}
        FAULT(no_particles),       FAULT(other_particles), FAULT(no_frames),
        FAULT(more_frames),        FAULT(rate_zero),       FAULT(coverage_frame_beyond),
        FAULT(rate_nan),           FAULT(duration_short),  FAULT(duration_infinite),
        FAULT(bounds_swapped),     FAULT(bounds_narrow),   FAULT(radius_zero),
        FAULT(coverage_nan),       FAULT(error_negative),  FAULT(bytes_not_zero),
        FAULT(step_zero),          FAULT(no_predictors),   FAULT(many_predictors),
        FAULT(first_predicted),    FAULT(group_elsewhere), FAULT(predicted_from_itself),
        FAULT(group_larger),       FAULT(group_huge),      FAULT(escapes_beyond),
        FAULT(attachment_missing), FAULT(triangle_beyond), FAULT(no_triangles),
        FAULT(sets_longer),
    };
    forged_pack whole = make_pack(small);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        forged_pack pack = forged_pack_copy(whole.bytes, whole.size);
        parts p = {.clip = forged_section(&pack, SLV_SECTION_CLIP),
                   .table = forged_section(&pack, SLV_SECTION_PARTICLE_TABLE),
                   .index = forged_section(&pack, SLV_SECTION_PARTICLE_INDEX),
                   .attachments = forged_section(&pack, SLV_SECTION_ATTACHMENTS),
                   .triangles = forged_section(&pack, SLV_SECTION_RENDER_TRIANGLE)};
        p.planes = (unsigned char *)(p.table + 1);
        faults[i].apply(&p);
        forged_pack_seal(&pack);
        slv_error error = {0};
        if (open_bytes(&pack, true, &error) != SLV_ERROR_CONTENT) {
            fail_msg("%s was believed", faults[i].name);
        }
        assert_non_null(strstr(error.text, "section "));
        forged_pack_free(&pack);
    }
    forged_pack_free(&whole);
}

static void every_section_is_needed(void **state) {
    (void)state;
    forged_pack whole = make_pack(small);
    const uint32_t count = forged_header(&whole)->section_count;
    for (uint32_t i = 0; i < count; i++) {
        forged_pack pack = forged_pack_copy(whole.bytes, whole.size);
        const uint32_t kind = ((const slv_section_entry *)(const void *)(whole.bytes + 64))[i].kind;
        forged_pack_remove(&pack, kind);
        slv_error error = {0};
        const slv_result result = open_bytes(&pack, false, &error);
        assert_int_equal(result, kind == SLV_SECTION_PROVENANCE ? SLV_OK : SLV_ERROR_CONTENT);
        forged_pack_free(&pack);
    }
    forged_pack_free(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_within_the_error),
        cmocka_unit_test(decoding_gives_the_same_bits_everywhere),
        cmocka_unit_test(a_truncated_pack_is_refused_at_every_length),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(invalid_groups_are_refused_or_harmless),
        cmocka_unit_test(every_fault_is_refused),
        cmocka_unit_test(every_section_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
