// SPDX-License-Identifier: MIT
// The springs of a garment: those of its pack, and on grids diagonals against shear and springs over one
// particle against bending, where requested.
#ifndef SLV_RUNTIME_MODEL_SPRINGS_H
#define SLV_RUNTIME_MODEL_SPRINGS_H

#include "runtime/model/body.h"

// Fills springs, groups, stiffness classes, stiffness sums and the lattice. Particles, storage order and grid are there
// already.
slv_result slv_body_add_springs(slv_body *body, const slv_garment *garment,
                                const slv_garment_def *def, slv_error *error);

// Other stiffnesses in N/m, by role; SLV_UNSET = the pack's, for distance constraints. On failure nothing has
// changed. The layout has to be made anew.
slv_result slv_body_set_stiffness(slv_body *body, const float stiffness[SLV_SPRING_ROLES],
                                  slv_error *error);

#endif
