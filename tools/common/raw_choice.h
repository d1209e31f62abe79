// SPDX-License-Identifier: MIT
// Keeps the chosen groups, objects and materials of an OBJ, and lists all.
#ifndef SLV_TOOLS_RAW_CHOICE_H
#define SLV_TOOLS_RAW_CHOICE_H

#include "formats/result.h"
#include "tools/common/import_space.h"
#include "tools/common/raw_mesh.h"

// Removes the polygons that are not chosen. Nodes and meshes are its objects and groups. Positions and corners stay.
// SLV_ERROR_ARGUMENT where no polygon is left.
slv_result slv_raw_mesh_choose(slv_raw_mesh *raw, const slv_part_choice *choice,
                               slv_part_counts *counts, slv_error *error);

// Removes positions that no polygon uses, with their colors.
slv_result slv_raw_mesh_drop_unused(slv_raw_mesh *raw, slv_error *error);

// A line for each object, group and material: polygons and size in metres. *text is to be freed.
slv_result slv_raw_mesh_list(const slv_raw_mesh *raw, const slv_import_space *space, char **text,
                             slv_error *error);

#endif
