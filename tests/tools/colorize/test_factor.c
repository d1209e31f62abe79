// SPDX-License-Identifier: MIT
// The factor of the matrix of mass-spring solvers: against the matrix, in packs, and in worlds that solve with it.
#include "runtime/world/world.h"
#include "tests/common/test_world.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/colorize/factor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 13, NZ = 9, COUNT = NX * NZ };

// Numbers that floats hold exactly, so that the tool and the world have the same.
static slv_factor_options cloth_options(double time_step) {
    return (slv_factor_options){.time_step = time_step,
                                .particle_mass = 0.015625,
                                .stretch = 512.0,
                                .shear = 128.0,
                                .bending = 32.0,
                                .damping = 0.00390625,
                                .fixed = "0,12"};
}

static slv_garment_def cloth_def(const slv_factor_options *options) {
    static const uint32_t fixed[] = {0, NX - 1};
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = (float)options->particle_mass;
    def.stretch_stiffness = (float)options->stretch;
    def.shear_stiffness = (float)options->shear;
    def.bending_stiffness = (float)options->bending;
    def.spring_damping = (float)options->damping;
    def.fixed = fixed;
    def.fixed_count = 2;
    return def;
}

static slv_made_factor must_factor(generated_garment *made, const slv_factor_options *options) {
    slv_made_factor factor;
    slv_error error = {.text = ""};
    if (slv_factor_create(generated_finish(made), options, &factor, &error) != SLV_OK) {
        fail_msg("slv_factor_create: %s", error.text);
    }
    return factor;
}

// A cloth, with its factor where there are options; stretched and in motion.
static slv_world *open_cloth(slv_solver solver, double time_step, uint32_t outer, uint32_t inner,
                             const slv_factor_options *options, bool has_factor) {
    slv_world_def def = plain_world(solver, time_step);
    generated_garment *made = make_grid(NX, 1, NZ, 0.125f, NULL);
    slv_made_factor factor = {.array_count = 0};
    slv_garment_def garment = cloth_def(options);
    def.parameters.outer_iterations = outer;
    def.parameters.inner_iterations = inner;
    garment.stretch = 1.1f;
    if (has_factor) {
        factor = must_factor(made, options);
        generated_view(made)->factor = factor.view;
    }
    slv_world *world = must_create(&def);
    (void)must_add(world, made, garment);
    slv_factor_destroy(&factor);
    return world;
}

static double measure_difference(const slv_world *one, const slv_world *other) {
    double largest = 0.0;
    for (uint32_t p = 0; p < COUNT; p++) {
        double a[6];
        double b[6];
        slv_layout_read_exactly(&one->layout, 0, p, a);
        slv_layout_read_exactly(&other->layout, 0, p, b);
        for (int d = 0; d < 3; d++) {
            largest = fmax(largest, fabs(a[d] - b[d]));
        }
    }
    return largest;
}

static int fits(const slv_world *world) {
    return world->layout.bodies[0].factor_fits;
}

// --- The factor -------------------------------------------------------------------------------------

// L, row by row, from the blocks.
static void unpack(const slv_factor *factor, double (*l)[COUNT]) {
    const float *value = factor->value;
    uint32_t first = 0;
    uint32_t row = 0;
    for (uint32_t b = 0; b < factor->block_count; b++) {
        for (uint32_t i = first; i < factor->column_end[b]; i++) {
            for (uint32_t j = first; j < i; j++) {
                l[i][j] = (double)*value++;
            }
            l[i][i] = 1.0;
        }
        for (; row < factor->row_end[b]; row++) {
            for (uint32_t j = first; j < factor->column_end[b]; j++) {
                l[factor->row[row]][j] = (double)*value++;
            }
        }
        first = factor->column_end[b];
    }
    assert_true(value == factor->value + factor->value_count);
}

static void the_factor_times_its_transpose_is_the_matrix(void **state) {
    (void)state;
    static double l[COUNT][COUNT];
    static double expected[COUNT][COUNT];
    const slv_factor_options options = cloth_options(0.015625);
    generated_garment *made = make_grid(NX, 1, NZ, 0.125f, NULL);
    slv_made_factor made_factor = must_factor(made, &options);
    const slv_factor *factor = &made_factor.view;
    slv_factor_matrix matrix;
    slv_error error;
    assert_int_equal(slv_factor_matrix_create(generated_finish(made), &options, &matrix, &error),
                     SLV_OK);
    unpack(factor, l);
    for (uint32_t p = 0; p < COUNT; p++) {
        const uint32_t i = factor->position[p];
        expected[i][i] = matrix.diagonal[p];
        for (uint64_t e = p > 0 ? matrix.entry_end[p - 1] : 0; e < matrix.entry_end[p]; e++) {
            expected[i][factor->position[matrix.column[e]]] += matrix.entry[e];
        }
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t j = 0; j < COUNT; j++) {
            double sum = 0.0;
            for (uint32_t k = 0; k < COUNT; k++) {
                sum += l[i][k] * (double)factor->pivot[k] * l[j][k];
            }
            assert_near(sum, expected[i][j], 1e-6 * expected[i][i]);
        }
    }
    assert_true(factor->value_count < COUNT * (COUNT - 1) / 4); // it is sparse
    slv_factor_matrix_destroy(&matrix);
    slv_factor_destroy(&made_factor);
    generated_free(made);
}

