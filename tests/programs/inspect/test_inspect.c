// SPDX-License-Identifier: MIT
// selvage-inspect as a program, on packs whose numbers are known.
#include "tests/common/folder.h"
#include "tests/programs/inspect/run.h"
#include "tests/tools/inspect/small_garment.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Runs and expects success without messages; standard output is to be freed.
static char *output_of(const char *arguments) {
    slv_run run = slv_run_inspect(arguments);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    free(run.err);
    return run.out;
}

static void expect_output(const char *arguments, const char *expected) {
    char *out = output_of(arguments);
    assert_string_equal(out, expected);
    free(out);
}

// Expects one line on standard error that contains each of the words, and nothing on standard
// output.
static void expect_failure(const char *arguments, int status, const char *word, const char *other) {
    slv_run run = slv_run_inspect(arguments);
    assert_int_equal(run.status, status);
    assert_string_equal(run.out, "");
    assert_int_equal(strncmp(run.err, "selvage-inspect: error: ", 24), 0);
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    assert_non_null(strstr(run.err, word));
    assert_non_null(strstr(run.err, other));
    slv_run_free(&run);
}

static void expect_words(const char *text, const char *const *words) {
    for (; *words; words++) {
        if (!strstr(text, *words)) {
            fail_msg("'%s' is not in:\n%s", *words, text);
        }
    }
}

static void the_summary_lists_all_content(void **state) {
    (void)state;
    char *out = output_of("small.slv");
    const char *const words[] = {"small.slv: garment pack, format 1.",
                                 " verified\n",
                                 "PPOS  particle positions ",
                                 " 72 B ",
                                 "  zstd ",
                                 "SDFG  signed distance field ",
                                 "made as      shape\n",
                                 "particles    6, 1 of them fixed\n",
                                 "colors       2: 3 + 3 particles\n",
                                 "constraints  7 distance in 3 colors: 2 + 2 + 3\n",
                                 " 2 bending, uncolored\n",
                                 "bounds       (0, 0, 0) to (0.2, 0, 0.1) m\n",
                                 "spacing      0.1 m\n",
                                 "mass         0.5 kg\n",
                                 "grid         3 x 1 x 2 samples, 0.1 m apart",
                                 "field        2 x 1 x 9 distances",
                                 "render mesh  4 vertices, 2 triangles, with UVs\n",
                                 "each vertex follows 1 particle\n",
                                 "2  corner\n",
                                 "2  hem, left\n",
                                 "test cloth\n",
                                 "stretch 1000, shear 500, bending 10 N/m\n",
                                 "options.spacing",
                                 "a test\n",
                                 NULL};
    expect_words(out, words);
    assert_null(strchr(out, '\033'));
    free(out);
    expect_output("small.slv --quiet", "");
}

static void particles_are_dumped_in_their_own_order(void **state) {
    (void)state;
    const char *expected = "particle,x,y,z,color,phantom_of\n"
                           "0,0,0,0,0,-1\n"
                           "1,0.100000001,0,0,1,-1\n"
                           "2,0.200000003,0,0,0,-1\n"
                           "3,0,0,0.100000001,1,-1\n"
                           "4,0.100000001,0,0.100000001,0,-1\n"
                           "5,0.200000003,0,0.100000001,1,-1\n";
    expect_output("small.slv --dump particles", expected);
    expect_output("small.slv --dump=PPOS --format csv", expected);
    expect_output("small.slv --dump particles --copy", expected);
}

static void constraints_are_dumped_with_kind_color_and_rest(void **state) {
    (void)state;
    expect_output("small.slv --dump constraints", "kind,color,rest,a,b\n"
                                                  "distance,0,0.100000001,0,1\n"
                                                  "distance,0,0.100000001,3,4\n"
                                                  "distance,1,0.100000001,1,2\n"
                                                  "distance,1,0.100000001,4,5\n"
                                                  "distance,2,0.100000001,0,3\n"
                                                  "distance,2,0.100000001,1,4\n"
                                                  "distance,2,0.100000001,2,5\n"
                                                  "bending,-1,0.200000003,0,2\n"
                                                  "bending,-1,0.200000003,3,5\n");
    expect_output("small.slv --dump CBND", "kind,color,rest,a,b\n"
                                           "bending,-1,0.200000003,0,2\n"
                                           "bending,-1,0.200000003,3,5\n");
}

