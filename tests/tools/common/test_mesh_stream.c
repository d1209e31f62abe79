// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/mesh_stream.h"

#include <stdlib.h>
#include <string.h>

static FILE *stream_of(const unsigned char *bytes, size_t size) {
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    rewind(file);
    return file;
}

// Serialized square with all attributes; the caller frees the bytes.
static unsigned char *sample(size_t *size) {
    slv_import_result result = {.hash = UINT64_C(0x0123456789abcdef)};
    char *paths[] = {"a.gltf", "b.bin"};
    result.files = (slv_file_list){paths, 2};
    slv_raw_mesh *raw = &result.raw;
    for (uint32_t i = 0; i < 4; i++) {
        double position[3] = {i % 2, i < 2 ? 0 : 1, 0.5};
        float uv[2] = {(float)(i % 2), i < 2 ? 0.0f : 1.0f};
        float normal[3] = {0, 0, 1};
        assert_true(slv_raw_mesh_add_position(raw, position));
        assert_true(slv_raw_mesh_add_uv(raw, uv));
        assert_true(slv_raw_mesh_add_normal(raw, normal));
        if (i == 2) {
            assert_true(slv_raw_mesh_add_paint(raw, (const float[4]){0.25f, 0.5f, 0.75f, 1.0f}));
        }
    }
    assert_true(slv_raw_mesh_add_group(raw, "one", 3));
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(slv_raw_mesh_add_corner(raw, (slv_raw_corner){i, i, i}));
    }
    assert_true(slv_raw_mesh_add_polygon(raw, 4, 0));
    assert_true(slv_raw_mesh_add_group(raw, "two", 3));
    assert_true(slv_raw_mesh_add_corner(raw, (slv_raw_corner){0, SLV_NO_INDEX, SLV_NO_INDEX}));
    assert_true(slv_raw_mesh_add_corner(raw, (slv_raw_corner){1, SLV_NO_INDEX, SLV_NO_INDEX}));
    assert_true(slv_raw_mesh_add_corner(raw, (slv_raw_corner){2, SLV_NO_INDEX, SLV_NO_INDEX}));
    assert_true(slv_raw_mesh_add_polygon(raw, 3, 0));

    FILE *file = tmpfile();
    assert_non_null(file);
    slv_import_result_write(&result, file);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    slv_raw_mesh_free(raw);
    return bytes;
}

static void a_mesh_is_received_unchanged(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample(&size);
    FILE *file = stream_of(bytes, size);
    slv_import_result result;
    assert_true(slv_import_result_read(file, &result));
    (void)fclose(file);
    free(bytes);
    assert_int_equal(result.error.code, SLV_OK);
    assert_int_equal(result.files.count, 2);
    assert_string_equal(result.files.paths[1], "b.bin");
    assert_true(result.hash == UINT64_C(0x0123456789abcdef));
    assert_int_equal(result.raw.position_count, 4);
    assert_true(result.raw.positions[3 * 3] == 1.0 && result.raw.positions[3 * 3 + 2] == 0.5);
    assert_int_equal(result.raw.uv_count, 4);
    assert_int_equal(result.raw.normal_count, 4);
    assert_int_equal(result.raw.paint_count, 3);
    assert_true(result.raw.paint[0] == 1.0f && result.raw.paint[4 * 2 + 1] == 0.5f);
    assert_int_equal(result.raw.corner_count, 7);
    assert_int_equal(result.raw.polygon_count, 2);
    assert_int_equal(result.raw.polygons[1].first_corner, 4);
    assert_int_equal(result.raw.group_count, 2);
    assert_string_equal(result.raw.groups[1].name, "two");
    assert_int_equal(result.raw.groups[1].first_polygon, 1);
    slv_import_result_free(&result);
}

static void an_error_is_received_unchanged(void **state) {
    (void)state;
    slv_import_result sent = {.hash = 0};
    (void)slv_fail(&sent.error, SLV_ERROR_CONTENT, "no %s", "good");
    FILE *file = tmpfile();
    assert_non_null(file);
    slv_import_result_write(&sent, file);
    rewind(file);
    slv_import_result result;
    assert_true(slv_import_result_read(file, &result));
    (void)fclose(file);
    assert_int_equal(result.error.code, SLV_ERROR_CONTENT);
    assert_string_equal(result.error.text, "no good");
    slv_import_result_free(&result);
}

static void a_stream_truncated_at_any_length_is_rejected(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample(&size);
    for (size_t length = 0; length < size; length++) {
        FILE *file = stream_of(bytes, length);
        slv_import_result result;
        assert_false(slv_import_result_read(file, &result));
        assert_null(result.raw.positions);
        (void)fclose(file);
    }
    unsigned char *longer = calloc(1, size + 1);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    FILE *file = stream_of(longer, size + 1);
    slv_import_result result;
    assert_false(slv_import_result_read(file, &result));
    (void)fclose(file);
    free(longer);
    free(bytes);
}

// Any byte changed to any value: rejected, or a mesh whose indices are all in range.
static void a_stream_with_any_byte_changed_is_rejected_or_valid(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample(&size);
    static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x7f};
    for (size_t at = 0; at < size; at++) {
        for (size_t c = 0; c < sizeof changes; c++) {
            bytes[at] ^= changes[c];
            FILE *file = stream_of(bytes, size);
            bytes[at] ^= changes[c];
            slv_import_result result;
            bool ok = slv_import_result_read(file, &result);
            (void)fclose(file);
            for (uint32_t p = 0; ok && p < result.raw.polygon_count; p++) {
                slv_raw_polygon polygon = result.raw.polygons[p];
                assert_true(polygon.corner_count >= 3);
                for (uint32_t k = 0; k < polygon.corner_count; k++) {
                    slv_raw_corner corner = result.raw.corners[polygon.first_corner + k];
                    assert_true(corner.position < result.raw.position_count);
                }
            }
            slv_import_result_free(&result);
        }
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_is_received_unchanged),
        cmocka_unit_test(an_error_is_received_unchanged),
        cmocka_unit_test(a_stream_truncated_at_any_length_is_rejected),
        cmocka_unit_test(a_stream_with_any_byte_changed_is_rejected_or_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
