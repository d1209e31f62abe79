// SPDX-License-Identifier: MIT
#include "tools/colorize/colorize_options.h"

#include <stddef.h>

slv_colorize_options slv_default_colorize_options(void) {
    return (slv_colorize_options){0};
}

const char *const slv_scheme_names[] = {"auto", "red-black", "greedy", "phantom", "hybrid", NULL};

const char *slv_scheme_name(slv_scheme scheme) {
    return slv_scheme_names[scheme];
}
