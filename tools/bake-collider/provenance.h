// SPDX-License-Identifier: MIT
// Where a pack comes from: tool, version, input and options. No dates and no absolute paths.
#ifndef SLV_BAKE_PROVENANCE_H
#define SLV_BAKE_PROVENANCE_H

#include "tools/bake-collider/bake.h"
#include "tools/bake-collider/frames.h"

// JSON, for free(); NULL without memory.
char *slv_bake_provenance(const slv_bake_options *options, const slv_frames *frames);

#endif
