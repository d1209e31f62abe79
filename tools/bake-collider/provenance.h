// SPDX-License-Identifier: MIT
// Provenance of a pack: tool, version, input and options. No dates and no absolute paths.
#ifndef SLV_BAKE_PROVENANCE_H
#define SLV_BAKE_PROVENANCE_H

#include "tools/bake-collider/bake_options.h"
#include "tools/bake-collider/frames.h"

// JSON text, to be freed; NULL where memory is short.
char *slv_bake_provenance(const slv_bake_options *options, const slv_frames *frames);

#endif