static void every_other_section_is_dumped(void **state) {
    (void)state;
    static const struct {
        const char *arguments;
        const char *expected;
    } dumps[] = {
        {"small.slv --dump neighbors", "particle,minus_x,plus_x,minus_y,plus_y,minus_z,plus_z\n"
                                       "0,-1,1,-1,-1,-1,3\n1,0,2,-1,-1,-1,4\n2,1,-1,-1,-1,-1,5\n"
                                       "3,-1,4,-1,-1,0,-1\n4,3,5,-1,-1,1,-1\n5,4,-1,-1,-1,2,-1\n"},
        {"small.slv --dump masses", "particle,inverse_mass_per_kg,mass_kg\n0,10,0.100000001\n"
                                    "1,10,0.100000001\n2,10,0.100000001\n3,10,0.100000001\n"
                                    "4,10,0.100000001\n5,0,\n"},
        {"small.slv --dump cells", "particle,i,j,k\n0,0,0,0\n1,1,0,0\n2,2,0,0\n3,0,0,1\n4,1,0,1\n"
                                   "5,2,0,1\n"},
        {"small.slv --dump order", "particle,stored\n0,0\n1,3\n2,1\n3,4\n4,2\n5,5\n"},
        {"small.slv --dump colors", "color,count\n0,3\n1,3\n"},
        {"small.slv --dump CGRP", "kind,color,material,first,count\ndistance,0,0,0,2\n"
                                  "distance,1,0,2,2\ndistance,2,0,4,3\nbending,-1,0,0,2\n"},
        {"small.slv --dump grid", "cells_x,cells_y,cells_z,origin_x,origin_y,origin_z,spacing_m\n"
                                  "3,1,2,0,0,0,0.1\n"},
        {"small.slv --dump info",
         "particle_count,mode,frame_x,frame_y,frame_z,min_x,min_y,min_z,max_x,max_y,max_z,"
         "spacing_m,mass_kg\n6,shape,0,0,0,0,0,0,0.200000003,0,0.100000001,0.100000001,0.5\n"},
        {"small.slv --dump render-vertices",
         "vertex,x,y,z,nx,ny,nz,u,v,source\n0,0,0,0,0,1,0,0,0,10\n1,0.200000003,0,0,0,1,0,1,0,11\n"
         "2,0,0,0.100000001,0,1,0,0,1,12\n3,0.200000003,0,0.100000001,0,1,0,1,1,13\n"},
        {"small.slv --dump triangles", "triangle,a,b,c\n0,0,2,1\n1,1,2,3\n"},
        {"small.slv --dump embedding", "vertex,particle,weight\n0,0,1\n1,2,1\n2,3,1\n3,5,1\n"},
        {"small.slv --dump offsets", "vertex,x,y,z\n"},
        {"small.slv --dump sets", "set,particle\ncorner,0\ncorner,5\n\"hem, left\",0\n"
                                  "\"hem, left\",3\n"},
        {"small.slv --dump materials",
         "material,name,stretch_n_per_m,shear_n_per_m,bending_n_per_m,damping_per_s,"
         "static_friction,kinetic_friction,restitution,thickness_m,red,green,blue,alpha,"
         "flexural_rigidity_n_m,given\n"
         "0,test cloth,1000,500,10,0.100000001,0.5,0.400000006,0.25,0.00100000005,0.800000012,"
         "0.699999988,0.600000024,1,0,0\n"},
        {"small.slv --dump provenance", "key,value\ntool,a test\noptions.spacing,0.1\n"
                                        "options.flat,true\ninputs.0,none\n"},
        {"small.slv --dump sets --format json",
         "[\n{\"set\":\"corner\",\"particle\":0},\n{\"set\":\"corner\",\"particle\":5},\n"
         "{\"set\":\"hem, left\",\"particle\":0},\n{\"set\":\"hem, left\",\"particle\":3}\n]\n"},
    };
    for (size_t i = 0; i < sizeof dumps / sizeof dumps[0]; i++) {
        expect_output(dumps[i].arguments, dumps[i].expected);
    }
}

