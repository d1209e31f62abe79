// SPDX-License-Identifier: MIT
// A world of bodies for comparing kernels.
#ifndef SLV_TESTS_BODY_WORLD_H
#define SLV_TESTS_BODY_WORLD_H

#include "tests/common/test_world.h"

// Rigid and soft bodies: clusters of several sizes side by side, large ones, flat ones, one of a single particle; some
// held, all but one deformable. One thread.
slv_world *make_body_world(const char *instruction_set, slv_solver solver);

#endif
