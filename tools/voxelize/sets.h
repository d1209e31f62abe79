// SPDX-License-Identifier: MIT
// Named sets of particles, for pins and attachments: collected one after the other, then laid out as
// a pack wants them.
#ifndef SLV_VOXELIZE_SETS_H
#define SLV_VOXELIZE_SETS_H

#include "tools/common/mesh.h"
#include "tools/voxelize/draft.h"
#include "tools/voxelize/grid_index.h"

typedef struct slv_set_list { // all zero is an empty list
    slv_particle_set *sets;
    size_t set_count, set_room;
    uint32_t *particles;
    size_t particle_count, particle_room;
    char *names;
    size_t name_bytes, name_room;
} slv_set_list;

// Opens a set; particles added from here on are in it. Names are cut to what a pack allows (255
// bytes); bytes that are no UTF-8 or do not print become '?'.
slv_result slv_set_begin(slv_set_list *list, const char *name, slv_error *error);
slv_result slv_set_add(slv_set_list *list, uint32_t stored, slv_error *error);
// Adds the particles at samples min … max, both included.
slv_result slv_set_add_region(slv_set_list *list, const slv_grid_index *index,
                              const uint32_t min[3], const uint32_t max[3], slv_error *error);
// Sorts the set and drops doubles. A set that stayed empty, or whose name an earlier one has, goes.
void slv_set_end(slv_set_list *list);

// Copies the sets into the draft.
slv_result slv_set_list_finish(const slv_set_list *list, slv_draft *draft, slv_error *error);
void slv_set_list_free(slv_set_list *list);

// "top", "bottom" (along y), "x-min", "x-max", "z-min", "z-max": the outermost layer on each side that
// carries a particle.
slv_result slv_add_side_sets(slv_set_list *list, const slv_grid_index *index, slv_error *error);

// For surface garments, where a point of the mesh is a particle: one set for each group name of the
// file (the first 4096 in the order of their names), and "boundary" (unless a group has that name) for the ends of edges that only one triangle
// uses: boundary[point] != 0.
slv_result slv_add_mesh_sets(slv_set_list *list, const slv_mesh *mesh, const uint8_t *boundary,
                             slv_error *error);

#endif
