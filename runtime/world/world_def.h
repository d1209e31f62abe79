// SPDX-License-Identifier: MIT
// The definition of a world.
#ifndef SLV_RUNTIME_WORLD_WORLD_DEF_H
#define SLV_RUNTIME_WORLD_WORLD_DEF_H

#include "formats/result.h"

#include <selvage/world.h>

// SLV_ERROR_ARGUMENT and a sentence where a field is out of its range.
slv_result slv_world_def_check(const slv_world_def *def, slv_error *error);

#endif
