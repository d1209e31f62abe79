// SPDX-License-Identifier: MIT
// The program as a function: options in, files and a report out. main.c only parses and prints.
#ifndef SLV_VOXELIZE_VOXELIZE_H
#define SLV_VOXELIZE_VOXELIZE_H

#include "formats/result.h"
#include "tools/common/console.h"
#include "tools/common/output_files.h"
#include "tools/voxelize/lattice.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum slv_voxelize_mode {
    SLV_MODE_AUTO,    // solid where the mesh is closed, else shell
    SLV_MODE_SOLID,   // a particle at each sample inside the mesh
    SLV_MODE_SHELL,   // a particle at each sample of the one-cell-thick layer around the surface
    SLV_MODE_SURFACE, // a particle at each point of the mesh
} slv_voxelize_mode;

typedef struct slv_voxelize_options {
    const char *mesh;    // file to read; NULL with a shape
    const char *shape;   // "grid:100x100", …; NULL with a mesh
    const char *pack;    // garment pack to write; NULL for none
    const char *sdf;     // text distance field to write; NULL for none
    const char *depfile; // NULL for none
    bool field_in_pack;  // adds the distance field to the pack
    bool tetrahedra;     // splits the cells of a solid into tetrahedra

    slv_voxelize_mode mode;
    double spacing;      // metres between samples; 0: from resolution
    uint64_t resolution; // cells along the longest side of the bounds; 0 with spacing 0: 32
    uint64_t padding;    // cells around the bounds; at least 1, in shell mode 2
    double scale;        // metres per unit of the file, > 0
    bool z_up;           // the file's z axis points up
    double mass;         // kilograms of the whole garment; 0: from density
    double density;      // kg/m³ (solids), kg/m² (cloth), kg/m (ropes); 0: a default of the kind
    uint64_t memory_limit; // MiB that the arrays of grid and garment may take
    unsigned threads;      // 0: one per processor
} slv_voxelize_options;

slv_voxelize_options slv_default_voxelize_options(void);

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
    bool textured;    // the mesh has a texture
    bool painted;     // the vertices have colors
    uint32_t welded;  // vertices of the file merged with another one at the same position
    double extent[3]; // of its bounds, metres

    // Its inside; sign_method is NULL where no field was needed.
    bool closed;
    uint32_t boundary_edges, flipped_triangles;
    const char *sign_method;

    // The garment; particles == 0 where no pack was asked for.
    slv_voxelize_mode mode;
    const char *mode_reason; // NULL where the caller chose the mode
    uint32_t particles, colors, sets, render_vertices;
    // Constraint groups; no two constraints of a group share a particle where colors > 0.
    uint32_t groups;
    uint64_t distance_constraints, bending_constraints, tetrahedra;
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

const char *slv_mode_name(slv_voxelize_mode mode);
const char *slv_stage_name(int stage);

#endif
