// SPDX-License-Identifier: MIT
#include "runtime/world/world.h"

#include <stdarg.h>
#include <stdio.h>

slv_result slv_begin(slv_world *world) {
    if (!world) {
        return SLV_ERROR_ARGUMENT;
    }
    world->error.text[0] = '\0';
    return SLV_OK;
}

slv_result slv_refuse(slv_world *world, slv_result status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(world->error.text, sizeof world->error.text, format, arguments);
    va_end(arguments);
    return status;
}

const char *slv_world_get_message(const slv_world *world) {
    return world ? world->error.text : "no world";
}

slv_body *slv_find_body(slv_world *world, slv_garment_id id) {
    const uint32_t index =
        slv_handles_find(&world->garment_handles, (slv_handle){id.slot, id.generation});
    if (index == SLV_NO_INDEX) {
        (void)slv_refuse(world, SLV_ERROR_ARGUMENT,
                         id.slot == 0 ? "id: the null id names no garment"
                                      : "id: the garment was removed, or is another world's");
        return NULL;
    }
    return world->bodies[index];
}

slv_garment_id slv_body_id(const slv_world *world, const slv_body *body) {
    const slv_garment_entry *entry = (const slv_garment_entry *)body;
    const slv_handle handle = slv_handles_get(&world->garment_handles, entry->slot);
    return (slv_garment_id){handle.slot, handle.generation};
}
