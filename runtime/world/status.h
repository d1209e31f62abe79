// SPDX-License-Identifier: MIT
// The failure of a public call, and the garment that its id names.
#ifndef SLV_RUNTIME_WORLD_STATUS_H
#define SLV_RUNTIME_WORLD_STATUS_H

#include "runtime/world/world.h"

// Forgets the message of the last call.
void slv_clear_message(slv_world *world);

// Fails a call with a sentence.
slv_result slv_refuse(slv_world *world, slv_result status, const char *format, ...)
    SLV_PRINTF(3, 4);

// The index of a handle; SLV_NO_INDEX, and the reason in the world, where it is null or names what is gone. `what`
// is "garment", "clip", "collider" or "lock".
uint32_t slv_find_index(slv_world *world, const slv_handle_list *list, slv_handle handle,
                        const char *what);

// The body of an id, NULL (and the reason in the world) where there is none.
slv_body *slv_find_body(slv_world *world, slv_garment_id id);

// The id of a body of the world.
slv_garment_id slv_body_id(const slv_world *world, const slv_body *body);

#endif
