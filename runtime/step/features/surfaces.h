// SPDX-License-Identifier: MIT
// Contacts between surfaces in a layout (runtime/step/features/surfaces.c).
#ifndef SLV_RUNTIME_STEP_FEATURES_SURFACES_H
#define SLV_RUNTIME_STEP_FEATURES_SURFACES_H

#include "runtime/layout/layout.h"

// Floats of the last step, SLV_SURFACE_TOTALS of them, in state; none without surfaces. Bytes of all lists.
slv_extent slv_surfaces_get_report(const slv_layout *layout);
size_t slv_surfaces_count_bytes(const slv_layout *layout);

#endif
