// SPDX-License-Identifier: MIT
#include "runtime/world/world_def.h"

#include "runtime/backends/backend.h"
#include "runtime/base/float_modes.h"
#include "runtime/base/parameter.h"

enum { WORLD_COOKIE = 0x51F0A6E1 };

_Static_assert(SLV_THREAD_LIMIT == 256, "the range of threads in parameters/world.def");

slv_world_def slv_default_world_def(void) {
    SLV_DEFAULT_FLOAT_MODES;
    slv_world_def def = {.cookie = WORLD_COOKIE};
    slv_fill_defaults(&slv_world_table, &def);
    slv_fill_defaults(&slv_parameters_table, &def.parameters);
    return def;
}

static slv_result refuse(slv_error *error, slv_result status, const char *text) {
    (void)slv_fail(error, SLV_ERROR_ARGUMENT, "%s", text);
    return status;
}

slv_result slv_world_def_check(const slv_world_def *def, slv_error *error) {
    if (!def || def->cookie != WORLD_COOKIE) {
        return refuse(error, SLV_ERROR_ARGUMENT,
                      "def: a definition must come from slv_default_world_def");
    }
    if (!def->backend) {
        return refuse(error, SLV_ERROR_ARGUMENT, "backend is NULL, should be \"cpu\" or \"auto\"");
    }
    if (def->allocator && (!def->allocator->allocate || !def->allocator->release)) {
        return refuse(error, SLV_ERROR_ARGUMENT, "allocator: both functions are needed");
    }
    if (def->tasks && !def->tasks->run) {
        return refuse(error, SLV_ERROR_ARGUMENT, "tasks: the function run is needed");
    }
    slv_result status = slv_check_fields(error, &slv_parameters_table, &def->parameters);
    return status == SLV_OK ? slv_check_fields(error, &slv_world_table, def) : status;
}
