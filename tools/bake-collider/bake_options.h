// SPDX-License-Identifier: MIT
#ifndef SLV_BAKE_OPTIONS_H
#define SLV_BAKE_OPTIONS_H

#include "tools/common/part_choice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_bake_options {
    const char *character;  // file to read, or the first of a numbered sequence
    const char *pack;       // collider pack to write
    const char *depfile;    // NULL for none
    const char *clip;       // name or number; NULL: the first
    double rate;            // frames per second; 0: 30
    double start, end;      // seconds on the clip's time line; NAN: all of it
    double radius;          // of particles, metres; 0: from particles
    uint64_t particles;     // about how many; 0 with radius 0: 5000
    double tolerance;       // coverage may exceed the radius by this fraction of it
    double error;           // largest error of a stored position, millimetres
    const char *attach;     // file of attachments; NULL for none
    bool with_mesh;         // adds the render mesh to the pack
    double scale;           // metres per unit of the file; 0: as the file says
    int up;                 // SLV_UP_…: the file's axis that points up
    bool allow_paths;       // files may name files outside of their folders
    bool straight_keys;     // interpolates keys linearly where the curves of the file are unknown
    uint64_t memory_limit;  // MiB
    unsigned threads;       // 0: one per processor
    slv_part_choice choice; // which parts of the file are read
    bool list;              // only lists the parts of the file
} slv_bake_options;

slv_bake_options slv_default_bake_options(void);

#endif
