// SPDX-License-Identifier: MIT
#include "runtime/step/step.h"

#include "runtime/step/feature.h"
#include "runtime/step/launches.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/step/solver.h"

void slv_step_write(slv_plan_writer *writer, slv_stage stage) {
    const slv_solver_info *solver = slv_get_solver(writer->parameters->solver);
    switch (stage) {
    case SLV_STAGE_WAKE:
        slv_features_launch(writer, SLV_POINT_WAKE);
        break;
    case SLV_STAGE_INTEGRATE:
        slv_launch_blocks(writer, SLV_ID_integrate_split, SLV_ID_integrate_joined);
        break;
    case SLV_STAGE_MOVE:
        slv_features_launch(writer, SLV_POINT_MOVE);
        break;
    case SLV_STAGE_SOLVE:
        slv_features_launch(writer, SLV_POINT_SOLVE_BEGIN);
        slv_neighbor_search_launch(writer);
        slv_features_launch(writer, SLV_POINT_ITERATE_BEGIN);
        solver->write(writer);
        slv_features_launch(writer, SLV_POINT_SOLVE_END);
        break;
    case SLV_STAGE_CHECK:
        slv_launch_blocks(writer, SLV_ID_check_divergence_split, SLV_ID_check_divergence_joined);
        break;
    case SLV_STAGE_SLEEP:
        if (solver->write_end) {
            solver->write_end(writer);
        }
        slv_features_launch(writer, SLV_POINT_STEP_END);
        break;
    case SLV_STAGE_ROLLBACK:
        slv_launch_blocks(writer, SLV_ID_rollback_split, SLV_ID_rollback_joined);
        slv_features_launch(writer, SLV_POINT_ROLLBACK);
        break;
    case SLV_STAGE_COUNT:
        break;
    }
}
