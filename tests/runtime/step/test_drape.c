// SPDX-License-Identifier: MIT
// Cloth with default parameters over colliders: it comes to rest, and its stretch stays small before.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 20 };
static const float spacing = 0.02f;

static slv_world *make_world(slv_collider_kind kind, float size, float relaxation) {
    slv_world_def def = slv_default_world_def();
    def.parameters.relaxation = relaxation;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_collider_def shape = slv_default_collider_def();
    shape.kind = kind;
    shape.radius = 0.5f * size;
    shape.size[0] = shape.size[2] = size;
    shape.size[1] = 0.5f;
    shape.position[1] = (double)(kind == SLV_COLLIDER_BOX ? -0.25f : -0.5f * size);
    assert_int_equal(slv_world_add_collider(world, &shape, NULL), SLV_OK);
    return world;
}

static slv_garment_id add_cloth(slv_world *world, float height, bool garment_collision) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 8e-5f;
    garment.shear_stiffness = 300.0f;
    garment.bending_stiffness = 4.0f;
    garment.self_collision = true;
    garment.garment_collision = garment_collision;
    garment.position[0] = garment.position[2] = (double)(-0.5f * spacing * (SIDE - 1));
    garment.position[1] = (double)height;
    return must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
}

// Mean of all particles' speeds, m/s.
static double mean_speed(slv_world *world) {
    double sum = 0.0;
    double count = 0.0;
    for (uint32_t g = 0; g < slv_world_get_garment_count(world); g++) {
        slv_particle_view now;
        slv_particle_view before;
        assert_int_equal(
            slv_garment_get_previous_positions(world, slv_world_get_garment(world, g), &before), 0);
        assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, g), &now),
                         0);
        count += (double)now.count;
        for (uint32_t p = 0; p < now.count; p++) {
            size_t at = (size_t)now.slot[p] * now.stride;
            double x = (double)(now.x[at] - before.x[at]);
            double y = (double)(now.y[at] - before.y[at]);
            double z = (double)(now.z[at] - before.z[at]);
            sum += sqrt(x * x + y * y + z * z) / 0.002;
        }
    }
    return sum / count;
}

// Steps the world. Returns the largest ratio of length to rest length of any constraint.
static double settle(slv_world *world, int steps) {
    double longest = 0.0;
    for (int step = 0; step < steps; step += 10) {
        must_step(world, 10);
        longest = fmax(longest, must_measure(world).max_stretch);
    }
    return longest;
}

static void drape(slv_collider_kind kind, float relaxation) {
    slv_world *world = make_world(kind, 0.2f, relaxation);
    (void)add_cloth(world, 0.1f, false);
    double longest = settle(world, 2500);
    double speed = mean_speed(world);
    if (!(longest <= 1.1) || !(speed < 1e-3)) {
        fail_msg("shape %d, relaxation %g: stretch %g, %g m/s", (int)kind, (double)relaxation,
                 longest, speed);
    }
    slv_world_destroy(world);
}

static void cloth_on_a_box_and_a_ball_comes_to_rest(void **state) {
    (void)state;
    drape(SLV_COLLIDER_BOX, 1.0f);
    drape(SLV_COLLIDER_SPHERE, 1.0f);
}

static void cloth_comes_to_rest_with_over_relaxation(void **state) {
    (void)state;
    drape(SLV_COLLIDER_BOX, 1.7f);
    drape(SLV_COLLIDER_SPHERE, 1.7f);
}

// Layers press each other against the plane between two searches for near colliders.
static void a_pile_of_five_cloths_comes_to_rest(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_COLLIDER_PLANE, 0.0f, 1.0f);
    for (int n = 0; n < 5; n++) {
        (void)add_cloth(world, 0.05f + 0.03f * (float)n, true);
    }
    double longest = settle(world, 1000);
    assert_true(longest <= 1.1);
    assert_true(mean_speed(world) < 1e-4);
    slv_world_destroy(world);
}

