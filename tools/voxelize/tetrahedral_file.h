// SPDX-License-Identifier: MIT
// Files of tetrahedra: Medit's NAME.mesh (text), and TetGen's NAME.node with NAME.ele.
#ifndef SLV_VOXELIZE_TETRAHEDRAL_FILE_H
#define SLV_VOXELIZE_TETRAHEDRAL_FILE_H

#include "tools/common/mesh_import.h"

typedef struct slv_tetrahedral_mesh {
    uint32_t point_count;
    double (*points)[3]; // metres, y up, in the file's order
    uint32_t tetrahedron_count;
    uint32_t (*corners)[4];
    uint64_t input_hash;
    slv_import_space space;
} slv_tetrahedral_mesh;

// By the extension: .mesh, .node or .ele. Other formats also use .mesh; their content is rejected
// by the reader.
bool slv_is_tetrahedral_file(const char *path);

// Reads the file, or both files of a TetGen pair if either is named. files lists what was read.
slv_result slv_tetrahedral_read(const char *path, const slv_import_options *options,
                                slv_tetrahedral_mesh *mesh, slv_file_list *files, slv_error *error);
// Parses text in memory; elements is NULL for a Medit file and the text of the .ele file otherwise.
// Texts end in a zero byte.
slv_result slv_tetrahedral_parse(const char *text, const char *elements, slv_tetrahedral_mesh *mesh,
                                 slv_error *error);
void slv_tetrahedral_free(slv_tetrahedral_mesh *mesh);

#endif
