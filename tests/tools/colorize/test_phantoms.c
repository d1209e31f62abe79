// SPDX-License-Identifier: MIT
// Phantoms: for any constraints the requested number of colors is sufficient, and only copies are
// added.
#include "tests/tools/colorize/proper.h"
#include "tests/tools/colorize/random_constraints.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/colorize/cliques.h"
#include "tools/colorize/phantoms.h"

static uint32_t original(const slv_phantoms *phantoms, uint32_t particle) {
    return particle < phantoms->particle_count
               ? particle
               : phantoms->original[particle - phantoms->particle_count];
}

static void expect_same_originals(const random_constraints *made, const slv_phantoms *phantoms) {
    for (uint32_t i = 0; i < made->count; i++) {
        for (uint32_t e = 0; e < made->arity; e++) {
            assert_int_equal(original(phantoms, made->ends[e][i]), made->original_ends[e][i]);
        }
    }
}

static void the_requested_number_of_colors_is_sufficient(void **state) {
    (void)state;
    for (uint32_t t = 0; t < 250; t++) {
        const uint32_t arity = t % 2 == 0 ? 2 : 4;
        random_constraints made =
            make_random(t + 5, arity, 1 + t % 53 * (t % 5 + 1), arity + t / 3 % 40);
        const uint32_t colors = 2 + t % 7;
        slv_phantoms phantoms;
        slv_coloring coloring;
        slv_split split;
        assert_true(slv_phantoms_create(made.particles, &phantoms));
        assert_true(
            slv_phantoms_split(made.ends, arity, made.count, colors, &phantoms, &coloring, &split));
        assert_in_range(coloring.color_count, 1, colors);
        expect_same_originals(&made, &phantoms);
        slv_conflicts conflicts = conflicts_of(&made, made.particles + phantoms.count);
        assert_true(is_proper(&conflicts, &coloring));
        uint32_t number = 0;
        bool exact = false;
        assert_true(find_clique_number(&conflicts, made.count + 1, INT64_MAX, &number, &exact));
        assert_in_range(number, 1, colors);
        slv_conflicts_destroy(&conflicts);
        slv_coloring_destroy(&coloring);
        slv_phantoms_destroy(&phantoms);
        free_random(&made);
    }
}

static void enough_colors_need_no_phantoms(void **state) {
    (void)state;
    random_constraints made = make_random(8, 2, 300, 60);
    slv_phantoms phantoms;
    slv_coloring coloring;
    slv_split split;
    assert_true(slv_phantoms_create(made.particles, &phantoms));
    assert_true(slv_phantoms_split(made.ends, 2, made.count, 40, &phantoms, &coloring, &split));
    assert_int_equal(phantoms.count, 0);
    slv_coloring_destroy(&coloring);
    slv_phantoms_destroy(&phantoms);
    free_random(&made);
}

// A wheel: many spokes share the hub; each particle of the rim has three springs.
static void only_the_hub_of_a_wheel_is_split(void **state) {
    (void)state;
    enum { SPOKES = 48 };
    random_constraints made = make_random(1, 2, 2 * SPOKES, SPOKES + 1);
    for (uint32_t i = 0; i < SPOKES; i++) {
        made.ends[0][i] = made.original_ends[0][i] = SPOKES;
        made.ends[1][i] = made.original_ends[1][i] = i;
        made.ends[0][SPOKES + i] = made.original_ends[0][SPOKES + i] = i;
        made.ends[1][SPOKES + i] = made.original_ends[1][SPOKES + i] = (i + 1) % SPOKES;
    }
    slv_phantoms phantoms;
    slv_coloring coloring;
    slv_split split;
    assert_true(slv_phantoms_create(made.particles, &phantoms));
    assert_true(slv_phantoms_split(made.ends, 2, made.count, 24, &phantoms, &coloring, &split));
    assert_int_equal(phantoms.count, 1);
    assert_int_equal(phantoms.original[0], SPOKES);
    assert_int_equal(slv_phantoms_split_particles(&phantoms), 1);
    expect_same_originals(&made, &phantoms);
    slv_coloring_destroy(&coloring);
    slv_phantoms_destroy(&phantoms);
    free_random(&made);
}

static void kinds_share_the_copies_of_a_particle(void **state) {
    (void)state;
    random_constraints one = make_random(4, 2, 400, 30);
    random_constraints two = make_random(4, 2, 400, 30);
    slv_phantoms phantoms;
    slv_coloring coloring;
    slv_split split;
    assert_true(slv_phantoms_create(30, &phantoms));
    assert_true(slv_phantoms_split(one.ends, 2, 400, 10, &phantoms, &coloring, &split));
    const uint32_t count = phantoms.count;
    slv_coloring_destroy(&coloring);
    assert_true(slv_phantoms_split(two.ends, 2, 400, 10, &phantoms, &coloring, &split));
    assert_in_range(phantoms.count, count, count + count / 10);
    slv_coloring_destroy(&coloring);
    slv_phantoms_destroy(&phantoms);
    free_random(&one);
    free_random(&two);
}

// So many tetrahedra between few particles that their cliques cannot be listed: the aborted search
// is reported, and the requested colors are still sufficient.
static void an_aborted_search_is_reported_and_the_colors_are_sufficient(void **state) {
    (void)state;
    enum {
        COUNT = 1600,
        PARTICLES = 16,
        COLORS = 428
    }; // just more than any particle has tetrahedra
    random_constraints made = make_random(1, 4, COUNT, PARTICLES);
    slv_phantoms phantoms;
    slv_coloring coloring;
    slv_split split;
    assert_true(slv_phantoms_create(made.particles, &phantoms));
    assert_true(slv_phantoms_split(made.ends, 4, COUNT, COLORS, &phantoms, &coloring, &split));
    assert_true(split.bounded);
    assert_in_range(coloring.color_count, 1, COLORS);
    expect_same_originals(&made, &phantoms);
    slv_conflicts conflicts = conflicts_of(&made, made.particles + phantoms.count);
    assert_true(is_proper(&conflicts, &coloring));
    slv_conflicts_destroy(&conflicts);
    slv_coloring_destroy(&coloring);
    slv_phantoms_destroy(&phantoms);
    free_random(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_requested_number_of_colors_is_sufficient),
        cmocka_unit_test(enough_colors_need_no_phantoms),
        cmocka_unit_test(only_the_hub_of_a_wheel_is_split),
        cmocka_unit_test(kinds_share_the_copies_of_a_particle),
        cmocka_unit_test(an_aborted_search_is_reported_and_the_colors_are_sufficient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
