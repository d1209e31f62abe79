// SPDX-License-Identifier: MIT
// The device that a world runs on: its name, its times, its buffers and its copy of the state.
#include "runtime/base/float_modes.h"
#include "runtime/world/begin.h"
#include "runtime/world/engine.h"
#include "runtime/world/run.h"

slv_world_device slv_world_get_device(const slv_world *world) {
    if (!world) {
        return (slv_world_device){.backend = "", .device = "", .instruction_set = "", .note = ""};
    }
    slv_world_device device = world->backend->describe(world->engine);
    device.note = world->note[0] || !device.note ? world->note : device.note;
    return device;
}

slv_result slv_world_get_timing(slv_world *world, slv_timing *timing) {
    SLV_DEFAULT_FLOAT_MODES;
    _Static_assert((int)SLV_STAGE_COUNT <= (int)SLV_STAGE_LIMIT,
                   "the header has room for all stages");
    slv_result status = slv_begin_with(world, timing, "timing");
    if (status != SLV_OK) {
        return status;
    }
    *timing = (slv_timing){.steps = 0};
    if (world->backend->take_timing) {
        world->backend->take_timing(world->engine, timing);
    }
    timing->stage_count = SLV_STAGE_COUNT;
    for (uint32_t i = 0; i < SLV_STAGE_COUNT; i++) {
        timing->stages[i].name = slv_stage_get_name((slv_stage)i);
        timing->launches += timing->stages[i].launches;
    }
    return SLV_OK;
}

slv_result slv_garment_write_gl_buffer(slv_world *world, slv_garment_id id, uint32_t gl_buffer) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_garment(world, id, &status);
    if (!body) {
        return status;
    }
    if (!world->backend->write_gl) {
        return slv_refuse(world, SLV_ERROR_UNSUPPORTED,
                          "the %s backend shares no memory with OpenGL", world->backend->name);
    }
    status = slv_engine_upload(world);
    return status == SLV_OK ? world->backend->write_gl(world->engine, slv_body_index(body),
                                                       body->count, gl_buffer, &world->error)
                            : status;
}

slv_result slv_world_set_keep_state(slv_world *world, bool keep_state) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_result status = slv_begin(world);
    if (status == SLV_OK && keep_state && !world->keep_state && world->backend->download) {
        status = slv_engine_make_room(world, &world->layout);
        if (status == SLV_OK && world->behind != 0) {
            status = slv_world_keep(world);
        }
    }
    if (status == SLV_OK) {
        world->keep_state = keep_state;
    }
    return status;
}

void slv_world_forget_gl_buffer(slv_world *world, uint32_t gl_buffer) {
    if (world && world->backend->forget_gl) {
        world->backend->forget_gl(world->engine, gl_buffer);
    }
}
