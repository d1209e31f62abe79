// SPDX-License-Identifier: MIT
// Tetrahedra and phantoms in packs: read back as written, and every fault about them refused.
#include "tests/formats/forged_garment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static forged_pack tetrahedra_pack(void) {
    forged_pack pack = forged_garment_make(sample_tetrahedra);
    assert_non_null(pack.bytes);
    return pack;
}

static void written_tetrahedra_are_read_back(void **state) {
    (void)state;
    forged_pack forged = tetrahedra_pack();
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_error error = {0};
    assert_int_equal(slv_pack_open_memory(forged.bytes, forged.size, NULL, &pack, &error), SLV_OK);
    assert_int_equal(slv_garment_open(pack, &garment, &error), SLV_OK);
    assert_int_equal(garment.constraints[SLV_CONSTRAINT_TETRAHEDRON].count, 2);
    assert_int_equal(garment.constraints[SLV_CONSTRAINT_TETRAHEDRON].ends[2][1], 1);
    assert_int_equal(garment.phantoms.count, 2);
    assert_int_equal(garment.phantoms.copies, 3);
    static const uint32_t originals[8] = {0, 1, 2, 3, 4, 0, 0, 3};
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(slv_garment_get_original(&garment, i), originals[i]);
    }
    slv_pack_close(pack);
    forged_pack_free(&forged);
}

// --- Invalid values with valid checksums -------------------------------------------------------------------------------------------

typedef struct soft {
    uint32_t *distance, *corners, *phantoms;
    float *volumes;
    slv_constraint_group *groups;
    slv_color_range *colors;
} soft;

static void corner_far(soft *in) {
    in->corners[3] = 8;
}
static void corner_twice(soft *in) {
    in->corners[0] = 1;
}
static void corner_copy(soft *in) {
    in->corners[2] = 5;
}
static void volume_negative(soft *in) {
    in->volumes[1] = -1.0f;
}
static void volume_nan(soft *in) {
    in->volumes[0] = NAN;
}
static void spring_far(soft *in) {
    in->distance[1] = 8;
}
static void spring_of_copies(soft *in) {
    in->distance[10] = 6;
}
static void original_far(soft *in) {
    in->phantoms[1] = 5;
}
static void original_twice(soft *in) {
    in->phantoms[1] = 0;
}
static void end_first_zero(soft *in) {
    in->phantoms[2] = 0;
}
static void end_same(soft *in) {
    in->phantoms[3] = 2;
}
static void end_descends(soft *in) {
    in->phantoms[2] = 3;
    in->phantoms[3] = 2;
}
static void end_huge(soft *in) {
    in->phantoms[3] = 0x7FFFFFFFu;
}
static void end_many(soft *in) {
    in->phantoms[3] = 27;
}
static void end_fewer(soft *in) {
    in->phantoms[2] = 1;
    in->phantoms[3] = 2;
}
static void group_shared(soft *in) {
    in->distance[1] = 0;
}
static void tetrahedra_shared(soft *in) {
    in->groups[4].count = 2;
    in->groups[5].first = 2;
    in->groups[5].count = 0;
}
static void tetrahedra_missed(soft *in) {
    in->groups[5].count = 0;
}
static void phantoms_missed(soft *in) {
    in->groups[6].count = 1;
}
static void kind_unknown(soft *in) {
    in->groups[6].kind = SLV_CONSTRAINT_END;
}
static void colored_after_none(soft *in) {
    in->groups[2].color = SLV_UNCOLORED;
    in->groups[3].color = 2;
}

