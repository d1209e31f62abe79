// SPDX-License-Identifier: MIT
// Damaged FBX files are refused; what is not damaged is read alike from every encoding. The files of corpus_fbx have the same
// content: `python3 fbx_writer.py corpus_fbx` makes them.
#include "tests/tools/common/cmocka_all.h"
#include "tests/tools/common/read_fbx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6, TEXT_SAMPLES = 2, LARGEST = 1 << 16 };

typedef struct sample {
    char bytes[LARGEST];
    size_t size;
} sample;

// Samples 0 to 3 are binary, 4 and 5 text.
static void load(int number, sample *s) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/tools/common/corpus_fbx/sample%d.fbx",
                   SLV_SOURCE_DIR, number);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    s->size = fread(s->bytes, 1, sizeof s->bytes, file);
    (void)fclose(file);
    assert_true(s->size > 1000 && s->size < sizeof s->bytes);
}

// Reads a copy of exactly that size, so that the address sanitizer sees every read beyond its end.
static slv_result read_copy(const char *bytes, size_t size, slv_character *character,
                            slv_error *error) {
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const slv_result result = read_fbx(copy, size, character, error);
    free(copy);
    return result;
}

static void expect_refusal(const char *bytes, size_t size, const char *word) {
    slv_character character;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(read_copy(bytes, size, &character, &error), SLV_ERROR_CONTENT);
    if (!strstr(error.text, word)) {
        fail_msg("'%s' is not in: %s", word, error.text);
    }
}

static void every_encoding_has_the_same_content(void **state) {
    (void)state;
    static sample s;
    slv_character first = {0};
    for (int n = 0; n < SAMPLES; n++) {
        slv_character c;
        slv_error error = {.code = SLV_OK};
        load(n, &s);
        assert_int_equal(read_copy(s.bytes, s.size, &c, &error), SLV_OK);
        assert_true(pose_all(&c));
        if (n == 0) {
            first = c;
            continue;
        }
        assert_int_equal(c.node_count, first.node_count);
        assert_int_equal(c.vertex_count, first.vertex_count);
        assert_int_equal(c.triangle_count, first.triangle_count);
        assert_int_equal(c.influence_count, first.influence_count);
        assert_int_equal(c.channel_count, first.channel_count);
        assert_int_equal(c.value_count, first.value_count);
        assert_int_equal(c.name_bytes, first.name_bytes);
        const size_t vertices = c.vertex_count;
        assert_memory_equal(c.positions, first.positions, 3 * vertices * sizeof *c.positions);
        assert_memory_equal(c.normals, first.normals, 3 * vertices * sizeof *c.normals);
        assert_memory_equal(c.uvs, first.uvs, 2 * vertices * sizeof *c.uvs);
        assert_memory_equal(c.paint, first.paint, 4 * vertices * sizeof *c.paint);
        assert_memory_equal(c.points, first.points, vertices * sizeof *c.points);
        assert_memory_equal(c.pivots, first.pivots, c.pivot_count * sizeof *c.pivots);
        assert_memory_equal(c.values, first.values, c.value_count * sizeof *c.values);
        assert_memory_equal(c.names, first.names, c.name_bytes);
        slv_character_free(&c);
    }
    slv_character_free(&first);
}

// A file cut in its footer, or in a text behind its last record, is complete; one cut between records may have no surface.
static void every_truncated_file_is_refused_or_complete(void **state) {
    (void)state;
    static sample s;
    for (int n = 0; n < SAMPLES; n++) {
        slv_character whole;
        slv_error error = {.code = SLV_OK};
        load(n, &s);
        assert_int_equal(read_copy(s.bytes, s.size, &whole, &error), SLV_OK);
        const size_t end = s.size - (n < SAMPLES - TEXT_SAMPLES ? 36 : 1);
        for (size_t size = 0; size < end;
             size += n % 4 == 0 ? 1 : 31) { // one of each kind at every length
            slv_character c;
            error = (slv_error){.code = SLV_OK};
            const slv_result result = read_copy(s.bytes, size, &c, &error);
            if (result == SLV_OK && c.triangle_count > 0) {
                fail_msg("sample %d: %zu of %zu bytes were read", n, size, s.size);
            }
            assert_true(result == SLV_OK || error.text[0] != '\0');
            slv_character_free(&c);
        }
        slv_character_free(&whole);
    }
}