static void names_that_are_no_particles_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"collar", "117", "1,x", "-1", "1 "};
    generated_garment *made = make_grid(NX, 1, NZ, 0.125f, NULL);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        slv_factor_options options = cloth_options(0.015625);
        slv_made_factor factor;
        slv_error error = {.text = ""};
        options.fixed = wrong[n];
        assert_int_equal(slv_factor_create(generated_finish(made), &options, &factor, &error),
                         SLV_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "--factor-fixed"));
    }
    generated_free(made);
}

// --- Packs ------------------------------------------------------------------------------------------

// Arrays of a made factor, in the order of its view.
enum { PARTICLE, POSITION, MASS, DIAGONAL, COLUMN_END, ROW_END, ROW, PIVOT, VALUE };

static void set_number(slv_made_factor *made, int array, uint32_t at, uint32_t number) {
    ((uint32_t *)made->arrays[array])[at] = number;
}

static void set_value(slv_made_factor *made, int array, uint32_t at, float value) {
    ((float *)made->arrays[array])[at] = value;
}

typedef void damage(slv_made_factor *made);

static void spoil_order(slv_made_factor *made) {
    set_number(made, PARTICLE, 3, made->view.particle[4]);
}
static void spoil_number(slv_made_factor *made) {
    set_number(made, POSITION, 3, COUNT);
}
static void spoil_pivot(slv_made_factor *made) {
    set_value(made, PIVOT, COUNT - 1, 0.0f);
}
static void spoil_mass(slv_made_factor *made) {
    set_value(made, MASS, 5, -1.0f);
}
static void spoil_value(slv_made_factor *made) {
    set_value(made, VALUE, 7, NAN);
}
static void spoil_row(slv_made_factor *made) {
    set_number(made, ROW, made->view.row_count - 1, COUNT);
}
static void spoil_rows(slv_made_factor *made) {
    set_number(made, ROW, 0, 0);
}
static void spoil_blocks(slv_made_factor *made) {
    set_number(made, COLUMN_END, 0, COUNT + 1);
}
static void spoil_row_end(slv_made_factor *made) {
    set_number(made, ROW_END, 0, made->view.row_end[0] + 1);
}
static void spoil_count(slv_made_factor *made) {
    made->view.value_count--;
}
static void spoil_time(slv_made_factor *made) {
    made->view.time_step = -1.0;
}

static slv_result open_pack(const char *path, slv_error *error) {
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_result result = slv_pack_open(path, NULL, &pack, error);
    result = result == SLV_OK ? slv_garment_open(pack, &garment, error) : result;
    slv_pack_close(pack);
    return result;
}

static void a_damaged_factor_is_refused(void **state) {
    (void)state;
    static damage *const damages[] = {NULL,         spoil_order,   spoil_number, spoil_pivot,
                                      spoil_mass,   spoil_value,   spoil_row,    spoil_rows,
                                      spoil_blocks, spoil_row_end, spoil_count,  spoil_time};
    char path[256];
    (void)temporary_path(path, sizeof path, "factor.slv");
    for (size_t n = 0; n < sizeof damages / sizeof *damages; n++) {
        const slv_factor_options options = cloth_options(0.015625);
        generated_garment *made = make_grid(NX, 1, NZ, 0.125f, NULL);
        slv_made_factor factor = must_factor(made, &options);
        slv_error error = {.text = ""};
        if (damages[n]) {
            damages[n](&factor);
        }
        generated_view(made)->factor = factor.view;
        generated_write_and_free(made, path);
        slv_factor_destroy(&factor);
        const slv_result result = open_pack(path, &error);
        if ((result == SLV_OK) != (damages[n] == NULL) ||
            (damages[n] && !strstr(error.text, "MFAC"))) {
            fail_msg("damage %zu: %s", n, error.text);
        }
    }
    (void)remove(path);
}

// --- Worlds -----------------------------------------------------------------------------------------

static void the_factor_and_conjugate_gradients_agree(void **state) {
    (void)state;
    static const slv_solver solvers[] = {SLV_MS_CONSTANT_MATRIX, SLV_MS_LOCAL_GLOBAL};
    for (size_t n = 0; n < 2; n++) {
        const slv_factor_options options = cloth_options(0.015625);
        slv_world *factored = open_cloth(solvers[n], 0.015625, 4, 200, &options, true);
        slv_world *iterated = open_cloth(solvers[n], 0.015625, 4, 200, &options, false);
        assert_true(fits(factored) == 1 && fits(iterated) == 0);
        must_step(factored, 1);
        must_step(iterated, 1);
        assert_near(measure_difference(factored, iterated), 0.0, 1e-6);
        must_step(factored, 9);
        must_step(iterated, 9);
        assert_near(measure_difference(factored, iterated), 0.0, 1e-5);
        slv_world_destroy(factored);
        slv_world_destroy(iterated);
    }
}

