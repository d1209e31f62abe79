// SPDX-License-Identifier: MIT
// Small packs with every bit flipped and cut at every length; and with changed numbers, lengths and sections under valid
// checksums, as a malicious file would have.
#include "formats/collider_pack.h"
#include "formats/garment.h"
#include "tests/formats/forged_pack.h"
#include "tests/formats/garment_walk.h"
#include "tests/formats/sample_collider.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef MUTANTS
#define MUTANTS 100000
#endif

enum { GRID, SOFT, CLIP, FIELD, PACKS };
static const char *const names[PACKS] = {"grid", "soft", "clip", "field"};
static forged_pack packs[PACKS];

static forged_pack load(scratch *temporary, const sample_field *field, sample_garment *sample) {
    slv_error error = {.code = SLV_OK};
    const char *path = scratch_path(temporary, "pack.slv");
    assert_int_equal(sample_write(&sample->garment, field, path, &error), SLV_OK);
    sample_free(sample);
    return forged_pack_load(path);
}

static int make_packs(void **state) {
    (void)state;
    static const sample_collider clip = {
        .particles = 4, .frames = 17, .more = true, .error = 1e-3, .table_raw = true};
    static const sample_field field = {{3, 3, 4}, SLV_CODEC_RAW};
    scratch temporary;
    slv_error error = {.code = SLV_OK};
    sample_garment sample;
    if (scratch_open(&temporary) != 0) {
        return -1;
    }
    sample_grid(&sample, 2, 2, 2);
    packs[GRID] = load(&temporary, NULL, &sample);
    sample_tetrahedra(&sample);
    packs[SOFT] = load(&temporary, NULL, &sample);
    sample_empty(&sample);
    packs[FIELD] = load(&temporary, &field, &sample);
    const char *path = scratch_path(&temporary, "clip.slv");
    assert_int_equal(sample_collider_write(&clip, path, &error), SLV_OK);
    packs[CLIP] = forged_pack_load(path);
    scratch_close(&temporary);
    return 0;
}

static int free_packs(void **state) {
    (void)state;
    for (int p = 0; p < PACKS; p++) {
        forged_pack_free(&packs[p]);
    }
    return 0;
}

// --- Without valid checksums ----------------------------------------------------------------------

static bool opens(const void *bytes, size_t size) {
    slv_pack *pack = NULL;
    const bool opened = slv_pack_open_memory(bytes, size, NULL, &pack, NULL) == SLV_OK;
    slv_pack_close(pack);
    return opened;
}

static void every_flipped_bit_of_a_small_pack_is_refused(void **state) {
    (void)state;
    size_t flips = 0;
    for (int p = 0; p < PACKS; p++) {
        assert_true(opens(packs[p].bytes, packs[p].size));
        for (size_t bit = 0; bit < 8 * packs[p].size; bit++, flips++) {
            packs[p].bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
            if (opens(packs[p].bytes, packs[p].size)) {
                fail_msg("%s: bit %zu may be flipped", names[p], bit);
            }
            packs[p].bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
        }
    }
    print_message("%zu flips\n", flips);
}

static void a_small_pack_is_refused_at_every_shorter_length(void **state) {
    (void)state;
    for (int p = 0; p < PACKS; p++) {
        for (size_t size = 0; size < packs[p].size; size++) {
            if (opens(packs[p].bytes, size)) {
                fail_msg("%s: %zu bytes are enough", names[p], size);
            }
        }
    }
}

// --- With valid checksums -------------------------------------------------------------------------

static uint64_t seed;

