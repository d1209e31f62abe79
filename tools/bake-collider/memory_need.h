// SPDX-License-Identifier: MIT
// Memory that a mesh needs, estimated before it is allocated. Samples of the surface have their own
// estimate (samples.h).
#ifndef SLV_BAKE_MEMORY_NEED_H
#define SLV_BAKE_MEMORY_NEED_H

#include "tools/bake-collider/bake_options.h"
#include "tools/bake-collider/frames.h"

// SLV_ERROR_ARGUMENT where the mesh needs more than options->memory_limit; the message has both.
slv_result slv_bake_check_mesh_memory(const slv_bake_options *options, const slv_frames *frames,
                                      slv_error *error);

#endif
