// SPDX-License-Identifier: MIT
// Tetrahedra, phantoms and averaged constraints as the runtime solves them: from a shape through
// selvage-colorize into a world.
#include "tests/common/soft_shapes.h"
#include "tests/common/test_world.h"
#include "tests/tools/colorize/colored_pack.h"
#include "tests/tools/common/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 5, COUNT = SIDE * SIDE * SIDE };

static soft_shape block(void) {
    return soft_lattice(SIDE, SIDE, SIDE, 0.1f, NULL);
}

// Writes the block, colored with a scheme (NULL: not at all); for projective solvers without its tetrahedra, which they
// do not solve.
static void write_block(const char *path, const char *plain, const slv_scheme *scheme,
                        slv_solver solver) {
    soft_shape shape = block();
    const bool solves = solver == SLV_PBD_JACOBI || solver == SLV_PBD_GS;
    shape.tetrahedron_count = solves ? shape.tetrahedron_count : 0;
    soft_write(&shape, 2.0f, scheme ? plain : path);
    soft_free(&shape);
    if (scheme) {
        write_colored(plain, path, *scheme);
        (void)remove(plain);
    }
}

static slv_garment_id add_block(slv_world *world, const slv_scheme *scheme, slv_garment_def def) {
    char path[256];
    char plain[256];
    slv_garment_id id = {0};
    (void)temporary_path(path, sizeof path, "block.slv");
    (void)temporary_path(plain, sizeof plain, "plain.slv");
    write_block(path, plain, scheme, slv_world_get_solver(world));
    def.pack_path = path;
    const slv_result status = slv_world_add_garment(world, &def, &id);
    (void)remove(path);
    if (status) {
        fail_msg("%s", slv_world_get_message(world));
    }
    return id;
}

static slv_world_def quiet_def(slv_solver solver) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.parameters.gravity[1] = 0.0f;
    def.parameters.damping = 0.0f;
    def.threads = 1;
    return def;
}

// Six times the volume of all tetrahedra, and the mean deviation of single ones.
static double measure_volume(slv_world *world, slv_garment_id id, double *off) {
    soft_shape shape = block();
    double sum = 0;
    double wrong = 0;
    for (uint32_t t = 0; t < shape.tetrahedron_count; t++) {
        float p[4][3];
        double e[3][3];
        for (int c = 0; c < 4; c++) {
            must_position(world, id, shape.corners[t][c], p[c]);
        }
        for (int c = 0; c < 3; c++) {
            for (int d = 0; d < 3; d++) {
                e[c][d] = (double)p[c + 1][d] - (double)p[0][d];
            }
        }
        const double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                              e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        sum += volume;
        wrong += fabs(volume - 0.001);
    }
    *off = wrong / shape.tetrahedron_count / 0.001;
    soft_free(&shape);
    return sum;
}

static const slv_scheme greedy = SLV_SCHEME_GREEDY;
static const slv_scheme phantom = SLV_SCHEME_PHANTOM;
static const slv_scheme hybrid = SLV_SCHEME_HYBRID;

static const struct {
    const char *name;
    slv_solver solver;
    const slv_scheme *scheme;
} solver_cases[] = {
    {"Gauss-Seidel, colored here", SLV_PBD_GS, NULL},
    {"Gauss-Seidel", SLV_PBD_GS, &greedy},
    {"phantoms", SLV_PBD_GS, &phantom},
    {"hybrid", SLV_PBD_GS, &hybrid},
    {"Jacobi", SLV_PBD_JACOBI, NULL},
    {"Jacobi, phantoms", SLV_PBD_JACOBI, &phantom},
};
enum { SOLVER_CASES = sizeof solver_cases / sizeof *solver_cases };

// Weak springs: only the volume constraints restore the block.
static void volumes_are_preserved_by_every_solver(void **state) {
    (void)state;
    for (size_t w = 0; w < SOLVER_CASES; w++) {
        slv_world_def def = quiet_def(solver_cases[w].solver);
        def.parameters.integrate = false;
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.stretch = 1.3f;
        garment.stretch_stiffness = 1e-6f;
        slv_garment_id id = add_block(world, solver_cases[w].scheme, garment);
        double before = 0;
        double after = 0;
        (void)measure_volume(world, id, &before);
        must_step(world, 40);
        const double sum = measure_volume(world, id, &after);
        if (!(before > 1.0 && after < 0.05 && fabs(sum - 6 * 0.064) < 0.02 * 6 * 0.064)) {
            fail_msg("%s: from %g off to %g, volume %g", solver_cases[w].name, before, after,
                     sum / 6);
        }
        slv_world_destroy(world);
    }
}

