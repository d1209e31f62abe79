// SPDX-License-Identifier: MIT
// Rigid and soft bodies by shape matching: closed forms, momentum, shape, inversion, and what is degenerate.
#include "tests/common/generated_body.h"
#include "tests/common/test_world.h"

#include "runtime/step/features/clusters.h"
#include "runtime/world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const slv_solver both_solvers[] = {SLV_PBD_GS, SLV_PBD_JACOBI};

static slv_world *make_world(slv_solver solver, double time_step, uint32_t outer, uint32_t inner) {
    slv_world_def def = plain_world(solver, time_step);
    def.parameters.gravity[1] = 0.0f;
    def.parameters.outer_iterations = outer;
    def.parameters.inner_iterations = inner;
    return must_create(&def);
}

static slv_garment_def body_def(void) {
    slv_garment_def def = slv_default_garment_def();
    def.collides = false;
    return def;
}

// --- Measures, in double ------------------------------------------------------------------------------

typedef struct motion {
    double mass;
    double center[3];
    double linear[3];  // kg m/s
    double angular[3]; // kg m²/s around the origin
} motion;

static void cross(const double a[3], const double b[3], double result[3]) {
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

// Positions and previous positions with their remainders.
static motion measure_motion(slv_world *world, double time_step) {
    motion sum = {.mass = 0.0};
    uint64_t hash = must_hash(world); // fetches the state
    (void)hash;
    for (uint32_t b = 0; b < world->body_count; b++) {
        for (uint32_t p = 0; p < world->bodies[b]->count; p++) {
            const double mass = (double)slv_body_get_mass(world->bodies[b], p);
            double values[6];
            double velocity[3];
            double angular[3];
            slv_layout_read_exactly(&world->layout, b, p, values);
            for (int d = 0; d < 3; d++) {
                velocity[d] = (values[d] - values[3 + d]) / time_step;
                sum.linear[d] += mass * velocity[d];
                sum.center[d] += mass * values[d];
            }
            cross(values, velocity, angular);
            for (int d = 0; d < 3; d++) {
                sum.angular[d] += mass * angular[d];
            }
            sum.mass += mass;
        }
    }
    for (int d = 0; d < 3; d++) {
        sum.center[d] /= sum.mass;
    }
    return sum;
}

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double difference(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length(d);
}

// Largest change of a distance between particle 0 … count - 1 and the first three, metres.
static double measure_deformation(slv_world *world, slv_garment_id id, const float (*rest)[3],
                                  uint32_t count) {
    double worst = 0.0;
    for (uint32_t a = 0; a < 3 && a < count; a++) {
        float from[3];
        must_position(world, id, a, from);
        for (uint32_t b = 0; b < count; b++) {
            float to[3];
            double now[3];
            double before[3];
            must_position(world, id, b, to);
            for (int d = 0; d < 3; d++) {
                now[d] = (double)to[d] - (double)from[d];
                before[d] = (double)rest[b][d] - (double)rest[a][d];
            }
            worst = fmax(worst, fabs(length(now) - length(before)));
        }
    }
    return worst;
}

static void read_positions(slv_world *world, slv_garment_id id, float (*positions)[3],
                           uint32_t count) {
    for (uint32_t p = 0; p < count; p++) {
        must_position(world, id, p, positions[p]);
    }
}

// --- Motion -----------------------------------------------------------------------------------------

enum { STEPS = 10000 };

static void momentum_drifts_by_less_than_a_millionth_in_ten_thousand_steps(void **state) {
    (void)state;
    static const uint32_t kinds[][5] = {{3, 4, 5, 0, 1}, {5, 5, 5, 0, 1}, {6, 4, 4, 3, 1}};
    const double h = 1.0 / 240.0;
    for (size_t k = 0; k < 6; k++) {
        const uint32_t *kind = kinds[k / 2];
        slv_world *world = make_world(both_solvers[k % 2], h, 1, 2);
        slv_garment_def def = body_def();
        def.velocity[0] = 0.05f;
        def.spin[0] = 1.0f;
        def.spin[1] = 2.0f;
        def.spin[2] = -0.5f;
        must_add(world, make_body(kind[0], kind[1], kind[2], 0.05f, kind[3], kind[4]), def);
        const motion before = measure_motion(world, h);
        must_step(world, STEPS);
        const motion after = measure_motion(world, h);
        printf("kind %zu: linear %.2g, angular %.2g\n", k,
               difference(after.linear, before.linear) / length(before.linear),
               difference(after.angular, before.angular) / length(before.angular));
        assert_true(difference(after.linear, before.linear) < 1e-6 * length(before.linear));
        assert_true(difference(after.angular, before.angular) < 1e-6 * length(before.angular));
        slv_world_destroy(world);
    }
}

// Angular velocity of a free body in its own frame: I w' = (I w) x w, by Runge-Kutta of fourth order.
static void euler_rate(const double inertia[3], const double w[3], double rate[3]) {
    rate[0] = (inertia[1] - inertia[2]) / inertia[0] * w[1] * w[2];
    rate[1] = (inertia[2] - inertia[0]) / inertia[1] * w[2] * w[0];
    rate[2] = (inertia[0] - inertia[1]) / inertia[2] * w[0] * w[1];
}

static void advance_euler(const double inertia[3], double w[3], double h) {
    static const double parts[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double rate[3] = {0.0, 0.0, 0.0};
    double sum[3] = {0.0, 0.0, 0.0};
    for (int n = 0; n < 4; n++) {
        double at[3];
        for (int d = 0; d < 3; d++) {
            at[d] = w[d] + parts[n] * h * rate[d];
        }
        euler_rate(inertia, at, rate);
        for (int d = 0; d < 3; d++) {
            sum[d] += weights[n] * rate[d];
        }
    }
    for (int d = 0; d < 3; d++) {
        w[d] += h * sum[d];
    }
}

// Axis d of the body from two particles along it, the first at the origin of the box.
static void read_axis(slv_world *world, slv_garment_id id, uint32_t particle, double axis[3]) {
    float from[3];
    float to[3];
    must_position(world, id, 0, from);
    must_position(world, id, particle, to);
    for (int d = 0; d < 3; d++) {
        axis[d] = (double)to[d] - (double)from[d];
    }
    const double size = length(axis);
    for (int d = 0; d < 3; d++) {
        axis[d] /= size;
    }
}

// The box turns around its middle axis, which is unstable: it tumbles again and again. Its angular momentum in its own
// frame follows Euler's equations.
static void a_free_body_tumbles_as_eulers_equations_say(void **state) {
    (void)state;
    enum { NX = 5, NY = 4, NZ = 2, COUNT = NX * NY * NZ };
    const double h = 1.0 / 1000.0;
    const double spacing = 0.1;
    slv_world *world = make_world(SLV_PBD_GS, h, 1, 2);
    slv_garment_def def = body_def();
    def.spin[0] = 0.05f;
    def.spin[1] = 3.0f;
    def.spin[2] = 0.05f;
    const slv_garment_id id = must_add(world, make_body(NX, NY, NZ, (float)spacing, 0, 1), def);
    const double square = spacing * spacing / 12.0;
    const double spread[3] = {square * (NX * NX - 1), square * (NY * NY - 1),
                              square * (NZ * NZ - 1)};
    const double inertia[3] = {spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]};
    double w[3] = {(double)def.spin[0], (double)def.spin[1], (double)def.spin[2]};
    double worst = 0.0;
    double least = 3.0;
    for (int second = 0; second < 12; second++) {
        must_step(world, 1000);
        for (int n = 0; n < 10000; n++) {
            advance_euler(inertia, w, 1e-4);
        }
        const motion now = measure_motion(world, h);
        static const uint32_t along[3] = {NX - 1, NX * (NY - 1), NX * NY * (NZ - 1)};
        for (int d = 0; d < 3; d++) {
            double axis[3];
            read_axis(world, id, along[d], axis);
            double own = 0.0;
            for (int i = 0; i < 3; i++) {
                own += axis[i] * (now.angular[i]);
            }
            const double expected = now.mass * inertia[d] * w[d];
            worst = fmax(worst, fabs(own - expected) / (now.mass * inertia[1] * 3.0));
        }
        least = fmin(least, w[1]);
    }
    printf("tumbling: off by %.2g, middle spin down to %.2g\n", worst, least);
    assert_true(least < -2.0); // it has tumbled
    assert_true(worst < 0.02);
    slv_world_destroy(world);
}

// A box on a plane that is tilted by an angle around z, with coefficient of friction mu: it stays where tan(angle) < mu,
// else it slides with a = g (sin(angle) - mu cos(angle)).
static double slide_down(double angle, double mu, double seconds) {
    const double h = 1.0 / 500.0;
    slv_world_def world_def = plain_world(SLV_PBD_GS, h);
    world_def.parameters.outer_iterations = 8;
    world_def.parameters.inner_iterations = 2;
    slv_world *world = must_create(&world_def);
    slv_collider_def slope = slv_default_collider_def();
    slope.kind = SLV_COLLIDER_PLANE;
    slope.rotation[2] = (float)sin(0.5 * angle);
    slope.rotation[3] = (float)cos(0.5 * angle);
    slope.friction = (float)mu;
    assert_int_equal(slv_world_add_collider(world, &slope, NULL), SLV_OK);
    slv_garment_def def = slv_default_garment_def();
    def.friction = (float)mu;
    def.thickness = 0.005f;
    memcpy(def.rotation, slope.rotation, sizeof def.rotation);
    def.position[0] = -0.005 * sin(angle);
    def.position[1] = 0.005 * cos(angle);
    const slv_garment_id id = must_add(world, make_body(4, 2, 4, 0.05f, 0, 1), def);
    float before[3];
    float after[3];
    must_position(world, id, 0, before);
    must_step(world, (uint32_t)(seconds / h));
    must_position(world, id, 0, after);
    slv_world_destroy(world);
    return ((double)before[0] - (double)after[0]) * cos(angle) +
           ((double)before[1] - (double)after[1]) * sin(angle);
}

static void a_box_on_an_incline_slides_beyond_the_angle_of_friction(void **state) {
    (void)state;
    const double mu = 0.5;
    for (int n = 0; n < 2; n++) {
        const double angle = n == 0 ? 0.42 : 0.6; // the angle of friction is 0.4636
        const double acceleration = 9.81 * (sin(angle) - mu * cos(angle));
        const double expected = n == 0 ? 0.0 : 0.5 * acceleration * 0.36;
        const double slid = slide_down(angle, mu, 0.6);
        printf("angle %.2f: slid %.4f m, expected %.4f m\n", angle, slid, expected);
        assert_true(fabs(slid - expected) < 0.03 * expected + 1e-3);
    }
}

static void a_falling_body_keeps_its_shape(void **state) {
    (void)state;
    enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE, FALL = 240 };
    const double h = 1.0 / 240.0;
    for (int k = 0; k < 2; k++) {
        slv_world_def world_def = plain_world(both_solvers[k], h);
        slv_world *world = must_create(&world_def);
        slv_garment_def def = body_def();
        float rest[COUNT][3];
        def.spin[0] = 10.0f;
        def.position[1] = 5.0;
        const slv_garment_id id = must_add(world, make_body(SIDE, SIDE, SIDE, 0.05f, 0, 1), def);
        read_positions(world, id, rest, COUNT);
        const motion before = measure_motion(world, h);
        must_step(world, FALL);
        const motion after = measure_motion(world, h);
        const double fall = 0.5 * 9.81 * h * h * FALL * (FALL + 1);
        assert_near(after.center[1], before.center[1] - fall, 1e-5);
        assert_near(after.center[0], before.center[0], 1e-6);
        assert_true(measure_deformation(world, id, (const float(*)[3])rest, COUNT) < 2e-6);
        slv_world_destroy(world);
    }
}

