// SPDX-License-Identifier: MIT
// Contacts between surfaces: nothing passes through anything, however fast, and heaps come to rest. Crossings are counted
// by the benchmark's exact predicates.
#include "bench/crossings.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CLOTH_LIMIT = 4, SIDE_LIMIT = 21 };

typedef struct cloth {
    slv_garment_id id;
    uint32_t side;
    uint32_t triangle_count;
    uint32_t triangles[6 * SIDE_LIMIT * SIDE_LIMIT];
    float positions[3 * SIDE_LIMIT * SIDE_LIMIT];
} cloth;

typedef struct scene {
    slv_world *world;
    cloth cloths[CLOTH_LIMIT];
    uint32_t count;
} scene;

static scene *begin_scene(double time_step, uint32_t threads) {
    scene *made = calloc(1, sizeof *made);
    slv_world_def def = slv_default_world_def();
    assert_non_null(made);
    def.threads = threads;
    def.time_step = time_step;
    made->world = must_create(&def);
    return made;
}

static void end_scene(scene *made) {
    slv_world_destroy(made->world);
    free(made);
}

static slv_garment_def make_def(void) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.001f;
    def.thickness = 0.002f;
    def.contact = SLV_CONTACT_SURFACES;
    def.self_collision = true;
    def.garment_collision = true;
    return def;
}

// The triangles of a square grid without a mesh to draw: both halves of each square.
static void add_cloth(scene *to, uint32_t side, float spacing, slv_garment_def def) {
    cloth *made = &to->cloths[to->count++];
    made->id = must_add(to->world, make_grid(side, 1, side, spacing, NULL), def);
    made->side = side;
    for (uint32_t k = 0; k + 1 < side; k++) {
        for (uint32_t i = 0; i + 1 < side; i++) {
            const uint32_t a = k * side + i;
            const uint32_t corners[6] = {a, a + 1, a + side + 1, a, a + side + 1, a + side};
            memcpy(made->triangles + 3 * (size_t)made->triangle_count, corners, sizeof corners);
            made->triangle_count += 2;
        }
    }
}

static void count_one(void *context, const slv_crossing *crossing) {
    (void)crossing;
    ++*(uint32_t *)context;
}

static uint32_t count_crossings(scene *in) {
    slv_crossing_mesh meshes[CLOTH_LIMIT];
    uint32_t found = 0;
    for (uint32_t n = 0; n < in->count; n++) {
        cloth *one = &in->cloths[n];
        for (uint32_t p = 0; p < one->side * one->side; p++) {
            must_position(in->world, one->id, p, one->positions + 3 * (size_t)p);
        }
        meshes[n] = (slv_crossing_mesh){one->positions, one->triangles, one->side * one->side,
                                        one->triangle_count, false};
    }
    assert_true(slv_find_crossings(meshes, in->count, count_one, &found));
    return found;
}

static slv_contact_report get_report(const scene *of) {
    slv_contact_report report;
    assert_int_equal(slv_world_get_contact_report(of->world, &report), SLV_OK);
    return report;
}

// Steps, and counts the crossings of every step.
static void step_without_crossings(scene *in, uint32_t steps) {
    for (uint32_t n = 0; n < steps; n++) {
        must_step(in->world, 1);
        const uint32_t found = count_crossings(in);
        if (found > 0) {
            fail_msg("%u crossings after step %u", found, n + 1);
        }
        assert_false(get_report(in).crowded);
    }
}

// Steps until cloths touch. The steps one by one come after lists were enlarged, which begins a new report.
static void step_into_contact(scene *in, uint32_t steps) {
    must_step(in->world, steps);
    must_step(in->world, 1);
    must_step(in->world, 1);
    assert_true(get_report(in).surface_contacts > 0);
}

static float lowest_of(const cloth *of) {
    float lowest = of->positions[1];
    for (uint32_t p = 0; p < of->side * of->side; p++) {
        lowest = fminf(lowest, of->positions[3 * (size_t)p + 1]);
    }
    return lowest;
}

// --- Impacts ----------------------------------------------------------------------------------------