static void the_field_is_dumped_sample_by_sample(void **state) {
    (void)state;
    char *out = output_of("small.slv --dump field");
    const char *line = out + strlen("i,j,k,distance\n");
    assert_memory_equal(out, "i,j,k,distance\n", strlen("i,j,k,distance\n"));
    for (int n = 0; n < 18; n++) {
        char *end = NULL;
        assert_int_equal(strtol(line, &end, 10), n % 2);
        assert_int_equal(strtol(end + 1, &end, 10), 0);
        assert_int_equal(strtol(end + 1, &end, 10), n / 2);
        float value = strtof(end + 1, &end);
        int layer = n / 2;
        float expected = (float)(n % 2) + (float)layer / 8.0f - 0.1f;
        assert_memory_equal(&value, &expected, sizeof value);
        line = end + 1;
    }
    assert_string_equal(line, "");
    free(out);
}

static double number_at(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const cJSON *item_at(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_non_null(item);
    return item;
}

static void the_json_report_parses_and_has_the_same_values(void **state) {
    (void)state;
    char *out = output_of("small.slv --json");
    size_t size = 0;
    free(folder_read("small.slv", &size));
    cJSON *root = cJSON_Parse(out);
    assert_non_null(root);
    assert_true(number_at(root, "file_size") == (double)size);
    assert_true(number_at(root, "particles") == 6.0);
    assert_true((float)number_at(root, "spacing_m") == 0.1f);
    assert_true((float)number_at(root, "mass_kg") == 0.5f);
    const cJSON *constraints = item_at(root, "constraints");
    assert_true(number_at(constraints, "distance") == 7.0);
    assert_true(number_at(constraints, "bending") == 2.0);
    assert_int_equal(cJSON_GetArraySize(item_at(root, "groups")), 4);
    assert_int_equal(cJSON_GetArraySize(item_at(root, "colors")), 2);
    assert_int_equal(cJSON_GetArraySize(item_at(root, "sets")), 2);
    assert_true(number_at(item_at(root, "render_mesh"), "vertices") == 4.0);
    assert_true(number_at(item_at(item_at(root, "provenance"), "options"), "spacing") == 0.1);
    const cJSON *sections = item_at(root, "sections");
    double last = 0.0;
    const cJSON *section = NULL;
    cJSON_ArrayForEach(section, sections) {
        assert_true(number_at(section, "offset") > last);
        last = number_at(section, "offset");
    }
    cJSON_Delete(root);
    free(out);
}

static void verify_prints_ok_or_the_reason(void **state) {
    (void)state;
    expect_output("small.slv --verify", "small.slv: ok\n");
    expect_output("small.slv --verify --quiet", "");
    size_t size = 0;
    char *bytes = folder_read("small.slv", &size);
    bytes[size - 1] ^= 1; // in the last section, the field
    folder_write("bad.slv", bytes, size);
    free(bytes);
    expect_failure("bad.slv --verify", 3, "bad.slv: ", "SDFG");
    expect_failure("bad.slv", 3, "bad.slv: ", "SDFG");
    expect_failure("bad.slv --json", 3, "bad.slv: ", "SDFG");
    expect_failure("bad.slv --dump info", 3, "bad.slv: ", "SDFG");
    slv_run run = slv_run_inspect("bad.slv --verify --json");
    assert_int_equal(run.status, 3);
    cJSON *verdict = cJSON_Parse(run.out);
    assert_true(cJSON_IsFalse(item_at(verdict, "ok")));
    assert_true(number_at(verdict, "status") == 3.0);
    cJSON_Delete(verdict);
    slv_run_free(&run);
}

static void a_picture_is_a_png_of_the_given_size(void **state) {
    (void)state;
    expect_output("small.slv --picture p.png --size 64x48 --depfile p.d", "");
    size_t size = 0;
    char *png = folder_read("p.png", &size);
    const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13,
                                  'I',  'H', 'D', 'R', 0,    0,    0,    64,   0, 0, 0, 48};
    assert_true(size > 1000); // a blank one of this size has about 150 bytes
    assert_memory_equal(png, head, sizeof head);
    char *rule = folder_read("p.d", &size);
    assert_int_equal(strncmp(rule, "p.png: ", 7), 0);
    assert_non_null(strstr(rule, " small.slv\n"));
    free(rule);
    expect_output("small.slv --picture q.png --size 64x48 --threads 1 --verify", "small.slv: ok\n");
    char *again = folder_read("q.png", &size);
    assert_memory_equal(png, again, size);
    free(png);
    free(again);
    expect_failure("small.slv --picture none/p.png --size 64x48", 2, "none/p.png", "");
}

