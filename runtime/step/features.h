// SPDX-License-Identifier: MIT
// What a step has beside its solver: contacts, sleep, tears, limits, wind.
#ifndef SLV_RUNTIME_STEP_FEATURES_H
#define SLV_RUNTIME_STEP_FEATURES_H

#include "runtime/layout/layout.h"

// What all of them add to a layout.
extern const slv_layout_hooks slv_feature_layout_hooks;

#endif
