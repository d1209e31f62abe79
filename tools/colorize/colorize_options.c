// SPDX-License-Identifier: MIT
#include "tools/colorize/colorize_options.h"

slv_colorize_options slv_default_colorize_options(void) {
    return (slv_colorize_options){0};
}

const char *slv_scheme_name(slv_scheme scheme) {
    static const char *const names[] = {"auto", "red-black", "greedy", "phantom", "hybrid"};
    return names[scheme];
}