static void invalid_usage_is_named(void **state) {
    (void)state;
    expect_failure("", 1, "PACK", "");
    expect_failure("small.slv other.slv", 1, "other.slv", "");
    expect_failure("small.slv --dump nonsense", 1, "nonsense", "particles");
    expect_failure("small.slv --format json", 1, "--format", "--dump");
    expect_failure("small.slv --dump info --json", 1, "--dump", "--format json");
    expect_failure("small.slv --size 64x64", 1, "--size", "--picture");
    expect_failure("small.slv --picture small.jpg", 1, "small.jpg", "FILE.png");
    expect_failure("small.slv --depfile d", 1, "--depfile", "--picture");
    expect_failure("small.slv --picture p.png --size 64", 1, "--size", "WxH");
    expect_failure("small.slv --picture p.png --size 64x64.5", 1, "--size", "WxH");
    expect_failure("small.slv --picture p.png --size 1x9000", 1, "--size", "8192");
    expect_failure("small.slv --picture p.png --view 10,91", 1, "--view", "90");
    expect_failure("small.slv --dump XYZW", 3, "small.slv", "XYZW");
    expect_failure("missing.slv", 2, "missing.slv", "");
    expect_failure(".", 2, ".", "");
}

static void help_lists_every_dump(void **state) {
    (void)state;
    char *out = output_of("--help");
    const char *const words[] = {
        "Usage: selvage-inspect PACK", "particles,", "render-vertices,", "provenance,",
        "--picture FILE.png",          NULL};
    expect_words(out, words);
    free(out);
}

static void lost_output_is_an_error(void **state) {
    (void)state;
    const char *const commands[] = {"small.slv >/dev/full",
                                    "small.slv --json >/dev/full",
                                    "small.slv --dump sets >/dev/full",
                                    "small.slv --verify >/dev/full",
                                    "--help >/dev/full",
                                    "--version >/dev/full"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        expect_failure(commands[i], 2, "standard output", "");
    }
}

static void a_closed_pipe_gives_no_message(void **state) {
    (void)state;
    slv_run run = slv_run_inspect_unread("small.slv --dump particles");
    assert_int_equal(run.status, 128 + 13); // SIGPIPE
    assert_string_equal(run.err, "");
    slv_run_free(&run);
}

