// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/obj_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static slv_raw_mesh read_text(const char *text) {
    slv_raw_mesh raw;
    slv_error error = {.code = SLV_OK};
    if (slv_obj_read(text, strlen(text), &raw, &error) != SLV_OK) {
        fail_msg("refused: %s", error.text);
    }
    return raw;
}

static void expect_error(const char *text, const char *message) {
    slv_raw_mesh raw;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(slv_obj_read(text, strlen(text), &raw, &error), SLV_ERROR_CONTENT);
    assert_string_equal(error.text, message);
    assert_null(raw.positions);
    assert_int_equal(raw.corner_count, 0);
}

static void every_form_of_a_corner_is_read(void **state) {
    (void)state;
    slv_raw_mesh raw = read_text(TRIANGLE "vt 0.5 0.25\nvt 1\nvn 0 0 1\n"
                                          "f 1 2 3\nf 1/1 2/2 3/1\nf 1//1 2//1 3//1\n"
                                          "f 1/1/1 2/2/1 3/1/1\nf -3/-2/-1 -2/-1/-1 -1/-2/-1\n"
                                          "f 1/ 2// 3\n");
    static const slv_raw_corner corners[18] = {{0, SLV_NO_INDEX, SLV_NO_INDEX},
                                               {1, SLV_NO_INDEX, SLV_NO_INDEX},
                                               {2, SLV_NO_INDEX, SLV_NO_INDEX},
                                               {0, 0, SLV_NO_INDEX},
                                               {1, 1, SLV_NO_INDEX},
                                               {2, 0, SLV_NO_INDEX},
                                               {0, SLV_NO_INDEX, 0},
                                               {1, SLV_NO_INDEX, 0},
                                               {2, SLV_NO_INDEX, 0},
                                               {0, 0, 0},
                                               {1, 1, 0},
                                               {2, 0, 0},
                                               {0, 0, 0},
                                               {1, 1, 0},
                                               {2, 0, 0},
                                               {0, SLV_NO_INDEX, SLV_NO_INDEX},
                                               {1, SLV_NO_INDEX, SLV_NO_INDEX},
                                               {2, SLV_NO_INDEX, SLV_NO_INDEX}};
    assert_int_equal(raw.corner_count, 18);
    assert_memory_equal(raw.corners, corners, sizeof corners);
    assert_int_equal(raw.polygon_count, 6);
    assert_true(raw.uvs[0] == 0.5f && raw.uvs[1] == 0.25f);
    assert_true(raw.uvs[2] == 1.0f && raw.uvs[3] == 0.0f);
    slv_raw_mesh_free(&raw);
}

static void weights_and_other_text_after_a_vertex_are_ignored(void **state) {
    (void)state;
    slv_raw_mesh raw = read_text("v 1 2 3 1.0\nv 4 5 6 0.1 0.2\nv 7 8 9 nonsense\n"
                                 "v 1 1 1 0 0 0 0 0\nv 1 1 1 0 0 0x\nf 1 2 3\n");
    static const double positions[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_memory_equal(raw.positions, positions, sizeof positions);
    assert_int_equal(raw.position_count, 5);
    assert_int_equal(raw.paint_count, 0);
    slv_raw_mesh_free(&raw);
}

static void colors_after_a_vertex_are_read_and_missing_ones_are_white(void **state) {
    (void)state;
    slv_raw_mesh raw = read_text("v 1 2 3\nv 4 5 6 0.5 0.25 0\nv 7 8 9 1e9 -2 .5 0 # alpha\n"
                                 "v 1 1 1 \\\n 0 1 0\nv 1 1 1 1.0\nf 1 2 3\n");
    static const float paint[16] = {1, 1, 1, 1, 0.5f, 0.25f, 0, 1, 1e9f, -2, 0.5f, 0, 0, 1, 0, 1};
    assert_int_equal(raw.position_count, 5);
    assert_int_equal(raw.paint_count, 4);
    assert_memory_equal(raw.paint, paint, sizeof paint);
    slv_raw_mesh_free(&raw);
}

static void numbers_keep_double_precision(void **state) {
    (void)state;
    slv_raw_mesh raw = read_text("v 1000000.1234567 -1e-3 +.5E2\nv 1 0 0\nv 0 1 0\nf 1 2 3");
    assert_true(raw.positions[0] == 1000000.1234567);
    assert_true(raw.positions[1] == -0.001);
    assert_true(raw.positions[2] == 50.0);
    slv_raw_mesh_free(&raw);
}

static void line_ends_blanks_comments_and_continuations_are_accepted(void **state) {
    (void)state;
    static const char *const texts[] = {
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
        "# C:\\\n  v\t0 0  0 # no\n\n\nv 1 0 0\nv 0 1 0   \nf 1 2 3# end",
        "v 0 \\\n0 0\nv 1\\\r\n 0 0\nv 0 1 0\nf 1 \\\n 2 \\\n\\\n3\n",
        "mtllib a b.mtl\nusemtl x\ns off\nl 1 2\np 1\nvp 1 2\nxyz \\\n f 9 9 9\n" TRIANGLE
        "f 1 2 3\n",
        "\xef\xbb\xbf# mark\n" TRIANGLE "f 1 2 3\nf 1 2\nf 1\n"};
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        slv_raw_mesh raw = read_text(texts[i]);
        assert_int_equal(raw.position_count, 3);
        assert_memory_equal(raw.positions, positions, sizeof positions);
        assert_int_equal(raw.polygon_count, 1);
        assert_int_equal(raw.corner_count, 3);
        slv_raw_mesh_free(&raw);
    }
}

