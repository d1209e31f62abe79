// SPDX-License-Identifier: MIT
// The program as a function: options in, files and a report out. main.c only parses and prints.
#ifndef SLV_BAKE_BAKE_H
#define SLV_BAKE_BAKE_H

#include "formats/result.h"
#include "tools/common/console.h"
#include "tools/common/output_files.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct slv_bake_options {
    const char *character; // file to read, or the first of a numbered sequence
    const char *pack;      // collider pack to write
    const char *depfile;   // NULL for none
    const char *clip;      // name or number; NULL: the first
    double rate;           // frames per second; 0: 30
    double start, end;     // seconds on the clip's time line; NAN: all of it
    double radius;         // of particles, metres; 0: from particles
    uint64_t particles;    // about how many; 0 with radius 0: 5000
    double tolerance;      // coverage may exceed the radius by this fraction of it
    double error;          // largest error of a stored position, millimetres
    const char *attach;    // file of attachments; NULL for none
    bool with_mesh;        // adds the render mesh to the pack
    double scale;          // metres per unit of the file, > 0
    bool z_up;             // the file's z axis points up
    bool straight_keys;    // interpolates keys linearly where the curves of the file are unknown
    unsigned threads;      // 0: one per processor
} slv_bake_options;

slv_bake_options slv_default_bake_options(void);

enum {
    SLV_BAKE_IMPORT,
    SLV_BAKE_SURVEY,    // measuring the surface in all frames
    SLV_BAKE_PLACEMENT, // particles, coverage
    SLV_BAKE_OUTPUT,    // prediction, coding, writing
    SLV_BAKE_STAGES
};

typedef struct slv_bake_report {
    const char *error_source; // the file or option that an error is about, or NULL
    char clip[128];           // "" where there is none
    bool still;               // no animation: one frame
    uint32_t vertices, triangles, dropped_triangles;
    double extent; // metres: diagonal of the first frame's bounds
    uint32_t frames;
    double rate, start, duration;
    uint32_t particles, added_particles; // added_particles: those added for stretched surface
    double radius, coverage;             // metres
    uint32_t coverage_frame;
    double stops; // metres: garment particles of at least this radius cannot pass through
    uint32_t samples;
    uint32_t attachments, mesh_vertices;
    double largest_error; // metres
    uint64_t pack_bytes;
    double bytes_per_frame, ratio; // ratio: size of float32 positions of all frames over pack size
    double seconds[SLV_BAKE_STAGES];
} slv_bake_report;

// Writes the files that the options name, all or none. They are in *files (zeroed before) and are
// published or abandoned by the caller.
slv_result slv_bake(const slv_bake_options *options, slv_console *console, slv_bake_report *report,
                    slv_output_files *files, slv_error *error);

const char *slv_bake_stage_name(int stage);

#endif