static void no_file_is_overwritten_by_mistake(void **state) {
    (void)state;
    size_t size = 0;
    size_t size_after = 0;
    char *before = folder_read("small.slv", &size);
    expect_failure("small.slv --picture small.slv", 1, "small.slv: ", "overwrite");
    expect_failure("small.slv --picture ./small.slv", 1, "small.slv: ", "overwrite");
    expect_failure("small.slv --picture o.png --depfile small.slv", 1, "small.slv: ", "overwrite");
    expect_failure("small.slv --picture o.png --depfile ./o.png", 1, "o.png: ", "two outputs");
    expect_failure("small.slv --picture ''", 1, "empty", "");
    char *after = folder_read("small.slv", &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
}

// The rule is rejected, and the old picture is kept.
static void picture_and_rule_appear_together(void **state) {
    (void)state;
    assert_int_equal(slv_small_pack_write("two\nlines.slv", NULL), SLV_OK);
    folder_write("old.png", "OLD", 3);
    expect_failure("'two\nlines.slv' --picture old.png --size 64x48 --depfile old.d", 5, "old.d",
                   "line break");
    size_t size = 0;
    char *old = folder_read("old.png", &size);
    assert_string_equal(old, "OLD");
    free(old);
}

static void reports_are_utf8_for_any_file_name(void **state) {
    (void)state;
    assert_int_equal(slv_small_pack_write("\xE4.slv", NULL), SLV_OK);
    const char *const words[] = {"\"\xEF\xBF\xBD.slv\"", NULL};
    char *out = output_of("\xE4.slv --json");
    expect_words(out, words);
    free(out);
    out = output_of("\xE4.slv --json --verify");
    expect_words(out, words);
    free(out);
}

static void a_garment_without_such_constraints_gives_an_empty_table(void **state) {
    (void)state;
    slv_garment garment = slv_small_garment();
    garment.group_count = 3; // distance ones; the fourth is bending
    garment.constraints[SLV_CONSTRAINT_BENDING].count = 0;
    slv_writer *writer = NULL;
    assert_int_equal(slv_writer_open("unbent.slv", SLV_CONTENTS_GARMENT,
                                     slv_garment_get_section_count(&garment), &writer, NULL),
                     SLV_OK);
    assert_int_equal(slv_garment_write(&garment, writer, NULL), SLV_OK);
    assert_int_equal(slv_writer_commit(writer, NULL), SLV_OK);
    expect_output("unbent.slv --dump bending", "kind,color,rest,a,b\n");
    expect_failure("unbent.slv --dump CBND", 3, "unbent.slv", "CBND");
}

// An unknown optional section of a newer minor version is shown as bytes.
static void an_unknown_section_is_dumped_as_bytes(void **state) {
    (void)state;
    slv_garment garment = slv_small_garment();
    slv_writer *writer = NULL;
    assert_int_equal(slv_writer_open("new.slv", SLV_CONTENTS_GARMENT,
                                     slv_garment_get_section_count(&garment) + 1, &writer, NULL),
                     SLV_OK);
    assert_int_equal(slv_garment_write(&garment, writer, NULL), SLV_OK);
    assert_int_equal(slv_writer_add(writer, SLV_FOURCC('N', 'E', 'W', '1'), SLV_CODEC_RAW, 0,
                                    "\x01\xFF", 2, NULL),
                     SLV_OK);
    assert_int_equal(slv_writer_commit(writer, NULL), SLV_OK);
    expect_output("new.slv --dump NEW1", "offset,byte\n0,1\n1,255\n");
    char *out = output_of("new.slv");
    const char *const words[] = {"NEW1  (unknown to this version)", NULL};
    expect_words(out, words);
    free(out);
    expect_failure("new.slv --dump field", 3, "new.slv", "SDFG");
}

static int enter(void **state) {
    (void)state;
    assert_int_equal(folder_enter(NULL), 0);
    slv_error error = {SLV_OK, ""};
    slv_result result = slv_small_pack_write("small.slv", &error);
    if (result) {
        print_error("%s\n", error.text);
    }
    return (int)result;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summary_lists_all_content),
        cmocka_unit_test(particles_are_dumped_in_their_own_order),
        cmocka_unit_test(constraints_are_dumped_with_kind_color_and_rest),
        cmocka_unit_test(every_other_section_is_dumped),
        cmocka_unit_test(the_field_is_dumped_sample_by_sample),
        cmocka_unit_test(the_json_report_parses_and_has_the_same_values),
        cmocka_unit_test(verify_prints_ok_or_the_reason),
        cmocka_unit_test(a_picture_is_a_png_of_the_given_size),
        cmocka_unit_test(invalid_usage_is_named),
        cmocka_unit_test(help_lists_every_dump),
        cmocka_unit_test(lost_output_is_an_error),
        cmocka_unit_test(a_closed_pipe_gives_no_message),
        cmocka_unit_test(no_file_is_overwritten_by_mistake),
        cmocka_unit_test(picture_and_rule_appear_together),
        cmocka_unit_test(reports_are_utf8_for_any_file_name),
        cmocka_unit_test(a_garment_without_such_constraints_gives_an_empty_table),
        cmocka_unit_test(an_unknown_section_is_dumped_as_bytes),
    };
    return cmocka_run_group_tests(tests, enter, folder_leave);
}