static void faces_may_precede_their_vertices(void **state) {
    (void)state;
    slv_raw_mesh raw = read_text("f 1 2 3\n" TRIANGLE);
    assert_int_equal(raw.corners[2].position, 2);
    slv_raw_mesh_free(&raw);
}

static void a_face_may_have_very_many_corners(void **state) {
    (void)state;
    enum { CORNERS = 100000 };
    char *text = malloc(64 + CORNERS * 8);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, TRIANGLE "f");
    for (int i = 0; i < CORNERS; i++) {
        length += (size_t)sprintf(text + length, " %d", i % 3 + 1);
    }
    slv_raw_mesh raw = read_text(text);
    assert_int_equal(raw.polygons[0].corner_count, CORNERS);
    slv_raw_mesh_free(&raw);
    free(text);
}

static void groups_and_objects_are_named(void **state) {
    (void)state;
    slv_raw_mesh raw = read_text(TRIANGLE "f 1 2 3\no  Shirt left  \r\nf 1 2 3\nf 1 2 3\n"
                                          "g Shirt left\nf 1 2 3\ng\nf 1 2 3\n");
    assert_int_equal(raw.group_count, 3);
    assert_string_equal(raw.groups[0].name, "Shirt left");
    assert_int_equal(raw.groups[0].first_polygon, 1);
    assert_int_equal(raw.groups[0].kind, SLV_GROUP_OBJECT); // goes on where a group begins
    assert_string_equal(raw.groups[1].name, "Shirt left");
    assert_int_equal(raw.groups[1].first_polygon, 3);
    assert_int_equal(raw.groups[1].kind, SLV_GROUP_GROUP);
    assert_string_equal(raw.groups[2].name, "default");
    assert_int_equal(raw.groups[2].first_polygon, 4);
    slv_raw_mesh_free(&raw);
}