static void a_body_at_rest_stays_at_rest(void **state) {
    (void)state;
    for (size_t w = 0; w < SOLVER_CASES; w++) {
        slv_world_def def = quiet_def(solver_cases[w].solver);
        slv_world *world = must_create(&def);
        slv_garment_id id = add_block(world, solver_cases[w].scheme, slv_default_garment_def());
        float start[COUNT][3];
        for (uint32_t p = 0; p < COUNT; p++) {
            must_position(world, id, p, start[p]);
        }
        must_step(world, 200);
        for (uint32_t p = 0; p < COUNT; p++) {
            float position[3];
            must_position(world, id, p, position);
            for (int d = 0; d < 3; d++) {
                assert_near((double)position[d], (double)start[p][d], 1e-5); // volumes are rounded
            }
        }
        slv_world_destroy(world);
    }
}

// All particles have equal mass, so the centroid of the block moves like one particle. (Averaging
// divides by a different number at each end, and conserves momentum only where these are equal.)
static void momentum_is_conserved_with_phantoms(void **state) {
    (void)state;
    for (size_t w = 0; w < SOLVER_CASES && solver_cases[w].scheme != &hybrid; w++) {
        slv_world_def def = quiet_def(solver_cases[w].solver);
        slv_world *world = must_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.stretch = 1.2f;
        garment.velocity[0] = 0.7f;
        garment.velocity[1] = -0.4f;
        slv_garment_id id = add_block(world, solver_cases[w].scheme, garment);
        double middle[2][3] = {{0}};
        for (int when = 0; when < 2; when++) {
            for (uint32_t p = 0; p < COUNT; p++) {
                float position[3];
                must_position(world, id, p, position);
                for (int d = 0; d < 3; d++) {
                    middle[when][d] += (double)position[d] / COUNT;
                }
            }
            if (when == 0) {
                must_step(world, 100);
            }
        }
        assert_near(middle[1][0] - middle[0][0], 0.7 * 0.2, 2e-5);
        assert_near(middle[1][1] - middle[0][1], -0.4 * 0.2, 2e-5);
        assert_near(middle[1][2] - middle[0][2], 0.0, 2e-5);
        slv_world_destroy(world);
    }
}

static uint64_t play(size_t number, slv_solver solver, uint32_t threads, const char *set) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = threads;
    def.instruction_set = set;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    const uint32_t fixed[2] = {0, COUNT - 1};
    garment.fixed = fixed;
    garment.fixed_count = 2;
    garment.stretch = 1.1f;
    (void)add_block(world, solver_cases[number].scheme, garment);
    must_step(world, 30);
    const uint64_t hash = must_hash(world);
    assert_true(must_measure(world).max_stretch < 3.0);
    slv_world_destroy(world);
    return hash;
}

static void the_same_bits_for_any_threads_and_instruction_set(void **state) {
    (void)state;
    for (size_t w = 0; w < SOLVER_CASES; w++) {
        const uint64_t hash = play(w, solver_cases[w].solver, 1, "baseline");
        assert_true(play(w, solver_cases[w].solver, 3, "baseline") == hash);
        assert_true(play(w, solver_cases[w].solver, 2, NULL) == hash);
    }
}

// Projective solvers support springs only, without copies: the particles move as without phantoms.
static void projective_solvers_accept_packs_with_phantoms(void **state) {
    (void)state;
    static const slv_solver solvers[] = {SLV_PD_GS, SLV_PD_JACOBI, SLV_PD_RBGS};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        for (size_t w = 1; w < 4; w++) {
            (void)play(w, solvers[s], 2, NULL);
        }
    }
}

// Copies are not part of the saved state and do not persist between steps: a saved and restored
// world gives the same result.
static void phantoms_are_not_part_of_saved_states(void **state) {
    (void)state;
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = SLV_PBD_GS;
    slv_world *world = must_create(&def);
    slv_garment_id id = add_block(world, &phantom, slv_default_garment_def());
    slv_particle_view view;
    assert_int_equal(slv_garment_get_positions(world, id, &view), SLV_OK);
    assert_int_equal(view.count, COUNT);
    must_step(world, 10);
    const saved_world saved = must_save(world);
    must_step(world, 10);
    const uint64_t hash = must_hash(world);
    must_restore(world, &saved);
    must_step(world, 10);
    assert_true(must_hash(world) == hash);
    free(saved.bytes);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_preserved_by_every_solver),
        cmocka_unit_test(a_body_at_rest_stays_at_rest),
        cmocka_unit_test(momentum_is_conserved_with_phantoms),
        cmocka_unit_test(the_same_bits_for_any_threads_and_instruction_set),
        cmocka_unit_test(projective_solvers_accept_packs_with_phantoms),
        cmocka_unit_test(phantoms_are_not_part_of_saved_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