// Of two equal boxes the first hits the second, at rest, with its whole face. Without restitution they go on together, at
// half the speed.
static void boxes_that_collide_share_their_momentum(void **state) {
    (void)state;
    enum { SIDE = 3 };
    const double h = 1.0 / 240.0;
    slv_world *world = make_world(SLV_PBD_GS, h, 8, 2);
    slv_garment_def def = body_def();
    def.garment_collision = true;
    def.friction = 0.0f;
    def.rest_speed = 0.0f;
    def.collision_radius = 0.025f;
    def.velocity[0] = 1.0f;
    must_add(world, make_body(SIDE, SIDE, SIDE, 0.05f, 0, 1), def);
    def.velocity[0] = 0.0f;
    def.position[0] = 0.05 * SIDE + 0.03;
    must_add(world, make_body(SIDE, SIDE, SIDE, 0.05f, 0, 1), def);
    const motion before = measure_motion(world, h);
    must_step(world, 60);
    const motion after = measure_motion(world, h);
    assert_true(difference(after.linear, before.linear) < 1e-5 * length(before.linear));
    slv_measures measures = must_measure(world);
    const double together = 0.5 * after.mass * 0.25;
    printf("impact: kinetic energy %.4g, together %.4g\n", (double)measures.kinetic_energy,
           together);
    assert_near((double)measures.kinetic_energy, together, 0.02 * together);
    slv_world_destroy(world);
}

