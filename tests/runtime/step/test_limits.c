// SPDX-License-Identifier: MIT
// Tearing, aerodynamic drag, tethers, strain limits and distance limits.
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 12 };
static const float spacing = 0.05f;

static slv_world *make_world(slv_solver solver, uint32_t threads) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = threads;
    soften_for_integrators(&def, 0.002f, 25.0f);
    return must_create(&def);
}

static slv_garment_def make_hanging(const uint32_t *fixed, uint32_t count) {
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.001f;
    garment.stretch_stiffness = 200.0f;
    garment.fixed = fixed;
    garment.fixed_count = count;
    return garment;
}

static uint32_t count_torn(slv_world *world, slv_garment_id id) {
    uint32_t torn = 0;
    assert_int_equal(slv_garment_get_torn_count(world, id, &torn), SLV_OK);
    return torn;
}

// --- Tears ------------------------------------------------------------------------------------------

static uint32_t left_and_right[2 * SIDE];

// A cloth fixed left and right; the right side moves away.
static slv_garment_id add_pulled(slv_world *world, generated_garment *made, float threshold) {
    for (uint32_t i = 0; i < SIDE; i++) {
        left_and_right[i] = i * SIDE;
        left_and_right[SIDE + i] = i * SIDE + SIDE - 1;
    }
    slv_garment_def garment = make_hanging(left_and_right, 2 * SIDE);
    garment.tearing_threshold = threshold;
    slv_garment_id id = must_add(world, made, garment);
    float targets[SIDE][3];
    for (uint32_t i = 0; i < SIDE; i++) {
        must_position(world, id, left_and_right[SIDE + i], targets[i]);
        targets[i][0] += 1.5f;
    }
    assert_int_equal(
        slv_garment_move_fixed(world, id, left_and_right + SIDE, SIDE, &targets[0][0], 400),
        SLV_OK);
    return id;
}

static void cloth_tears_at_its_threshold_and_not_before(void **state) {
    (void)state;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_JACOBI, SLV_PD_GS, SLV_PBD_GS,
                                  SLV_PBD_JACOBI};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        slv_world *world = make_world(solvers[s], 1);
        slv_garment_id id = add_pulled(world, make_grid(SIDE, 1, SIDE, spacing, NULL), 1.5f);
        bool torn = false;
        for (int n = 0; n < 50; n++) {
            double longest = 0.0;
            for (int step = 0; step < 10 && !torn; step++) {
                double before = must_measure(world).max_stretch;
                longest = before > longest ? before : longest;
                must_step(world, 1);
                torn = count_torn(world, id) > 0;
            }
            if (torn) {
                assert_true(longest > 1.5); // of the start of that step
                break;
            }
            assert_true(longest <= 1.5 * 1.0001);
        }
        assert_true(torn);
        must_step(world, 400);
        assert_true(count_torn(world, id) >= SIDE); // in two
        float middle[3];
        must_position(world, id, SIDE / 2, middle);
        assert_true(isfinite(middle[0]));
        slv_world_destroy(world);
    }
}

// A cloth whose render mesh has one vertex per particle.
static generated_garment *make_rendered(void) {
    enum { COUNT = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
    static float positions[COUNT][3];
    static float normals[COUNT][3];
    static float weights[COUNT];
    static uint32_t particles[COUNT];
    static uint32_t triangles[TRIANGLES][3];
    uint32_t count = 0;
    for (uint32_t p = 0; p < COUNT; p++) {
        positions[p][0] = spacing * (float)(p % SIDE);
        const uint32_t row = p / SIDE;
        positions[p][2] = spacing * (float)row;
        normals[p][1] = 1.0f;
        weights[p] = 1.0f;
        particles[p] = p;
        if (p % SIDE + 1 < SIDE && p / SIDE + 1 < SIDE) {
            const uint32_t corner[2][3] = {{p, p + 1, p + SIDE + 1}, {p, p + SIDE + 1, p + SIDE}};
            memcpy(triangles[count], corner, sizeof corner);
            count += 2;
        }
    }
    generated_garment *made = make_cloth(SIDE, SIDE, spacing, false);
    generated_view(made)->render = (slv_render_mesh){
        .vertex_count = COUNT,
        .triangle_count = TRIANGLES,
        .positions = &positions[0][0],
        .normals = &normals[0][0],
        .triangles = &triangles[0][0],
        .influences = 1,
        .particles = particles,
        .weights = weights,
    };
    return made;
}

static void torn_triangles_are_removed_from_the_surface(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    slv_garment_id id = add_pulled(world, make_rendered(), 1.6f);
    slv_surface_view view;
    assert_int_equal(slv_garment_get_surface(world, id, &view), SLV_OK);
    const uint32_t whole = view.triangle_count;
    must_step(world, 800);
    assert_true(count_torn(world, id) > 0);
    assert_int_equal(slv_garment_get_surface(world, id, &view), SLV_OK);
    assert_true(view.triangle_count < whole && view.triangle_count > whole / 2);
    for (uint32_t t = 0; t < view.triangle_count; t++) {
        for (int c = 0; c < 3; c++) {
            const float *a = view.positions + 3 * (size_t)view.triangles[3 * t + (uint32_t)c];
            const float *b =
                view.positions + 3 * (size_t)view.triangles[3 * t + (uint32_t)(c + 1) % 3];
            float length = hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            assert_true(length < 2.0f * 1.42f * spacing);
        }
    }
    slv_world_destroy(world);
}

static void snapshots_contain_tears_and_reset_removes_them(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS, 2);
    slv_garment_id id = add_pulled(world, make_grid(SIDE, 1, SIDE, spacing, NULL), 1.5f);
    uint64_t start = must_hash(world);
    while (count_torn(world, id) == 0) {
        must_step(world, 1);
    }
    const saved_world saved = must_save(world);
    uint32_t torn = count_torn(world, id);
    must_step(world, 100);
    uint64_t expected = must_hash(world);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    assert_int_equal(count_torn(world, id), 0);
    assert_true(must_hash(world) == start);
    must_step(world, 20);
    must_restore(world, &saved);
    assert_int_equal(count_torn(world, id), torn);
    must_step(world, 100);
    assert_true(must_hash(world) == expected);
    free(saved.bytes);
    slv_world_destroy(world);
}

