// SPDX-License-Identifier: MIT
#include "runtime/step/solver.h"

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
