// SPDX-License-Identifier: MIT
#include "runtime/step/features.h"

#include "runtime/step/features/contact.h"
#include "runtime/step/features/limits.h"
#include "runtime/step/features/sleep.h"
#include "runtime/step/features/tear.h"

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    slv_contact_reserve(layout, bodies, &settings->contact, cursor);
    slv_tear_reserve(layout, bodies, cursor);
    slv_limits_reserve(layout, bodies, cursor);
    slv_sleep_reserve(layout, bodies, cursor);
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    slv_limits_fill(layout, bodies);
    if (!slv_contact_fill(layout, bodies, settings->time_step, scratch)) {
        return false;
    }
    slv_sleep_fill(layout, bodies, settings->time_step);
    return true;
}

const slv_layout_hooks slv_feature_layout_hooks = {
    .reserve = reserve, .fill = fill, .set_response = slv_tear_write};