static void local_and_global_steps_converge_to_implicit_euler(void **state) {
    (void)state;
    slv_factor_options options = cloth_options(0.015625);
    for (int damped = 0; damped < 2; damped++) {
        options.damping = damped ? options.damping : 0.0;
        slv_world *local = open_cloth(SLV_MS_LOCAL_GLOBAL, 0.015625, 3000, 1, &options, true);
        slv_world *newton = open_cloth(SLV_MS_IMPLICIT_EULER, 0.015625, 40, 200, &options, false);
        assert_int_equal(fits(local), 1);
        must_step(local, 1);
        must_step(newton, 1);
        assert_near(measure_difference(local, newton), 0.0, 2e-5);
        slv_world_destroy(local);
        slv_world_destroy(newton);
    }
}

// A solve from the start of the step gives what the first of all solves from there gives.
static void one_solve_is_stable_with_stiff_springs(void **state) {
    (void)state;
    slv_factor_options options = cloth_options(1.0 / 32.0);
    options.stretch *= 10000.0;
    options.shear *= 10000.0;
    options.bending *= 10000.0;
    options.damping = 0.0;
    static const slv_solver solvers[] = {SLV_MS_CONSTANT_MATRIX, SLV_MS_LOCAL_GLOBAL};
    for (size_t n = 0; n < 2; n++) {
        slv_world *world = open_cloth(solvers[n], 1.0 / 32.0, 10, 50, &options, true);
        assert_int_equal(fits(world), 1);
        must_step(world, 600);
        assert_true(must_measure(world).max_stretch < 1.3);
        slv_world_destroy(world);
    }
}

// Another set of fixed particles, time step or mass is another matrix.
static void a_factor_of_another_matrix_is_not_used(void **state) {
    (void)state;
    const slv_factor_options options = cloth_options(0.015625);
    slv_world *world = open_cloth(SLV_MS_LOCAL_GLOBAL, 0.0078125, 4, 30, &options, true);
    assert_int_equal(fits(world), 0);
    slv_world_destroy(world);
    world = open_cloth(SLV_MS_LOCAL_GLOBAL, 0.015625, 4, 30, &options, true);
    slv_world *other = open_cloth(SLV_MS_LOCAL_GLOBAL, 0.015625, 4, 30, &options, false);
    const slv_garment_id ids[2] = {slv_world_get_garment(world, 0),
                                   slv_world_get_garment(other, 0)};
    must_step(world, 3);
    must_step(other, 3);
    const uint32_t particle = COUNT / 2;
    float before[3];
    float after[3];
    must_position(world, ids[0], particle, before);
    assert_int_equal(slv_garment_set_fixed(world, ids[0], &particle, 1, true), SLV_OK);
    assert_int_equal(slv_garment_set_fixed(other, ids[1], &particle, 1, true), SLV_OK);
    must_step(world, 3);
    must_step(other, 3);
    assert_int_equal(fits(world), 0);
    must_position(world, ids[0], particle, after);
    assert_memory_equal(before, after, sizeof before);
    assert_near(measure_difference(world, other), 0.0, 1e-5);
    assert_int_equal(slv_garment_set_fixed(world, ids[0], &particle, 1, false), SLV_OK);
    must_step(world, 3);
    assert_int_equal(fits(world), 1);
    slv_world_destroy(world);
    slv_world_destroy(other);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    const slv_factor_options options = cloth_options(0.015625);
    slv_world_def def = plain_world(SLV_MS_LOCAL_GLOBAL, 0.015625);
    uint64_t hashes[2];
    for (uint32_t n = 0; n < 2; n++) {
        generated_garment *made = make_grid(NX, 1, NZ, 0.125f, NULL);
        slv_made_factor factor = must_factor(made, &options);
        generated_view(made)->factor = factor.view;
        def.threads = 1 + 2 * n;
        slv_world *world = must_create(&def);
        (void)must_add(world, made, cloth_def(&options));
        slv_factor_destroy(&factor);
        must_step(world, 20);
        hashes[n] = must_hash(world);
        slv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_times_its_transpose_is_the_matrix),
        cmocka_unit_test(names_that_are_no_particles_are_refused),
        cmocka_unit_test(a_damaged_factor_is_refused),
        cmocka_unit_test(the_factor_and_conjugate_gradients_agree),
        cmocka_unit_test(local_and_global_steps_converge_to_implicit_euler),
        cmocka_unit_test(one_solve_is_stable_with_stiff_springs),
        cmocka_unit_test(a_factor_of_another_matrix_is_not_used),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
