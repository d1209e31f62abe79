// SPDX-License-Identifier: MIT
// Particles that start inside colliders: out within the length of the path over the push-out speed, no faster.
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 5, PARTICLES = SIDE * SIDE };

static const double step_seconds = 0.002, speed = 0.5, gravity = 9.81, thickness = 0.005;

// --- Shapes -----------------------------------------------------------------------------------------

// A shape around the origin, and its own formula: metres outside, exact inside. Of a funnel along its radius.
typedef struct shape {
    slv_collider_def def;
    double at[3]; // of its origin
} shape;

static shape make_shape(slv_collider_kind kind, double x, double y, double z) {
    shape made = {.def = slv_default_collider_def(), .at = {x, y, z}};
    made.def.kind = kind;
    made.def.radius = 0.15f;
    made.def.length = 0.2f;
    made.def.size[0] = 0.4f;
    made.def.size[1] = 0.3f;
    made.def.size[2] = 0.5f;
    made.def.low = -0.2f;
    made.def.high = 0.2f;
    made.def.wall = 0.3f;
    memcpy(made.def.position, made.at, sizeof made.at);
    return made;
}

static double distance_to_box(const double p[3]) {
    return fmax(fmax(fabs(p[0]) - 0.2, fabs(p[1]) - 0.15), fabs(p[2]) - 0.25);
}

// An edge along z at the origin, 0.4 wide at height 0.3.
static double distance_to_wedge(const double p[3]) {
    const double side = (0.3 * fabs(p[0]) - 0.2 * p[1]) / hypot(0.3, 0.2);
    return fmax(fmax(side, p[1] - 0.3), fabs(p[2]) - 0.25);
}

static double distance_to(const shape *s, const float position[3]) {
    double p[3];
    for (int d = 0; d < 3; d++) {
        p[d] = (double)position[d] - s->at[d];
    }
    switch (s->def.kind) {
    case SLV_COLLIDER_PLANE:
        return p[1];
    case SLV_COLLIDER_CAPSULE:
        return hypot(hypot(p[0], p[2]), fmax(fabs(p[1]) - 0.1, 0.0)) - 0.15;
    case SLV_COLLIDER_BOX:
        return distance_to_box(p);
    case SLV_COLLIDER_WEDGE:
        return distance_to_wedge(p);
    case SLV_COLLIDER_FUNNEL:
        return exp(p[1]) - hypot(p[0], p[2]);
    case SLV_COLLIDER_SPHERE:
    case SLV_COLLIDER_FIELD:
        return hypot(hypot(p[0], p[1]), p[2]) - 0.15;
    }
    return 0.0;
}

// --- Worlds -----------------------------------------------------------------------------------------

static void add_shapes(slv_world *world, const shape *shapes, size_t count) {
    char path[256];
    for (size_t n = 0; n < count; n++) {
        slv_collider_def def = shapes[n].def;
        if (def.kind == SLV_COLLIDER_FIELD) {
            write_ball_field(temporary_path(path, sizeof path, "inside.slv"), 0.15);
            def.pack_path = path;
        }
        assert_int_equal(slv_world_add_collider(world, &def, NULL), SLV_OK);
        if (def.pack_path) {
            (void)remove(path);
        }
    }
}

// Particles that barely pull at each other, or cloth, with its center at a place.
static slv_garment_id add_falling(slv_world *world, const double center[3], float spacing,
                                  bool cloth, float speed_down) {
    slv_garment_def def = slv_default_garment_def();
    def.velocity[1] = -speed_down;
    def.particle_mass = 0.01f;
    if (!cloth) {
        def.stretch_stiffness = 1e-6f;
        def.strain_limit = 0.0f;
    }
    memcpy(def.position, center, sizeof def.position);
    def.position[0] -= 0.5 * (SIDE - 1) * (double)spacing;
    def.position[2] -= 0.5 * (SIDE - 1) * (double)spacing;
    return must_add(world, make_grid(SIDE, 1, SIDE, spacing, NULL), def);
}

static slv_garment_id add_particles(slv_world *world, const double center[3], float spacing,
                                    bool cloth) {
    return add_falling(world, center, spacing, cloth, 0.0f);
}

static void get_positions(slv_world *world, slv_garment_id id, float positions[PARTICLES][3]) {
    for (uint32_t p = 0; p < PARTICLES; p++) {
        must_position(world, id, p, positions[p]);
    }
}

static double outmost(const shape *shapes, size_t count, const float position[3]) {
    double least = DBL_MAX;
    for (size_t n = 0; n < count; n++) {
        least = fmin(least, distance_to(&shapes[n], position));
    }
    return least;
}

static double length_between(const float a[3], const float b[3]) {
    return hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
}

