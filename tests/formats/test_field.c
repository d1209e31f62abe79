// SPDX-License-Identifier: MIT
// Fields: text exactly as printf writes it, read back strictly; sections without any loss.
#include "formats/field.h"
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

#include <cmocka.h>

#include <float.h>
#include <math.h>

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// --- %g --------------------------------------------------------------------------------------------

static void assert_as_printf(float value) {
    char expected[64];
    char have[64];
    int length = snprintf(expected, sizeof expected, "%g\n", (double)value);
    size_t size = slv_sdf_format_values(&value, 1, have);
    if (size != (size_t)length || memcmp(have, expected, size) != 0) {
        fail_msg("%a is written as \"%.*s\", should be \"%s\"", (double)value, (int)size, have,
                 expected);
    }
}

static void special_values_are_written_as_printf_does(void **state) {
    (void)state;
    const float values[] = {0.0f,
                            -0.0f,
                            1.0f,
                            -1.0f,
                            0.1f,
                            FLT_MAX,
                            FLT_MIN,
                            -FLT_MAX,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            -NAN,
                            999999.0f,
                            999999.5f,
                            1e6f,
                            999995.0f,
                            9999995.0f,
                            1e-4f,
                            1e-5f,
                            9.99999e-5f,
                            0.0001f,
                            123456.0f,
                            1234567.0f,
                            0.5f,
                            16777.25f,
                            0.01171875f,
                            1e38f,
                            1e-38f,
                            1.401298464e-45f,
                            2.5f,
                            100000.0f,
                            1e10f,
                            33554432.0f,
                            0.3f};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_as_printf(values[i]);
    }
}

// Around each power of ten, where the number of digits changes, and each power of two.
static void values_around_powers_are_written_as_printf_does(void **state) {
    (void)state;
    for (int power = -45; power <= 38; power++) {
        float center = (float)pow(10, power);
        uint32_t bits;
        memcpy(&bits, &center, sizeof bits);
        for (uint32_t step = 0; step < 400; step++) {
            assert_as_printf(float_of_bits(bits + step - 200));
        }
    }
    for (uint32_t exponent = 0; exponent < 256; exponent++) {
        for (uint32_t step = 0; step < 400; step++) {
            assert_as_printf(float_of_bits((exponent << 23) + step - 200));
        }
    }
}

// Dyadic fractions end in 5: ties between two six-digit numbers, which must go to the even one.
static void ties_are_written_as_printf_does(void **state) {
    (void)state;
    for (int shift = 1; shift <= 20; shift++) {
        for (uint32_t i = 1; i < (1u << 24); i += 1237) {
            assert_as_printf(ldexpf((float)i, -shift));
        }
    }
    for (uint32_t i = 1000005; i < 10000000; i += 70) { // whole numbers, scaled by 0.1 and 0.01
        assert_as_printf((float)i);
    }
    for (uint32_t i = 10000050; i < 33554432; i += 300) {
        assert_as_printf((float)i);
    }
}

static void random_bits_are_written_as_printf_does(void **state) {
    (void)state;
    const char *given = getenv("SELVAGE_TEST_FLOATS");
    unsigned long count = given ? strtoul(given, NULL, 10) : 3000000;
    uint64_t mix = 88172645463325252u;
    for (unsigned long i = 0; i < count; i++) {
        mix ^= mix << 13;
        mix ^= mix >> 7;
        mix ^= mix << 17;
        assert_as_printf(float_of_bits((uint32_t)(mix >> 16)));
    }
}

static void many_values_follow_one_another_within_the_bound(void **state) {
    (void)state;
    const float values[] = {-FLT_MIN, -1.17549e-38f, -NAN, -0.000123456f, -123.456f};
    char text[128];
    char expected[128];
    size_t size = slv_sdf_format_values(values, 5, text);
    int length = 0;
    for (int i = 0; i < 5; i++) {
        length += snprintf(expected + length, sizeof expected - (size_t)length, "%g\n",
                           (double)values[i]);
    }
    assert_int_equal(size, length);
    assert_memory_equal(text, expected, size);
    assert_true(size <= slv_sdf_get_text_bound(5));
}

