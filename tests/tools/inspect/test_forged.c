// SPDX-License-Identifier: MIT
// Forged packs: content is changed and the checksums are recomputed. What the verifier accepts must
// cause no fault in any report. Most useful under the sanitizers.
#define _XOPEN_SOURCE 700
#include "formats/checksum.h"
#include "tests/common/random.h"
#include "tests/tools/inspect/small_garment.h"
#include "tools/inspect/dump.h"
#include "tools/inspect/inspected_pack.h"
#include "tools/inspect/json_report.h"
#include "tools/inspect/picture.h"
#include "tools/inspect/summary.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FORGERIES = 1500, DRAWN_EVERY = 100 };

typedef struct bench {
    char path[64];
    uint8_t *good;
    uint8_t *forged;
    size_t size;
    slv_output output; // goes nowhere
    uint32_t random;
} bench;

static uint32_t pick(bench *b, uint32_t below) {
    return (uint32_t)((uint64_t)(next_bits(&b->random) >> 4) * below >> 28);
}

static void seal(uint8_t *bytes) {
    slv_pack_header header;
    memcpy(&header, bytes, sizeof header);
    for (uint32_t i = 0; i < header.section_count; i++) {
        slv_section_entry entry;
        uint8_t *at = bytes + sizeof header + i * sizeof entry;
        memcpy(&entry, at, sizeof entry);
        entry.checksum = slv_checksum(bytes + entry.offset, entry.stored_size);
        memcpy(at, &entry, sizeof entry);
    }
    header.checksum = 0;
    memcpy(bytes, &header, sizeof header);
    size_t size = sizeof header + header.section_count * sizeof(slv_section_entry);
    header.checksum = slv_checksum(bytes, size);
    memcpy(bytes, &header, sizeof header);
}

// Changes a word or a byte of some section to a value that a verifier may miss.
static void forge(bench *b) {
    static const uint32_t words[] = {0,          1,          2,          5,
                                     6,          0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                     0x7F7FFFFF, 0x00000001, 0x7F800000, 0x3F800000};
    memcpy(b->forged, b->good, b->size);
    slv_pack_header header;
    memcpy(&header, b->forged, sizeof header);
    slv_section_entry entry;
    uint32_t section = pick(b, header.section_count);
    memcpy(&entry, b->forged + sizeof header + section * sizeof entry, sizeof entry);
    uint8_t *bytes = b->forged + entry.offset;
    uint32_t size = (uint32_t)entry.stored_size;
    if (pick(b, 2) && size >= 4) {
        uint32_t word = words[pick(b, sizeof words / sizeof words[0])];
        memcpy(bytes + (size_t)4 * pick(b, size / 4), &word, sizeof word);
    } else {
        bytes[pick(b, size)] ^= (uint8_t)(1u << pick(b, 8));
    }
    seal(b->forged);
    FILE *file = fopen(b->path, "r+b"); // in place: some file systems flush what was truncated
    assert_non_null(file);
    assert_int_equal(fwrite(b->forged, 1, b->size, file), b->size);
    assert_int_equal(fclose(file), 0);
}

static void report_everything(bench *b, const slv_inspected_pack *inspected, bool draw) {
    slv_error error;
    slv_summary_print(inspected, true, &b->output);
    assert_int_equal(slv_json_report_print(inspected, &b->output, &error), SLV_OK);
    for (const slv_dump *dump = slv_dumps; dump->name; dump++) {
        slv_table_format format = pick(b, 2) ? SLV_TABLE_CSV : SLV_TABLE_JSON;
        slv_result result = slv_dump_print(inspected, dump->name, format, &b->output, &error);
        assert_true(result == SLV_OK || result == SLV_ERROR_CONTENT);
    }
    if (draw) {
        slv_picture_options options = slv_default_picture_options();
        options.width = 16;
        options.height = 16;
        options.parts = (slv_scene_parts)pick(b, 3);
        uint8_t *pixels = NULL;
        (void)slv_picture_draw(&inspected->garment, &options, &pixels, &error);
        free(pixels);
    }
}

static void forged_packs_are_refused_or_harmless(void **state) {
    bench *b = *state;
    int passed = 0;
    for (int i = 0; i < FORGERIES; i++) {
        forge(b);
        slv_error error;
        slv_inspected_pack inspected;
        const slv_open_options options = {.mode = SLV_OPEN_COPY};
        slv_result result = slv_inspected_pack_open(b->path, &options, &inspected, &error);
        assert_true(result == SLV_OK || result == SLV_ERROR_CONTENT);
        if (result == SLV_OK) {
            report_everything(b, &inspected, passed++ % DRAWN_EVERY == 0);
            slv_inspected_pack_close(&inspected);
        }
    }
    // Both outcomes must occur, otherwise the test has no effect.
    assert_in_range(passed, FORGERIES / 50, FORGERIES * 49 / 50);
}

static int open_bench(void **state) {
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    (void)snprintf(b->path, sizeof b->path, "/tmp/selvage-forged-XXXXXX");
    int file = mkstemp(b->path);
    assert_true(file >= 0);
    (void)close(file);
    assert_int_equal(slv_small_pack_write(b->path, NULL), SLV_OK);
    FILE *pack = fopen(b->path, "rb");
    assert_non_null(pack);
    b->good = malloc(65536);
    b->forged = malloc(65536);
    assert_true(b->good && b->forged);
    b->size = fread(b->good, 1, 65536, pack);
    (void)fclose(pack);
    slv_output_start(&b->output, open("/dev/null", O_WRONLY));
    b->random = 20;
    *state = b;
    return 0;
}

static int close_bench(void **state) {
    bench *b = *state;
    (void)close(b->output.descriptor);
    (void)remove(b->path);
    free(b->good);
    free(b->forged);
    free(b);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(forged_packs_are_refused_or_harmless, open_bench,
                                        close_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
