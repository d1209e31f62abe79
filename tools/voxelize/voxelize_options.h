// SPDX-License-Identifier: MIT
#ifndef SLV_VOXELIZE_OPTIONS_H
#define SLV_VOXELIZE_OPTIONS_H

#include "tools/common/part_choice.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum slv_voxelize_mode {
    SLV_MODE_AUTO,    // solid where the mesh is closed, else shell
    SLV_MODE_SOLID,   // a particle at each sample inside the mesh
    SLV_MODE_SHELL,   // a particle at each sample of the one-cell-thick layer around the surface
    SLV_MODE_SURFACE, // a particle at each point of the mesh
} slv_voxelize_mode;

typedef enum slv_keep { // which pieces of a grid become particles
    SLV_KEEP_ALL,
    SLV_KEEP_LARGEST, // the one of the most particles; of equal ones the first
    SLV_KEEP_JOINED,  // all but loose particles, which no constraint joins to another
} slv_keep;

typedef enum slv_body_kind { // clusters in place of distance constraints
    SLV_BODY_NONE,
    SLV_BODY_RIGID, // one of all particles
    SLV_BODY_SOFT,  // many that overlap
} slv_body_kind;

enum { SLV_CLUSTER_SIDE = 4 }; // samples along a side of a soft body's clusters, usually

typedef struct slv_voxelize_options {
    const char *mesh;    // file to read; NULL with a shape
    const char *shape;   // "grid:100x100", …; NULL with a mesh
    const char *pack;    // garment pack to write; NULL for none
    const char *sdf;     // text distance field to write; NULL for none
    const char *depfile; // NULL for none
    bool field_in_pack;  // adds the distance field to the pack
    bool tetrahedra;     // splits the cells of a solid into tetrahedra

    slv_body_kind body;
    uint64_t
        cluster_side; // samples along a side of a soft body's clusters, 2 or more; 0: SLV_CLUSTER_SIDE

    slv_voxelize_mode mode;
    double spacing;      // metres between samples; 0: from resolution
    uint64_t resolution; // cells along the longest side of the bounds; 0 with spacing 0: 32
    uint64_t padding;    // cells around the bounds; at least 1, in shell mode 2
    double scale;        // metres per unit of the file; 0: as the file says
    int up;              // SLV_UP_…: the file's axis that points up
    bool clip_start;     // the pose is the start of the first clip
    bool allow_paths;    // the file may name files outside of its folder
    double mass;         // kilograms of the whole garment; 0: from density
    double density;      // kg/m³ (solids), kg/m² (cloth), kg/m (ropes); 0: a default of the kind
    int fabric;          // in slv_fabric_names; 0: none
    uint64_t memory_limit;  // MiB that the arrays of grid and garment may take
    unsigned threads;       // 0: one per processor
    slv_part_choice choice; // which parts of the file are read
    slv_keep keep;
    bool list; // only lists the parts of the file
} slv_voxelize_options;

slv_voxelize_options slv_default_voxelize_options(void);

// Names of the values of an enum, in their order; ended by NULL.
extern const char *const slv_mode_names[];
extern const char *const slv_body_names[];
const char *slv_mode_name(slv_voxelize_mode mode);
const char *slv_body_name(slv_body_kind body);

#endif