static void errors_name_their_line(void **state) {
    (void)state;
    expect_error("v 0 0 0\nv 1 nan 0\n", "line 2: 'nan' is not a finite number");
    expect_error("v 0 0 0\n\nv -inf 0 0\n", "line 3: '-inf' is not a finite number");
    expect_error("v 0 0 1e999\n", "line 1: '1e999' is not a finite number");
    expect_error("v 0 0 1.5x\n", "line 1: '1.5x' is not a finite number");
    expect_error("v 0x10 0 0\n", "line 1: '0x10' is not a finite number");
    expect_error("vn 0 0 -nan(ind)\n", "line 1: '-nan(ind)' is not a finite number");
    expect_error("vt 1e39\n", "line 1: 1e+39 is too large; at most 1e38 can be handled");
    expect_error("\r\n\r\nv 1 2\r\n", "line 3: 2 numbers where 3 are needed");
    expect_error("v 1 \\\n 2 \\\n x\n", "line 3: 'x' is not a finite number");
    expect_error(TRIANGLE "f 1 2 4\n", "line 4: a face names vertex 4, but the file has 3");
    expect_error(TRIANGLE "vt 0 0\nf 1/1 2/1 3/2\n",
                 "line 5: a face names texture coordinate 2, but the file has 1");
    expect_error(TRIANGLE "f 1//1 2//1 3//1\n",
                 "line 4: a face names normal 1, but the file has 0");
    expect_error(TRIANGLE "f 0 1 2\n",
                 "line 4: '0' is no corner of a face, like 7, 7/3, 7//5 or 7/3/5");
    static const char *const corners[] = {"-4",  "1/2/3/4",    "1.5",  "a",   "99999999999999",
                                          "1/x", "4294967295", "1//0", "--1", "/1",
                                          "+"};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        char text[128];
        char message[128];
        (void)snprintf(text, sizeof text, TRIANGLE "f 1 2 %s\n", corners[i]);
        (void)snprintf(message, sizeof message,
                       "line 4: '%s' is no corner of a face, like 7, 7/3, 7//5 or 7/3/5",
                       corners[i]);
        expect_error(text, message);
    }
    expect_error(TRIANGLE "f\n", "line 4: a face without corners");
}

static void files_without_faces_are_rejected(void **state) {
    (void)state;
    expect_error("", "no mesh in it: an OBJ file has \"v\" and \"f\" lines");
    expect_error("hello\nworld", "no mesh in it: an OBJ file has \"v\" and \"f\" lines");
    expect_error(TRIANGLE "f 1 2\n",
                 "no faces: 3 vertices and no \"f\" line that joins three of them");
    slv_raw_mesh raw;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(slv_obj_read("v 0 0\0 0\n", 9, &raw, &error), SLV_ERROR_CONTENT);
    assert_string_equal(error.text, "not an OBJ file: byte 5 is 0, which no text has");
}

static void a_long_word_is_truncated_in_the_message(void **state) {
    (void)state;
    char text[1000] = "v ";
    memset(text + 2, 'y', sizeof text - 3);
    slv_raw_mesh raw;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(slv_obj_read(text, strlen(text), &raw, &error), SLV_ERROR_CONTENT);
    assert_true(strlen(error.text) < 100);
}

// Truncated text is a shorter mesh or an error. The exact-size copy lets the address sanitizer
// detect reads beyond the end.
static void every_truncated_text_is_read_or_rejected(void **state) {
    (void)state;
    static const char text[] = "o a\n" TRIANGLE "v 1 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 \\\n"
                               "4/1/1 3/1/1\r\ng b c\nf -1 -2 -3 # x\nv 1e-3 .5 -7.25E+1";
    for (size_t length = 0; length < sizeof text; length++) {
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, text, length);
        copy[length] = '\0';
        slv_raw_mesh raw;
        slv_error error = {.code = SLV_OK};
        slv_result result = slv_obj_read(copy, length, &raw, &error);
        assert_true(result == SLV_OK ? raw.polygon_count > 0 : result == SLV_ERROR_CONTENT);
        slv_raw_mesh_free(&raw);
        free(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_a_corner_is_read),
        cmocka_unit_test(weights_and_other_text_after_a_vertex_are_ignored),
        cmocka_unit_test(colors_after_a_vertex_are_read_and_missing_ones_are_white),
        cmocka_unit_test(numbers_keep_double_precision),
        cmocka_unit_test(line_ends_blanks_comments_and_continuations_are_accepted),
        cmocka_unit_test(faces_may_precede_their_vertices),
        cmocka_unit_test(a_face_may_have_very_many_corners),
        cmocka_unit_test(groups_and_objects_are_named),
        cmocka_unit_test(errors_name_their_line),
        cmocka_unit_test(files_without_faces_are_rejected),
        cmocka_unit_test(a_long_word_is_truncated_in_the_message),
        cmocka_unit_test(every_truncated_text_is_read_or_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
