// SPDX-License-Identifier: MIT
// Named particle sets, for pins and attachments: collected one after the other, then copied to the
// layout of a pack.
#ifndef SLV_VOXELIZE_SETS_H
#define SLV_VOXELIZE_SETS_H

#include "tools/common/mesh.h"
#include "tools/voxelize/garment_builder.h"
#include "tools/voxelize/grid_index.h"

typedef struct slv_set_list { // starts zeroed
    slv_particle_set *sets;
    size_t set_count, set_room;
    uint32_t *particles;
    size_t particle_count, particle_room;
    char *names;
    size_t name_bytes, name_room;
} slv_set_list;

// Begins a set; particles added until slv_set_end belong to it. Names are truncated to the limit of
// a pack (255 bytes); bytes that are not printable UTF-8 become '?'.
slv_result slv_set_begin(slv_set_list *list, const char *name, slv_error *error);
slv_result slv_set_add(slv_set_list *list, uint32_t stored, slv_error *error);
// Adds the particles at samples min … max, inclusive.
slv_result slv_set_add_region(slv_set_list *list, const slv_grid_index *index,
                              const uint32_t min[3], const uint32_t max[3], slv_error *error);
// Ends a set: sorts it and removes duplicates. An empty set, or one whose name exists already, is
// removed.
void slv_set_end(slv_set_list *list);

// Copies the sets into the builder.
slv_result slv_set_list_finish(const slv_set_list *list, slv_garment_builder *builder,
                               slv_error *error);
void slv_set_list_free(slv_set_list *list);

// Adds "top", "bottom" (along y), "x-min", "x-max", "z-min", "z-max": the outermost layer with
// particles on each side.
slv_result slv_add_side_sets(slv_set_list *list, const slv_grid_index *index, slv_error *error);

// For surface garments, where a point of the mesh is a particle: one set per group name of the file
// (the first 4096 in alphabetical order), and "boundary" (unless a group has that name) for the
// ends of edges that only one triangle uses: boundary[point] != 0.
slv_result slv_add_mesh_sets(slv_set_list *list, const slv_mesh *mesh, const uint8_t *boundary,
                             slv_error *error);

#endif