// Two springs join each pair of neighbors of a chain. The shorter ones tear in the first step.
static slv_garment_id add_doubled_chain(slv_world *world, slv_garment_def def) {
    enum { LINKS = 7 };
    static const uint32_t fixed[] = {0};
    generated_garment *chain = make_chain(LINKS + 1, spacing);
    for (uint32_t i = 0; i < LINKS; i++) {
        generated_add_spring(chain, i, i + 1, 0.9f * spacing);
    }
    def.particle_mass = 0.01f;
    def.tearing_threshold = 1.1f;
    def.fixed = fixed;
    def.fixed_count = 1;
    const slv_garment_id id = must_add(world, chain, def);
    must_step(world, 1);
    assert_int_equal(count_torn(world, id), LINKS);
    return id;
}

static void of_two_springs_between_the_same_particles_the_torn_one_stays_torn(void **state) {
    (void)state;
    const uint32_t fixed = 0;
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
        slv_world *world = make_world((slv_solver)solver, 1);
        slv_world *other = make_world((slv_solver)solver, 1);
        const slv_garment_id id = add_doubled_chain(world, slv_default_garment_def());
        (void)add_doubled_chain(other, slv_default_garment_def());
        const saved_world saved = must_save(world);
        assert_int_equal(slv_garment_set_fixed(world, id, &fixed, 1, true), SLV_OK); // it is
        must_step(world, 20);
        must_step(other, 20);
        const uint64_t hash = must_hash(other);
        assert_true(must_hash(world) == hash);
        must_restore(world, &saved);
        must_step(world, 20);
        assert_true(must_hash(world) == hash);
        free(saved.bytes);
        slv_world_destroy(world);
        slv_world_destroy(other);
    }
}

static void tears_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (uint32_t threads = 1; threads <= 2; threads++) {
        slv_world *world = make_world(SLV_PD_RBGS, threads);
        slv_garment_id id = add_pulled(world, make_cloth(SIDE, SIDE, spacing, false), 1.4f);
        must_step(world, 500);
        assert_true(count_torn(world, id) > 0);
        hashes[threads - 1] = must_hash(world);
        slv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

// --- Drag --------------------------------------------------------------------------------------------

// Momentum that a sheet loses to drag in a step, normal to its motion: density/2 * drag * area * v² * h.
static void drag_follows_its_formula(void **state) {
    (void)state;
    const double speed = 3.0;
    slv_world_def def = slv_default_world_def();
    def.parameters.damping = 0.0f;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_garment_def garment = make_hanging(NULL, 0);
    garment.drag = 1.2f;
    garment.velocity[1] = (float)-speed;
    slv_garment_id id = must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), garment);
    must_step(world, 1);
    double lost = 0.0; // metres a step, of all particles
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float position[3];
        must_position(world, id, p, position);
        lost += (double)position[1] + 0.002 * speed + 9.81 * 0.002 * 0.002;
    }
    double area = pow((SIDE - 1) * (double)spacing, 2);
    double force = 0.6 * 1.2 * area * speed * speed;
    assert_near(lost * 0.001 / (force * 0.002 * 0.002), 1.0, 0.01);
    slv_world_destroy(world);
}

static void wind_displaces_hanging_cloth(void **state) {
    (void)state;
    uint32_t top[SIDE];
    for (uint32_t i = 0; i < SIDE; i++) {
        top[i] = SIDE * (SIDE - 1) + i;
    }
    slv_world_def def = slv_default_world_def();
    def.parameters.wind[2] = 4.0f;
    def.threads = 1;
    slv_world *world = must_create(&def);
    slv_garment_def garment = make_hanging(top, SIDE);
    garment.drag = 1.0f;
    slv_garment_id id = must_add(world, make_grid(SIDE, SIDE, 1, spacing, NULL), garment);
    (void)must_add(world, make_rendered(), garment);
    must_step(world, 500);
    float hem[3];
    must_position(world, id, SIDE / 2, hem);
    assert_true(hem[2] > 0.1f);
    slv_world_destroy(world);
}

