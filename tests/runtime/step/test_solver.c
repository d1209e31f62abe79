// SPDX-License-Identifier: MIT
// Which constraints a solver accepts.
#include "runtime/step/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static slv_body body_with_tetrahedra(void) {
    slv_body body = {.count = 4};
    body.batches[SLV_BATCH_TETRAHEDRON].count = 1;
    return body;
}

static void projective_solvers_refuse_tetrahedra(void **state) {
    (void)state;
    const slv_body body = body_with_tetrahedra();
    const slv_body springs = {.count = 4};
    for (int i = 0; i < SLV_SOLVER_COUNT; i++) {
        const slv_solver_info *solver = slv_get_solver((slv_solver)i);
        const bool solves = i == SLV_PBD_JACOBI || i == SLV_PBD_GS;
        slv_error error = {.text = ""};
        assert_int_equal(slv_solver_check(solver, "any", &springs, &error), SLV_OK);
        assert_int_equal(slv_solver_check(solver, "any", &body, &error),
                         solves ? SLV_OK : SLV_ERROR_UNSUPPORTED);
    }
}

static slv_body body_with_clusters(void) {
    slv_body body = {.count = 4};
    body.clusters.count = 1;
    return body;
}

static void projective_solvers_refuse_clusters(void **state) {
    (void)state;
    const slv_body body = body_with_clusters();
    for (int i = 0; i < SLV_SOLVER_COUNT; i++) {
        const bool solves = i == SLV_PBD_JACOBI || i == SLV_PBD_GS;
        slv_error error = {.text = ""};
        assert_int_equal(slv_solver_check(slv_get_solver((slv_solver)i), "ANY", &body, &error),
                         solves ? SLV_OK : SLV_ERROR_UNSUPPORTED);
        assert_true(solves || strstr(error.text, "ANY does not solve the clusters of a garment; "
                                                 "these do: PBD_JACOBI, PBD_GS") != NULL);
    }
}

static void the_chosen_solver_solves_all_constraints(void **state) {
    (void)state;
    slv_body body = body_with_tetrahedra();
    slv_body springs = {.count = 4};
    slv_body rigid = body_with_clusters();
    slv_body *const bodies[] = {&springs, &body, &springs};
    slv_body *const rigid_one[] = {&rigid};
    assert_int_equal(slv_solver_choose(SLV_SOLVER_AUTO, rigid_one, 1, false), SLV_PBD_GS);
    assert_int_equal(slv_solver_choose(SLV_SOLVER_AUTO, bodies, 0, false), SLV_PD_MULTIGRID);
    assert_int_equal(slv_solver_choose(SLV_SOLVER_AUTO, bodies, 1, false), SLV_PD_MULTIGRID);
    assert_int_equal(slv_solver_choose(SLV_SOLVER_AUTO, bodies, 3, false), SLV_PBD_GS);
    assert_int_equal(slv_solver_choose(SLV_SOLVER_AUTO, bodies, 1, true), SLV_PD_RBGS);
    assert_int_equal(slv_solver_choose(SLV_SOLVER_AUTO, bodies, 3, true), SLV_PBD_GS);
    assert_int_equal(slv_solver_choose(SLV_PD_JACOBI, bodies, 3, false), SLV_PD_JACOBI);
    assert_int_equal(slv_solver_choose(SLV_PD_MULTIGRID, bodies, 1, true), SLV_PD_MULTIGRID);
}

static void gauss_seidel_solves_every_batched_kind(void **state) {
    (void)state;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        assert_true((slv_get_solver(SLV_PBD_GS)->batches >> b & 1) != 0);
    }
}

// A solver that solves another kind only, which no pack has.
static void a_kind_that_a_solver_leaves_out_is_refused(void **state) {
    (void)state;
    const slv_solver_info other = {.batches = 1u << SLV_BATCH_COUNT};
    const slv_body body = body_with_tetrahedra();
    const slv_body springs = {.count = 4};
    slv_error error = {.text = ""};
    assert_int_equal(slv_solver_check(&other, "OTHER", &springs, &error), SLV_OK);
    assert_int_equal(slv_solver_check(&other, "OTHER", &body, &error), SLV_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "OTHER does not solve the tetrahedra"));
    assert_non_null(strstr(error.text, "PBD_JACOBI, PBD_GS"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projective_solvers_refuse_tetrahedra),
        cmocka_unit_test(projective_solvers_refuse_clusters),
        cmocka_unit_test(the_chosen_solver_solves_all_constraints),
        cmocka_unit_test(gauss_seidel_solves_every_batched_kind),
        cmocka_unit_test(a_kind_that_a_solver_leaves_out_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
