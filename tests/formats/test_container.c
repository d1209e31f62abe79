// SPDX-License-Identifier: MIT
// The container: sections are read back as written, and damaged or invalid files are refused.
#define _POSIX_C_SOURCE 200809L
#include "formats/checksum.h"
#include "formats/reader.h"
#include "formats/writer.h"
#include "tests/common/random.h"
#include "tests/formats/forged_pack.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define KIND_A SLV_FOURCC('A', 'A', 'A', 'A')
#define KIND_B SLV_FOURCC('B', 'B', 'B', 'B')
#define KIND_C SLV_FOURCC('C', 'C', 'C', 'C')

static const sample_field small_field = {{5, 4, 9}, SLV_CODEC_ZSTD};

// A small pack with every section, one of them compressed.
static forged_pack small_pack(scratch *temporary) {
    sample_garment sample;
    slv_error error;
    sample_grid(&sample, 3, 3, 2);
    const char *path = scratch_path(temporary, "small.slv");
    assert_int_equal(sample_write(&sample.garment, &small_field, path, &error), SLV_OK);
    sample_free(&sample);
    forged_pack pack = forged_pack_load(path);
    assert_non_null(pack.bytes);
    return pack;
}

static slv_result open_memory(const void *bytes, size_t size, slv_error *error) {
    slv_pack *pack = NULL;
    slv_result result = slv_pack_open_memory(bytes, size, NULL, &pack, error);
    assert_true((result == SLV_OK) == (pack != NULL));
    slv_pack_close(pack);
    return result;
}

static void assert_refused(const forged_pack *pack, const char *text) {
    slv_error error = {0};
    assert_int_equal(open_memory(pack->bytes, pack->size, &error), SLV_ERROR_CONTENT);
    if (!strstr(error.text, text)) {
        fail_msg("the message is \"%s\", should contain \"%s\"", error.text, text);
    }
}

// --- first bytes -----------------------------------------------------------------------------------

// A sparse file of terabytes: reading it, or allocating that much, would not pass.
static void a_large_file_that_is_no_pack_is_refused_at_its_first_bytes(void **state) {
    const char *path = scratch_path(*state, "large.slv");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    if (truncate(path, (off_t)1 << 42) != 0) {
        print_message("skipped: no files of 4 TiB here\n");
        skip();
    }
    for (int mode = SLV_OPEN_COPY; mode >= SLV_OPEN_MAP; mode--) {
        slv_open_options options = slv_default_open_options();
        options.mode = (slv_open_mode)mode;
        slv_pack *pack = NULL;
        slv_error error = {0};
        assert_int_equal(slv_pack_open(path, &options, &pack, &error), SLV_ERROR_CONTENT);
        assert_non_null(strstr(error.text, "does not begin with \"SELVAGE\""));
        assert_null(pack);
    }
}

// --- round trips -----------------------------------------------------------------------------------

static void write_three(const char *path, const uint8_t *data, size_t size, size_t piece) {
    slv_writer *writer = NULL;
    slv_error error;
    assert_int_equal(slv_writer_open(path, KIND_C, 3, &writer, &error), SLV_OK);
    assert_int_equal(
        slv_writer_add(writer, KIND_A, SLV_CODEC_RAW, SLV_SECTION_REQUIRED, data, size, &error),
        SLV_OK);
    assert_int_equal(slv_writer_begin(writer, KIND_B, SLV_CODEC_ZSTD, 0, &error), SLV_OK);
    for (size_t first = 0; first < size; first += piece) {
        size_t length = size - first < piece ? size - first : piece;
        assert_int_equal(slv_writer_append(writer, data + first, length, &error), SLV_OK);
    }
    assert_int_equal(slv_writer_end(writer, &error), SLV_OK);
    assert_int_equal(slv_writer_add(writer, KIND_C, SLV_CODEC_RAW, 0, NULL, 0, &error), SLV_OK);
    assert_int_equal(slv_writer_commit(writer, &error), SLV_OK);
}