enum { LINKS = 50, TABLE = 60 * 5 };

// Fixed cloth with an edge at x = 0.
static void add_table(slv_world *world) {
    uint32_t all[TABLE];
    for (uint32_t i = 0; i < TABLE; i++) {
        all[i] = i;
    }
    slv_garment_def table = slv_default_garment_def();
    table.garment_collision = true;
    table.fixed = all;
    table.fixed_count = TABLE;
    table.position[0] = (double)(-spacing * 59.0f);
    table.position[2] = (double)(-spacing * 2.0f);
    (void)must_add(world, make_grid(60, 1, 5, spacing, NULL), table);
}

static void find_end(slv_world *world, slv_garment_id chain, double end[2]) {
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, chain, &view), 0);
    end[0] = (double)view.x[(size_t)view.slot[0] * view.stride];
    end[1] = (double)view.y[(size_t)view.slot[0] * view.stride];
}

// A chain on the table, some links beyond its edge. The height of its end on the table after three seconds, and the
// displacement of that end in the last second.
static void pull_over_an_edge(uint32_t hanging, double *height, double *slid) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = SLV_PBD_GS;
    def.threads = 1;
    slv_world *world = must_create(&def);
    add_table(world);
    slv_garment_def garment = slv_default_garment_def();
    garment.garment_collision = true;
    garment.particle_mass = 1e-3f;
    garment.stretch_stiffness = 1e5f;
    garment.position[0] = (double)(-spacing * (float)(LINKS - hanging));
    garment.position[1] = (double)spacing;
    slv_garment_id chain = must_add(world, make_chain(LINKS, spacing), garment);
    double before[2];
    double after[2];
    must_step(world, 1000);
    find_end(world, chain, before);
    must_step(world, 500);
    find_end(world, chain, after);
    *height = after[1];
    *slid = fabs(after[0] - before[0]);
    slv_world_destroy(world);
}

// The links on the table are pulled by those that hang. Static friction holds them up to its limit.
static void friction_holds_a_chain_over_an_edge_up_to_its_limit(void **state) {
    (void)state;
    const uint32_t hanging[] = {18, 22, 30};
    for (int n = 0; n < 3; n++) {
        double height;
        double slid;
        pull_over_an_edge(hanging[n], &height, &slid);
        if (n < 2 ? !(slid < 1e-4) : !(height < -1.0)) {
            fail_msg("%u of %d: height %g m, slid %g m", hanging[n], LINKS, height, slid);
        }
    }
}

// The halves of a torn chain move apart. Torn constraints do not count as stretch.
static void torn_constraints_do_not_count_as_stretch(void **state) {
    (void)state;
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.parameters.gravity[1] = 0.0f;
    slv_world *world = must_create(&def);
    const uint32_t ends[2] = {0, 3};
    const float targets[2][3] = {{-0.5f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f}};
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.001f;
    garment.tearing_threshold = 1.5f;
    garment.fixed = ends;
    garment.fixed_count = 2;
    slv_garment_id id = must_add(world, make_chain(4, 0.02f), garment);
    assert_int_equal(slv_garment_move_fixed(world, id, ends, 2, &targets[0][0], 200), SLV_OK);
    must_step(world, 3000);
    uint32_t torn = 0;
    assert_int_equal(slv_garment_get_torn_count(world, id, &torn), SLV_OK);
    assert_true(torn > 0);
    assert_true(must_measure(world).max_stretch < 1.5);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_on_a_box_and_a_ball_comes_to_rest),
        cmocka_unit_test(cloth_comes_to_rest_with_over_relaxation),
        cmocka_unit_test(a_pile_of_five_cloths_comes_to_rest),
        cmocka_unit_test(friction_holds_a_chain_over_an_edge_up_to_its_limit),
        cmocka_unit_test(torn_constraints_do_not_count_as_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
