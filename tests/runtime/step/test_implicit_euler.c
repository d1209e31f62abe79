// SPDX-License-Identifier: MIT
// Implicit Euler for mass-spring cloth: its linear system against finite differences of the forces and against a direct
// solver, both in double.
#include "kernels/implicit.h"
#include "runtime/world/world.h"
#include "tests/common/random.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NX = 7, NZ = 6, COUNT = NX * NZ, UNKNOWNS = 3 * COUNT };

static const double spring_damping = 0.004;
static const double particle_mass = 0.02;

static slv_world_def implicit_world(double h, uint32_t outer, uint32_t inner) {
    slv_world_def def = plain_world(SLV_MS_IMPLICIT_EULER, h);
    def.parameters.outer_iterations = outer;
    def.parameters.inner_iterations = inner;
    return def;
}

// --- One spring --------------------------------------------------------------------------------------

// x'' = -w² x - c x' along the spring: linear, whether it is stretched or compressed.
static void a_spring_steps_as_in_double(void **state) {
    (void)state;
    const double h = 0.05;
    const double w2 = 400.0;
    const double c = 3.0;
    slv_world_def def = implicit_world(h, 1, 4);
    memset(def.parameters.gravity, 0, sizeof def.parameters.gravity);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.5f;
    garment.stretch_stiffness = (float)(0.5 * w2);
    garment.spring_damping = (float)(c / w2);
    garment.velocity[0] = 1.0f;
    garment.fixed = (const uint32_t[]){0};
    garment.fixed_count = 1;
    (void)must_add(world, make_chain(2, 1.0f), garment);
    double x = 0.0;
    double v = 1.0;
    double printed = 1.0; // velocity by the papers' formula (2.22), which drops h dF/dx v
    for (int n = 0; n < 40; n++) {
        double at[6];
        must_step(world, 1);
        printed = v + (-h * w2 * x - h * c * v) / (1.0 + h * c + h * h * w2);
        v += (-h * w2 * (x + h * v) - h * c * v) / (1.0 + h * c + h * h * w2);
        x += h * v;
        slv_layout_read_exactly(&world->layout, 0, 1, at);
        assert_near(at[0] - 1.0, x, 2e-6);
        assert_near((at[0] - at[3]) / h, v, 2e-5);
        assert_true(n > 0 || fabs(printed - v) > 0.1);
    }
    slv_world_destroy(world);
}

// --- The linear system -------------------------------------------------------------------------------

// Positions, and velocities in metres a step.
typedef struct cloth_state {
    double x[UNKNOWNS], v[UNKNOWNS];
} cloth_state;

static double random_within(uint32_t *seed, double size) {
    return size * (next_random(seed) / 16777216.0 - 0.5);
}

static slv_world *make_crumpled(double h, float stretch, double noise, uint32_t inner,
                                cloth_state *start) {
    uint32_t seed = 5;
    slv_world_def def = implicit_world(h, 1, inner);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = (float)particle_mass;
    garment.stretch_stiffness = 500.0f;
    garment.shear_stiffness = 200.0f;
    garment.bending_stiffness = 50.0f;
    garment.spring_damping = (float)spring_damping;
    garment.stretch = stretch;
    garment.fixed = (const uint32_t[]){0, NX - 1};
    garment.fixed_count = 2;
    (void)must_add(world, make_grid(NX, 1, NZ, 0.1f, NULL), garment);
    for (uint32_t p = 0; p < COUNT; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, p, at);
        for (int d = 0; d < 3; d++) {
            at[d] += random_within(&seed, noise);
            at[3 + d] = at[d] - random_within(&seed, 1e-3);
        }
        slv_layout_write_exactly(&world->layout, 0, p, at);
        slv_layout_read_exactly(&world->layout, 0, p, at);
        for (int d = 0; d < 3; d++) {
            start->x[3 * p + (uint32_t)d] = at[d];
            start->v[3 * p + (uint32_t)d] = world->bodies[0]->fixed[p] ? 0.0 : at[d] - at[3 + d];
        }
    }
    return world;
}