static void check_three(const slv_pack *pack, const uint8_t *data, size_t size) {
    size_t got = 0;
    uint32_t count = 0;
    const uint32_t kinds[] = {KIND_A, KIND_B};
    for (int i = 0; i < 2; i++) {
        const void *bytes = slv_pack_get_section(pack, kinds[i], &got);
        assert_non_null(bytes);
        assert_int_equal(got, size);
        assert_memory_equal(bytes, data, size);
        assert_int_equal((uintptr_t)bytes % SLV_SECTION_ALIGNMENT, 0);
    }
    assert_non_null(slv_pack_get_section(pack, KIND_C, &got));
    assert_int_equal(got, 0);
    assert_null(slv_pack_get_section(pack, SLV_SECTION_INFO, &got));
    assert_int_equal(slv_pack_get_header(pack)->contents, KIND_C);
    assert_int_equal(slv_pack_get_entries(pack, &count)[0].flags, SLV_SECTION_REQUIRED);
    assert_int_equal(count, 3);
}

// Bytes that compress, but not to nothing.
static uint8_t *some_bytes(size_t size) {
    uint8_t *data = malloc(size);
    assert_non_null(data);
    uint32_t mix = 1;
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)((next_bits(&mix) >> 30) + i / 1000);
    }
    return data;
}

static void a_pack_gives_back_its_sections_in_every_open_mode(void **state) {
    const size_t size = 300001;
    uint8_t *data = some_bytes(size);
    const char *path = scratch_path(*state, "three.slv");
    write_three(path, data, size, 4096);
    for (int mode = SLV_OPEN_MAP; mode <= SLV_OPEN_COPY; mode++) {
        slv_open_options options = slv_default_open_options();
        options.mode = (slv_open_mode)mode;
        slv_pack *pack = NULL;
        slv_error error;
        assert_int_equal(slv_pack_open(path, &options, &pack, &error), SLV_OK);
        check_three(pack, data, size);
        slv_pack_close(pack);
    }
    forged_pack copy = forged_pack_load(path);
    slv_pack *pack = NULL;
    assert_int_equal(slv_pack_open_memory(copy.bytes, copy.size, NULL, &pack, NULL), SLV_OK);
    check_three(pack, data, size);
    slv_pack_close(pack);
    forged_pack_free(&copy);
    free(data);
}

static void the_same_calls_give_the_same_bytes_however_data_is_cut(void **state) {
    const size_t size = 700003;
    const size_t pieces[] = {700003, 1000, 131072, 77777};
    uint8_t *data = some_bytes(size);
    forged_pack first = {0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const char *path = scratch_path(*state, "again.slv");
        write_three(path, data, size, pieces[i]);
        forged_pack next = forged_pack_load(path);
        if (i == 0) {
            first = next;
            continue;
        }
        assert_int_equal(next.size, first.size);
        assert_memory_equal(next.bytes, first.bytes, first.size);
        forged_pack_free(&next);
    }
    forged_pack_free(&first);
    free(data);
}

// Published values of XXH3-64 with seed 0: what another program's library will compute.
static void checksums_are_xxh3(void **state) {
    (void)state;
    assert_true(slv_checksum("", 0) == UINT64_C(0x2D06800538D394C2));
    slv_checksum_stream *stream = slv_checksum_create();
    assert_non_null(stream);
    uint8_t *data = some_bytes(5000);
    for (size_t size = 0; size <= 5000; size += 97) {
        slv_checksum_restart(stream);
        slv_checksum_update(stream, data, size / 3);
        slv_checksum_update(stream, data + size / 3, size - size / 3);
        assert_true(slv_checksum_get_value(stream) == slv_checksum(data, size));
    }
    free(data);
    slv_checksum_destroy(stream);
}

static void a_pack_without_sections_is_a_pack(void **state) {
    const char *path = scratch_path(*state, "none.slv");
    slv_writer *writer = NULL;
    slv_error error;
    assert_int_equal(slv_writer_open(path, KIND_A, 0, &writer, &error), SLV_OK);
    assert_int_equal(slv_writer_commit(writer, &error), SLV_OK);
    slv_pack *pack = NULL;
    assert_int_equal(slv_pack_open(path, NULL, &pack, &error), SLV_OK);
    slv_pack_close(pack);
}

