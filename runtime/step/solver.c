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

// Names of the solvers that solve a batched kind: "PBD_JACOBI, PBD_GS".
static void name_solvers(int kind, char *text, size_t size) {
    text[0] = 0;
    for (int i = 0; i < SLV_SOLVER_COUNT; i++) {
        if ((solvers[i]->batches >> kind & 1) != 0) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                           slv_solver_names[i - SLV_SOLVER_AUTO]);
        }
    }
}

static bool solves(slv_solver solver, const slv_body *body) {
    bool all = true;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        all = all && (body->batches[b].count == 0 || (solvers[solver]->batches >> b & 1) != 0);
    }
    return all;
}

slv_solver slv_solver_choose(slv_solver solver, slv_body *const *bodies, uint32_t count) {
    bool springs_suffice = true;
    for (uint32_t i = 0; i < count; i++) {
        springs_suffice = springs_suffice && solves(SLV_PD_RBGS, bodies[i]);
    }
    return solver != SLV_SOLVER_AUTO ? solver : springs_suffice ? SLV_PD_RBGS : SLV_PBD_GS;
}

slv_result slv_solver_check(const slv_solver_info *solver, const char *name, const slv_body *body,
                            slv_error *error) {
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        if (body->batches[b].count > 0 && (solver->batches >> b & 1) == 0) {
            char others[128];
            name_solvers(b, others, sizeof others);
            return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                            "solver %s does not solve the %s of a garment; these do: %s", name,
                            slv_constraint_kinds[slv_batch_kinds[b]].plural, others);
        }
    }
    return SLV_OK;
}
