// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/tools/inspect/small_garment.h"
#include "tools/common/png_file.h"
#include "tools/inspect/picture.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static slv_picture_options small_options(void) {
    slv_picture_options options = slv_default_picture_options();
    options.width = 240;
    options.height = 160;
    return options;
}

static uint8_t *draw(const slv_garment *garment, const slv_picture_options *options) {
    uint8_t *pixels = NULL;
    slv_error error = {SLV_OK, ""};
    assert_int_equal(slv_picture_draw(garment, options, &pixels, &error), SLV_OK);
    return pixels;
}

static bool is_red(const uint8_t *pixel) {
    return pixel[0] > pixel[1] + 60 && pixel[0] > pixel[2] + 60;
}

static bool is_black(const uint8_t *pixel) {
    return pixel[0] < 120 && pixel[1] < 120 && pixel[2] < 120 && !is_red(pixel);
}

static const uint8_t *pixel_at(const uint8_t *pixels, const slv_picture_options *options,
                               double right, double down) {
    uint32_t column = (uint32_t)(right * options->width);
    uint32_t row = (uint32_t)(down * options->height);
    return pixels + 3 * ((size_t)row * options->width + column);
}

// From above, x is to the right and z down the image, as the grid is written above.
static void particles_are_drawn_at_their_positions_in_their_colors(void **state) {
    (void)state;
    slv_garment garment = slv_small_garment();
    slv_picture_options options = small_options();
    options.azimuth = 0.0;
    options.elevation = 90.0;
    uint8_t *pixels = draw(&garment, &options);
    for (int own = 0; own < 6; own++) {
        // Two spheres high, within margins of 0.09: the height decides the size.
        double sphere = (1.0 - 2.0 * 0.09) * 160 / 2.0;
        int column = own % 3;
        int row = own / 3;
        double right = 0.5 + (column - 1) * sphere / 240;
        double down = 0.5 + (row - 0.5) * sphere / 160;
        const uint8_t *pixel = pixel_at(pixels, &options, right, down);
        bool red = (column + row) % 2 == 0;
        assert_true(red ? is_red(pixel) : is_black(pixel));
    }
    free(pixels);
}

static void the_corners_are_background_and_the_middle_is_not(void **state) {
    (void)state;
    slv_garment garment = slv_small_garment();
    for (int parts = SLV_SCENE_PARTICLES; parts <= SLV_SCENE_BOTH; parts++) {
        slv_picture_options options = small_options();
        options.parts = (slv_scene_parts)parts;
        uint8_t *pixels = draw(&garment, &options);
        const uint8_t *corner = pixels;
        size_t different = 0;
        for (size_t i = 0; i < (size_t)options.width * options.height; i++) {
            different +=
                abs(pixels[3 * i] - corner[0]) > 30 || abs(pixels[3 * i + 2] - corner[2]) > 30;
        }
        assert_true(corner[0] > 220 && corner[1] > 220 && corner[2] > 220);
        assert_true(different > 240 * 160 / 10);
        assert_true(different < 240 * 160 * 9 / 10);
        free(pixels);
    }
}

static void any_number_of_threads_gives_the_same_pixels(void **state) {
    (void)state;
    slv_garment garment = slv_small_garment();
    slv_picture_options options = small_options();
    options.parts = SLV_SCENE_BOTH;
    uint8_t *one = draw(&garment, &options);
    options.threads = 3;
    uint8_t *three = draw(&garment, &options);
    assert_memory_equal(one, three, (size_t)3 * options.width * options.height);
    free(one);
    free(three);
}

static void missing_content_is_an_error(void **state) {
    (void)state;
    slv_garment garment = slv_small_garment();
    garment.render.vertex_count = 0;
    slv_picture_options options = small_options();
    options.parts = SLV_SCENE_MESH;
    uint8_t *pixels = NULL;
    slv_error error = {SLV_OK, ""};
    assert_int_equal(slv_picture_draw(&garment, &options, &pixels, &error), SLV_ERROR_CONTENT);
    assert_null(pixels);
    garment.info.particle_count = 0;
    garment.color_count = 0;
    options.parts = SLV_SCENE_PARTICLES;
    assert_int_equal(slv_picture_draw(&garment, &options, &pixels, &error), SLV_ERROR_CONTENT);
    assert_null(pixels);
}