static void the_writer_refuses_wrong_use(void **state) {
    const char *path = scratch_path(*state, "wrong.slv");
    slv_writer *writer = NULL;
    slv_error error;
    assert_int_equal(slv_writer_open(path, KIND_A, SLV_SECTION_COUNT_MAX + 1, &writer, &error),
                     SLV_ERROR_MEMORY);
    assert_int_equal(slv_writer_open(path, KIND_A, 2, &writer, &error), SLV_OK);
    assert_int_equal(slv_writer_append(writer, "x", 1, &error), SLV_ERROR_MEMORY);
    assert_int_equal(slv_writer_end(writer, &error), SLV_ERROR_MEMORY);
    assert_int_equal(slv_writer_add(writer, KIND_A, SLV_CODEC_RAW, 0, "x", 1, &error), SLV_OK);
    assert_int_equal(slv_writer_add(writer, KIND_A, SLV_CODEC_RAW, 0, "x", 1, &error),
                     SLV_ERROR_MEMORY);
    assert_int_equal(slv_writer_commit(writer, &error), SLV_ERROR_MEMORY);
    assert_int_equal(scratch_count(*state), 0);
}

// --- damage ----------------------------------------------------------------------------------------

static void a_truncated_pack_is_refused_at_every_length(void **state) {
    forged_pack pack = small_pack(*state);
    assert_int_equal(open_memory(pack.bytes, pack.size, NULL), SLV_OK);
    for (size_t size = 0; size < pack.size; size++) {
        forged_pack cut = forged_pack_copy(
            pack.bytes, size); // an allocation of this size, so that a sanitizer sees overreads
        assert_int_equal(open_memory(cut.bytes, size, NULL), SLV_ERROR_CONTENT);
        forged_pack_free(&cut);
    }
    forged_pack_free(&pack);
}

static void every_single_flipped_bit_is_noticed(void **state) {
    forged_pack pack = small_pack(*state);
    for (size_t bit = 0; bit < 8 * pack.size; bit++) {
        unsigned char mask = (unsigned char)(1u << (bit % 8));
        pack.bytes[bit / 8] ^= mask;
        assert_int_equal(open_memory(pack.bytes, pack.size, NULL), SLV_ERROR_CONTENT);
        pack.bytes[bit / 8] ^= mask;
    }
    assert_int_equal(open_memory(pack.bytes, pack.size, NULL), SLV_OK);
    forged_pack_free(&pack);
}

static void random_damage_is_never_accepted(void **state) {
    forged_pack pack = small_pack(*state);
    forged_pack hurt = forged_pack_copy(pack.bytes, pack.size);
    uint32_t mix = 12345;
    for (int round = 0; round < 20000; round++) {
        memcpy(hurt.bytes, pack.bytes, pack.size);
        for (int i = 0; i <= round % 7; i++) {
            const uint32_t bits = next_bits(&mix);
            hurt.bytes[(bits >> 8) % pack.size] = (unsigned char)(bits >> 3);
        }
        bool same = memcmp(hurt.bytes, pack.bytes, pack.size) == 0;
        assert_int_equal(open_memory(hurt.bytes, hurt.size, NULL),
                         same ? SLV_OK : SLV_ERROR_CONTENT);
    }
    forged_pack_free(&hurt);
    forged_pack_free(&pack);
}

static void appended_bytes_are_noticed(void **state) {
    forged_pack pack = small_pack(*state);
    unsigned char *bytes = aligned_alloc(64, (pack.size / 64 + 2) * 64);
    assert_non_null(bytes);
    memset(bytes, 0, (pack.size / 64 + 2) * 64);
    memcpy(bytes, pack.bytes, pack.size);
    forged_pack longer = {bytes, pack.size + 64};
    assert_refused(&longer, "appended");
    forged_pack_seal(&longer);
    assert_refused(&longer, "64 bytes follow the last section");
    forged_pack_free(&longer);
    forged_pack_free(&pack);
}

// --- files that are no packs ------------------------------------------------------------------------

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_open_fails(const char *path, slv_result code, const char *text) {
    for (int mode = SLV_OPEN_MAP; mode <= SLV_OPEN_COPY; mode++) {
        slv_open_options options = slv_default_open_options();
        options.mode = (slv_open_mode)mode;
        slv_pack *pack = NULL;
        slv_error error = {0};
        assert_int_equal(slv_pack_open(path, &options, &pack, &error), code);
        assert_null(pack);
        if (!strstr(error.text, text)) {
            fail_msg("the message is \"%s\", should contain \"%s\"", error.text, text);
        }
    }
}