// h² F of all springs. With `at` the directions and lengths that damping acts along are those of `at`, as the linear
// system has them.
static void find_forces(const slv_body *body, double h, const double *x, const double *v,
                        const double *at, double *force) {
    memset(force, 0, UNKNOWNS * sizeof *force);
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        const double k = h * h * body->stiffness[spring->stiffness_class];
        const uint32_t a = 3 * spring->a;
        const uint32_t b = 3 * spring->b;
        double square = 0.0;
        double square_at = 0.0;
        double closing = 0.0;
        for (uint32_t d = 0; d < 3; d++) {
            square += (x[a + d] - x[b + d]) * (x[a + d] - x[b + d]);
            square_at += (at[a + d] - at[b + d]) * (at[a + d] - at[b + d]);
            closing += (at[a + d] - at[b + d]) * (v[a + d] - v[b + d]);
        }
        const double strain = 1.0 - (double)spring->rest / sqrt(square);
        const double damping = spring_damping / h * closing / square_at;
        for (uint32_t d = 0; d < 3; d++) {
            const double pull =
                k * (strain * (x[a + d] - x[b + d]) + damping * (at[a + d] - at[b + d]));
            force[a + d] -= pull;
            force[b + d] += pull;
        }
    }
}

// -(h² dF/dx + h dF/dv) p by differences of forces.
static void difference_forces(const slv_body *body, double h, const cloth_state *at,
                              const double *p, double *product) {
    static double x[2][UNKNOWNS];
    static double v[2][UNKNOWNS];
    static double force[2][UNKNOWNS];
    const double e = 1e-4;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < UNKNOWNS; i++) {
            x[side][i] = at->x[i] + (side ? e : -e) * p[i];
            v[side][i] = at->v[i] + (side ? e : -e) * p[i];
        }
        find_forces(body, h, x[side], v[side], at->x, force[side]);
    }
    for (int i = 0; i < UNKNOWNS; i++) {
        product[i] = -(force[1][i] - force[0][i]) / (2.0 * e);
    }
}

// Matrix times p as the kernels compute it, after a step that began where the matrix is linearized.
static void multiply(slv_world *world, const double *p, double *product) {
    slv_layout *layout = &world->layout;
    const slv_body_layout *body = &layout->bodies[0];
    layout->state[body->gradients + SLV_GRADIENTS_DONE] = 0.0f;
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t d = 0; d < 3; d++) {
            layout->state[(uint32_t)body->directions + layout->slots[0][i] * SLV_PARTICLE_FLOATS +
                          d] = (float)p[3 * i + d];
        }
    }
    for (int slice = 0; slice < layout->table[body->colors + body->color_count]; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane++) {
            slv_gradients_multiply(layout->state, layout->table, body, slice, lane);
        }
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t d = 0; d < 3; d++) {
            product[3 * i + d] =
                (double)layout->state[(uint32_t)body->products +
                                      layout->slots[0][i] * SLV_PARTICLE_FLOATS + d];
        }
    }
}

static void make_direction(const slv_body *body, uint32_t seed, double *p) {
    for (uint32_t i = 0; i < UNKNOWNS; i++) {
        p[i] = body->fixed[i / 3] ? 0.0 : random_within(&seed, 0.02);
    }
}

static void the_matrix_is_the_derivative_of_the_forces(void **state) {
    (void)state;
    static cloth_state start;
    static double p[UNKNOWNS];
    static double found[UNKNOWNS];
    static double expected[UNKNOWNS];
    const double h = 0.01;
    slv_world *world = make_crumpled(h, 1.3f, 0.02, 1, &start); // all springs are stretched
    const slv_body *body = world->bodies[0];
    must_step(world, 1);
    for (uint32_t seed = 1; seed < 4; seed++) {
        double largest = 0.0;
        make_direction(body, seed, p);
        multiply(world, p, found);
        difference_forces(body, h, &start, p, expected);
        for (int i = 0; i < UNKNOWNS; i++) {
            expected[i] = body->fixed[i / 3] ? 0.0 : expected[i] + particle_mass * p[i];
            largest = fmax(largest, fabs(expected[i]));
        }
        for (int i = 0; i < UNKNOWNS; i++) {
            assert_near(found[i], expected[i], 2e-5 * largest);
        }
    }
    slv_world_destroy(world);
}