// A verified pack may contain any finite number.
static void extreme_garments_are_drawn_without_faults(void **state) {
    (void)state;
    const float spans[] = {FLT_MAX, 1e30f, FLT_MIN / 1024.0f, 0.0f};
    const double elevations[] = {-20.0, 90.0};
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        slv_garment garment = slv_small_garment();
        float span = spans[i];
        float x[6] = {-span, span, 0.0f, span, -span, 0.0f};
        float y[6] = {span, -span, 0.0f, span, -span, 0.0f};
        garment.x = x;
        garment.y = y;
        garment.z = x;
        garment.info.spacing = i % 2 ? span : 0.0f;
        for (size_t e = 0; e < sizeof elevations / sizeof elevations[0]; e++) {
            slv_picture_options options = small_options();
            options.elevation = elevations[e];
            options.parts = e % 2 ? SLV_SCENE_BOTH : SLV_SCENE_PARTICLES;
            free(draw(&garment, &options));
        }
    }
}

// Cloth has two sides: neither the winding nor the side of the normals changes the picture.
static void both_sides_of_cloth_are_lit(void **state) {
    (void)state;
    static const uint32_t turned[6] = {0, 1, 2, 1, 3, 2};
    static const float down[12] = {0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0};
    slv_picture_options options = small_options();
    options.parts = SLV_SCENE_MESH;
    size_t size = (size_t)3 * options.width * options.height;
    slv_garment garment = slv_small_garment();
    uint8_t *plain = draw(&garment, &options);
    garment.render.triangles = turned;
    uint8_t *other_order = draw(&garment, &options);
    garment.render.normals = down;
    uint8_t *other_side = draw(&garment, &options);
    assert_memory_equal(plain, other_order, size);
    assert_memory_equal(plain, other_side, size);
    free(plain);
    free(other_order);
    free(other_side);
}

static void nearer_surfaces_hide_farther_ones(void **state) {
    (void)state;
    static const float nothing[2];
    static const float heights[2] = {0.3f, 0.0f};
    static const slv_color_range red_over_black[2] = {{0, 0, 1, 0}, {1, 1, 1, 0}};
    slv_garment garment = slv_small_garment();
    garment.info.particle_count = 2;
    garment.x = nothing;
    garment.y = heights;
    garment.z = nothing;
    garment.neighbors = NULL;
    garment.colors = red_over_black;
    slv_picture_options options = small_options();
    options.elevation = 90.0;
    uint8_t *from_above = draw(&garment, &options);
    options.elevation = -90.0;
    uint8_t *from_below = draw(&garment, &options);
    assert_true(is_red(pixel_at(from_above, &options, 0.5, 0.5)));
    assert_true(is_black(pixel_at(from_below, &options, 0.5, 0.5)));
    free(from_above);
    free(from_below);
}

// Opening a pipe would block.
static void a_pipe_is_no_png(void **state) {
    (void)state;
    char folder[] = "/tmp/selvage-test-XXXXXX";
    char path[64];
    slv_png png;
    slv_error error = {SLV_OK, ""};
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/pipe.png", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(slv_png_read(path, 64, &png, &error), SLV_ERROR_FILE);
    assert_int_equal(slv_png_read(folder, 64, &png, &error), SLV_ERROR_FILE);
    assert_int_equal(slv_png_read("/dev/zero", 64, &png, &error), SLV_ERROR_FILE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_are_drawn_at_their_positions_in_their_colors),
        cmocka_unit_test(the_corners_are_background_and_the_middle_is_not),
        cmocka_unit_test(any_number_of_threads_gives_the_same_pixels),
        cmocka_unit_test(missing_content_is_an_error),
        cmocka_unit_test(extreme_garments_are_drawn_without_faults),
        cmocka_unit_test(both_sides_of_cloth_are_lit),
        cmocka_unit_test(nearer_surfaces_hide_farther_ones),
        cmocka_unit_test(a_pipe_is_no_png),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
