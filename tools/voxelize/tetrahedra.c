// SPDX-License-Identifier: MIT
#include "tools/voxelize/tetrahedra.h"

#include <string.h>

enum { CORNERS = 8, PER_CUBE = 6 };

// The neighbor in a slot; SLV_NO_NEIGHBOR stays SLV_NO_NEIGHBOR.
static int32_t step(const slv_garment *garment, int32_t from, size_t slot) {
    const size_t n = garment->info.particle_count;
    return from == SLV_NO_NEIGHBOR ? from : garment->neighbors[slot * n + (size_t)from];
}

// Finds the cube whose lowest corner is the particle: corner c lies at (c & 1, c >> 1 & 1, c >> 2)
// from it.
static bool find_cube(const slv_garment *garment, uint32_t stored, uint32_t cube[CORNERS]) {
    int32_t corner[CORNERS];
    corner[0] = (int32_t)stored;
    corner[1] = step(garment, corner[0], SLV_SLOT_PLUS_X);
    corner[2] = step(garment, corner[0], SLV_SLOT_PLUS_Y);
    corner[3] = step(garment, corner[1], SLV_SLOT_PLUS_Y);
    for (int c = 0; c < 4; c++) {
        corner[4 + c] = step(garment, corner[c], SLV_SLOT_PLUS_Z);
    }
    for (int c = 0; c < CORNERS; c++) {
        if (corner[c] == SLV_NO_NEIGHBOR) {
            return false;
        }
        cube[c] = (uint32_t)corner[c];
    }
    return true;
}

static uint64_t count_cubes(const slv_garment *garment) {
    uint64_t count = 0;
    uint32_t cube[CORNERS];
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        count += find_cube(garment, s, cube);
    }
    return count;
}

static slv_result add_group(slv_garment_builder *builder, uint64_t count, slv_error *error) {
    slv_garment *garment = &builder->garment;
    slv_constraint_group *groups =
        slv_builder_array(builder, (uint64_t)garment->group_count + 1, sizeof *groups, error);
    if (groups == NULL) {
        return SLV_ERROR_MEMORY;
    }
    if (garment->group_count > 0) {
        memcpy(groups, garment->groups, garment->group_count * sizeof *groups);
    }
    groups[garment->group_count++] = (slv_constraint_group){
        .kind = SLV_CONSTRAINT_TETRAHEDRON, .color = SLV_UNCOLORED, .count = count};
    garment->groups = groups;
    return SLV_OK;
}

// One tetrahedron for each order of the axes on the path from the lowest corner to the highest. Odd
// permutations have the opposite orientation and are swapped.
static void split_cube(const uint32_t cube[CORNERS], uint64_t first, uint32_t *const ends[4]) {
    static const int middle_corners[PER_CUBE][2] = {{1, 3}, {5, 1}, {3, 2}, {2, 6}, {4, 5}, {6, 4}};
    for (uint64_t w = 0; w < PER_CUBE; w++) {
        ends[0][first + w] = cube[0];
        ends[1][first + w] = cube[middle_corners[w][0]];
        ends[2][first + w] = cube[middle_corners[w][1]];
        ends[3][first + w] = cube[7];
    }
}

slv_result slv_add_tetrahedra(slv_garment_builder *builder, slv_error *error) {
    slv_garment *garment = &builder->garment;
    const uint64_t count = PER_CUBE * count_cubes(garment);
    const double spacing = garment->grid->spacing;
    uint32_t *ends[4] = {NULL};
    if (count == 0) {
        return SLV_OK;
    }
    for (int e = 0; e < 4; e++) {
        ends[e] = slv_builder_array(builder, count, sizeof *ends[e], error);
        if (ends[e] == NULL) {
            return SLV_ERROR_MEMORY;
        }
    }
    float *rest = slv_builder_array(builder, count, sizeof *rest, error);
    if (rest == NULL) {
        return SLV_ERROR_MEMORY;
    }
    uint64_t next = 0;
    for (uint32_t own = 0; own < garment->info.particle_count; own++) {
        uint32_t cube[CORNERS];
        if (find_cube(garment, garment->stored_of_own[own], cube)) {
            split_cube(cube, next, ends);
            next += PER_CUBE;
        }
    }
    for (uint64_t t = 0; t < count; t++) {
        rest[t] = (float)(spacing * spacing * spacing / PER_CUBE);
    }
    garment->constraints[SLV_CONSTRAINT_TETRAHEDRON] =
        (slv_constraints){count, {ends[0], ends[1], ends[2], ends[3]}, rest};
    return add_group(builder, count, error);
}
