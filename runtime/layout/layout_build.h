// SPDX-License-Identifier: MIT
// Building a layout.
#ifndef SLV_RUNTIME_LAYOUT_LAYOUT_BUILD_H
#define SLV_RUNTIME_LAYOUT_LAYOUT_BUILD_H

#include "runtime/layout/layout.h"

// The parts (SLV_PART_…) that a body would have in a layout with these settings. Two settings that give every
// body the same parts give the same layout of constraints.
unsigned slv_layout_get_parts(const slv_body *body, const slv_layout_settings *settings);

// On failure nothing is left behind. Positions are those of the bodies' starts.
slv_result slv_layout_create(slv_layout *layout, slv_body *const *bodies, uint32_t count,
                             const slv_layout_settings *settings, slv_allocator allocator,
                             slv_error *error);

// Takes over which particles of a body are fixed.
void slv_layout_set_response(slv_layout *layout, uint32_t index, const slv_body *body,
                             double time_step);

#endif