// --- Shape ------------------------------------------------------------------------------------------

// Moves all particles, at rest: x' = center + factor (x - center), axis by axis.
static void deform(slv_world *world, const double factors[3]) {
    const motion now = measure_motion(world, 1.0);
    for (uint32_t p = 0; p < world->bodies[0]->count; p++) {
        double values[6];
        slv_layout_read_exactly(&world->layout, 0, p, values);
        for (int d = 0; d < 3; d++) {
            values[d] = now.center[d] + factors[d] * (values[d] - now.center[d]);
            values[3 + d] = values[d];
        }
        slv_layout_write_exactly(&world->layout, 0, p, values);
    }
}

// Lengths of the box's edges at its first particle, and its volume with the sign of its orientation.
static double measure_edges(slv_world *world, slv_garment_id id, uint32_t nx, uint32_t ny,
                            uint32_t nz, double edges[3]) {
    const uint32_t ends[3] = {nx - 1, nx * (ny - 1), nx * ny * (nz - 1)};
    double axes[3][3];
    double normal[3];
    float from[3];
    must_position(world, id, 0, from);
    for (int a = 0; a < 3; a++) {
        float to[3];
        must_position(world, id, ends[a], to);
        for (int d = 0; d < 3; d++) {
            axes[a][d] = (double)to[d] - (double)from[d];
        }
        edges[a] = length(axes[a]);
    }
    cross(axes[0], axes[1], normal);
    return normal[0] * axes[2][0] + normal[1] * axes[2][1] + normal[2] * axes[2][2];
}

