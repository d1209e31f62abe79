// SPDX-License-Identifier: MIT
#include "tools/voxelize/voxelize_options.h"

slv_voxelize_options slv_default_voxelize_options(void) {
    return (slv_voxelize_options){.padding = 2, .memory_limit = 4096};
}

const char *slv_mode_name(slv_voxelize_mode mode) {
    static const char *const names[] = {"auto", "solid", "shell", "surface"};
    return names[mode];
}

const char *slv_body_name(slv_body_kind body) {
    static const char *const names[] = {"none", "rigid", "soft"};
    return names[body];
}
