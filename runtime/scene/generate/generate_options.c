// SPDX-License-Identifier: MIT
#include "runtime/scene/generate/generate.h"

// "--no-sharing" in the language of manual pages.
static void add_option_name(slv_text *text, const char *name) {
    for (; *name; name++) {
        slv_text_add(text, *name == '-' ? "\\-" : "%c",
                     *name); // NOLINT: both take at most one character
    }
}

static void add_option(slv_text *text, const slv_parameter_info *info) {
    char help[SLV_PARAMETER_LINE];
    slv_text_add(text, ".TP\n%s ", info->argument ? ".BI" : ".B");
    add_option_name(text, info->option);
    if (info->argument) {
        slv_text_add(text, " \" %s\"", info->argument);
    }
    slv_describe_parameter(info, help, sizeof help);
    slv_text_add(text, "\n%s\n", info->option_doc ? info->option_doc : help);
}

void slv_generate_options(slv_text *text) {
    for (int group = 0; group < SLV_GROUP_COUNT; group++) {
        slv_parameter_info info;
        for (uint32_t i = 0; slv_get_parameter_info((slv_parameter_group)group, i, &info); i++) {
            if (info.option) {
                add_option(text, &info);
            }
        }
    }
}