// --- .sdf files ------------------------------------------------------------------------------------

static const char *write_text(scratch *temporary, const char *text, size_t size) {
    const char *path = scratch_path(temporary, "field.sdf");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void a_field_written_as_text_is_read_back(void **state) {
    const uint32_t cells[3] = {9, 7, 5};
    const double origin[3] = {-0.5, 0.25, 1e-3};
    float *values = sample_sphere(9, 7, 5);
    char *text = malloc(256 + slv_sdf_get_text_bound(315));
    assert_non_null(values);
    assert_non_null(text);
    size_t size = slv_sdf_format_header(cells, origin, 0.01, text);
    assert_memory_equal(text, "9 7 5\n-0.5 0.25 0.001\n0.01\n", size);
    size += slv_sdf_format_values(values, 315, text + size);
    slv_sdf_grid grid;
    slv_error error = {0};
    const char *path = write_text(*state, text, size);
    assert_int_equal(slv_sdf_read(path, 315, &grid, &error), SLV_OK);
    assert_memory_equal(grid.cells, cells, sizeof cells);
    assert_memory_equal(grid.origin, origin, sizeof origin);
    assert_true(grid.spacing == 0.01);
    for (int i = 0; i < 315; i++) {
        assert_true(fabsf(grid.values[i] - values[i]) <= 1e-5f * fabsf(values[i]));
    }
    slv_sdf_free(&grid);
    assert_null(grid.values);
    free(text);
    free(values);
}

static void numbers_are_read_to_the_nearest_float(void **state) {
    static const char text[] = "11 1 1 0 0 0 1\r\n"
                               "0.1\n1e-3 \t -2.5E+2\n+7\n.5\n3.\n123456789.123456789012345\n"
                               "-0\n1.17549e-38\n3.40282e+38\n0.000000000000000000000000000001";
    const float expected[] = {
        0.1f,  1e-3f,        -250.0f,      7.0f,  0.5f, 3.0f, 123456789.123456789f,
        -0.0f, 1.17549e-38f, 3.40282e+38f, 1e-30f};
    slv_sdf_grid grid;
    const char *path = write_text(*state, text, sizeof text - 1);
    assert_int_equal(slv_sdf_read(path, 100, &grid, NULL), SLV_OK);
    assert_memory_equal(grid.values, expected, sizeof expected);
    slv_sdf_free(&grid);
}

static void bad_text_is_refused_with_its_line(void **state) {
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "line 1: a number of samples"},
        {"2 2", "line 1: a number of samples"},
        {"0 1 1\n0 0 0\n1\n", "line 1: three whole numbers"},
        {"-1 1 1\n0 0 0\n1\n", "line 1: three whole numbers"},
        {"1.5 1 1\n0 0 0\n1\n", "line 1: three whole numbers"},
        {"5000000000 1 1\n0 0 0\n1\n", "line 1: three whole numbers"},
        {"2 1 1\n0 nan 0\n1\n1\n2\n", "line 2: a coordinate"},
        {"2 1 1\n0 0 0\n0\n1\n2\n", "line 3: a spacing above zero"},
        {"2 1 1\n0 0 0\n-1\n1\n2\n", "line 3: a spacing above zero"},
        {"2 1 1\n0 0 0\n1e999\n1\n2\n", "line 3: the spacing"},
        {"2 1 1\n0 0 0\n1\n1\n", "line 5: a finite value expected, but the file ends"},
        {"9 1 1\n0 0 0\n1\n1000\n2\n", "truncated: 9 values"},
        {"2 1 1\n0 0 0\n1\n1\n2\n3\n", "line 6: the end of the file"},
        {"2 1 1\n0 0 0\n1\n1\nx\n", "line 5: a finite value"},
        {"2 1 1\n0 0 0\n1\n1\ninf\n", "line 5: a finite value"},
        {"2 1 1\n0 0 0\n1\n1\n1e39\n", "line 5: a value that fits single precision"},
        {"2 1 1\n0 0 0\n1\n1\n0x10\n", "line 5: a finite value"},
        {"2 1 1\n0 0 0\n1\n1\n1-2\n", "line 5: a finite value"},
        {"2 1 1\n0 0 0\n1\n1\n-\n", "line 5: a finite value"},
        {"2 1 1\n0 0 0\n1\n1\n.\n", "line 5: a finite value"},
        {"100 100 100\n0 0 0\n1\n1\n", "the limit is 1000"},
        {"4294967295 4294967295 4294967295\n0 0 0\n1\n1\n", "the limit is 1000"},
        {"2 1 1\n0 0 0\n1\n1\n"
         "1111111111111111111111111111111111111111111111111111111111111111111111111111111\n",
         "line 5: a finite value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        slv_sdf_grid grid;
        slv_error error = {0};
        const char *path = write_text(*state, cases[i].text, strlen(cases[i].text));
        slv_result result = slv_sdf_read(path, 1000, &grid, &error);
        if (result != SLV_ERROR_CONTENT || !strstr(error.text, cases[i].reason)) {
            fail_msg("case %zu: \"%s\", should contain \"%s\"", i, error.text, cases[i].reason);
        }
        assert_null(grid.values);
    }
}