// Steps until the longest path, metres, is over. No particle may be faster than the push-out speed and what gravity
// has added; at the end all must be outside.
static void check_exit(slv_world *world, slv_garment_id id, const shape *shapes, size_t count,
                       double path) {
    float before[PARTICLES][3];
    float after[PARTICLES][3];
    const int steps = (int)ceil((path + thickness) / (speed * step_seconds)) + 2;
    get_positions(world, id, before);
    for (int step = 1; step <= steps; step++) {
        must_step(world, 1);
        get_positions(world, id, after);
        for (int p = 0; p < PARTICLES; p++) {
            const double most = speed + gravity * step * step_seconds;
            const double found = length_between(before[p], after[p]) / step_seconds;
            if (found > 1.002 * most + 0.001) {
                fail_msg("step %d, particle %d: %g m/s of %g", step, p, found, most);
            }
        }
        memcpy(before, after, sizeof before);
    }
    for (int p = 0; p < PARTICLES; p++) {
        const double out = outmost(shapes, count, after[p]);
        if (!(out > -1e-4)) {
            fail_msg("particle %d is %g m inside", p, -out);
        }
    }
}

static double deepest_of(slv_world *world, slv_garment_id id, const shape *shapes, size_t count) {
    float positions[PARTICLES][3];
    double deepest = 0.0;
    get_positions(world, id, positions);
    for (int p = 0; p < PARTICLES; p++) {
        deepest = fmax(deepest, -outmost(shapes, count, positions[p]));
    }
    assert_true(deepest > 0.03);
    return deepest;
}

static slv_world *make_world(slv_solver solver) {
    slv_world_def def = plain_world(solver, step_seconds);
    return must_create(&def);
}

// --- One collider -----------------------------------------------------------------------------------

// Where a small cloth lies inside each shape.
static const double places[][3] = {{0.0, -0.1, 0.0},   {0.03, 0.02, 0.01}, {0.02, 0.05, 0.03},
                                   {0.03, 0.06, 0.02}, {0.02, 0.2, 0.03},  {1.08, 0.0, 0.0},
                                   {0.03, 0.02, 0.01}};

static void try_shape(slv_collider_kind kind, slv_solver solver, bool cloth) {
    const double *place = places[kind - SLV_COLLIDER_PLANE];
    const shape s = make_shape(kind, 0.0, 0.0, 0.0);
    slv_world *world = make_world(solver);
    add_shapes(world, &s, 1);
    const slv_garment_id id = add_particles(world, place, 0.01f, cloth);
    check_exit(world, id, &s, 1, deepest_of(world, id, &s, 1));
    slv_world_destroy(world);
}

static void loose_particles_leave_every_shape_at_the_push_out_speed(void **state) {
    (void)state;
    for (int kind = SLV_COLLIDER_PLANE; kind <= SLV_COLLIDER_FIELD; kind++) {
        try_shape((slv_collider_kind)kind, SLV_PD_RBGS, false);
        try_shape((slv_collider_kind)kind, SLV_PBD_GS, false);
    }
}

static void cloth_below_a_floor_rises_to_it_and_stays(void **state) {
    (void)state;
    const slv_solver solvers[] = {SLV_PD_RBGS, SLV_PD_JACOBI, SLV_PBD_GS, SLV_PBD_JACOBI};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const shape floor = make_shape(SLV_COLLIDER_PLANE, 0.0, 0.0, 0.0);
        slv_world *world = make_world(solvers[s]);
        add_shapes(world, &floor, 1);
        const slv_garment_id id =
            add_particles(world, (const double[3]){0.0, -0.1, 0.0}, 0.02f, true);
        float positions[PARTICLES][3];
        for (int step = 0; step < 400; step++) {
            must_step(world, 1);
            get_positions(world, id, positions);
            for (int p = 0; p < PARTICLES; p++) {
                assert_true((double)positions[p][1] < thickness + 0.6 * speed * speed / gravity);
            }
        }
        for (int p = 0; p < PARTICLES; p++) {
            assert_near((double)positions[p][1], thickness, 1e-4);
        }
        slv_world_destroy(world);
    }
}

// Some of it is nearer to the top of the box, some to a side.
static void cloth_with_different_ways_out_is_not_torn_and_gains_no_energy(void **state) {
    (void)state;
    const shape box = make_shape(SLV_COLLIDER_BOX, 0.0, 0.0, 0.0);
    slv_world *world = make_world(SLV_PD_RBGS);
    add_shapes(world, &box, 1);
    const slv_garment_id id = add_particles(world, (const double[3]){0.17, 0.1, 0.0}, 0.02f, true);
    const double deepest = deepest_of(world, id, &box, 1);
    float positions[PARTICLES][3];
    for (int step = 1; step * step_seconds < 2.0 * deepest / speed; step++) {
        must_step(world, 1);
        const double most = speed + gravity * step * step_seconds;
        const slv_measures found = must_measure(world);
        assert_true(found.kinetic_energy <= 0.5 * 0.01 * PARTICLES * most * most);
        assert_true(found.max_stretch < 1.25);
    }
    get_positions(world, id, positions);
    for (int p = 0; p < PARTICLES; p++) {
        assert_true(distance_to(&box, positions[p]) > 0.0);
    }
    slv_world_destroy(world);
}