static void a_body_turned_inside_out_recovers(void **state) {
    (void)state;
    static const double factors[][3] = {
        {-1.0, -1.0, -1.0}, {-1.0, 1.0, 1.0}, {1.0, 1.0, -0.3}, {0.0, 1.0, 1.0}, {0.0, 0.0, 0.0}};
    for (size_t i = 0; i < 10; i++) {
        double edges[3];
        const uint32_t side = i % 2 == 0 ? 0 : 3;
        slv_world *world = make_world(both_solvers[i / 2 % 2], 1.0 / 240.0, 4, 4);
        const slv_garment_id id = must_add(world, make_body(4, 4, 4, 0.05f, side, 1), body_def());
        deform(world, factors[i / 2]);
        must_step(world, 480);
        const double volume = measure_edges(world, id, 4, 4, 4, edges);
        for (int d = 0; d < 3; d++) {
            if (!(fabs(edges[d] - 0.15) < 1e-3)) {
                fail_msg("case %zu: edge %d is %g m long, should be 0.15", i, d, edges[d]);
            }
        }
        assert_near(volume, 0.15 * 0.15 * 0.15, 1e-4 * 0.15);
        slv_world_destroy(world);
    }
}

static void what_is_flat_or_a_point_keeps_its_shape_and_momentum(void **state) {
    (void)state;
    enum { MOST = 81 };
    static const uint32_t kinds[][3] = {{1, 1, 1}, {2, 1, 1}, {9, 1, 1}, {9, 9, 1}, {2, 2, 1}};
    const double h = 1.0 / 240.0;
    for (size_t k = 0; k < 5; k++) {
        const uint32_t *size = kinds[k];
        const uint32_t count = size[0] * size[1] * size[2];
        float rest[MOST][3];
        slv_world *world = make_world(SLV_PBD_GS, h, 1, 3);
        slv_garment_def def = body_def();
        def.shape_deformation = k == 3 ? 0.5f : 0.0f;
        def.velocity[0] = 0.2f;
        def.spin[0] = 1.0f;
        def.spin[2] = 3.0f;
        const slv_garment_id id =
            must_add(world, make_body(size[0], size[1], size[2], 0.05f, 0, 1), def);
        read_positions(world, id, rest, count);
        const motion before = measure_motion(world, h);
        must_step(world, 1000);
        const motion after = measure_motion(world, h);
        assert_true(difference(after.linear, before.linear) < 1e-5 * length(before.linear));
        assert_true(difference(after.angular, before.angular) <
                    1e-4 * length(before.angular) + 1e-9);
        const double deformation = measure_deformation(world, id, (const float(*)[3])rest, count);
        if (!(deformation < (k == 3 ? 1e-3 : 1e-5))) {
            fail_msg("kind %zu is deformed by %g m", k, deformation);
        }
        slv_world_destroy(world);
    }
}

