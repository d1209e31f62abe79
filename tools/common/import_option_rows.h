// SPDX-License-Identifier: MIT
// Rows of the command lines of programs that read meshes and characters: unit and axes, and which parts are read.
#ifndef SLV_TOOLS_IMPORT_OPTION_ROWS_H
#define SLV_TOOLS_IMPORT_OPTION_ROWS_H

#include "tools/common/option.h"
#include "tools/common/part_choice.h"

static const char *const slv_up_choices[] = {"file", "y", "z", NULL}; // SLV_UP_…

// clang-format off
#define SLV_SPACE_OPTION_ROWS(scale_value, up_value)                                                                   \
    {.type = SLV_OPTION_NUMBER, .name = "--scale", .argument = "S",                                                    \
     .value = (scale_value), .min_open = true, .max = 1e12,                                                            \
     .help = "Metres per unit of the file. Default: the unit that the file states (FBX, Collada, glTF), "              \
             "else 1."},                                                                                               \
    {.type = SLV_OPTION_CHOICE, .name = "--up", .choices = slv_up_choices, .value = (up_value),                        \
     .help = "The file's axis that points up. Default: file, the axis that it states, else y. Packs are "              \
             "always y up."}

#define SLV_PART_OPTION_ROWS(choice, list_value)                                                                       \
    {.type = SLV_OPTION_TEXT, .name = "--node", .argument = "NAMES", .value = &(choice)->node,                         \
     .help = "Reads only these nodes and those below them (of an OBJ: objects and groups): patterns with * and ?, "    \
             "separated by commas. Hidden nodes and lower levels of detail (NAME_LOD1 beside NAME_LOD0) are left out " \
             "unless they are named so."},                                                                             \
    {.type = SLV_OPTION_TEXT, .name = "--mesh", .argument = "NAMES", .value = &(choice)->mesh,                         \
     .help = "Reads only meshes of these names."},                                                                     \
    {.type = SLV_OPTION_TEXT, .name = "--material", .argument = "NAMES", .value = &(choice)->material,                 \
     .help = "Reads only what has these materials."},                                                                  \
    {.type = SLV_OPTION_TEXT, .name = "--exclude", .argument = "NAMES", .value = &(choice)->exclude,                   \
     .help = "Leaves out nodes, meshes and materials of these names."},                                                \
    {.type = SLV_OPTION_FLAG, .name = "--list", .value = (list_value),                                                 \
     .help = "Prints the parts of the file with their sizes, and writes nothing."}
// clang-format on

#endif
