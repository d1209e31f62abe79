// SPDX-License-Identifier: MIT
// Numbered OBJ files of one topology: walk_0001.obj, walk_0002.obj, …
#ifndef SLV_BAKE_OBJ_SEQUENCE_H
#define SLV_BAKE_OBJ_SEQUENCE_H

#include "formats/result.h"
#include "tools/common/mesh_import.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_obj_sequence {
    slv_file_list files; // in order; a single file where the name has no number or no successor
    uint32_t vertex_count, triangle_count;
    uint32_t *triangles;    // [triangle_count][3]
    uint64_t topology;      // hash of the triangles' vertex numbers
    uint64_t input_hash;    // of the bytes of all files
    slv_part_choice choice; // its texts belong to the caller
    slv_part_counts parts;
    char *list; // where it was asked for
} slv_obj_sequence;

// path is the first file. Its successors are found by counting up with the same number of digits,
// or more after an overflow. All files are hashed; the first is parsed.
slv_result slv_obj_sequence_open(const char *path, const slv_import_options *options,
                                 slv_obj_sequence *sequence, slv_error *error);
void slv_obj_sequence_close(slv_obj_sequence *sequence);

// positions: [vertex_count][3]. Fails where the topology of the file differs.
slv_result slv_obj_sequence_read(const slv_obj_sequence *sequence, uint32_t frame,
                                 double *positions, slv_error *error);

#endif
