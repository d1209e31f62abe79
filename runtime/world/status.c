// SPDX-License-Identifier: MIT
#include "runtime/world/status.h"

#include "runtime/world/handles.h"

#include <stdarg.h>
#include <stdio.h>

void slv_clear_message(slv_world *world) {
    world->error.text[0] = '\0';
    world->memory_limit.refused = false;
}

slv_result slv_refuse(slv_world *world, slv_result status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(world->error.text, sizeof world->error.text, format, arguments);
    va_end(arguments);
    return status;
}

const char *slv_world_get_message(const slv_world *world) {
    const bool refused = world && world->memory_limit.refused && world->error.text[0] != '\0';
    return !world ? "no world" : refused ? world->memory_limit.reason.text : world->error.text;
}

uint32_t slv_find_index(slv_world *world, const slv_handle_list *list, slv_handle handle,
                        const char *what) {
    const uint32_t index = slv_handles_find(list, handle);
    if (index == SLV_NO_INDEX) {
        (void)slv_refuse(world, SLV_ERROR_ARGUMENT,
                         handle.slot == 0 ? "id: the null id names no %s"
                                          : "id: the %s was removed, or is another world's",
                         what);
    }
    return index;
}

slv_body *slv_find_body(slv_world *world, slv_garment_id id) {
    const uint32_t index = slv_find_index(world, &world->garment_handles,
                                          (slv_handle){id.slot, id.generation}, "garment");
    return index == SLV_NO_INDEX ? NULL : world->bodies[index];
}

slv_garment_id slv_body_id(const slv_world *world, const slv_body *body) {
    const slv_garment_entry *entry = (const slv_garment_entry *)body;
    const slv_handle handle = slv_handles_get(&world->garment_handles, entry->slot);
    return (slv_garment_id){handle.slot, handle.generation};
}
