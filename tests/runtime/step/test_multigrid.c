// SPDX-License-Identifier: MIT
// Multigrid on flat grids and graphs: how fast a cycle converges, what follows a change of fixed particles, bodies of
// all shapes.
#include "kernels/coarse.h"
#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/world/world.h"
#include "tests/common/random.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static slv_world *make_world(uint32_t steps_per_second, uint32_t inner) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = SLV_PD_MULTIGRID;
    def.parameters.outer_iterations = 1;
    def.parameters.inner_iterations = inner;
    def.parameters.damping = 1.0f;
    def.time_step = 1.0 / steps_per_second;
    def.threads = 1;
    return must_create(&def);
}

// Cloth of 1 m and 0.2 kg, held at two corners.
static slv_garment_def hung_cloth(uint32_t side, uint32_t corners[2]) {
    slv_garment_def def = slv_default_garment_def();
    corners[0] = 0;
    corners[1] = side - 1;
    def.fixed = corners;
    def.fixed_count = 2;
    def.particle_mass = 0.2f / (float)(side * side);
    def.stretch_stiffness = 8000.0f;
    return def;
}

static slv_garment_id add_cloth(slv_world *world, uint32_t side, float shear, float bending,
                                generated_cells *present) {
    uint32_t corners[2];
    slv_garment_def def = hung_cloth(side, corners);
    def.shear_stiffness = shear;
    def.bending_stiffness = bending;
    return must_add(world, make_grid(side, 1, side, 1.0f / (float)(side - 1), present), def);
}

// --- Convergence --------------------------------------------------------------------------------------

// Plays one outer iteration without finding directions and without applying the corrections: u from b.
static void solve_only(slv_world *world) {
    const slv_instruction_set *set = slv_find_instruction_set("baseline");
    slv_plan_cursor cursor = slv_plan_begin(&world->plan, SLV_STAGE_SOLVE);
    for (const slv_plan_launch *one; (one = slv_plan_next(&cursor)) != NULL;) {
        const char *name = slv_kernel_infos[one->kernel].name;
        const slv_cpu_arrays arrays = {world->layout.state, world->layout.table, NULL, NULL};
        slv_launch launch = {.velocity_factor = 1.0f};
        slv_plan_set_launch(&launch, one);
        if (!strstr(name, "_project") && !strstr(name, "apply_")) {
            set->kernels[one->kernel](&arrays, &world->layout.bodies[one->body], &launch,
                                      one->first, one->end);
        }
    }
}

static double *sums_of_springs(const slv_world *world, int d) {
    const slv_body *body = world->bodies[0];
    const slv_layout *layout = &world->layout;
    const slv_body_layout *body_layout = &layout->bodies[0];
    const float *u = layout->state + body_layout->u + d * body_layout->component;
    const uint32_t stride = (uint32_t)body_layout->stride;
    double *sums = calloc(body->count, sizeof *sums);
    assert_non_null(sums);
    for (uint32_t s = 0; s < body->spring_count; s++) {
        const slv_spring *spring = &body->springs[s];
        const double ratio = body->stiffness[spring->stiffness_class] / body->stiffness[0];
        sums[spring->a] += ratio * (double)u[layout->slots[0][spring->b] * stride];
        sums[spring->b] += ratio * (double)u[layout->slots[0][spring->a] * stride];
    }
    return sums;
}

// b becomes what of it is left, b - (u - weight sum r u'), and u zero. Returns the root of the sum of squares.
static double take_residual(slv_world *world) {
    slv_layout *layout = &world->layout;
    const slv_body_layout *body_layout = &layout->bodies[0];
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        double *sums = sums_of_springs(world, d);
        for (uint32_t p = 0; p < world->bodies[0]->count; p++) {
            const int slot = (int)layout->slots[0][p];
            const int at = slot * body_layout->stride + d * body_layout->component;
            const double weight = (double)layout->state[body_layout->weight + slot];
            const double u = (double)layout->state[body_layout->u + at];
            const double b = (double)layout->state[body_layout->b + at];
            const double left = weight > 0.0 ? b - u + weight * sums[p] : 0.0;
            layout->state[body_layout->b + at] = (float)left;
            square += left * left;
        }
        free(sums);
    }
    memset(layout->state + body_layout->u, 0,
           slv_count_vector_floats(body_layout) * sizeof *layout->state);
    return sqrt(square);
}