static void a_collider_with_restitution_throws_nothing_out(void **state) {
    (void)state;
    shape ball = make_shape(SLV_COLLIDER_SPHERE, 0.0, 0.0, 0.0);
    ball.def.restitution = 1.0f;
    slv_world *world = make_world(SLV_PD_RBGS);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.gravity[1] = 0.0f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    add_shapes(world, &ball, 1);
    const slv_garment_id id =
        add_falling(world, (const double[3]){0.0, 0.08, 0.0}, 0.01f, false, 5.0f);
    must_step(world, 1);
    check_exit(world, id, &ball, 1, 0.07);
    slv_world_destroy(world);
}

// --- Several colliders ------------------------------------------------------------------------------

// Nearest faces of two boxes that lie inside the other, a box that stands on the floor, two balls and a point on the
// line through their centers.
static void particles_leave_overlapping_colliders_by_a_way_out_of_all(void **state) {
    (void)state;
    const struct {
        shape shapes[2];
        double place[3];
        double path; // metres, of the particle with the longest
    } cases[] = {
        {{make_shape(SLV_COLLIDER_BOX, 0.0, 0.0, 0.0), make_shape(SLV_COLLIDER_BOX, 0.3, 0.0, 0.0)},
         {0.15, 0.0, 0.0},
         0.15},
        {{make_shape(SLV_COLLIDER_PLANE, 0.0, -0.15, 0.0),
          make_shape(SLV_COLLIDER_BOX, 0.0, 0.0, 0.0)},
         {0.0, -0.13, 0.0},
         0.2},
        {{make_shape(SLV_COLLIDER_SPHERE, 0.0, 0.0, 0.0),
          make_shape(SLV_COLLIDER_FIELD, 0.15, 0.0, 0.0)},
         {0.075, 0.0, 0.0},
         0.14},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int order = 0; order < 2; order++) {
            const shape both[2] = {cases[c].shapes[order], cases[c].shapes[1 - order]};
            slv_world *world = make_world(SLV_PD_RBGS);
            add_shapes(world, both, 2);
            const slv_garment_id id = add_particles(world, cases[c].place, 0.004f, false);
            check_exit(world, id, both, 2, cases[c].path);
            slv_world_destroy(world);
        }
    }
}

static void particles_in_a_moving_collider_are_carried_and_leave_it(void **state) {
    (void)state;
    shape ball = make_shape(SLV_COLLIDER_SPHERE, 0.0, 0.0, 0.0);
    ball.def.velocity[0] = 3.0f;
    slv_world *world = make_world(SLV_PD_RBGS);
    add_shapes(world, &ball, 1);
    const slv_garment_id id = add_particles(world, (const double[3]){0.0, 0.06, 0.0}, 0.01f, false);
    float before[PARTICLES][3];
    float after[PARTICLES][3];
    get_positions(world, id, before);
    const int steps = (int)ceil((0.1 + thickness) / (speed * step_seconds)) + 2;
    bool left[PARTICLES] = {false};
    for (int step = 1; step <= steps; step++) {
        must_step(world, 1);
        ball.at[0] = 3.0 * step_seconds * step;
        get_positions(world, id, after);
        for (int p = 0; p < PARTICLES; p++) {
            const float carried[3] = {before[p][0] + 0.006f, before[p][1], before[p][2]};
            assert_true(left[p] || length_between(carried, after[p]) / step_seconds < 1.01 * speed);
            left[p] = left[p] || distance_to(&ball, after[p]) > thickness - 0.002;
        }
        memcpy(before, after, sizeof before);
    }
    for (int p = 0; p < PARTICLES; p++) {
        assert_true(left[p]);
    }
    slv_world_destroy(world);
}

// Two boxes that close over a cloth, which has nowhere to go.
static void cloth_between_closing_boxes_gains_no_energy(void **state) {
    (void)state;
    shape boxes[2] = {make_shape(SLV_COLLIDER_BOX, 0.0, 0.17, 0.0),
                      make_shape(SLV_COLLIDER_BOX, 0.0, -0.17, 0.0)};
    boxes[0].def.velocity[1] = -0.1f;
    boxes[1].def.velocity[1] = 0.1f;
    slv_world *world = make_world(SLV_PD_RBGS);
    add_shapes(world, boxes, 2);
    (void)add_particles(world, (const double[3]){0.0, 0.0, 0.0}, 0.02f, true);
    for (int step = 1; step <= 500; step++) {
        must_step(world, 1);
        const slv_measures found = must_measure(world);
        assert_true(found.kinetic_energy <= 0.5 * 0.01 * PARTICLES * (speed + 0.1) * (speed + 0.1));
        assert_true(found.max_stretch < 1.5);
    }
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_particles_leave_every_shape_at_the_push_out_speed),
        cmocka_unit_test(cloth_below_a_floor_rises_to_it_and_stays),
        cmocka_unit_test(cloth_with_different_ways_out_is_not_torn_and_gains_no_energy),
        cmocka_unit_test(a_collider_with_restitution_throws_nothing_out),
        cmocka_unit_test(particles_leave_overlapping_colliders_by_a_way_out_of_all),
        cmocka_unit_test(particles_in_a_moving_collider_are_carried_and_leave_it),
        cmocka_unit_test(cloth_between_closing_boxes_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
