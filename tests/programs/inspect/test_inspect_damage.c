// SPDX-License-Identifier: MIT
// Damaged packs: selvage-inspect prints one line and ends with status 3.
#include "tests/common/folder.h"
#include "tests/common/random.h"
#include "tests/programs/inspect/run.h"
#include "tests/tools/inspect/small_garment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_refusal(const char *arguments) {
    slv_run run = slv_run_inspect(arguments);
    if (run.status != 3 || run.out_size != 0 || !strstr(run.err, "bad.slv: ")) {
        fail_msg("%s: status %d, said %s%s", arguments, run.status, run.out, run.err);
    }
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    slv_run_free(&run);
}

static void a_truncated_pack_is_rejected(void **state) {
    (void)state;
    size_t size = 0;
    char *bytes = folder_read("small.slv", &size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 40) {
        folder_write("bad.slv", bytes, cut);
        expect_refusal("bad.slv");
    }
    free(bytes);
}

static void a_flipped_bit_is_rejected_in_every_mode(void **state) {
    (void)state;
    static const char *const modes[] = {"bad.slv", "bad.slv --copy --verify", "bad.slv --json",
                                        "bad.slv --dump particles",
                                        "bad.slv --picture bad.png --size 16x16"};
    size_t size = 0;
    char *bytes = folder_read("small.slv", &size);
    unsigned turn = 0;
    for (size_t at = 0; at < size; at += 1 + size / 60, turn++) {
        char kept = bytes[at];
        bytes[at] = (char)(bytes[at] ^ (1 << turn % 8));
        folder_write("bad.slv", bytes, size);
        expect_refusal(modes[turn % 5]);
        bytes[at] = kept;
    }
    free(bytes);
    FILE *picture = fopen("bad.png", "rb");
    assert_null(picture);
}

static void other_files_are_rejected(void **state) {
    (void)state;
    char noise[4096];
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (char)(next_bits(&random) >> 24);
    }
    folder_write("bad.slv", noise, sizeof noise);
    expect_refusal("bad.slv");
    folder_write("bad.slv", "", 0);
    expect_refusal("bad.slv");
}

// Valid container and checksums, but provenance that is not a JSON object.
static void provenance_that_is_not_an_object_is_rejected(void **state) {
    (void)state;
    static const char *const texts[] = {"[1, 2]", "\"text\"", "{\"open\": ", "{} {}", "nonsense"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        slv_garment garment = slv_small_garment();
        garment.provenance = texts[i];
        garment.provenance_size = strlen(texts[i]);
        slv_writer *writer = NULL;
        assert_int_equal(slv_writer_open("bad.slv", SLV_CONTENTS_GARMENT,
                                         slv_garment_get_section_count(&garment), &writer, NULL),
                         SLV_OK);
        assert_int_equal(slv_garment_write(&garment, writer, NULL), SLV_OK);
        assert_int_equal(slv_writer_commit(writer, NULL), SLV_OK);
        expect_refusal("bad.slv --verify");
    }
}

// A valid container does not imply contents that this version can read.
static void other_contents_are_rejected(void **state) {
    (void)state;
    static const struct {
        uint32_t contents;
        int status;
        const char *name;
    } cases[] = {{SLV_FOURCC('X', 'X', 'X', 'X'), 3, "XXXX"},
                 {SLV_CONTENTS_COLLIDER, 3, "section"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        slv_garment garment = slv_small_garment();
        slv_writer *writer = NULL;
        assert_int_equal(slv_writer_open("other.slv", cases[i].contents,
                                         slv_garment_get_section_count(&garment), &writer, NULL),
                         SLV_OK);
        assert_int_equal(slv_garment_write(&garment, writer, NULL), SLV_OK);
        assert_int_equal(slv_writer_commit(writer, NULL), SLV_OK);
        slv_run run = slv_run_inspect("other.slv --verify");
        assert_int_equal(run.status, cases[i].status);
        assert_string_equal(run.out, "");
        assert_non_null(strstr(run.err, cases[i].name));
        slv_run_free(&run);
    }
}

static int enter(void **state) {
    (void)state;
    assert_int_equal(folder_enter(NULL), 0);
    return (int)slv_small_pack_write("small.slv", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truncated_pack_is_rejected),
        cmocka_unit_test(a_flipped_bit_is_rejected_in_every_mode),
        cmocka_unit_test(other_files_are_rejected),
        cmocka_unit_test(provenance_that_is_not_an_object_is_rejected),
        cmocka_unit_test(other_contents_are_rejected),
    };
    return cmocka_run_group_tests(tests, enter, folder_leave);
}