static void fill_with_noise(slv_world *world) {
    slv_layout *layout = &world->layout;
    const slv_body_layout *body_layout = &layout->bodies[0];
    uint32_t seed = 5;
    for (uint32_t p = 0; p < world->bodies[0]->count; p++) {
        const int slot = (int)layout->slots[0][p];
        for (int d = 0; d < 3; d++) {
            const float fraction = next_fraction(&seed);
            const bool moves = layout->state[body_layout->weight + slot] > 0.0f;
            layout
                ->state[body_layout->b + slot * body_layout->stride + d * body_layout->component] =
                moves ? fraction - 0.4f : 0.0f; // no mean of zero
        }
    }
}

// The factor by which a cycle reduces the residual, after the first two cycles. Destroys the world.
static double measure_cycles(slv_world *world) {
    enum { FIRST = 2, CYCLES = 4 };
    fill_with_noise(world);
    double before = 0.0;
    double after = 0.0;
    for (int n = 0; n < FIRST + CYCLES; n++) {
        solve_only(world);
        after = take_residual(world);
        before = n + 1 == FIRST ? after : before;
    }
    slv_world_destroy(world);
    return pow(after / before, 1.0 / CYCLES);
}

static double measure_factor(uint32_t side, float shear, float bending, generated_cells *present) {
    slv_world *world = make_world(240, 1);
    (void)add_cloth(world, side, shear, bending, present);
    return measure_cycles(world);
}

static bool has_slit(uint32_t i, uint32_t j, uint32_t k) {
    (void)j;
    return !(i > 3 && i < 7 && k > 2 && k < 30) && !(i == 20 && k % 3 == 1);
}

static void a_cycle_converges_alike_at_every_size(void **state) {
    (void)state;
    const float kinds[][2] = {{0.0f, 0.0f}, {4000.0f, 0.0f}, {4000.0f, 800.0f}, {0.0f, 800.0f}};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        const double small = measure_factor(33, kinds[n][0], kinds[n][1], NULL);
        const double large = measure_factor(150, kinds[n][0], kinds[n][1], NULL);
        print_message("shear %g, bending %g: %.3f a cycle at 33, %.3f at 150\n",
                      (double)kinds[n][0], (double)kinds[n][1], small, large);
        assert_true(large < 0.5);
        assert_true(log(small) / log(large) < 1.5);
    }
}

static void a_cycle_converges_around_holes(void **state) {
    (void)state;
    const double factor = measure_factor(40, 4000.0f, 100.0f, has_slit);
    print_message("with holes: %.3f a cycle\n", factor);
    assert_true(factor < 0.7);
}

// The same of a cloth of triangles, which lies as a graph.
static slv_garment_id add_mesh(slv_world *world, uint32_t side, float bending) {
    uint32_t corners[2];
    slv_garment_def def = hung_cloth(side, corners);
    def.bending_stiffness = bending;
    return must_add(world, make_cloth(side, side, 1.0f / (float)(side - 1), false), def);
}

static void a_cycle_converges_alike_on_graphs_of_every_size(void **state) {
    (void)state;
    const float bendings[] = {0.0f, 800.0f};
    for (size_t n = 0; n < sizeof bendings / sizeof *bendings; n++) {
        double factors[2];
        for (int large = 0; large < 2; large++) {
            slv_world *world = make_world(240, 2);
            (void)add_mesh(world, large ? 150 : 33, bendings[n]);
            factors[large] = measure_cycles(world);
        }
        print_message("mesh, bending %g: %.3f a cycle at 33, %.3f at 150\n", (double)bendings[n],
                      factors[0], factors[1]);
        assert_true(factors[1] < 0.6);
        assert_true(log(factors[0]) / log(factors[1]) < 1.5);
    }
}

static void hung_cloth_stays_near_its_rest_lengths(void **state) {
    (void)state;
    const float kinds[][2] = {{0.0f, 0.0f}, {4000.0f, 0.0f}, {4000.0f, 800.0f}};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        slv_world *world = make_world(240, 1);
        slv_measures measures;
        (void)add_cloth(world, 60, kinds[n][0], kinds[n][1], NULL);
        must_step(world, 5 * 240);
        assert_int_equal(slv_world_get_measures(world, &measures), SLV_OK);
        print_message("largest stretch %.4f\n", measures.max_stretch);
        assert_true(measures.max_stretch > 1.0 && measures.max_stretch < 1.03);
        slv_world_destroy(world);
    }
}

