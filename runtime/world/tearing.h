// SPDX-License-Identifier: MIT
// Tears between a world's layout and its bodies.
#ifndef SLV_RUNTIME_WORLD_TEARING_H
#define SLV_RUNTIME_WORLD_TEARING_H

#include "runtime/world/world.h"

// Brings bodies up to date about which of their springs are torn: all at once, or first the download,
// which can fail, and then the reading, which cannot.
slv_result slv_tear_fetch(slv_world *world);
slv_result slv_tear_download(slv_world *world);
void slv_tear_read_all(slv_world *world);

#endif
