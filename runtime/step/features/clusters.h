// SPDX-License-Identifier: MIT
// Clusters of particles that keep a common shape (kernels/match.h), for the solvers that solve them.
#ifndef SLV_RUNTIME_STEP_FEATURES_CLUSTERS_H
#define SLV_RUNTIME_STEP_FEATURES_CLUSTERS_H

#include "runtime/step/plan.h"

// Adds an iteration of all clusters of all bodies, on the positions that the writer's flags name (SLV_FROM_NEXT).
void slv_clusters_launch(slv_plan_writer *writer);

// The part of the way to a goal in each of n iterations, which together go the part `stiffness`: 1 - (1 - stiffness)^(1/n),
// with the same bits everywhere.
double slv_clusters_divide(double stiffness, uint64_t iterations);

#endif