// A cloth flies into another whose border is held.
static void throw_at_held_cloth(float speed, double time_step, uint32_t steps) {
    enum { HELD = 15, THROWN = 9 };
    uint32_t border[HELD * HELD];
    uint32_t count = 0;
    scene *made = begin_scene(time_step, 1);
    slv_garment_def held = make_def();
    slv_garment_def thrown = make_def();
    for (uint32_t p = 0; p < HELD * HELD; p++) {
        const uint32_t i = p % HELD;
        const uint32_t k = p / HELD;
        border[count] = p;
        count += i == 0 || k == 0 || i == HELD - 1 || k == HELD - 1;
    }
    held.fixed = border;
    held.fixed_count = count;
    thrown.position[0] = 0.05;
    thrown.position[1] = 0.3;
    thrown.position[2] = 0.06;
    thrown.velocity[0] = 0.1f * speed;
    thrown.velocity[1] = -speed;
    add_cloth(made, HELD, 0.02f, held);
    add_cloth(made, THROWN, 0.02f, thrown);
    step_without_crossings(made, steps);
    // A cloth that had passed through would be metres below by now.
    assert_true(lowest_of(&made->cloths[1]) > -0.3f);
    assert_true(lowest_of(&made->cloths[0]) < -0.005f); // it was hit
    end_scene(made);
}

static void
cloth_at_10_metres_a_second_stops_at_a_held_cloth_in_steps_of_16_milliseconds(void **s) {
    (void)s;
    throw_at_held_cloth(10.0f, 0.016, 12);
}

static void cloth_at_80_metres_a_second_stops_at_a_held_cloth_in_steps_of_2_milliseconds(void **s) {
    (void)s;
    throw_at_held_cloth(80.0f, 0.002, 12);
}

// --- Heaps ------------------------------------------------------------------------------------------

// Cloths that fall onto each other and onto a floor, each turned by itself.
static scene *make_heap(uint32_t threads) {
    scene *made = begin_scene(0.002, threads);
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    assert_int_equal(slv_world_add_collider(made->world, &floor, NULL), SLV_OK);
    for (int n = 0; n < 3; n++) {
        slv_garment_def def = make_def();
        const float half = 0.3f * (float)n;
        def.position[0] = 0.02 * (double)n;
        def.position[1] = 0.01 + 0.02 * (double)n;
        def.rotation[1] = sinf(half);
        def.rotation[3] = cosf(half);
        def.velocity[0] = n == 1 ? 0.5f : 0.0f;
        add_cloth(made, 9, 0.02f, def);
    }
    return made;
}

static void a_heap_of_cloths_comes_to_rest_without_crossings(void **state) {
    (void)state;
    scene *made = make_heap(1);
    for (int n = 0; n < 30; n++) {
        must_step(made->world, 9);
        step_without_crossings(made, 1);
    }
    assert_true(get_report(made).surface_contacts > 100);
    assert_int_equal(get_report(made).surface_crossings, 0);
    assert_int_equal(get_report(made).surface_left, 0);
    // 243 g at less than 2 cm/s
    assert_true(must_measure(made->world).kinetic_energy < 0.5 * 0.243 * 0.02 * 0.02);
    // Layers lie on each other: each higher than the one below by about the thickness.
    for (int n = 1; n < 3; n++) {
        assert_true(lowest_of(&made->cloths[n]) > lowest_of(&made->cloths[0]) - 0.001f);
    }
    end_scene(made);
}

// Lists have room for 64 contacts of each 8 triangles at first.
static void lists_are_enlarged_within_a_step_that_has_more_contacts(void **state) {
    enum { SIDE = 9, ROOM_AT_FIRST = 2 * 2 * (SIDE - 1) * (SIDE - 1) / 8 * 64 };
    (void)state;
    scene *made = begin_scene(0.002, 1);
    slv_garment_def def = make_def();
    def.self_collision = false;
    def.thickness = 0.015f;
    add_cloth(made, SIDE, 0.01f, def);
    def.position[1] = 0.005;
    add_cloth(made, SIDE, 0.01f, def);
    must_step(made->world, 1);
    assert_true(get_report(made).surface_contacts > ROOM_AT_FIRST);
    assert_false(get_report(made).crowded);
    end_scene(made);
}

static void contacts_have_the_same_bits_with_any_number_of_threads(void **state) {
    (void)state;
    scene *one = make_heap(1);
    scene *three = make_heap(3);
    step_into_contact(one, 100);
    step_into_contact(three, 100);
    assert_true(must_hash(one->world) == must_hash(three->world));
    end_scene(one);
    end_scene(three);
}

static void a_snapshot_in_the_midst_of_contact_goes_on_with_the_same_bits(void **state) {
    (void)state;
    scene *made = make_heap(1);
    step_into_contact(made, 90);
    saved_world saved = must_save(made->world);
    must_step(made->world, 20);
    const uint64_t expected = must_hash(made->world);
    must_restore(made->world, &saved);
    must_step(made->world, 20);
    assert_true(must_hash(made->world) == expected);
    free(saved.bytes);
    end_scene(made);
}

