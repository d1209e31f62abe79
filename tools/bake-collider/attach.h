// SPDX-License-Identifier: MIT
// --attach: points of garments, bound to the nearest point of the character. README.md describes
// the file.
#ifndef SLV_BAKE_ATTACH_H
#define SLV_BAKE_ATTACH_H

#include "formats/layout.h"
#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/points.h"

typedef struct slv_attachments { // starts zeroed
    bool at_rest;                // garments match the rest pose, not the first frame
    bool allow_paths;            // packs outside of the folder of the file may be named
    uint32_t set_count, set_room;
    slv_particle_set *sets;
    uint32_t count, room, number_room;
    // [count][2][3] metres: position, and the position whose nearest surface point it is bound to.
    double *targets;
    uint32_t *numbers; // [count] particle numbers in own order of the garment
    uint32_t name_bytes, name_room;
    char *names;
    slv_point *points;   // [count] after slv_attachments_bind
    slv_file_list files; // the file itself and the packs it names
} slv_attachments;

// Reads the file and the packs it names. The message does not contain the name of the file.
// allow_paths: packs outside of the folder of the file may be named.
slv_result slv_attachments_read(const char *path, bool allow_paths, slv_attachments *attachments,
                                slv_error *error);

// Binds every point to the surface. Targets are in the coordinates of the source file.
slv_result slv_attachments_bind(slv_attachments *attachments, const slv_frames *frames,
                                slv_error *error);

void slv_attachments_free(slv_attachments *attachments);

#endif
