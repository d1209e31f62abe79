// SPDX-License-Identifier: MIT
// Contacts of triangles with colliders (runtime/step/features/triangles.c).
#ifndef SLV_RUNTIME_STEP_FEATURES_TRIANGLES_H
#define SLV_RUNTIME_STEP_FEATURES_TRIANGLES_H

#include "runtime/step/plan.h"

// Moves triangles of all bodies out of colliders.
void slv_triangles_push_out(slv_plan_writer *writer);

#endif
