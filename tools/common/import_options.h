// SPDX-License-Identifier: MIT
// How a mesh or character file is read.
#ifndef SLV_TOOLS_IMPORT_OPTIONS_H
#define SLV_TOOLS_IMPORT_OPTIONS_H

#include "tools/common/part_choice.h"

#include <stdbool.h>

enum { SLV_UP_OF_FILE = 0, SLV_UP_Y = 1, SLV_UP_Z = 2 };

typedef struct slv_import_options {
    double scale;     // metres per unit of the file; 0: as the file says, 1 where it does not
    int up;           // SLV_UP_…: the file's axis that points up
    bool undrawn;     // no render mesh is needed: missing normals stay zero
    bool allow_paths; // the file may name files outside of its folder
    bool
        clip_start; // the pose is the start of the first clip; otherwise that of the file without a clip
    slv_part_choice choice;
    bool list; // only the list of parts is wanted
} slv_import_options;

slv_import_options slv_default_import_options(void); // all zero

#endif