static void stiffness_does_not_depend_on_the_number_of_iterations(void **state) {
    (void)state;
    static const uint32_t iterations[][2] = {{1, 1}, {1, 8}, {4, 4}, {10, 3}};
    for (size_t i = 0; i < 8; i++) {
        double edges[3];
        slv_world *world =
            make_world(both_solvers[i % 2], 1.0 / 60.0, iterations[i / 2][0], iterations[i / 2][1]);
        slv_garment_def def = body_def();
        def.stretch = 1.2f;
        def.shape_stiffness = 0.6f;
        const slv_garment_id id = must_add(world, make_body(4, 4, 4, 0.05f, 0, 1), def);
        must_step(world, 1);
        (void)measure_edges(world, id, 4, 4, 4, edges);
        assert_near(edges[0], 0.15 * (1.0 + 0.2 * 0.4), 1e-5);
        slv_world_destroy(world);
    }
    for (uint64_t n = 1; n < 1000; n = 3 * n + 1) {
        double left = 1.0;
        for (uint64_t k = 0; k < n; k++) {
            left *= 1.0 - slv_clusters_divide(0.3, n);
        }
        assert_near(left, 0.7, 1e-12);
    }
    assert_true(slv_clusters_divide(1.0, 7) == 1.0);
    assert_true(slv_clusters_divide(0.0, 7) == 0.0);
}

// Stretched to twice its length without forces: with full linear deformation that stays, and volume comes back.
static void linear_deformation_keeps_the_volume(void **state) {
    (void)state;
    static const double factors[3] = {2.0, 1.0, 1.0};
    for (uint32_t n = 0; n < 2; n++) {
        const uint32_t side = n == 0 ? 4 : 6; // small, and large
        double edges[3];
        slv_world *world = make_world(SLV_PBD_GS, 1.0 / 240.0, 1, 4);
        slv_garment_def def = body_def();
        def.shape_deformation = 1.0f;
        const slv_garment_id id = must_add(world, make_body(side, side, side, 0.05f, 0, 1), def);
        deform(world, factors);
        must_step(world, 1);
        const double volume = measure_edges(world, id, side, side, side, edges);
        const double edge = 0.05 * (side - 1);
        assert_near(volume, edge * edge * edge, 1e-4 * edge * edge * edge);
        assert_near(edges[0] / edges[1], 2.0, 1e-3);
        slv_world_destroy(world);
    }
}

