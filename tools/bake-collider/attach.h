// SPDX-License-Identifier: MIT
// --attach: points of garments, bound to the nearest point of the character. README.md has the file.
#ifndef SLV_BAKE_ATTACH_H
#define SLV_BAKE_ATTACH_H

#include "formats/layout.h"
#include "tools/bake-collider/frames.h"
#include "tools/bake-collider/points.h"

typedef struct slv_attachments { // starts zeroed
    bool at_rest;                // garments fit the pose at rest, not the first frame
    uint32_t set_count, set_room;
    slv_particle_set *sets;
    uint32_t count, room, number_room;
    double *targets;   // [count][2][3] metres: where each is, and where it is bound nearest to
    uint32_t *numbers; // [count] the garment's own particle numbers
    uint32_t name_bytes, name_room;
    char *names;
    slv_point *points;   // [count], once bound
    slv_file_list files; // the file itself and the packs it names
} slv_attachments;

// Reads the file and the packs it names. The message names what is wrong, not the file.
slv_result slv_attachments_read(const char *path, slv_attachments *attachments, slv_error *error);

// Binds every point to the surface. Targets are in the source's coordinates, as the file has them.
slv_result slv_attachments_bind(slv_attachments *attachments, const slv_frames *frames,
                                slv_error *error);

void slv_attachments_free(slv_attachments *attachments);

#endif
