// SPDX-License-Identifier: MIT
// How a mesh file is read.
#ifndef SLV_TOOLS_IMPORT_OPTIONS_H
#define SLV_TOOLS_IMPORT_OPTIONS_H

#include <stdbool.h>

typedef struct slv_import_options {
    double scale;     // metres per unit of the file, > 0
    bool z_up;        // the file's z axis points up
    bool undrawn;     // no render mesh is needed: missing normals stay zero
    bool allow_paths; // the file may name files outside of its folder
} slv_import_options;

slv_import_options slv_default_import_options(void); // 1, false, false, false

#endif
