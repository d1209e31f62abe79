// SPDX-License-Identifier: MIT
// Copies of an object of a scene.
#include "runtime/include/selvage/selvage.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static slv_result load(scratch *temporary, const char *text, slv_scene **scene, char *message,
                       size_t size) {
    const char *path = scratch_path(temporary, "scene.json");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return slv_scene_load(path, scene, message, size);
}

static void write_pack(scratch *temporary) {
    sample_garment sample;
    sample_body(&sample);
    assert_int_equal(sample_write(&sample.garment, NULL, scratch_path(temporary, "a.slv"), NULL),
                     SLV_OK);
    sample_free(&sample);
}

static void assert_positions(slv_scene *scene, const double (*positions)[3], uint32_t count) {
    assert_int_equal(slv_scene_get_settings(scene).object_count, count);
    for (uint32_t i = 0; i < count; i++) {
        slv_scene_object object;
        assert_int_equal(slv_scene_get_object(scene, i, &object), SLV_OK);
        assert_memory_equal(object.garment.position, positions[i], sizeof positions[i]);
    }
}

static void a_list_gives_a_copy_at_each_position(void **state) {
    static const double positions[][3] = {{1, 2, 3}, {1, 2.5, 3}, {0, 0, 4}, {9, 0, 0}};
    slv_scene *scene = NULL;
    char message[512] = "";
    const char *text =
        "{\"softObjects\": [{\"src\": \"a.slv\", \"position\": [1, 2, 3], \"color\": "
        "[1, 2, 3],\n\"instances\": [[0, 0, 0], [0, 0.5, 0], [-1, -2, 1]]},\n"
        "{\"src\": \"a.slv\", \"position\": [9, 0, 0]}]}";
    if (load(*state, text, &scene, message, sizeof message) != SLV_OK) {
        fail_msg("%s", message);
    }
    assert_positions(scene, positions, 4);
    slv_scene_object object;
    assert_int_equal(slv_scene_get_object(scene, 2, &object), SLV_OK);
    assert_int_equal(object.color[2], 3);
    write_pack(*state);
    slv_world *world = NULL;
    if (slv_scene_create_world(scene, NULL, &world, message, sizeof message) != SLV_OK) {
        fail_msg("%s", message);
    }
    assert_int_equal(slv_world_get_garment_count(world), 4);
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

static void a_grid_counts_x_first_then_y_then_z(void **state) {
    static const double positions[][3] = {{1, 0, 0},  {1.5, 0, 0},  {1, 2, 0},  {1.5, 2, 0},
                                          {1, 0, -3}, {1.5, 0, -3}, {1, 2, -3}, {1.5, 2, -3}};
    slv_scene *scene = NULL;
    assert_int_equal(load(*state,
                          "{\"softObjects\": [{\"src\": \"a.slv\", \"position\": [1, 0, 0], "
                          "\"instances\": {\"count\": [2, 2, 2], \"spacing\": [0.5, 2, -3]}}]}",
                          &scene, NULL, 0),
                     SLV_OK);
    assert_positions(scene, positions, 8);
    slv_scene_destroy(scene);
}

#define EXAMPLE                                                                                    \
    "expected a list of positions, as [[0, 0, 0], [0, 1.5, 0]], or a grid, as {\"count\": "        \
    "[3, 2, 3], \"spacing\": [0.5, 0.5, 0.5]}"

static void wrong_instances_name_the_key_and_its_line(void **state) {
    static const struct {
        const char *value;
        const char *text;
    } cases[] = {
        {"3", ":2: softObjects[1].instances: " EXAMPLE},
        {"[]", ":2: softObjects[1].instances: " EXAMPLE},
        {"[[0, 0, 0],\n[0, 1]]", ":3: softObjects[1].instances[1]: " EXAMPLE},
        {"[[0, 0, 1e7]]", ":2: softObjects[1].instances[0]: " EXAMPLE},
        {"[[0, 0, \"1\"]]", ":2: softObjects[1].instances[0]: " EXAMPLE},
        {"{}", ":2: softObjects[1].instances: " EXAMPLE},
        {"{\"count\": [2, 2, 2]}", ":2: softObjects[1].instances: " EXAMPLE},
        {"{\"count\": [2, 0, 2], \"spacing\": [1, 1, 1]}",
         ":2: softObjects[1].instances: " EXAMPLE},
        {"{\"count\": [2, 1.5, 2], \"spacing\": [1, 1, 1]}",
         ":2: softObjects[1].instances: " EXAMPLE},
        {"{\"count\": [2, 1, 2], \"spacing\": [1, 1, 1e9]}",
         ":2: softObjects[1].instances: " EXAMPLE},
        {"{\"count\": [2, 1, 2], \"spacing\": [1, 1, 1], \"more\": 1}",
         ":2: softObjects[1].instances: " EXAMPLE},
        {"{\"count\": [100, 100, 11], \"spacing\": [1, 1, 1]}",
         ":2: softObjects[1].instances: 110000 copies, at most 100000 are possible"},
        {"{\"count\": [100000, 100000, 100000], \"spacing\": [1, 1, 1]}",
         ":2: softObjects[1].instances: 1000000000000000 copies, at most 100000 are possible"},
        {"{\"count\": [100, 100, 10], \"spacing\": [1, 1, 1]}",
         ":1: softObjects: 100001 objects with their copies, at most 100000 are possible"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        char message[512] = "";
        slv_scene *scene = NULL;
        (void)snprintf(text, sizeof text,
                       "{\"softObjects\": [{\"src\": \"a.slv\"},\n{\"src\": \"a.slv\", "
                       "\"instances\": %s}]}",
                       cases[i].value);
        assert_int_equal(load(*state, text, &scene, message, sizeof message), SLV_ERROR_CONTENT);
        if (!strstr(message, cases[i].text)) {
            fail_msg("case %zu: said \"%s\", expected \"…%s\"", i, message, cases[i].text);
        }
    }
}

// Object 2 of the world is the second entry of the file.
static void what_is_wrong_with_a_copy_names_its_entry(void **state) {
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    char message[512] = "";
    write_pack(*state);
    assert_int_equal(load(*state,
                          "{\"softObjects\": [{\"src\": \"a.slv\", \"instances\": [[0, 0, 0], [1, "
                          "0, 0]]},\n{\"src\": \"a.slv\",\n\"fixed\": [0, 77]}]}",
                          &scene, NULL, 0),
                     SLV_OK);
    assert_int_equal(slv_scene_create_world(scene, NULL, &world, message, sizeof message),
                     SLV_ERROR_CONTENT);
    if (!strstr(message, ":3: softObjects[1].fixed[1]: 77 is out of range")) {
        fail_msg("%s", message);
    }
    slv_scene_destroy(scene);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, scratch_set_up, scratch_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_list_gives_a_copy_at_each_position),
        TEST(a_grid_counts_x_first_then_y_then_z),
        TEST(wrong_instances_name_the_key_and_its_line),
        TEST(what_is_wrong_with_a_copy_names_its_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