static uint32_t pick(uint32_t count) { // SplitMix64
    seed += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = (seed ^ seed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((mixed ^ mixed >> 31) % count);
}

static uint32_t wrong_word(uint32_t now, const unsigned char *section, size_t words) {
    static const uint32_t words_of_note[] = {
        0,          1,          2,          7,          8,          0x7FFFFFFF,
        0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x7F800000, 0xFF800000, 0x7FC00000,
        0x7F7FFFFF, 0x00000001, 0x3F800000, 0xBF800000, 0x7149F2CA, 0x00010000};
    uint32_t other = 0;
    switch (pick(5)) {
    case 0:
        return now + 1;
    case 1:
        return now - 1;
    case 2:
        return now ^ UINT32_C(1) << pick(32);
    case 3:
        memcpy(&other, section + 4 * (size_t)pick((uint32_t)words), sizeof other);
        return other;
    default:
        return words_of_note[pick(sizeof words_of_note / sizeof *words_of_note)];
    }
}

// One to three words of a section.
static void change_words(forged_pack *pack, const slv_section_entry *entry) {
    unsigned char *bytes = pack->bytes + entry->offset;
    const size_t words = (size_t)entry->stored_size / 4;
    for (uint32_t n = pick(3) + 1; words > 0 && n > 0; n--) {
        unsigned char *at = bytes + 4 * (size_t)pick((uint32_t)words);
        uint32_t word = 0;
        memcpy(&word, at, sizeof word);
        word = wrong_word(word, bytes, words);
        memcpy(at, &word, sizeof word);
    }
}

// A section that is longer or shorter by some bytes.
static void change_length(forged_pack *pack, const slv_section_entry *entry) {
    unsigned char bytes[8192];
    const uint32_t kind = entry->kind;
    size_t size = (size_t)entry->stored_size < 4096 ? (size_t)entry->stored_size : 4096;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, pack->bytes + entry->offset, size);
    const size_t by = 4 * (size_t)(pick(16) + 1);
    size = pick(2) == 0 ? size + by : size > by ? size - by : 0;
    forged_pack_replace(pack, kind, bytes, size);
}

// A word of the header or of the table of sections; checksums and the size are made valid again.
static void change_table(forged_pack *pack) {
    const size_t size =
        sizeof(slv_pack_header) + forged_header(pack)->section_count * sizeof(slv_section_entry);
    unsigned char *at = pack->bytes + 4 * (size_t)pick((uint32_t)(size / 4));
    uint32_t word = 0;
    memcpy(&word, at, sizeof word);
    word = wrong_word(word, pack->bytes, size / 4);
    memcpy(at, &word, sizeof word);
}

static const slv_section_entry *pick_section(const forged_pack *pack) {
    const slv_section_entry *entries =
        (const slv_section_entry *)(const void *)(pack->bytes + sizeof(slv_pack_header));
    return &entries[pick(forged_header(pack)->section_count)];
}

static forged_pack mutate(const forged_pack *good) {
    forged_pack pack = forged_pack_copy(good->bytes, good->size);
    assert_non_null(pack.bytes);
    const uint32_t way = pick(16);
    if (way < 12) {
        change_words(&pack, pick_section(&pack));
    } else if (way == 12) {
        change_length(&pack, pick_section(&pack));
    } else if (way == 13) {
        forged_pack_remove(&pack, pick_section(&pack)->kind);
    } else {
        change_table(&pack);
    }
    forged_pack_seal(&pack);
    return pack;
}

// Everything of a pack that opens is read; all of it is finite. Whether it opened.
static bool read_all(const slv_pack *pack) {
    slv_garment garment;
    slv_collider_pack collider;
    bool opened = false;
    if (slv_garment_open(pack, &garment, NULL) == SLV_OK) {
        opened = true;
        assert_true(isfinite(garment_walk(&garment)));
    }
    assert_true(isfinite(field_walk(pack)));
    if (slv_collider_pack_open(pack, &collider, NULL) == SLV_OK) {
        opened = slv_collider_pack_verify_groups(&collider, NULL) == SLV_OK;
        slv_collider_pack_close(&collider);
    }
    return opened;
}

static void a_mutant_with_valid_checksums_is_refused_or_finite(void **state) {
    (void)state;
    const slv_open_options options = {.decoded_limit = 1 << 20};
    size_t opened = 0;
    for (seed = 0; seed < MUTANTS; seed++) {
        const uint64_t number = seed;
        forged_pack mutant = mutate(&packs[pick(PACKS)]);
        slv_pack *pack = NULL;
        if (slv_pack_open_memory(mutant.bytes, mutant.size, &options, &pack, NULL) == SLV_OK) {
            opened += read_all(pack);
        }
        slv_pack_close(pack);
        forged_pack_free(&mutant);
        seed = number;
    }
    print_message("%zu of %d mutants opened\n", opened, MUTANTS);
    assert_true(opened > MUTANTS / 100 && opened < MUTANTS - MUTANTS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_bit_of_a_small_pack_is_refused),
        cmocka_unit_test(a_small_pack_is_refused_at_every_shorter_length),
        cmocka_unit_test(a_mutant_with_valid_checksums_is_refused_or_finite),
    };
    return cmocka_run_group_tests(tests, make_packs, free_packs);
}
