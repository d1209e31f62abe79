// SPDX-License-Identifier: MIT
#include "runtime/world/begin.h"

#include "runtime/world/rebuild.h"

slv_result slv_begin_objects(slv_world *world) {
    if (!world) {
        return SLV_ERROR_ARGUMENT;
    }
    slv_clear_message(world);
    return SLV_OK;
}

slv_result slv_begin(slv_world *world) {
    const slv_result status = slv_begin_objects(world);
    return status == SLV_OK && (world->incomplete || world->layout.plan_behind)
               ? slv_world_complete_layout(world)
               : status;
}

static slv_result expect(slv_world *world, const void *given, const char *name) {
    return given ? SLV_OK : slv_refuse(world, SLV_ERROR_ARGUMENT, "%s is NULL", name);
}

slv_result slv_begin_with(slv_world *world, const void *given, const char *name) {
    const slv_result status = slv_begin(world);
    return status == SLV_OK ? expect(world, given, name) : status;
}

slv_body *slv_begin_garment(slv_world *world, slv_garment_id id, slv_result *status) {
    *status = slv_begin(world);
    slv_body *body = *status == SLV_OK ? slv_find_body(world, id) : NULL;
    *status = *status == SLV_OK && !body ? SLV_ERROR_ARGUMENT : *status;
    return body;
}

slv_body *slv_begin_body(slv_world *world, slv_garment_id id, const void *given, const char *name,
                         slv_result *status) {
    slv_body *body = slv_begin_garment(world, id, status);
    *status = body ? expect(world, given, name) : *status;
    return *status == SLV_OK ? body : NULL;
}
