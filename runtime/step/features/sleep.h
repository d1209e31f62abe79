// SPDX-License-Identifier: MIT
// Sleep of garments that are at rest (kernels/sleep.h). A world none of whose garments may sleep has neither
// arrays nor launches of it.
#ifndef SLV_RUNTIME_STEP_FEATURES_SLEEP_H
#define SLV_RUNTIME_STEP_FEATURES_SLEEP_H

#include "runtime/layout/layout.h"

// Whether any body of a layout may sleep.
bool slv_sleep_exists(const slv_layout *layout);
bool slv_sleep_is_asleep(const slv_layout *layout, uint32_t index);
// The body is awake and its count of steps at rest begins anew; nothing where no garment may sleep.
void slv_sleep_wake_body(slv_layout *layout, uint32_t index);

#endif