// The exact derivative of a compressed spring would push particles further to the side: p . A p below p . M p.
static void compressed_springs_leave_the_matrix_definite(void **state) {
    (void)state;
    static cloth_state start;
    static double p[UNKNOWNS];
    static double found[UNKNOWNS];
    static double exact[UNKNOWNS];
    const double h = 0.05;
    bool indefinite = false;
    slv_world *world = make_crumpled(h, 0.6f, 0.01, 1, &start);
    const slv_body *body = world->bodies[0];
    must_step(world, 1);
    for (uint32_t seed = 1; seed < 20; seed++) {
        double energy = 0.0;
        double inertia = 0.0;
        double exact_energy = 0.0;
        make_direction(body, seed, p);
        for (int i = 0; i < UNKNOWNS; i++) {
            p[i] = i % 3 == 1 ? p[i] : 0.0; // out of the plane
        }
        multiply(world, p, found);
        difference_forces(body, h, &start, p, exact);
        for (int i = 0; i < UNKNOWNS; i++) {
            energy += p[i] * found[i];
            inertia += particle_mass * p[i] * p[i];
            exact_energy += p[i] * (exact[i] + particle_mass * p[i]);
        }
        assert_true(energy >= 0.9999 * inertia);
        indefinite = indefinite || exact_energy < 0.0;
    }
    assert_true(indefinite); // there was something to clamp
    must_step(world, 200);
    slv_world_destroy(world);
}

static void the_slope_of_a_bent_spring_is_the_derivative_of_its_push(void **state) {
    (void)state;
    const float buckling = 0.3f;
    const float rest = 2.0f;
    const float e = 0.01f;
    for (int n = 1; n < 20; n++) {
        const float length = 0.1f * (float)n;
        const float longer = length + e;
        const float shorter = length - e;
        const float pushes[2] = {longer * slv_buckling_scale(buckling, rest, longer, 1e6f),
                                 shorter * slv_buckling_scale(buckling, rest, shorter, 1e6f)};
        const double slope = (double)(pushes[1] - pushes[0]) / (2.0 * (double)e);
        assert_near((double)slv_buckling_slope(buckling, rest, length), slope, 2e-3 * slope + 1e-5);
    }
}

// A strip that is pushed together and falls, solved by implicit Euler and by the symplectic method in short steps.
static void a_strip_that_buckles_moves_as_with_explicit_steps(void **state) {
    (void)state;
    double found[2][3];
    double soft[2][3];
    for (int n = 0; n < 4; n++) {
        slv_world_def def = implicit_world(0.0004, 2, 40);
        def.parameters.solver = n % 2 == 0 ? SLV_MS_IMPLICIT_EULER : SLV_MS_SYMPLECTIC_EULER;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = (float)particle_mass;
        garment.stretch_stiffness = 200.0f;
        garment.bending_stiffness = 200.0f;
        garment.buckling_rigidity = n / 2 == 0 ? 1e-3f : 0.0f;
        garment.spring_damping = (float)spring_damping;
        garment.stretch = 0.9f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        (void)must_add(world, make_grid(9, 1, 1, 0.1f, NULL), garment);
        must_step(world, 1000);
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, 8, at);
        memcpy(n / 2 == 0 ? found[n % 2] : soft[n % 2], at, sizeof found[0]);
        slv_world_destroy(world);
    }
    for (int d = 0; d < 3; d++) {
        assert_near(found[0][d], found[1][d], 5e-3);
    }
    assert_true(fabs(found[0][1] - soft[0][1]) > 0.02); // linear springs bend less
}

// --- Solving it --------------------------------------------------------------------------------------

// Gaussian elimination without pivoting: the matrix is definite.
static void solve_densely(double (*matrix)[UNKNOWNS], double *right) {
    for (int k = 0; k < UNKNOWNS; k++) {
        for (int i = k + 1; i < UNKNOWNS; i++) {
            const double factor = matrix[i][k] / matrix[k][k];
            for (int j = k; j < UNKNOWNS; j++) {
                matrix[i][j] -= factor * matrix[k][j];
            }
            right[i] -= factor * right[k];
        }
    }
    for (int i = UNKNOWNS - 1; i >= 0; i--) {
        for (int j = i + 1; j < UNKNOWNS; j++) {
            right[i] -= matrix[i][j] * right[j];
        }
        right[i] /= matrix[i][i];
    }
}

