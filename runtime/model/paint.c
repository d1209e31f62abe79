// SPDX-License-Identifier: MIT
#include "runtime/model/paint.h"

#include <string.h>

static bool is_used(const slv_paint_def *def) {
    return def->max_distance != SLV_CHANNEL_NONE || def->backstop != SLV_CHANNEL_NONE ||
           def->tether_slack != SLV_CHANNEL_NONE || def->strain_limit != SLV_CHANNEL_NONE ||
           def->fixed != SLV_CHANNEL_NONE;
}

slv_result slv_paint_create(slv_body *body, const slv_garment *garment, const slv_paint_def *def,
                            slv_error *error) {
    if (def->colors && def->color_count != body->count) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "paint: %u colors, the garment has %u particles",
                        def->color_count, body->count);
    }
    if (!def->colors && !garment->paint) {
        if (is_used(def)) {
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "paint: the pack has none. Give the mesh vertex colors (OBJ: v x y z r "
                            "g b; glTF: COLOR_0) and make the pack again with selvage-voxelize");
        }
        return SLV_OK;
    }
    body->paint = slv_memory_take(&body->memory, body->count, 4);
    if (!body->paint) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t p = 0; p < body->count; p++) {
        const uint8_t *from = def->colors ? def->colors + 4 * (size_t)p
                                          : garment->paint + 4 * (size_t)garment->stored_of_own[p];
        memcpy(body->paint + 4 * (size_t)p, from, 4);
    }
    return SLV_OK;
}

float slv_paint_weight(const slv_body *body, slv_channel channel, uint32_t particle) {
    if (channel == SLV_CHANNEL_NONE) {
        return 1.0f;
    }
    const size_t component = (size_t)channel - SLV_CHANNEL_RED;
    return (float)body->paint[4 * (size_t)particle + component] / 255.0f;
}
