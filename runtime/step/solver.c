// SPDX-License-Identifier: MIT
#include "runtime/step/solver.h"

#include "runtime/base/parameter.h"

#include <stdio.h>
#include <string.h>

#define SLV_SOLVER(id, doc, file) extern const slv_solver_info slv_solver_##id;
#include "runtime/base/solvers.def"
#undef SLV_SOLVER

#define SLV_SOLVER(id, doc, file) [SLV_##id] = &slv_solver_##id,
static const slv_solver_info *const solvers[SLV_SOLVER_COUNT] = {
#include "runtime/base/solvers.def"
};
#undef SLV_SOLVER

const slv_solver_info *slv_get_solver(slv_solver solver) {
    return solvers[solver];
}

bool slv_solver_fits(const slv_layout *layout, slv_solver solver) {
    return solver == layout->settings.solver || !solvers[solver]->reserve;
}

// What a solver may leave out: each batched kind, then clusters.
enum { CLUSTERS = SLV_BATCH_COUNT, WHAT_COUNT };

static bool can_solve(const slv_solver_info *solver, int what) {
    return what == CLUSTERS ? solver->clusters : (solver->batches >> what & 1) != 0;
}

static bool has(const slv_body *body, int what) {
    return what == CLUSTERS ? body->clusters.count > 0 : body->batches[what].count > 0;
}

// Names of the solvers that can: "PBD_JACOBI, PBD_GS".
static void name_solvers(int what, char *text, size_t size) {
    text[0] = 0;
    for (int i = 0; i < SLV_SOLVER_COUNT; i++) {
        if (can_solve(solvers[i], what)) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                           slv_solver_names[i - SLV_SOLVER_AUTO]);
        }
    }
}

static bool solves(slv_solver solver, const slv_body *body) {
    bool all = true;
    for (int what = 0; what < WHAT_COUNT; what++) {
        all = all && (!has(body, what) || can_solve(solvers[solver], what));
    }
    return all;
}

slv_solver slv_solver_choose(slv_solver solver, slv_body *const *bodies, uint32_t count,
                             bool contacts) {
    bool springs_suffice = true;
    for (uint32_t i = 0; i < count; i++) {
        springs_suffice = springs_suffice && solves(SLV_PD_MULTIGRID, bodies[i]);
    }
    if (solver != SLV_SOLVER_AUTO) {
        return solver;
    }
    return !springs_suffice ? SLV_PBD_GS : contacts ? SLV_PD_RBGS : SLV_PD_MULTIGRID;
}

slv_result slv_solver_check(const slv_solver_info *solver, const char *name, const slv_body *body,
                            slv_error *error) {
    for (int what = 0; what < WHAT_COUNT; what++) {
        if (has(body, what) && !can_solve(solver, what)) {
            char others[128];
            name_solvers(what, others, sizeof others);
            return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                            "solver %s does not solve the %s of a garment; these do: %s", name,
                            what == CLUSTERS ? "clusters"
                                             : slv_constraint_kinds[slv_batch_kinds[what]].plural,
                            others);
        }
    }
    return SLV_OK;
}