// Cloth of 1 m, 0.2 kg and the material of its pack, with the solver and the iterations of a world that is told none.
static double hang_by_default(uint32_t side, bool mesh, double time_step) {
    uint32_t corners[2];
    slv_world_def def = slv_default_world_def();
    slv_measures measures;
    const float spacing = 1.0f / (float)(side - 1);
    slv_garment_def garment = hung_cloth(side, corners);
    garment.stretch_stiffness = SLV_UNSET;
    def.parameters.damping = 1.0f;
    def.time_step = time_step;
    def.threads = 1;
    slv_world *world = must_create(&def);
    (void)must_add(world,
                   mesh ? make_cloth(side, side, spacing, false)
                        : make_grid(side, 1, side, spacing, NULL),
                   garment);
    must_step(world, (uint32_t)(4.0 / time_step));
    assert_int_equal(slv_world_get_measures(world, &measures), SLV_OK);
    slv_world_destroy(world);
    return measures.max_stretch;
}

static void by_default_hung_cloth_stretches_by_a_tenth_at_most(void **state) {
    (void)state;
    const double steps[] = {1.0 / 60.0, 1.0 / 120.0, 0.002};
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        for (int mesh = 0; mesh < 2; mesh++) {
            const double stretch = hang_by_default(40, mesh == 1, steps[n]);
            print_message("%s, steps of %.4f s: largest stretch %.4f\n", mesh ? "mesh" : "grid",
                          steps[n], stretch);
            assert_true(stretch > 1.0 && stretch <= 1.10);
        }
    }
}

// --- Changes ------------------------------------------------------------------------------------------

// The matrices of the coarse levels are those of a layout that is made anew.
static void check_fixed_and_released(bool mesh) {
    slv_world *worlds[2];
    for (int w = 0; w < 2; w++) {
        worlds[w] = make_world(240, 1);
        const slv_garment_id cloth = mesh ? add_mesh(worlds[w], 24, 200.0f)
                                          : add_cloth(worlds[w], 24, 3000.0f, 200.0f, NULL);
        must_step(worlds[w], 5);
        assert_int_equal(
            slv_garment_set_fixed(worlds[w], cloth, (const uint32_t[]){300, 7}, 2, true), SLV_OK);
        assert_int_equal(slv_garment_set_fixed(worlds[w], cloth, (const uint32_t[]){0}, 1, false),
                         SLV_OK);
        if (w == 1) { // another solver and back: a layout of its own
            slv_parameters parameters = slv_world_get_parameters(worlds[w]);
            parameters.solver = SLV_PBD_GS;
            assert_int_equal(slv_world_set_parameters(worlds[w], &parameters), SLV_OK);
            parameters.solver = SLV_PD_MULTIGRID;
            assert_int_equal(slv_world_set_parameters(worlds[w], &parameters), SLV_OK);
        }
        must_step(worlds[w], 40);
    }
    assert_true(must_hash(worlds[0]) == must_hash(worlds[1]));
    slv_world_destroy(worlds[0]);
    slv_world_destroy(worlds[1]);
}

static void coarse_grids_follow_particles_that_are_fixed_and_released(void **state) {
    (void)state;
    check_fixed_and_released(false);
}

static void aggregates_follow_particles_that_are_fixed_and_released(void **state) {
    (void)state;
    check_fixed_and_released(true);
}

// Instance number n of a grid or a mesh: the first two are alike, the third is held elsewhere too, the fourth is heavier.
static slv_garment_id add_instance(slv_world *world, bool mesh, int n) {
    static const uint32_t held[3] = {0, 23, 290};
    slv_garment_def def = slv_default_garment_def();
    def.fixed = held;
    def.fixed_count = n == 2 ? 3 : 2;
    def.particle_mass = n == 3 ? 4e-4f : 2e-4f;
    def.stretch_stiffness = 3000.0f;
    return must_add(
        world, mesh ? make_cloth(24, 24, 0.04f, false) : make_grid(24, 1, 24, 0.04f, NULL), def);
}

// Matrices are shared or copied between instances only where they are the same.
static void instances_have_the_bits_of_garments_alone(void **state) {
    (void)state;
    enum { INSTANCES = 4, STEPS = 30 };
    slv_world *together = make_world(240, 1);
    slv_garment_id ids[2 * INSTANCES];
    for (int n = 0; n < 2 * INSTANCES; n++) {
        ids[n] = add_instance(together, n >= INSTANCES, n % INSTANCES);
    }
    must_step(together, STEPS);
    for (int n = 0; n < 2 * INSTANCES; n++) {
        slv_world *alone = make_world(240, 1);
        const slv_garment_id id = add_instance(alone, n >= INSTANCES, n % INSTANCES);
        must_step(alone, STEPS);
        for (uint32_t p = 0; p < 24 * 24; p++) {
            float one[3];
            float other[3];
            must_position(together, ids[n], p, one);
            must_position(alone, id, p, other);
            assert_memory_equal(one, other, sizeof one);
        }
        slv_world_destroy(alone);
    }
    slv_world_destroy(together);
}

