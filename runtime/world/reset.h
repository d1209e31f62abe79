// SPDX-License-Identifier: MIT
// The state that a world began with.
#ifndef SLV_RUNTIME_WORLD_RESET_H
#define SLV_RUNTIME_WORLD_RESET_H

#include "runtime/world/world.h"

// Everything as it was right after the garments were added, here on the host; no engine is asked. Where something
// may have torn the layout is stale from then on.
void slv_world_rewind(slv_world *world);

#endif