// --- SDFG ------------------------------------------------------------------------------------------

static void check_slab(const float *values, uint32_t nx, uint32_t ny, uint32_t layers) {
    size_t count = (size_t)nx * ny * layers;
    uint8_t *bytes = malloc(4 * count);
    float *decoded = malloc(sizeof *decoded * count);
    assert_true(bytes && decoded);
    slv_field_encode_slab(values, nx, ny, layers, bytes);
    slv_field_decode_slab(bytes, nx, ny, layers, decoded);
    assert_memory_equal(decoded, values, sizeof *values * count);
    free(decoded);
    free(bytes);
}

static void a_slab_loses_no_bit(void **state) {
    (void)state;
    const uint32_t sizes[][3] = {{1, 1, 1}, {7, 1, 1}, {1, 7, 3}, {13, 11, 8}, {64, 3, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t *size = sizes[i];
        size_t count = (size_t)size[0] * size[1] * size[2];
        float *values = sample_sphere(size[0], size[1], size[2]);
        assert_non_null(values);
        check_slab(values, size[0], size[1], size[2]);
        uint32_t mix = 7;
        for (size_t k = 0; k < count; k++) { // any bits at all, NaN included
            const uint32_t bits = next_bits(&mix);
            memcpy(&values[k], &bits, sizeof bits);
        }
        check_slab(values, size[0], size[1], size[2]);
        free(values);
    }
}

static forged_pack field_pack(scratch *temporary, uint32_t nx, uint32_t ny, uint32_t nz) {
    const sample_field field = {{nx, ny, nz}, SLV_CODEC_ZSTD};
    sample_garment sample;
    sample_empty(&sample);
    const char *path = scratch_path(temporary, "field.slv");
    assert_int_equal(sample_write(&sample.garment, &field, path, NULL), SLV_OK);
    sample_free(&sample);
    return forged_pack_load(path);
}

static void a_field_in_a_pack_comes_back_and_is_much_smaller(void **state) {
    const uint32_t cells[3] = {70, 50, 43};
    forged_pack bytes = field_pack(*state, 70, 50, 43);
    slv_pack *pack = NULL;
    slv_field_info info;
    const uint8_t *coded = NULL;
    assert_int_equal(slv_pack_open_memory(bytes.bytes, bytes.size, NULL, &pack, NULL), SLV_OK);
    assert_int_equal(slv_field_open(pack, &info, &coded, NULL), SLV_OK);
    assert_memory_equal(info.cells, cells, sizeof cells);
    size_t count = (size_t)70 * 50 * 43;
    float *expected = sample_sphere(70, 50, 43);
    float *decoded = malloc(count * sizeof *decoded);
    assert_true(expected && decoded);
    slv_field_decode(&info, coded, decoded);
    assert_memory_equal(decoded, expected, count * sizeof *decoded);
    double ratio =
        (double)(4 * count) / (double)forged_entry(&bytes, SLV_SECTION_FIELD)->stored_size;
    print_message("a sphere's field is %.2f times smaller\n", ratio);
    assert_true(ratio > 1.5);
    free(decoded);
    free(expected);
    slv_pack_close(pack);
    forged_pack_free(&bytes);
}

typedef struct field_fault {
    const char *reason;
    slv_field_info info;
    size_t coded_size;
    uint8_t fill;
} field_fault;

static void invalid_field_sections_are_refused(void **state) {
    const slv_field_info good = {.cells = {2, 2, 2}, .slab = 8, .spacing = 1};
    field_fault faults[12] = {
        {"does not fit", good, 31, 0},   {"does not fit", good, 33, 0},
        {"number of cells", good, 0, 0}, {"number of cells", good, 32, 0},
        {"1 to 64 layers", good, 32, 0}, {"1 to 64 layers", good, 32, 0},
        {"origin", good, 32, 0},         {"spacing", good, 32, 0},
        {"spacing", good, 32, 0},        {"not finite", good, 32, 0xFF},
        {"not finite", good, 32, 0},     {NULL, good, 32, 0},
    };
    faults[2].info.cells[1] = 0;
    faults[3].info.cells[0] = faults[3].info.cells[1] = faults[3].info.cells[2] = 0xFFFFFFFFu;
    faults[4].info.slab = 0;
    faults[5].info.slab = 65;
    faults[6].info.origin[2] = (double)NAN;
    faults[7].info.spacing = 0;
    faults[8].info.spacing = (double)INFINITY;
    // Zeros decode to the number 0 in the ordered integers, which is a NaN; a good field follows.
    forged_pack pack = field_pack(*state, 2, 2, 2);
    for (size_t i = 0; faults[i].reason; i++) {
        uint8_t section[sizeof(slv_field_info) + 64];
        memset(section, faults[i].fill, sizeof section);
        memcpy(section, &faults[i].info, sizeof faults[i].info);
        forged_pack_replace(&pack, SLV_SECTION_FIELD, section,
                            sizeof faults[i].info + faults[i].coded_size);
        slv_pack *opened = NULL;
        slv_field_info info;
        const uint8_t *coded = NULL;
        slv_error error = {0};
        assert_int_equal(slv_pack_open_memory(pack.bytes, pack.size, NULL, &opened, NULL), SLV_OK);
        slv_result result = slv_field_open(opened, &info, &coded, &error);
        if (result != SLV_ERROR_CONTENT || !strstr(error.text, faults[i].reason)) {
            fail_msg("fault %zu: \"%s\", should contain \"%s\"", i, error.text, faults[i].reason);
        }
        slv_pack_close(opened);
    }
    forged_pack_free(&pack);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, scratch_set_up, scratch_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(special_values_are_written_as_printf_does),
        TEST(values_around_powers_are_written_as_printf_does),
        TEST(ties_are_written_as_printf_does),
        TEST(random_bits_are_written_as_printf_does),
        TEST(many_values_follow_one_another_within_the_bound),
        TEST(a_field_written_as_text_is_read_back),
        TEST(numbers_are_read_to_the_nearest_float),
        TEST(bad_text_is_refused_with_its_line),
        TEST(a_slab_loses_no_bit),
        TEST(a_field_in_a_pack_comes_back_and_is_much_smaller),
        TEST(invalid_field_sections_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