static void a_body_hangs_from_a_fixed_particle(void **state) {
    (void)state;
    enum { COUNT = 27 };
    float rest[COUNT][3];
    const uint32_t held = 0;
    slv_world_def world_def = plain_world(SLV_PBD_GS, 1.0 / 240.0);
    world_def.parameters.damping = 2.0f;
    slv_world *world = must_create(&world_def);
    slv_garment_def def = body_def();
    def.fixed = &held;
    def.fixed_count = 1;
    const slv_garment_id id = must_add(world, make_body(3, 3, 3, 0.05f, 0, 1), def);
    read_positions(world, id, rest, COUNT);
    must_step(world, 2400);
    float now[3];
    must_position(world, id, held, now);
    assert_memory_equal(now, rest[held], sizeof now);
    assert_true(measure_deformation(world, id, (const float(*)[3])rest, COUNT) < 1e-3);
    const motion still = measure_motion(world, 1.0 / 240.0);
    assert_near(still.center[0], 0.0, 1e-3); // the center is below
    assert_near(still.center[2], 0.0, 1e-3);
    assert_near(still.center[1], -0.05 * sqrt(3.0), 1e-3);
    slv_world_destroy(world);
}

// --- State ------------------------------------------------------------------------------------------

enum { SIDE = 5, BODY = SIDE * SIDE * SIDE };

// A rigid body of a large cluster and a soft one, which spin and fall onto each other and a floor.
static slv_world *make_pile(slv_solver solver, uint32_t threads) {
    slv_world_def def = plain_world(solver, 1.0 / 240.0);
    def.parameters.outer_iterations = 2;
    def.parameters.inner_iterations = 2;
    def.threads = threads;
    slv_world *world = must_create(&def);
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    slv_garment_def garment = slv_default_garment_def();
    garment.garment_collision = true;
    for (uint32_t n = 0; n < 4; n++) {
        garment.position[1] = 0.1 + 0.35 * n;
        garment.position[0] = 0.02 * n;
        garment.spin[0] = 4.0f;
        garment.spin[1] = (float)n;
        must_add(world, make_body(SIDE, SIDE, SIDE, 0.05f, n % 2 == 0 ? 0 : 3, 2), garment);
    }
    return world;
}

static void bodies_have_the_same_bits_with_any_number_of_threads(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        slv_world *one = make_pile(both_solvers[k], 1);
        slv_world *other = make_pile(both_solvers[k], 3);
        must_step(one, 120);
        must_step(other, 120);
        must_end_alike(one, other);
    }
}

static void a_snapshot_of_turned_bodies_goes_on_alike(void **state) {
    (void)state;
    slv_world *world = make_pile(SLV_PBD_GS, 1);
    slv_world *fresh = make_pile(SLV_PBD_GS, 1);
    const uint64_t start = must_hash(world);
    must_step(world, 70);
    saved_world saved = must_save(world);
    must_step(world, 50);
    const uint64_t expected = must_hash(world);
    must_restore(fresh, &saved);
    must_step(fresh, 50);
    assert_true(must_hash(fresh) == expected);
    must_restore(world, &saved);
    must_step(world, 50);
    assert_true(must_hash(world) == expected);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    assert_true(must_hash(world) == start);
    must_step(world, 120);
    assert_true(must_hash(world) == expected);
    free(saved.bytes);
    slv_world_destroy(world);
    slv_world_destroy(fresh);
}

// Half a turn from the start: a lost rotation would crush the body.
static void rotations_outlive_changes_of_the_solver_and_of_the_material(void **state) {
    (void)state;
    float rest[BODY][3];
    slv_world *world = make_world(SLV_PBD_GS, 1.0 / 240.0, 1, 1);
    slv_garment_def def = body_def();
    def.spin[1] = 3.14159f;
    const slv_garment_id id = must_add(world, make_body(SIDE, SIDE, SIDE, 0.05f, 0, 1), def);
    read_positions(world, id, rest, BODY);
    must_step(world, 240);
    for (int k = 0; k < 4; k++) {
        slv_parameters parameters = slv_world_get_parameters(world);
        parameters.solver = both_solvers[(k + 1) % 2];
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        slv_garment_material material;
        assert_int_equal(slv_garment_get_material(world, id, &material), SLV_OK);
        material.shape_stiffness = k % 2 == 0 ? 0.99f : 1.0f;
        assert_int_equal(slv_garment_set_material(world, id, &material), SLV_OK);
        must_step(world, 1);
        assert_true(measure_deformation(world, id, (const float(*)[3])rest, BODY) < 1e-4);
    }
    slv_world_destroy(world);
}

