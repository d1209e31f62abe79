// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/meshes.h"
#include "tests/tools/voxelize/garment/samples.h"
#include "tools/voxelize/sets.h"

#include <stdio.h>

static void add_set(slv_set_list *list, const char *name, const uint32_t *particles, size_t count) {
    slv_error error = {0};
    assert_int_equal(slv_set_begin(list, name, &error), SLV_OK);
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(slv_set_add(list, particles[n], &error), SLV_OK);
    }
    slv_set_end(list);
}

static slv_garment_builder finish(slv_set_list *list) {
    slv_garment_builder builder = {0};
    slv_error error = {0};
    assert_int_equal(slv_set_list_finish(list, &builder, &error), SLV_OK);
    slv_set_list_free(list);
    return builder;
}

static bool is_called(const slv_named_set *set, const char *name) {
    return set->name_length == strlen(name) && memcmp(set->name, name, set->name_length) == 0;
}

static void particles_are_sorted_and_listed_once(void **state) {
    (void)state;
    const uint32_t particles[] = {9, 2, 9, 4, 2};
    const uint32_t sorted[] = {2, 4, 9};
    slv_set_list list = {0};
    add_set(&list, "some", particles, 5);
    slv_garment_builder builder = finish(&list);
    const slv_named_set set = slv_garment_get_set(&builder.garment, 0);
    assert_int_equal(set.count, 3);
    assert_memory_equal(set.particles, sorted, sizeof sorted);
    slv_builder_free(&builder);
}

static void empty_nameless_and_duplicate_sets_are_removed(void **state) {
    (void)state;
    const uint32_t one = 1;
    const uint32_t two = 2;
    slv_set_list list = {0};
    add_set(&list, "empty", NULL, 0);
    add_set(&list, "first", &one, 1);
    add_set(&list, "", &two, 1);
    add_set(&list, "first", &two, 1);
    add_set(&list, "second", &two, 1);
    slv_garment_builder builder = finish(&list);
    assert_int_equal(builder.garment.set_count, 2);
    const slv_named_set first = slv_garment_get_set(&builder.garment, 0);
    const slv_named_set second = slv_garment_get_set(&builder.garment, 1);
    assert_true(is_called(&first, "first") && first.particles[0] == 1);
    assert_true(is_called(&second, "second") && second.particles[0] == 2);
    slv_builder_free(&builder);
}

static void names_become_utf8_of_at_most_255_bytes(void **state) {
    (void)state;
    const uint32_t one = 1;
    char longest[600];
    memset(longest, 'x', sizeof longest);
    memcpy(longest + 254, "\xC3\xA4", 2); // would end at byte 256
    longest[599] = '\0';
    slv_set_list list = {0};
    add_set(&list, "K\xC3\xA4rmel\xFF\n", &one, 1);
    add_set(&list, longest, &one, 1);
    slv_garment_builder builder = finish(&list);
    const slv_named_set sleeve = slv_garment_get_set(&builder.garment, 0);
    const slv_named_set cut = slv_garment_get_set(&builder.garment, 1);
    assert_true(is_called(&sleeve, "K\xC3\xA4rmel??"));
    assert_int_equal(cut.name_length, 254);
    slv_builder_free(&builder);
}

static void groups_of_one_name_become_one_set(void **state) {
    (void)state;
    slv_mesh mesh = mesh_tetrahedron();
    char sleeve[] = "sleeve";
    char body[] = "body";
    slv_mesh_group groups[3] = {{sleeve, 0, 1}, {body, 1, 1}, {sleeve, 2, 1}};
    mesh.groups = groups;
    mesh.group_count = 3;
    const uint8_t boundary[4] = {0, 1, 0, 1};
    slv_error error = {0};
    slv_set_list list = {0};
    assert_int_equal(slv_add_mesh_sets(&list, &mesh, boundary, &error), SLV_OK);
    slv_garment_builder builder = finish(&list);
    assert_int_equal(builder.garment.set_count, 3);
    const slv_named_set first = slv_garment_get_set(&builder.garment, 0);
    const slv_named_set second = slv_garment_get_set(&builder.garment, 1);
    const slv_named_set third = slv_garment_get_set(&builder.garment, 2);
    assert_true(is_called(&first, "body") && first.count == 3); // triangle 0 1 3
    assert_true(is_called(&second, "sleeve") && second.count == 4);
    assert_true(is_called(&third, "boundary") && third.count == 2 && third.particles[1] == 3);
    slv_builder_free(&builder);
    mesh.groups = NULL;
    mesh.group_count = 0;
    slv_mesh_free(&mesh);
}

static void groups_beyond_4096_are_dropped(void **state) {
    (void)state;
    enum { GROUPS = 5000 };
    slv_mesh mesh = mesh_square();
    static char names[GROUPS][16];
    static slv_mesh_group groups[GROUPS];
    for (uint32_t g = 0; g < GROUPS; g++) {
        (void)snprintf(names[g], sizeof names[g], "group %u", g);
        groups[g] = (slv_mesh_group){names[g], g % 2, 1};
    }
    mesh.groups = groups;
    mesh.group_count = GROUPS;
    const uint8_t boundary[4] = {0};
    slv_error error = {0};
    slv_set_list list = {0};
    assert_int_equal(slv_add_mesh_sets(&list, &mesh, boundary, &error), SLV_OK);
    slv_garment_builder builder = finish(&list);
    assert_int_equal(builder.garment.set_count, 4096);
    slv_builder_free(&builder);
    mesh.groups = NULL;
    mesh.group_count = 0;
    slv_mesh_free(&mesh);
}

static void sides_are_the_outermost_layers_with_particles(void **state) {
    (void)state;
    samples s = samples_make(80, 10, 10, 1);
    samples_mark(&s, 70, 2, 3);
    samples_mark(&s, 4, 7, 3);
    samples_mark(&s, 5, 7, 6);
    samples_number(&s);
    slv_error error = {0};
    slv_set_list list = {0};
    assert_int_equal(slv_add_side_sets(&list, &s.index, &error), SLV_OK);
    slv_garment_builder builder = finish(&list);
    const uint32_t counts[6] = {2, 1, 1, 1, 2, 1}; // top, bottom, x-min, x-max, z-min, z-max
    assert_int_equal(builder.garment.set_count, 6);
    for (uint32_t n = 0; n < 6; n++) {
        assert_int_equal(slv_garment_get_set(&builder.garment, n).count, counts[n]);
    }
    slv_builder_free(&builder);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_are_sorted_and_listed_once),
        cmocka_unit_test(empty_nameless_and_duplicate_sets_are_removed),
        cmocka_unit_test(names_become_utf8_of_at_most_255_bytes),
        cmocka_unit_test(groups_of_one_name_become_one_set),
        cmocka_unit_test(groups_beyond_4096_are_dropped),
        cmocka_unit_test(sides_are_the_outermost_layers_with_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
