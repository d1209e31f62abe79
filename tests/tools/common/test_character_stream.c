// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/character_build.h"
#include "tools/common/character_stream.h"

#include <stdlib.h>
#include <string.h>

static FILE *stream_of(const unsigned char *bytes, size_t size) {
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    rewind(file);
    return file;
}

// A skinned triangle with a morph target and a clip.
static slv_character_build make_character(void) {
    slv_character_build build = {.shaded = true};
    build.character.space = slv_import_space_default();
    build.character.input_hash = UINT64_C(0x0123456789abcdef);
    slv_character_node *nodes = slv_build_nodes(&build, 2);
    assert_non_null(nodes);
    nodes[1].parent = 0;
    nodes[1].name = slv_build_name(&build, "arm");
    slv_character_part *part = slv_build_part(&build, 3, 1);
    assert_non_null(part);
    part->node = 1;
    part->skinned = 1;
    slv_character_joint *joint = slv_build_joint(&build);
    assert_non_null(joint);
    joint->node = 1;
    joint->inverse_bind = slv_affine_identity();
    for (uint32_t v = 0; v < 3; v++) {
        build.character.positions[3 * v + v] = v + 1.0;
        slv_character_influence *influence = slv_build_influences(&build, v, 1);
        assert_non_null(influence);
        influence->weight = 1.0;
    }
    uint32_t *triangle = slv_build_triangle(&build);
    assert_non_null(triangle);
    triangle[1] = 1;
    triangle[2] = 2;
    assert_non_null(slv_build_clip(&build, "wave"));
    slv_character_channel *channel =
        slv_build_channel(&build, SLV_CHANNEL_TRANSLATION, SLV_KEYS_LINEAR, 3, 2);
    assert_non_null(channel);
    channel->node = 1;
    build.character.times[channel->first_time + 1] = 1.0;
    slv_build_clip_end(&build);
    return build;
}

// The caller frees the bytes.
static unsigned char *sample(size_t *size) {
    slv_character_build build = make_character();
    char *paths[] = {"a.gltf", "b.bin"};
    const slv_character_message message = {.files = {paths, 2}, .character = build.character};
    FILE *file = tmpfile();
    assert_non_null(file);
    slv_character_message_write(&message, file);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    slv_character_free(&build.character);
    return bytes;
}

static void a_character_is_received_unchanged(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample(&size);
    FILE *file = stream_of(bytes, size);
    slv_character_message message;
    assert_true(slv_character_message_read(file, &message));
    (void)fclose(file);
    free(bytes);
    slv_error error = {.code = SLV_OK};
    const slv_character *c = &message.character;
    assert_int_equal(slv_character_check(c, &error), SLV_OK);
    assert_int_equal(message.files.count, 2);
    assert_string_equal(message.files.paths[1], "b.bin");
    assert_true(c->input_hash == UINT64_C(0x0123456789abcdef));
    assert_int_equal(c->vertex_count, 3);
    assert_int_equal(c->triangle_count, 1);
    assert_int_equal(c->delta_count, 3);
    assert_true(c->positions[8] == 3.0 && c->normals && c->paint);
    char name[8];
    slv_character_copy_name(c, c->nodes[1].name, name, sizeof name);
    assert_string_equal(name, "arm");
    slv_character_message_free(&message);
}

static void an_error_is_received_unchanged(void **state) {
    (void)state;
    slv_character_message sent = {.error = {.code = SLV_OK}};
    (void)slv_fail(&sent.error, SLV_ERROR_CONTENT, "no %s", "good");
    FILE *file = tmpfile();
    assert_non_null(file);
    slv_character_message_write(&sent, file);
    rewind(file);
    slv_character_message message;
    assert_true(slv_character_message_read(file, &message));
    (void)fclose(file);
    assert_int_equal(message.error.code, SLV_ERROR_CONTENT);
    assert_string_equal(message.error.text, "no good");
    slv_character_message_free(&message);
}

static void a_stream_truncated_at_any_length_is_rejected(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample(&size);
    for (size_t length = 0; length < size; length++) {
        FILE *file = stream_of(bytes, length);
        slv_character_message message;
        assert_false(slv_character_message_read(file, &message));
        assert_null(message.character.positions);
        (void)fclose(file);
    }
    unsigned char *longer = calloc(1, size + 1);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    FILE *file = stream_of(longer, size + 1);
    slv_character_message message;
    assert_false(slv_character_message_read(file, &message));
    (void)fclose(file);
    free(longer);
    free(bytes);
}

// Any byte changed: rejected by the reader or the check, or a character whose indices are all in range.
static void a_stream_with_any_byte_changed_is_rejected_or_valid(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample(&size);
    static const unsigned char changes[] = {0x01, 0x80, 0xff};
    for (size_t at = 0; at < size; at++) {
        for (size_t c = 0; c < sizeof changes; c++) {
            bytes[at] ^= changes[c];
            FILE *file = stream_of(bytes, size);
            bytes[at] ^= changes[c];
            slv_character_message message;
            slv_error error;
            const bool ok = slv_character_message_read(file, &message) &&
                            slv_character_check(&message.character, &error) == SLV_OK;
            (void)fclose(file);
            for (uint32_t k = 0; ok && k < 3 * message.character.triangle_count; k++) {
                assert_true(message.character.triangles[k] < message.character.vertex_count);
            }
            slv_character_message_free(&message);
        }
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_is_received_unchanged),
        cmocka_unit_test(an_error_is_received_unchanged),
        cmocka_unit_test(a_stream_truncated_at_any_length_is_rejected),
        cmocka_unit_test(a_stream_with_any_byte_changed_is_rejected_or_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