// Ropes, strips, solids, pieces that nothing joins and particles without springs.
static generated_garment *make_graph(int number) {
    generated_garment *made = NULL;
    switch (number) {
    case 0:
        return make_loose_grid(1, 1, 1, 0.02f, false);
    case 1:
        return make_loose_grid(300, 1, 2, 0.02f, true);
    case 2:
        return make_loose_grid(9, 8, 7, 0.02f, false);
    case 3:
        return make_chain(400, 0.02f);
    case 4: // 200 pairs
        made = make_chain(400, 0.02f);
        generated_remove_springs(made);
        for (uint32_t p = 0; p < 400; p += 2) {
            generated_add_spring(made, p, p + 1, 0.02f);
        }
        return made;
    default:
        made = make_chain(40, 0.02f);
        generated_remove_springs(made);
        generated_add_spring(made, 0, 1, 0.02f);
        return made;
    }
}

static void graphs_of_every_shape_are_solved(void **state) {
    (void)state;
    for (int n = 0; n < 6; n++) {
        slv_world *world = make_world(240, 2);
        slv_measures measures;
        slv_garment_def def = slv_default_garment_def();
        def.particle_mass = 1e-4f;
        def.stretch_stiffness = 2000.0f;
        def.fixed = (const uint32_t[]){0};
        def.fixed_count = 1;
        (void)must_add(world, make_graph(n), def);
        must_step(world, 200);
        assert_int_equal(slv_world_get_measures(world, &measures), SLV_OK);
        print_message("graph %d: largest stretch %.3f\n", n, measures.max_stretch);
        assert_true(isfinite(measures.kinetic_energy) && measures.max_stretch < 1.5);
        slv_world_destroy(world);
    }
}

static void grids_of_every_shape_are_solved(void **state) {
    (void)state;
    const uint32_t shapes[][3] = {{1, 1, 1},   {2, 1, 2},  {3, 5, 1},   {1, 1, 40}, {40, 1, 1},
                                  {300, 1, 2}, {2, 90, 1}, {17, 1, 16}, {5, 4, 3}};
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        slv_world *world = make_world(240, 2);
        slv_measures measures;
        slv_garment_def def = slv_default_garment_def();
        def.particle_mass = 1e-4f;
        def.stretch_stiffness = 2000.0f;
        def.shear_stiffness = 500.0f;
        def.bending_stiffness = 10.0f;
        def.fixed = (const uint32_t[]){0};
        def.fixed_count = 1;
        (void)must_add(world, make_grid(shapes[n][0], shapes[n][1], shapes[n][2], 0.02f, NULL),
                       def);
        must_step(world, 200);
        assert_int_equal(slv_world_get_measures(world, &measures), SLV_OK);
        print_message("%u x %u x %u: largest stretch %.3f\n", shapes[n][0], shapes[n][1],
                      shapes[n][2], measures.max_stretch);
        assert_true(isfinite(measures.kinetic_energy) && measures.max_stretch < 1.5);
        slv_world_destroy(world);
    }
}

static void cloth_whose_particles_are_all_fixed_stays(void **state) {
    (void)state;
    slv_world *world = make_world(240, 1);
    uint32_t all[144];
    for (uint32_t p = 0; p < 144; p++) {
        all[p] = p;
    }
    slv_garment_def def = slv_default_garment_def();
    def.fixed = all;
    def.fixed_count = 144;
    (void)must_add(world, make_grid(12, 1, 12, 0.02f, NULL), def);
    const uint64_t before = must_hash(world);
    must_step(world, 1);
    must_step(world, 9);
    const uint64_t after = must_hash(world);
    assert_true(before == after);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_converges_alike_at_every_size),
        cmocka_unit_test(a_cycle_converges_around_holes),
        cmocka_unit_test(a_cycle_converges_alike_on_graphs_of_every_size),
        cmocka_unit_test(hung_cloth_stays_near_its_rest_lengths),
        cmocka_unit_test(by_default_hung_cloth_stretches_by_a_tenth_at_most),
        cmocka_unit_test(coarse_grids_follow_particles_that_are_fixed_and_released),
        cmocka_unit_test(aggregates_follow_particles_that_are_fixed_and_released),
        cmocka_unit_test(instances_have_the_bits_of_garments_alone),
        cmocka_unit_test(grids_of_every_shape_are_solved),
        cmocka_unit_test(graphs_of_every_shape_are_solved),
        cmocka_unit_test(cloth_whose_particles_are_all_fixed_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
