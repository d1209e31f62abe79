// SPDX-License-Identifier: MIT
// Clusters in packs: read back as written, and every fault about them refused.
#include "tests/formats/forged_garment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBERS = 15 }; // header, ends, members

static forged_pack body_pack(void) {
    forged_pack pack = forged_garment_make(sample_body);
    assert_non_null(pack.bytes);
    return pack;
}

static void written_clusters_are_read_back(void **state) {
    (void)state;
    static const uint32_t ends[] = {4, 7, 8};
    static const uint32_t members[] = {0, 1, 2, 3, 2, 3, 4, 5};
    forged_pack forged = body_pack();
    slv_pack *pack = NULL;
    slv_garment garment;
    assert_int_equal(slv_pack_open_memory(forged.bytes, forged.size, NULL, &pack, NULL), SLV_OK);
    assert_int_equal(slv_garment_open(pack, &garment, NULL), SLV_OK);
    assert_int_equal(garment.clusters.count, 3);
    assert_int_equal(garment.clusters.member_count, 8);
    assert_memory_equal(garment.clusters.end, ends, sizeof ends);
    assert_memory_equal(garment.clusters.member, members, sizeof members);
    slv_pack_close(pack);
    forged_pack_free(&forged);
}

// One number of the section is replaced: header (4), ends (3), members (8).
static const struct {
    size_t at;
    uint32_t value;
    const char *text;
} faults[] = {
    {0, 0, "CCLU: 60 bytes, should be 16 and 4 for each cluster"},
    {0, 2, "CCLU: 60 bytes"},
    {0, 0xFFFFFFFF, "CCLU: 60 bytes"},
    {1, 9, "CCLU: 60 bytes"},
    {1, 0xFFFFFFFC, "CCLU: 60 bytes"},
    {2, 1, "CCLU: reserved bytes are not zero"},
    {3, 1, "CCLU: reserved bytes are not zero"},
    {4, 0, "CCLU: cluster 0 ends at member 0"},
    {4, 7, "CCLU: cluster 1 ends at member 7"},
    {4, 9, "CCLU: cluster 0 ends at member 9"},
    {5, 3, "CCLU: cluster 1 ends at member 3"},
    {6, 0xFFFFFFFF, "CCLU: cluster 2 ends at member 4294967295"},
    {7, 6, "CCLU: cluster 0 has stored particle 6"},
    {8, 0, "CCLU: cluster 0 has stored particle 0"},
    {9, 1, "CCLU: cluster 0 has stored particle 1"},
    {13, 1, "CCLU: cluster 1 has stored particle 1"},
    {14, 6, "CCLU: cluster 2 has stored particle 6"},
    {14, 0x80000000, "CCLU: cluster 2 has stored particle 2147483648"},
};

static void every_fault_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        forged_pack pack = body_pack();
        slv_error error = {0};
        ((uint32_t *)forged_section(&pack, SLV_SECTION_CLUSTER))[faults[i].at] = faults[i].value;
        forged_pack_seal(&pack);
        assert_int_equal(forged_garment_open(pack.bytes, pack.size, NULL, &error),
                         SLV_ERROR_CONTENT);
        if (!strstr(error.text, faults[i].text)) {
            fail_msg("fault %zu: \"%s\" does not say \"%s\"", i, error.text, faults[i].text);
        }
        forged_pack_free(&pack);
    }
}

static void clusters_that_leave_members_out_are_refused(void **state) {
    (void)state;
    static const uint32_t short_one[] = {1, 3, 0, 0, 2, 0, 1, 2};
    forged_pack pack = body_pack();
    slv_error error = {0};
    forged_pack_replace(&pack, SLV_SECTION_CLUSTER, short_one, sizeof short_one);
    assert_int_equal(forged_garment_open(pack.bytes, pack.size, NULL, &error), SLV_ERROR_CONTENT);
    assert_non_null(strstr(error.text, "CCLU: clusters cover 2 of 3 members"));
    forged_pack_free(&pack);
}

static void sections_of_odd_sizes_are_refused(void **state) {
    (void)state;
    static const uint32_t zeros[NUMBERS] = {3, 8};
    static const size_t sizes[] = {0, 4, 15, 16, 56, 59};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        forged_pack pack = body_pack();
        slv_error error = {0};
        forged_pack_replace(&pack, SLV_SECTION_CLUSTER, zeros, sizes[i]);
        assert_int_equal(forged_garment_open(pack.bytes, pack.size, NULL, &error),
                         SLV_ERROR_CONTENT);
        assert_non_null(strstr(error.text, "CCLU: "));
        forged_pack_free(&pack);
    }
}

static void a_truncated_body_is_refused_at_every_length(void **state) {
    (void)state;
    forged_pack pack = body_pack();
    for (size_t size = 0; size < pack.size; size++) {
        forged_pack copy = forged_pack_copy(pack.bytes, size);
        assert_int_not_equal(forged_garment_open(copy.bytes, size, NULL, NULL), SLV_OK);
        forged_pack_free(&copy);
    }
    forged_pack_free(&pack);
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    forged_pack pack = body_pack();
    for (size_t bit = 0; bit < 8 * pack.size; bit++) {
        pack.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (forged_garment_open(pack.bytes, pack.size, NULL, NULL) == SLV_OK) {
            fail_msg("bit %zu may be flipped", bit);
        }
        pack.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    forged_pack_free(&pack);
}

// Any single word of a sealed pack is replaced: the pack is refused, or all of it can be read.
static void any_changed_word_is_refused_or_harmless(void **state) {
    (void)state;
    static const uint32_t words[] = {0, 1, 2, 5, 6, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    forged_pack pack = body_pack();
    const uint32_t *section = forged_section(&pack, SLV_SECTION_CLUSTER);
    const size_t first = (size_t)((const unsigned char *)section - pack.bytes);
    unsigned opened = 0;
    for (size_t at = first; at < first + NUMBERS * sizeof *section; at += 4) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            forged_pack copy = forged_pack_copy(pack.bytes, pack.size);
            double sum = 0;
            memcpy(copy.bytes + at, &words[k], sizeof words[k]);
            forged_pack_seal(&copy);
            if (forged_garment_open(copy.bytes, copy.size, &sum, NULL) == SLV_OK) {
                assert_true(isfinite(sum) != 0);
                opened++;
            }
            forged_pack_free(&copy);
        }
    }
    assert_true(opened > 0);
    forged_pack_free(&pack);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_clusters_are_read_back),
        cmocka_unit_test(every_fault_is_refused),
        cmocka_unit_test(clusters_that_leave_members_out_are_refused),
        cmocka_unit_test(sections_of_odd_sizes_are_refused),
        cmocka_unit_test(a_truncated_body_is_refused_at_every_length),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(any_changed_word_is_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