static const struct {
    const char *text;
    void (*apply)(soft *in);
} faults[] = {
    {"CTET: constraint 1 has stored particle 8, there are 8", corner_far},
    {"CTET: constraint 0 has stored particle 1 twice", corner_twice},
    {"CTET: constraint 0 has stored particle 0 and a copy of it", corner_copy},
    {"CTET: constraint 1 has volume -1", volume_negative},
    {"CTET: constraint 0 has volume", volume_nan},
    {"CDST: constraint 1 has stored particle 8", spring_far},
    {"CDST: constraint 1 has stored particle 0 and a copy of it", spring_of_copies},
    {"CPHM: phantom constraint 1 is of stored particle 5", original_far},
    {"CPHM: phantom constraint 1 is of stored particle 0", original_twice},
    {"CPHM: phantom constraint 0 ends at copy 0", end_first_zero},
    {"CPHM: phantom constraint 1 ends at copy 2", end_same},
    {"CPHM: phantom constraint 1 ends at copy 2", end_descends},
    {"CPHM: phantom constraint 1 ends at copy 2147483647", end_huge},
    {"CPHM: 27 copies of particles, but constraints have only 26 ends", end_many},
    {"CDST: constraint 3 has stored particle 7, there are 7", end_fewer},
    {"CGRP: group 0 is colored, but two", group_shared},
    {"CGRP: group 4 is colored, but two", tetrahedra_shared},
    {"CGRP: groups cover 1 of 2 tetrahedron constraints", tetrahedra_missed},
    {"CGRP: groups cover 1 of 2 phantom constraints", phantoms_missed},
    {"CGRP: group 6 is of the unknown kind", kind_unknown},
    {"CGRP: group 3 has color 2", colored_after_none},
};

static void every_fault_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        forged_pack pack = tetrahedra_pack();
        slv_error error = {0};
        soft in = {.distance = forged_section(&pack, SLV_SECTION_DISTANCE),
                   .corners = forged_section(&pack, SLV_SECTION_TETRAHEDRON),
                   .phantoms = forged_section(&pack, SLV_SECTION_PHANTOM),
                   .groups = forged_section(&pack, SLV_SECTION_GROUP),
                   .colors = forged_section(&pack, SLV_SECTION_COLOR)};
        in.volumes = (float *)(void *)(in.corners + 8);
        faults[i].apply(&in);
        forged_pack_seal(&pack);
        assert_int_equal(forged_garment_open(pack.bytes, pack.size, NULL, &error),
                         SLV_ERROR_CONTENT);
        if (!strstr(error.text, faults[i].text)) {
            fail_msg("fault %zu: \"%s\" does not say \"%s\"", i, error.text, faults[i].text);
        }
        forged_pack_free(&pack);
    }
}

static void sections_of_odd_sizes_are_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t kind;
        size_t size;
        const char *text;
    } cases[] = {
        {SLV_SECTION_TETRAHEDRON, 39, "CTET: 39 bytes, constraints have 20 each"},
        {SLV_SECTION_TETRAHEDRON, 20, "CGRP: group 5 is"},
        {SLV_SECTION_PHANTOM, 12, "CPHM: 12 bytes, phantom constraints have 8 each"},
        {SLV_SECTION_PHANTOM, 0, "CPHM: 0 bytes"},
        {SLV_SECTION_PHANTOM, 48, "CPHM: 48 bytes"},
    };
    static const uint32_t zeros[12] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forged_pack pack = tetrahedra_pack();
        slv_error error = {0};
        forged_pack_replace(&pack, cases[i].kind, zeros, cases[i].size);
        assert_int_equal(forged_garment_open(pack.bytes, pack.size, NULL, &error),
                         SLV_ERROR_CONTENT);
        if (!strstr(error.text, cases[i].text)) {
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, error.text, cases[i].text);
        }
        forged_pack_free(&pack);
    }
}

// Any single word of a sealed pack is replaced: the pack is refused, or all of it can be read.
static void any_changed_word_is_refused_or_harmless(void **state) {
    (void)state;
    static const uint32_t words[] = {0, 1, 3, 5, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FC00000};
    forged_pack pack = tetrahedra_pack();
    unsigned opened = 0;
    for (size_t at = sizeof(slv_pack_header); at + 4 <= pack.size; at += 4) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            forged_pack copy = forged_pack_copy(pack.bytes, pack.size);
            slv_error error = {0};
            double sum = 0;
            memcpy(copy.bytes + at, &words[k], sizeof words[k]);
            forged_pack_seal(&copy);
            if (forged_garment_open(copy.bytes, copy.size, &sum, &error) == SLV_OK) {
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
        cmocka_unit_test(written_tetrahedra_are_read_back),
        cmocka_unit_test(every_fault_is_refused),
        cmocka_unit_test(sections_of_odd_sizes_are_refused),
        cmocka_unit_test(any_changed_word_is_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