// --- Limits -----------------------------------------------------------------------------------------

static double length_of(slv_world *world, slv_garment_id id, uint32_t a, uint32_t b) {
    float p[3];
    float q[3];
    must_position(world, id, a, p);
    must_position(world, id, b, q);
    return sqrt(pow((double)(p[0] - q[0]), 2) + pow((double)(p[1] - q[1]), 2) +
                pow((double)(p[2] - q[2]), 2));
}

static void a_soft_rope_is_no_longer_than_its_tethers(void **state) {
    (void)state;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PBD_GS};
    for (size_t s = 0; s < 2; s++) {
        const uint32_t end = 0;
        slv_world *world = make_world(solvers[s], 1);
        slv_garment_def garment = make_hanging(&end, 1);
        garment.stretch_stiffness = 5.0f; // would become several times as long
        garment.tether_slack = 1.1f;
        slv_garment_id id = must_add(world, make_chain(30, spacing), garment);
        for (int n = 0; n < 20; n++) {
            must_step(world, 50);
            assert_true(length_of(world, id, 0, 29) <= 1.1 * 29 * (double)spacing * 1.0001);
        }
        assert_true(length_of(world, id, 0, 29) > 1.05 * 29 * (double)spacing);
        slv_world_destroy(world);
    }
}

static void strain_limits_bound_the_stretch_of_soft_cloth(void **state) {
    (void)state;
    double stretches[2];
    for (int limited = 0; limited < 2; limited++) {
        uint32_t top[SIDE];
        for (uint32_t i = 0; i < SIDE; i++) {
            top[i] = SIDE * (SIDE - 1) + i;
        }
        slv_world *world = make_world(SLV_PD_RBGS, 1);
        slv_garment_def garment = make_hanging(top, SIDE);
        garment.stretch_stiffness = 1.0f;
        garment.strain_limit = limited ? 1.1f : 0.0f;
        (void)must_add(world, make_grid(SIDE, SIDE, 1, spacing, NULL), garment);
        must_step(world, 1000);
        stretches[limited] = must_measure(world).max_stretch;
        slv_world_destroy(world);
    }
    assert_true(stretches[0] > 2.0);
    assert_true(stretches[1] < 1.25);
}

static void particles_of_a_set_stay_near_their_targets(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    const slv_limit_def limits[] = {{.set = "corners", .max_distance = 0.1f, .backstop = 0.02f}};
    slv_garment_def garment = make_hanging(NULL, 0);
    garment.limits = limits;
    garment.limit_count = 1;
    generated_garment *made = make_grid(SIDE, 1, SIDE, spacing, NULL);
    static const char names[] = "corners";
    static const uint32_t particles[] = {0};
    slv_particle_set set = {.name_length = sizeof names - 1, .count = 1};
    slv_garment *view = generated_view(made);
    view->sets = &set;
    view->set_count = 1;
    view->set_particles = particles;
    view->set_names = names;
    slv_garment_id id = must_add(world, made, garment);
    uint32_t held = UINT32_MAX;
    float start[SIDE * SIDE][3];
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        must_position(world, id, p, start[p]);
    }
    must_step(world, 500);
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        float now[3];
        must_position(world, id, p, now);
        if (now[1] > start[p][1] - 0.0201f) { // stopped by its backstop
            held = p;
        }
    }
    assert_true(held != UINT32_MAX);
    float lifted[SIDE * SIDE][3];
    memcpy(lifted, start, sizeof lifted);
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        lifted[p][1] += 1.0f;
    }
    assert_int_equal(slv_garment_set_targets(world, id, &lifted[0][0], NULL), SLV_OK);
    must_step(world, 1);
    float now[3];
    must_position(world, id, held, now);
    assert_true(now[1] > start[held][1] + 1.0f - 0.0201f);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_tears_at_its_threshold_and_not_before),
        cmocka_unit_test(torn_triangles_are_removed_from_the_surface),
        cmocka_unit_test(snapshots_contain_tears_and_reset_removes_them),
        cmocka_unit_test(of_two_springs_between_the_same_particles_the_torn_one_stays_torn),
        cmocka_unit_test(tears_do_not_depend_on_threads),
        cmocka_unit_test(drag_follows_its_formula),
        cmocka_unit_test(wind_displaces_hanging_cloth),
        cmocka_unit_test(a_soft_rope_is_no_longer_than_its_tethers),
        cmocka_unit_test(strain_limits_bound_the_stretch_of_soft_cloth),
        cmocka_unit_test(particles_of_a_set_stay_near_their_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
