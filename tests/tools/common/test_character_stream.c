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

// A skinned triangle with a morph target, pivots, numbers of the file and two clips, of which one is refused.
static slv_character_build make_character(void) {
    slv_character_build build = {.shaded = true, .numbered = true};
    build.character.space = slv_import_space_default();
    build.character.input_hash = UINT64_C(0x0123456789abcdef);
    slv_character_node *nodes = slv_build_nodes(&build, 2);
    assert_non_null(nodes);
    nodes[1].parent = 0;
    nodes[1].name = slv_build_name(&build, "arm");
    for (uint32_t n = 0; n < 2; n++) {
        assert_non_null(slv_build_pivots(&build, &nodes[n].pivots));
    }
    build.character.pivots[1].order = 3;
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
        build.character.points[v] = 2 - v;
        slv_character_influence *influence = slv_build_influences(&build, v, 1);
        assert_non_null(influence);
        influence->weight = 1.0;
    }
    uint32_t *triangle = slv_build_triangle(&build);
    assert_non_null(triangle);
    build.character.point_count = 3;
    triangle[1] = 1;
    triangle[2] = 2;
    assert_non_null(slv_build_clip(&build, "wave"));
    slv_character_channel *channel =
        slv_build_channel(&build, SLV_CHANNEL_TRANSLATION, SLV_KEYS_LINEAR, 3, 2);
    assert_non_null(channel);
    channel->node = 1;
    build.character.times[channel->first_time + 1] = 1.0;
    channel = slv_build_channel(&build, SLV_CHANNEL_ROTATION, SLV_KEYS_EACH, 1, 2);
    assert_non_null(channel);
    channel->node = 1;
    channel->component = 2;
    slv_build_clip_end(&build);
    assert_non_null(slv_build_clip(&build, "blend"));
    slv_build_clip_refused(&build, "has two layers");
    slv_build_clip_refused(&build, "has more");
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
    assert_int_equal(c->point_count, 3);
    assert_int_equal(c->points[0], 2);
    assert_int_equal(c->pivot_count, 2);
    assert_int_equal(c->pivots[c->nodes[1].pivots].order, 3);
    assert_int_equal(c->value_count, 6 + 2 * SLV_KEY_FIELDS);
    assert_int_equal(slv_character_check_clip(c, 0, &error), SLV_OK);
    assert_int_equal(slv_character_check_clip(c, 1, &error), SLV_ERROR_CONTENT);
    assert_string_equal(error.text, "clip 'blend' has two layers");
    char name[8];
    slv_character_copy_name(c, c->nodes[1].name, name, sizeof name);
    assert_string_equal(name, "arm");
    slv_character_message_free(&message);
}

// A sender that an untrusted file has misled.
static void characters_that_do_not_fit_together_are_refused(void **state) {
    (void)state;
    slv_character_build build = make_character();
    slv_character *c = &build.character;
    slv_error error = {.code = SLV_OK};
    struct {
        uint32_t *number;
        uint32_t forged;
    } forgeries[] = {{&c->nodes[1].pivots, 2},
                     {&c->nodes[0].pivots, SLV_NO_PIVOTS}, // above a node with pivots
                     {&c->pivots[0].order, SLV_TURN_ORDERS},
                     {&c->pivots[1].inheritance, SLV_INHERIT_COUNT},
                     {&c->points[1], 3},
                     {&c->channels[1].component, 3},
                     {&c->channels[1].width, 4},
                     {&c->channels[1].time_count, 3},
                     {&c->clips[1].refused.first, UINT32_MAX}};
    assert_int_equal(slv_character_check(c, &error), SLV_OK);
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        const uint32_t number = *forgeries[i].number;
        *forgeries[i].number = forgeries[i].forged;
        assert_int_equal(slv_character_check(c, &error), SLV_ERROR_CONTENT);
        *forgeries[i].number = number;
    }
    slv_character_free(c);
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
        cmocka_unit_test(characters_that_do_not_fit_together_are_refused),
        cmocka_unit_test(an_error_is_received_unchanged),
        cmocka_unit_test(a_stream_truncated_at_any_length_is_rejected),
        cmocka_unit_test(a_stream_with_any_byte_changed_is_rejected_or_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
