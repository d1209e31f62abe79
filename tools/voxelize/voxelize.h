// SPDX-License-Identifier: MIT
// The program as a function: options in, files and a report out. main.c only parses and prints.
#ifndef SLV_VOXELIZE_VOXELIZE_H
#define SLV_VOXELIZE_VOXELIZE_H

#include "formats/result.h"
#include "tools/common/console.h"
#include "tools/common/import_space.h"
#include "tools/common/output_files.h"
#include "tools/voxelize/lattice.h"
#include "tools/voxelize/pieces.h"
#include "tools/voxelize/voxelize_options.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SLV_STAGE_IMPORT,    // reading the mesh
    SLV_STAGE_FIELD,     // preparing the field, signs or covered cells
    SLV_STAGE_PARTICLES, // particles, neighbors, constraints, sets
    SLV_STAGE_EMBEDDING, // binding the render mesh to the particles
    SLV_STAGE_OUTPUT,    // distances and writing
    SLV_STAGE_COUNT
};

// Results of a run. Texts are constants or belong to the caller.
typedef struct slv_voxelize_report {
    const char *error_source; // the file or option that an error is about, or NULL

    // The mesh; triangles == 0 for shapes.
    uint32_t triangles, points, polygons, dropped_triangles;
    bool textured;       // the mesh has a texture
    bool painted;        // the vertices have colors
    uint32_t welded;     // vertices of the file merged with another one at the same position
    double extent[3];    // of its bounds, metres
    double bounds[2][3]; // lowest and highest corner, metres
    slv_part_counts parts;
    char *list; // of the parts, where it was asked for, to be freed; nothing else is set then
    slv_import_space space; // how coordinates of the file became metres, y up

    // Its inside; sign_method is NULL where no field was needed.
    bool closed;
    uint32_t boundary_edges, flipped_triangles;
    const char *sign_method;

    // The garment; particles == 0 where no pack was asked for.
    slv_voxelize_mode mode;
    const char *mode_reason; // NULL where the caller chose the mode
    uint32_t particles, colors, sets, render_vertices;
    slv_pieces pieces;               // of a grid, before any were removed; count 0 for others
    uint32_t mesh_parts, lost_parts; // connected parts of the mesh; those without a particle
    // Constraint groups; no two constraints of a group share a particle where colors > 0.
    uint32_t groups;
    uint64_t distance_constraints, bending_constraints, tetrahedra;
    uint32_t clusters;
    uint64_t cluster_members;
    double spacing;         // metres
    double mass;            // kilograms
    double embedding_error; // metres
    slv_lattice lattice;    // cells[0] == 0 where there is none

    uint64_t pack_bytes, sdf_bytes;
    double seconds[SLV_STAGE_COUNT];
} slv_voxelize_report;

// Writes the files that the options name, all or none. They are in *files (zeroed before) and are
// published or abandoned by the caller. console receives progress and warnings.
slv_result slv_voxelize(const slv_voxelize_options *options, slv_console *console,
                        slv_voxelize_report *report, slv_output_files *files, slv_error *error);

const char *slv_stage_name(int stage);

#endif
