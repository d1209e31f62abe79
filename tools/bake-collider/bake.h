// SPDX-License-Identifier: MIT
// The program as a function: options in, files and a report out. main.c only parses and prints.
#ifndef SLV_BAKE_BAKE_H
#define SLV_BAKE_BAKE_H

#include "formats/result.h"
#include "tools/bake-collider/bake_options.h"
#include "tools/common/console.h"
#include "tools/common/import_space.h"
#include "tools/common/output_files.h"

#include <stdbool.h>
#include <stdint.h>

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
    slv_part_counts parts;
    char *list; // of the parts, where it was asked for, to be freed; nothing else is set then
    slv_import_space space; // how coordinates of the file became metres, y up
    double bounds[2][3];    // lowest and highest corner of the first frame, metres
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