// (M - h dF/dv - h² dF/dx) D = h² (F + M g) + h² dF/dx V, x1 = x0 + V + D.
static void step_densely(const slv_body *body, double h, const cloth_state *start, double *end) {
    static double matrix[UNKNOWNS][UNKNOWNS];
    static double column[UNKNOWNS];
    static double p[UNKNOWNS];
    static double right[UNKNOWNS];
    static cloth_state still;
    still = *start;
    memset(still.v, 0, sizeof still.v);
    find_forces(body, h, start->x, start->v, start->x, right);
    for (int j = 0; j < UNKNOWNS; j++) {
        memset(p, 0, sizeof p);
        p[j] = 1e-3;
        difference_forces(body, h, start, p, column);
        for (int i = 0; i < UNKNOWNS; i++) {
            matrix[i][j] = column[i] / 1e-3 + (i == j ? particle_mass : 0.0);
        }
    }
    difference_forces(body, h, start, start->v, column); // -(h² dF/dx + h dF/dv) V
    for (int i = 0; i < UNKNOWNS; i++) {
        right[i] -= column[i] + (i % 3 == 1 ? particle_mass * 9.81 * h * h : 0.0);
    }
    find_forces(body, h, start->x, start->v, start->x, column);
    for (int i = 0; i < UNKNOWNS; i++) {
        right[i] -= column[i]; // damping is in `column` once too often: h dF/dv V
    }
    find_forces(body, h, start->x, still.v, start->x, column);
    for (int i = 0; i < UNKNOWNS; i++) {
        right[i] += column[i];
    }
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int j = 0; j < UNKNOWNS && body->fixed[i / 3]; j++) {
            matrix[i][j] = i == j ? 1.0 : 0.0;
            right[i] = 0.0;
        }
    }
    solve_densely(matrix, right);
    for (int i = 0; i < UNKNOWNS; i++) {
        end[i] = start->x[i] + start->v[i] + right[i];
    }
}

static void conjugate_gradients_solve_what_elimination_solves(void **state) {
    (void)state;
    static cloth_state start;
    static double end[UNKNOWNS];
    const double h = 0.02;
    slv_world *world = make_crumpled(h, 1.3f, 0.02, 200, &start);
    must_step(world, 1);
    step_densely(world->bodies[0], h, &start, end);
    for (uint32_t p = 0; p < COUNT; p++) {
        double at[6];
        slv_layout_read_exactly(&world->layout, 0, p, at);
        for (uint32_t d = 0; d < 3; d++) {
            assert_near(at[d], end[3 * p + d], 2e-6);
        }
    }
    slv_world_destroy(world);
}

// The plan has all iterations; those after the end of a solve change nothing.
static void a_solve_ends_when_the_residual_is_small(void **state) {
    (void)state;
    uint64_t hashes[3];
    for (int n = 0; n < 3; n++) {
        static cloth_state start;
        const uint32_t inner[] = {5, 100, 1000};
        slv_world *world = make_crumpled(0.01, 1.3f, 0.02, inner[n], &start);
        must_step(world, 2);
        const slv_layout *layout = &world->layout;
        const float *own = layout->state + layout->bodies[0].gradients;
        const float left = own[SLV_GRADIENTS_SQUARE] / own[SLV_GRADIENTS_END];
        assert_int_equal(own[SLV_GRADIENTS_DONE] > 0.0f, n > 0);
        assert_int_equal(left <= 1.0f, n > 0);
        assert_true(left > 1e-3f); // it ends there and then
        hashes[n] = must_hash(world);
        slv_world_destroy(world);
    }
    assert_true(hashes[0] != hashes[1]);
    assert_true(hashes[1] == hashes[2]);
}

// --- Long steps --------------------------------------------------------------------------------------

