// SPDX-License-Identifier: MIT
#include "tools/voxelize/voxelize_options.h"

#include <stddef.h>

slv_voxelize_options slv_default_voxelize_options(void) {
    return (slv_voxelize_options){.padding = 2, .memory_limit = 4096};
}

const char *const slv_mode_names[] = {"auto", "solid", "shell", "surface", NULL};
const char *const slv_body_names[] = {"none", "rigid", "soft", NULL};

const char *slv_mode_name(slv_voxelize_mode mode) {
    return slv_mode_names[mode];
}

const char *slv_body_name(slv_body_kind body) {
    return slv_body_names[body];
}