static void a_teleported_body_keeps_its_shape_and_new_orientation(void **state) {
    (void)state;
    static const float turns[][4] = {{0.0f, 1.0f, 0.0f, 0.0f}, {0.6f, 0.0f, 0.0f, 0.8f}};
    const double position[3] = {5.0, 1.0, -2.0};
    for (int k = 0; k < 4; k++) {
        float rest[BODY][3];
        float there[BODY][3];
        float now[BODY][3];
        slv_world *world = make_world(SLV_PBD_GS, 1.0 / 240.0, 1, 1);
        const slv_garment_id id =
            must_add(world, make_body(SIDE, SIDE, SIDE, 0.05f, k < 2 ? 0 : 3, 1), body_def());
        read_positions(world, id, rest, BODY);
        must_step(world, 3);
        assert_int_equal(slv_garment_teleport(world, id, position, turns[k % 2]), SLV_OK);
        read_positions(world, id, there, BODY);
        must_step(world, 3);
        read_positions(world, id, now, BODY);
        assert_true(measure_deformation(world, id, (const float(*)[3])rest, BODY) < 1e-5);
        for (uint32_t p = 0; p < BODY; p++) {
            for (int d = 0; d < 3; d++) {
                assert_near((double)now[p][d], (double)there[p][d], 1e-5);
            }
        }
        slv_world_destroy(world);
    }
}

static void clusters_are_refused_by_solvers_that_leave_them_out(void **state) {
    (void)state;
    char path[256];
    slv_world_def world_def = plain_world(SLV_PD_RBGS, 1.0 / 60.0);
    slv_world *world = must_create(&world_def);
    slv_garment_def def = body_def();
    generated_write_and_free(make_body(3, 3, 3, 0.1f, 0, 1),
                             temporary_path(path, sizeof path, "body.slv"));
    def.pack_path = path;
    assert_int_equal(slv_world_add_garment(world, &def, NULL), SLV_ERROR_UNSUPPORTED);
    assert_non_null(strstr(slv_world_get_message(world),
                           "solver PD_RBGS does not solve the clusters of a garment; these do: "
                           "PBD_JACOBI, PBD_GS"));
    (void)remove(path);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_drifts_by_less_than_a_millionth_in_ten_thousand_steps),
        cmocka_unit_test(a_free_body_tumbles_as_eulers_equations_say),
        cmocka_unit_test(a_box_on_an_incline_slides_beyond_the_angle_of_friction),
        cmocka_unit_test(a_falling_body_keeps_its_shape),
        cmocka_unit_test(boxes_that_collide_share_their_momentum),
        cmocka_unit_test(a_body_turned_inside_out_recovers),
        cmocka_unit_test(what_is_flat_or_a_point_keeps_its_shape_and_momentum),
        cmocka_unit_test(stiffness_does_not_depend_on_the_number_of_iterations),
        cmocka_unit_test(linear_deformation_keeps_the_volume),
        cmocka_unit_test(a_body_hangs_from_a_fixed_particle),
        cmocka_unit_test(bodies_have_the_same_bits_with_any_number_of_threads),
        cmocka_unit_test(a_snapshot_of_turned_bodies_goes_on_alike),
        cmocka_unit_test(rotations_outlive_changes_of_the_solver_and_of_the_material),
        cmocka_unit_test(a_teleported_body_keeps_its_shape_and_new_orientation),
        cmocka_unit_test(clusters_are_refused_by_solvers_that_leave_them_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