static void a_file_that_is_no_pack_is_named_so(void **state) {
    scratch *temporary = *state;
    assert_open_fails(scratch_path(temporary, "absent.slv"), SLV_ERROR_FILE, "No such file");
    assert_open_fails(temporary->folder, SLV_ERROR_FILE, "is a directory");
    const char *path = scratch_path(temporary, "bad.slv");
    write_text(path, "");
    assert_open_fails(path, SLV_ERROR_CONTENT, "0 bytes long, a pack has at least 64");
    write_text(path, "hello, I am short");
    assert_open_fails(path, SLV_ERROR_CONTENT, "17 bytes long, a pack has at least 64");
    write_text(path, "long enough to be a pack, yet begins with none of the bytes it should begin");
    assert_open_fails(path, SLV_ERROR_CONTENT, "does not begin with");
    const char *pipe_path = scratch_path(temporary, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_open_fails(pipe_path, SLV_ERROR_FILE, "not a regular file");
}

// Files of sysfs claim a page and hold less: just like one that shrinks while it is read.
static void a_file_that_becomes_shorter_is_refused(void **state) {
    (void)state;
    const char *path = "/sys/kernel/mm/transparent_hugepage/enabled";
    if (access(path, R_OK) != 0) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    slv_open_options options = slv_default_open_options();
    options.mode = SLV_OPEN_COPY;
    slv_pack *pack = NULL;
    slv_error error = {0};
    assert_int_equal(slv_pack_open(path, &options, &pack, &error), SLV_ERROR_FILE);
    assert_non_null(strstr(error.text, "became shorter"));
}

static void memory_must_be_aligned(void **state) {
    forged_pack pack = small_pack(*state);
    slv_pack *opened = NULL;
    assert_int_equal(slv_pack_open_memory(pack.bytes + 1, pack.size - 1, NULL, &opened, NULL),
                     SLV_ERROR_ARGUMENT);
    forged_pack_free(&pack);
}

// --- invalid values with valid checksums ----------------------------------------------------------------

typedef struct table_fault {
    const char *text; // what the message must contain
    void (*apply)(forged_pack *pack);
} table_fault;

static slv_section_entry *entry_of(forged_pack *pack, uint32_t kind) {
    slv_section_entry *entry = forged_entry(pack, kind);
    assert_non_null(entry);
    return entry;
}

#define FAULT(name, statement)                                                                     \
    static void name(forged_pack *pack) {                                                          \
        statement;                                                                                 \
    }

FAULT(fault_byte_order, forged_header(pack)->byte_order = 0x0D0C0B0A)
FAULT(fault_newer_major, forged_header(pack)->version_major = 2)
FAULT(fault_older_major, forged_header(pack)->version_major = 0)
FAULT(fault_header_zero, forged_header(pack)->zero[23] = 1)
FAULT(fault_many_sections, forged_header(pack)->section_count = 65)
FAULT(fault_huge_sections, forged_header(pack)->section_count = 0xFFFFFFFF)
FAULT(fault_fewer_sections, forged_header(pack)->section_count -= 1)
FAULT(fault_codec, entry_of(pack, SLV_SECTION_INFO)->codec = 2)
FAULT(fault_flags, entry_of(pack, SLV_SECTION_INFO)->flags = 2)
FAULT(fault_zero, entry_of(pack, SLV_SECTION_INFO)->zero = 1)
FAULT(fault_misaligned, entry_of(pack, SLV_SECTION_POSITION)->offset += 4)
FAULT(fault_into_table, entry_of(pack, SLV_SECTION_INFO)->offset = 64)
FAULT(fault_at_zero, entry_of(pack, SLV_SECTION_INFO)->offset = 0)
FAULT(fault_overlap, entry_of(pack, SLV_SECTION_GRID)->offset -= 64)
FAULT(fault_descending,
      entry_of(pack, SLV_SECTION_POSITION)->offset = entry_of(pack, SLV_SECTION_INFO)->offset)
FAULT(fault_far_offset, entry_of(pack, SLV_SECTION_GRID)->offset = UINT64_C(1) << 40)
FAULT(fault_wrapping_offset, entry_of(pack, SLV_SECTION_GRID)->offset = UINT64_MAX - 63)
FAULT(fault_huge_size, entry_of(pack, SLV_SECTION_GRID)->stored_size = UINT64_MAX)
FAULT(fault_raw_sizes, entry_of(pack, SLV_SECTION_GRID)->raw_size += 1)
FAULT(fault_twice, entry_of(pack, SLV_SECTION_GRID)->kind = SLV_SECTION_INFO)
FAULT(fault_padding, pack->bytes[entry_of(pack, SLV_SECTION_GRID)->offset - 1] = 1)
FAULT(fault_short_last, entry_of(pack, SLV_SECTION_FIELD)->stored_size -= 1)
FAULT(fault_raw_as_zstd, entry_of(pack, SLV_SECTION_INFO)->codec = SLV_CODEC_ZSTD)
FAULT(fault_larger_raw, entry_of(pack, SLV_SECTION_FIELD)->raw_size += 1)
FAULT(fault_smaller_raw, entry_of(pack, SLV_SECTION_FIELD)->raw_size -= 1)
FAULT(fault_bomb, entry_of(pack, SLV_SECTION_FIELD)->raw_size = UINT64_C(1) << 31)
FAULT(fault_endless, entry_of(pack, SLV_SECTION_FIELD)->raw_size = UINT64_MAX)
FAULT(fault_zstd_magic, pack->bytes[entry_of(pack, SLV_SECTION_FIELD)->offset] = 0)
FAULT(fault_skippable, memcpy(pack->bytes + entry_of(pack, SLV_SECTION_FIELD)->offset,
                              "\x50\x2A\x4D\x18\x00\x00\x00\x00", 8))
FAULT(fault_zstd_data, memset(pack->bytes + entry_of(pack, SLV_SECTION_FIELD)->offset + 6, 0xFF, 3))

static const table_fault table_faults[] = {
    {"byte-order mark", fault_byte_order},
    {"version 2.", fault_newer_major},
    {"version 0.", fault_older_major},
    {"reserved bytes", fault_header_zero},
    {"at most 64", fault_many_sections},
    {"at most 64", fault_huge_sections},
    {"INFO: the padding", fault_fewer_sections},
    {"INFO: unknown codec", fault_codec},
    {"INFO: unknown flags", fault_flags},
    {"INFO: unknown flags or reserved", fault_zero},
    {"PPOS: its offset", fault_misaligned},
    {"INFO: it overlaps", fault_into_table},
    {"INFO: it overlaps", fault_at_zero},
    {"GRID: it overlaps", fault_overlap},
    {"PPOS: it overlaps", fault_descending},
    {"GRID: it reaches beyond", fault_far_offset},
    {"GRID: it reaches beyond", fault_wrapping_offset},
    {"GRID: it reaches beyond", fault_huge_size},
    {"GRID: it is not compressed", fault_raw_sizes},
    {"INFO: it occurs twice", fault_twice},
    {"GRID: the padding", fault_padding},
    {"1 bytes follow", fault_short_last},
    {"INFO: not a zstd frame", fault_raw_as_zstd},
    {"SDFG: it decodes to fewer", fault_larger_raw},
    {"SDFG: ", fault_smaller_raw},
    {"SDFG: it would expand to", fault_bomb},
    {"SDFG: it is larger than", fault_endless},
    {"SDFG: not a zstd frame", fault_zstd_magic},
    {"SDFG: not a zstd frame", fault_skippable},
    {"SDFG: ", fault_zstd_data},
};

static void a_sealed_fault_in_the_table_is_refused_by_name(void **state) {
    forged_pack pack = small_pack(*state);
    for (size_t i = 0; i < sizeof table_faults / sizeof *table_faults; i++) {
        forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
        table_faults[i].apply(&forged);
        forged_pack_seal(&forged);
        assert_refused(&forged, table_faults[i].text);
        forged_pack_free(&forged);
    }
    forged_pack_free(&pack);
}

static void bytes_behind_a_zstd_frame_are_refused(void **state) {
    forged_pack pack = small_pack(*state);
    const slv_section_entry *entry = forged_entry(&pack, SLV_SECTION_FIELD);
    size_t size = (size_t)entry->stored_size;
    uint64_t raw_size = entry->raw_size;
    unsigned char *longer = calloc(1, 2 * size);
    assert_non_null(longer);
    memcpy(longer, pack.bytes + entry->offset, size);
    memcpy(longer + size, pack.bytes + entry->offset, size);
    const size_t extra[] = {1, 4, size};
    for (size_t i = 0; i < 3; i++) {
        forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
        forged_pack_replace(&forged, SLV_SECTION_FIELD, longer, size + extra[i]);
        forged_entry(&forged, SLV_SECTION_FIELD)->codec = SLV_CODEC_ZSTD;
        forged_entry(&forged, SLV_SECTION_FIELD)->raw_size = raw_size;
        forged_pack_seal(&forged);
        assert_refused(&forged, "SDFG: bytes follow the zstd frame");
        forged_pack_free(&forged);
    }
    free(longer);
    forged_pack_free(&pack);
}

static void the_limit_covers_all_compressed_sections_together(void **state) {
    const size_t size = 50000;
    uint8_t *data = some_bytes(size);
    const char *path = scratch_path(*state, "limit.slv");
    slv_writer *writer = NULL;
    assert_int_equal(slv_writer_open(path, KIND_A, 2, &writer, NULL), SLV_OK);
    assert_int_equal(slv_writer_add(writer, KIND_A, SLV_CODEC_ZSTD, 0, data, size, NULL), SLV_OK);
    assert_int_equal(slv_writer_add(writer, KIND_B, SLV_CODEC_ZSTD, 0, data, size, NULL), SLV_OK);
    assert_int_equal(slv_writer_commit(writer, NULL), SLV_OK);
    free(data);
    slv_open_options options = slv_default_open_options();
    slv_pack *pack = NULL;
    slv_error error = {0};
    options.decoded_limit = 2 * size;
    assert_int_equal(slv_pack_open(path, &options, &pack, &error), SLV_OK);
    slv_pack_close(pack);
    options.decoded_limit = 2 * size - 1;
    assert_int_equal(slv_pack_open(path, &options, &pack, &error), SLV_ERROR_CONTENT);
    assert_non_null(strstr(error.text, "BBBB: it would expand to 50000 bytes, 49999 are left"));
}

static void a_newer_minor_version_opens_and_its_sections_are_skipped(void **state) {
    forged_pack pack = small_pack(*state);
    forged_header(&pack)->version_minor = 7;
    forged_pack_append(&pack, KIND_A, 0, "future", 6);
    slv_pack *opened = NULL;
    slv_garment garment;
    assert_int_equal(slv_pack_open_memory(pack.bytes, pack.size, NULL, &opened, NULL), SLV_OK);
    assert_int_equal(slv_garment_open(opened, &garment, NULL), SLV_OK);
    slv_pack_close(opened);
    forged_entry(&pack, KIND_A)->flags = SLV_SECTION_REQUIRED;
    forged_pack_seal(&pack);
    slv_error error = {0};
    assert_int_equal(slv_pack_open_memory(pack.bytes, pack.size, NULL, &opened, NULL), SLV_OK);
    assert_int_equal(slv_garment_open(opened, &garment, &error), SLV_ERROR_CONTENT);
    assert_non_null(strstr(error.text, "section AAAA: required, but unknown to this version"));
    slv_pack_close(opened);
    forged_pack_free(&pack);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, scratch_set_up, scratch_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_large_file_that_is_no_pack_is_refused_at_its_first_bytes),
        TEST(a_pack_gives_back_its_sections_in_every_open_mode),
        TEST(the_same_calls_give_the_same_bytes_however_data_is_cut),
        TEST(checksums_are_xxh3),
        TEST(a_pack_without_sections_is_a_pack),
        TEST(the_writer_refuses_wrong_use),
        TEST(a_truncated_pack_is_refused_at_every_length),
        TEST(every_single_flipped_bit_is_noticed),
        TEST(random_damage_is_never_accepted),
        TEST(appended_bytes_are_noticed),
        TEST(a_file_that_is_no_pack_is_named_so),
        TEST(a_file_that_becomes_shorter_is_refused),
        TEST(memory_must_be_aligned),
        TEST(a_sealed_fault_in_the_table_is_refused_by_name),
        TEST(bytes_behind_a_zstd_frame_are_refused),
        TEST(the_limit_covers_all_compressed_sections_together),
        TEST(a_newer_minor_version_opens_and_its_sections_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