static double deepest(slv_world *world, slv_garment_id id, uint32_t count) {
    double low = 0.0;
    for (uint32_t p = 0; p < count; p++) {
        float position[3];
        must_position(world, id, p, position);
        low = fmin(low, (double)position[1]);
    }
    return low;
}

// Ten thousand times the stiffness at which explicit integrators end at a step of a millisecond.
static void stiff_cloth_is_stable_at_thirty_steps_a_second(void **state) {
    (void)state;
    slv_world_def def = implicit_world(1.0 / 30.0, 1, 60);
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.stretch_stiffness = 1e7f;
    garment.shear_stiffness = 1e7f;
    garment.bending_stiffness = 1e4f;
    garment.fixed = (const uint32_t[]){0, 15};
    garment.fixed_count = 2;
    const slv_garment_id id = must_add(world, make_grid(16, 1, 16, 0.05f, NULL), garment);
    must_step(world, 300);
    assert_true(deepest(world, id, 256) > -1.2 && deepest(world, id, 256) < -0.3);
    assert_true(must_measure(world).max_stretch < 1.05);
    slv_world_destroy(world);
}

// More linearizations solve the step itself: its residual is that of Newton's method.
static void further_linearizations_reduce_the_residual(void **state) {
    (void)state;
    double error[3];
    for (int n = 0; n < 3; n++) {
        static cloth_state start;
        static double force[UNKNOWNS];
        static cloth_state end;
        const double h = 0.02;
        slv_world *world = make_crumpled(h, 1.2f, 0.03, 200, &start);
        slv_parameters parameters = slv_world_get_parameters(world);
        parameters.outer_iterations = (uint32_t)n + 1;
        assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
        must_step(world, 1);
        for (uint32_t p = 0; p < COUNT; p++) {
            double at[6];
            slv_layout_read_exactly(&world->layout, 0, p, at);
            for (uint32_t d = 0; d < 3; d++) {
                end.x[3 * p + d] = at[d];
                end.v[3 * p + d] = at[d] - start.x[3 * p + d];
            }
        }
        find_forces(world->bodies[0], h, end.x, end.v, end.x, force);
        error[n] = 0.0;
        for (uint32_t i = 0; i < UNKNOWNS; i++) {
            const double gravity = i % 3 == 1 ? -9.81 * h * h : 0.0;
            const double left = particle_mass * (end.v[i] - start.v[i] - gravity) - force[i];
            error[n] = fmax(error[n], world->bodies[0]->fixed[i / 3] ? 0.0 : fabs(left));
        }
        slv_world_destroy(world);
    }
    assert_true(error[1] < 0.3 * error[0]);
    assert_true(error[2] < 0.5 * error[1]);
}

// --- Threads -----------------------------------------------------------------------------------------

// 5,184 particles: sums of blocks are added in two levels.
static void sums_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (uint32_t n = 0; n < 2; n++) {
        slv_world_def def = implicit_world(0.01, 1, 6);
        def.threads = 1 + 2 * n;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.001f;
        garment.stretch_stiffness = 1000.0f;
        garment.bending_stiffness = 1.0f;
        garment.fixed = (const uint32_t[]){0};
        garment.fixed_count = 1;
        garment.stretch = 1.1f;
        (void)must_add(world, make_cloth(72, 72, 0.02f, false), garment);
        must_step(world, 6);
        hashes[n] = must_hash(world);
        slv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_steps_as_in_double),
        cmocka_unit_test(the_matrix_is_the_derivative_of_the_forces),
        cmocka_unit_test(the_slope_of_a_bent_spring_is_the_derivative_of_its_push),
        cmocka_unit_test(a_strip_that_buckles_moves_as_with_explicit_steps),
        cmocka_unit_test(compressed_springs_leave_the_matrix_definite),
        cmocka_unit_test(conjugate_gradients_solve_what_elimination_solves),
        cmocka_unit_test(a_solve_ends_when_the_residual_is_small),
        cmocka_unit_test(stiff_cloth_is_stable_at_thirty_steps_a_second),
        cmocka_unit_test(further_linearizations_reduce_the_residual),
        cmocka_unit_test(sums_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