// --- Sleep --------------------------------------------------------------------------------------------

static uint32_t count_asleep(const scene *in) {
    uint32_t asleep = 0;
    assert_int_equal(slv_world_get_asleep_count(in->world, &asleep), SLV_OK);
    return asleep;
}

// Two cloths lie on each other. A third falls on them, from so high that they sleep before.
static scene *make_sleepers(void) {
    scene *made = begin_scene(0.002, 1);
    slv_collider_def floor = slv_default_collider_def();
    slv_garment_def def = make_def();
    floor.kind = SLV_COLLIDER_PLANE;
    assert_int_equal(slv_world_add_collider(made->world, &floor, NULL), SLV_OK);
    def.friction = 0.8f;
    def.sleep_speed = 0.05f;
    def.sleep_delay = 0.1f;
    for (int n = 0; n < 3; n++) {
        def.position[0] = 0.013 * (double)n;
        def.position[1] = n < 2 ? 0.002 + 0.002 * (double)n : 0.7;
        add_cloth(made, 7, 0.02f, def);
    }
    return made;
}

static void garments_with_surfaces_sleep_and_wake_when_they_are_hit(void **state) {
    (void)state;
    scene *made = make_sleepers();
    must_step(made->world, 150); // the third is 0.26 m above
    assert_int_equal(count_asleep(made), 2);
    uint32_t steps = 0;
    while (count_asleep(made) > 0) {
        step_without_crossings(made, 1);
        steps++;
        assert_true(steps < 60);
    }
    assert_true(steps > 30); // it falls for 40 more
    step_without_crossings(made, 20);
    must_step(made->world, 500);
    assert_int_equal(count_asleep(made), 3);
    assert_int_equal(get_report(made).surface_contacts, 0); // nothing is searched
    assert_int_equal(count_crossings(made), 0);
    end_scene(made);
}

// --- What begins crossed ----------------------------------------------------------------------------

// Two cloths that stand crosswise in each other and fly apart, sideways.
static void surfaces_that_cross_at_the_start_are_reported_and_part(void **state) {
    (void)state;
    scene *made = begin_scene(0.002, 1);
    slv_garment_def flat = make_def();
    slv_garment_def upright = make_def();
    upright.position[0] = 0.13;
    upright.position[1] = -0.05;
    upright.position[2] = 0.003;
    upright.rotation[2] = sinf(0.7853982f);
    upright.rotation[3] = cosf(0.7853982f);
    upright.velocity[1] = -4.0f;
    add_cloth(made, 9, 0.02f, flat);
    add_cloth(made, 7, 0.02f, upright);
    assert_true(count_crossings(made) > 0);
    must_step(made->world, 1);
    assert_true(get_report(made).surface_crossings > 0);
    must_step(made->world, 99);
    assert_int_equal(count_crossings(made), 0);
    assert_int_equal(get_report(made).surface_crossings, 0);
    end_scene(made);
}

static void garments_without_triangles_keep_contacts_between_particles(void **state) {
    (void)state;
    scene *made = begin_scene(0.002, 1);
    slv_garment_def chain = make_def();
    slv_garment_def tearing = make_def();
    chain.collision_radius = tearing.collision_radius = 0.01f;
    tearing.position[1] = 0.005;
    tearing.tearing_threshold = 2.0f;
    (void)must_add(made->world, make_chain(10, 0.02f), chain);
    add_cloth(made, 9, 0.02f, tearing);
    must_step(made->world, 2);
    assert_int_equal(get_report(made).surface_contacts, 0);
    assert_true(get_report(made).neighbor_count > 0);
    end_scene(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            cloth_at_10_metres_a_second_stops_at_a_held_cloth_in_steps_of_16_milliseconds),
        cmocka_unit_test(
            cloth_at_80_metres_a_second_stops_at_a_held_cloth_in_steps_of_2_milliseconds),
        cmocka_unit_test(a_heap_of_cloths_comes_to_rest_without_crossings),
        cmocka_unit_test(lists_are_enlarged_within_a_step_that_has_more_contacts),
        cmocka_unit_test(contacts_have_the_same_bits_with_any_number_of_threads),
        cmocka_unit_test(a_snapshot_in_the_midst_of_contact_goes_on_with_the_same_bits),
        cmocka_unit_test(garments_with_surfaces_sleep_and_wake_when_they_are_hit),
        cmocka_unit_test(surfaces_that_cross_at_the_start_are_reported_and_part),
        cmocka_unit_test(garments_without_triangles_keep_contacts_between_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