static void every_changed_byte_is_refused_or_gives_a_sound_character(void **state) {
    (void)state;
    static sample s;
    for (int n = 0; n < SAMPLES; n++) {
        load(n, &s);
        for (size_t at = (size_t)n; at < s.size; at += 5) {
            const char old = s.bytes[at];
            slv_character c;
            slv_error error = {.code = SLV_OK};
            s.bytes[at] = (char)(old ^ (1 << (at % 8)));
            if (read_copy(s.bytes, s.size, &c, &error) == SLV_OK) {
                (void)pose_all(&c);
                slv_character_free(&c);
            } else {
                assert_true(error.text[0] != '\0');
            }
            s.bytes[at] = old;
        }
    }
}

// --- Forged files --------------------------------------------------------------------------------

static size_t put(char *bytes, size_t at, const void *data, size_t size) {
    memcpy(bytes + at, data, size);
    return at + size;
}

static size_t put_number(char *bytes, size_t at, uint32_t number) {
    const unsigned char little[4] = {(unsigned char)number, (unsigned char)(number >> 8),
                                     (unsigned char)(number >> 16), (unsigned char)(number >> 24)};
    return put(bytes, at, little, sizeof little);
}

static size_t put_head(char *bytes) {
    size_t at = put(bytes, 0, "Kaydara FBX Binary  \0\x1a", 22);
    bytes[at++] = 0;
    return put_number(bytes, at, 7400);
}

static void an_array_that_states_more_than_it_can_hold_is_refused(void **state) {
    (void)state;
    char bytes[256] = {0};
    size_t at = put_head(bytes);
    const size_t record = at;
    at = put_number(bytes, at, 0);
    at = put_number(bytes, at, 1);
    at = put_number(bytes, at, 13 + 20);
    bytes[at++] = 1;
    bytes[at++] = 'V';
    bytes[at++] = 'd';
    at = put_number(bytes, at, UINT32_MAX); // 32 GiB of
    at = put_number(bytes, at, 1);          // deflated
    at = put_number(bytes, at, 20);         // 20 bytes
    at += 20;
    (void)put_number(bytes, record, (uint32_t)at);
    expect_refusal(bytes, at + 13, "damaged");
}

static void texts_that_state_more_numbers_than_they_have_are_refused(void **state) {
    (void)state;
    static const char text[] =
        "; FBX 7.4.0 project file\nObjects: {\nGeometry: 1, \"Geometry::a\", \"Mesh\" {\nVertices: "
        "*4000000000 {\na: 1,2,3\n}\n}\nModel: 2, \"Model::b\", \"Mesh\" {\n}\n}\nConnections: "
        "{\nC: \"OO\",1,2\nC: \"OO\",2,0\n}\n";
    expect_refusal(text, sizeof text - 1, "fewer numbers than it states");
}

static void files_of_too_many_levels_are_refused(void **state) {
    (void)state;
    static char bytes[100000];
    size_t at = put(bytes, 0, "; FBX 7.4.0 project file\n", 25);
    for (int n = 0; n < 10000; n++) {
        at = put(bytes, at, "a: {\n", 5);
    }
    expect_refusal(bytes, at, "64 levels");
    memset(bytes, 0, sizeof bytes);
    at = put_head(bytes);
    for (int n = 0; n < 5000; n++) {
        at = put_number(bytes, at, (uint32_t)sizeof bytes);
        at = put_number(bytes, at, 0);
        at = put_number(bytes, at, 0);
        bytes[at++] = 1;
        bytes[at++] = 'a';
    }
    expect_refusal(bytes, sizeof bytes, "64 levels");
}

static void objects_of_one_number_are_refused(void **state) {
    (void)state;
    static const char text[] =
        "; FBX 7.4.0 project file\nObjects: {\nModel: 7, \"Model::a\", \"Null\" "
        "{\n}\nModel: 7, \"Model::b\", \"Null\" {\n}\n}\n";
    expect_refusal(text, sizeof text - 1, "two objects of one number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_has_the_same_content),
        cmocka_unit_test(every_truncated_file_is_refused_or_complete),
        cmocka_unit_test(every_changed_byte_is_refused_or_gives_a_sound_character),
        cmocka_unit_test(an_array_that_states_more_than_it_can_hold_is_refused),
        cmocka_unit_test(texts_that_state_more_numbers_than_they_have_are_refused),
        cmocka_unit_test(files_of_too_many_levels_are_refused),
        cmocka_unit_test(objects_of_one_number_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
