// SPDX-License-Identifier: MIT
#include "tests/formats/garment_faults.h"

#include "formats/garment.h"

#include <math.h>
#include <string.h>

// The sections of a pack, to be changed.
struct fault_context {
    forged_pack *pack;
    slv_garment_info *info;
    slv_grid_info *grid;
    float *position;
    float *inverse_mass;
    uint32_t *cell;
    uint32_t *order;
    slv_color_range *colors;
    int32_t *neighbors;
    slv_constraint_group *groups;
    uint32_t *distance;
    uint32_t *bending;
    uint32_t *rtri;
    float *rpos, *rnrm, *ruvs;
    uint8_t *rtex;
    slv_embedding_info *embedding;
    slv_sets_info *sets;
    slv_material *materials;
    char *provenance;
    uint32_t n;
    uint32_t m; // distance constraints
};

static fault_context context_of(forged_pack *pack) {
    fault_context in = {
        .pack = pack,
        .info = forged_section(pack, SLV_SECTION_INFO),
        .grid = forged_section(pack, SLV_SECTION_GRID),
        .position = forged_section(pack, SLV_SECTION_POSITION),
        .inverse_mass = forged_section(pack, SLV_SECTION_INVMASS),
        .cell = forged_section(pack, SLV_SECTION_CELL),
        .order = forged_section(pack, SLV_SECTION_ORDER),
        .colors = forged_section(pack, SLV_SECTION_COLOR),
        .neighbors = forged_section(pack, SLV_SECTION_NEIGHBOR),
        .groups = forged_section(pack, SLV_SECTION_GROUP),
        .distance = forged_section(pack, SLV_SECTION_DISTANCE),
        .bending = forged_section(pack, SLV_SECTION_BENDING),
        .rtri = forged_section(pack, SLV_SECTION_RENDER_TRIANGLE),
        .rpos = forged_section(pack, SLV_SECTION_RENDER_POSITION),
        .rnrm = forged_section(pack, SLV_SECTION_RENDER_NORMAL),
        .ruvs = forged_section(pack, SLV_SECTION_RENDER_UV),
        .rtex = forged_section(pack, SLV_SECTION_RENDER_TEXTURE),
        .embedding = forged_section(pack, SLV_SECTION_EMBEDDING),
        .sets = forged_section(pack, SLV_SECTION_SETS),
        .materials = forged_section(pack, SLV_SECTION_MATERIAL),
        .provenance = forged_section(pack, SLV_SECTION_PROVENANCE),
    };
    in.n = in.info->particle_count;
    in.m = (uint32_t)(forged_entry(pack, SLV_SECTION_DISTANCE)->raw_size / 12);
    return in;
}

static float *rest_of(const fault_context *in) {
    return (float *)(void *)(in->distance + 2 * (size_t)in->m);
}
static uint32_t *embedded(const fault_context *in) {
    return (uint32_t *)(void *)(in->embedding + 1);
}
static float *weights_of(const fault_context *in) {
    return (float *)(void *)(embedded(in) + 8 * (size_t)in->embedding->vertex_count);
}
static float *offsets_of(const fault_context *in) {
    return weights_of(in) + 8 * (size_t)in->embedding->vertex_count;
}
static slv_particle_set *set_table(const fault_context *in) {
    return (slv_particle_set *)(void *)(in->sets + 1);
}
static uint32_t *set_numbers(const fault_context *in) {
    return (uint32_t *)(void *)(set_table(in) + in->sets->set_count);
}
static char *set_names(const fault_context *in) {
    return (char *)(void *)(set_numbers(in) + in->sets->index_count);
}

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_neighbors(int32_t *a, int32_t *b) {
    int32_t kept = *a;
    *a = *b;
    *b = kept;
}

// Two particles exchange positions; the bounds stay the same.
static void swap_positions(const fault_context *in) {
    for (size_t axis = 0; axis < 3; axis++) {
        float *a = in->position + axis * in->n;
        float kept = a[0];
        a[0] = a[1];
        a[1] = kept;
    }
}

// A symmetric link along -x/+x between two particles that are not neighbors.
static void link_far_cells(const fault_context *in) {
    uint32_t n = in->n;
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            if (in->neighbors[a] < 0 && in->neighbors[n + b] < 0 && a != b) {
                in->neighbors[a] = (int32_t)b;
                in->neighbors[n + b] = (int32_t)a;
                return;
            }
        }
    }
}

// Joins two cells, by their numbers, in the minus slot of the upper and the plus slot of the lower.
static void link_cells(const fault_context *in, unsigned axis, uint32_t upper, uint32_t lower) {
    const uint32_t *stored_of_own = in->order + in->n; // own numbers of the full box are its cells
    uint32_t a = stored_of_own[upper];
    uint32_t b = stored_of_own[lower];
    in->neighbors[2 * axis * in->n + a] = (int32_t)b;
    in->neighbors[(2 * axis + 1) * in->n + b] = (int32_t)a;
}

// Two valid links along x exchange their ends: still symmetric and away from edges, but wrong.
static void cross_links(const fault_context *in) {
    link_cells(in, 0, 1, 6);
    link_cells(in, 0, 7, 0);
}

// The first particle whose slot is taken.
static uint32_t taken(const fault_context *in, unsigned slot) {
    uint32_t s = 0;
    while (in->neighbors[slot * in->n + s] < 0) {
        s++;
    }
    return s;
}

#define FAULT(name, statement)                                                                     \
    static void name(const fault_context *in) {                                                    \
        statement;                                                                                 \
    }

FAULT(info_many, in->info->particle_count = 0x80000000u)
FAULT(info_more, in->info->particle_count += 1)
FAULT(info_none, in->info->particle_count = 0)
FAULT(info_mode_low, in->info->mode = 0)
FAULT(info_mode_high, in->info->mode = 5)
FAULT(info_frame, in->info->frame[1] = (double)NAN)
FAULT(info_bounds, in->info->bounds_max[2] = INFINITY)
FAULT(info_inverted, in->info->bounds_min[0] = 7)
FAULT(info_bounds_nan, in->info->bounds_min[1] = NAN)
FAULT(info_spacing, in->info->spacing = -1)
FAULT(info_mass, in->info->mass = NAN)
FAULT(info_mass_more, in->info->mass *= 1.002f)
FAULT(info_mass_less, in->info->mass *= 0.998f)
FAULT(info_mass_none, in->info->mass = 0)
FAULT(mass_all_fixed, memset(in->inverse_mass, 0, in->n * sizeof *in->inverse_mass))
FAULT(info_zero, in->info->zero[31] = 1)
FAULT(info_surface, in->info->mode = SLV_GARMENT_SURFACE)
FAULT(position_nan, in->position[5] = NAN)
FAULT(position_last_nan, in->position[3 * in->n - 1] = NAN)
FAULT(position_inf, in->position[in->n + 1] = -INFINITY)
FAULT(position_outside, in->position[2 * in->n] = 100)
FAULT(mass_negative, in->inverse_mass[3] = -1)
FAULT(mass_nan, in->inverse_mass[in->n - 1] = NAN)
FAULT(mass_inf, in->inverse_mass[0] = INFINITY)
FAULT(order_far, in->order[4] = in->n)
FAULT(order_twice, in->order[4] = in->order[5])
FAULT(order_disagree, swap(&in->order[in->n], &in->order[in->n + 1]))
FAULT(order_wild, in->order[2 * in->n - 1] = 0xFFFFFFFFu)
FAULT(color_gap, in->colors[1].first += 1)
FAULT(color_short, in->colors[1].count -= 1)
FAULT(color_long, in->colors[1].count += 1)
FAULT(color_huge, in->colors[0].count = 0xFFFFFFFFu)
FAULT(color_number, in->colors[1].color = 5)
FAULT(color_same, in->colors[1].color = 0)
FAULT(color_none, in->colors[0].color = SLV_UNCOLORED)
FAULT(color_zero, in->colors[0].zero = 1)
FAULT(color_border, in->colors[0].count += 1; in->colors[1].first += 1; in->colors[1].count -= 1)
FAULT(grid_cells_zero, in->grid->cells[1] = 0)
FAULT(grid_cells_huge, in->grid->cells[0] = in->grid->cells[1] = 0x10000u)
FAULT(grid_cells_overflow,
      in->grid->cells[0] = in->grid->cells[1] = in->grid->cells[2] = 0xFFFFFFFFu)
FAULT(grid_cells_fewer, in->grid->cells[2] -= 1)
FAULT(grid_cells_other, in->grid->cells[0] += 1)
FAULT(grid_origin, in->grid->origin[0] = (double)INFINITY)
FAULT(grid_origin_moved, in->grid->origin[0] += 55)
FAULT(grid_origin_nudged, in->grid->origin[2] += 0.01 * in->grid->spacing)
FAULT(grid_spacing_other, in->grid->spacing *= 1.1)
FAULT(grid_spacing_huge, in->grid->spacing = 1e308)
FAULT(position_swapped, swap_positions(in))
FAULT(grid_spacing_zero, in->grid->spacing = 0)
FAULT(grid_spacing_nan, in->grid->spacing = (double)NAN)
FAULT(grid_zero, in->grid->zero = 1)
FAULT(cell_swapped, swap(&in->cell[0], &in->cell[1]))
FAULT(cell_twice, in->cell[1] = in->cell[0])
FAULT(cell_far, in->cell[in->order[2 * in->n - 1]] = 36)
FAULT(cell_wild, in->cell[in->order[2 * in->n - 1]] = 0xFFFFFFFFu)
FAULT(neighbor_far, in->neighbors[taken(in, 0)] = (int32_t)in->n)
FAULT(neighbor_negative, in->neighbors[taken(in, 0)] = -2)
FAULT(neighbor_plus_wild, in->neighbors[in->n + taken(in, 1)] = INT32_MAX)
FAULT(neighbor_one_way, in->neighbors[taken(in, 2) + 2 * in->n] = -1)
FAULT(neighbor_unanswered, in->neighbors[taken(in, 3) + 3 * in->n] = -1)
FAULT(neighbor_far_link, link_far_cells(in))
FAULT(neighbor_axis, swap_neighbors(&in->neighbors[taken(in, 4) + 4 * in->n],
                                    &in->neighbors[taken(in, 4) + 2 * in->n]))
FAULT(neighbor_crossed, cross_links(in))
FAULT(neighbor_wraps_x, link_cells(in, 0, 4, 3))
FAULT(neighbor_wraps_y, link_cells(in, 1, 12, 8))
FAULT(group_tetrahedra, in->groups[6].kind = SLV_CONSTRAINT_TETRAHEDRON)
FAULT(group_phantoms, in->groups[6].kind = SLV_CONSTRAINT_PHANTOM)
FAULT(group_unknown, in->groups[6].kind = 77)
FAULT(group_unsorted, in->groups[0].kind = SLV_CONSTRAINT_BENDING)
FAULT(group_material, in->groups[0].material = 2)
FAULT(group_zero, in->groups[0].zero = 1)
FAULT(group_gap, in->groups[1].first += 1)
FAULT(group_long, in->groups[5].count += 1)
FAULT(group_endless, in->groups[5].count = UINT64_MAX)
FAULT(group_short, in->groups[5].count -= 1)
FAULT(group_bending_short, in->groups[6].count -= 1)
FAULT(group_color_twice, in->groups[1].color = 0)
FAULT(group_color_after_none, in->groups[2].color = SLV_UNCOLORED)
FAULT(group_shared, in->distance[1] = in->distance[0])
FAULT(group_shared_ends, in->distance[1] = in->distance[in->m])
FAULT(distance_far_a, in->distance[0] = in->n)
FAULT(distance_far_b, in->distance[2 * in->m - 1] = 0xFFFFFFFFu)
FAULT(distance_self, in->distance[in->m] = in->distance[0])
FAULT(distance_negative, rest_of(in)[0] = -0.5f)
FAULT(distance_nan, rest_of(in)[in->m - 1] = NAN)
FAULT(bending_far, in->bending[0] = in->n)
FAULT(triangle_far, in->rtri[2] = in->embedding->vertex_count)
FAULT(render_nan, in->rpos[0] = NAN)
FAULT(normal_long, in->rnrm[0] = 1)
FAULT(normal_nan, in->rnrm[5] = NAN)
FAULT(normal_short, in->rnrm[2] = 0.5f)
FAULT(uv_inf, in->ruvs[1] = INFINITY)
FAULT(texture_jpeg, memcpy(in->rtex, "\xFF\xD8\xFF", 3))
FAULT(texture_headless, in->rtex[12] = 'X')
FAULT(texture_endless, in->rtex[8] = 0xFF)
FAULT(texture_wide, in->rtex[18] = 0x20)
FAULT(texture_none, in->rtex[19] = 0)
FAULT(texture_tall, in->rtex[20] = 0x80)
FAULT(texture_depth, in->rtex[24] = 3)
FAULT(texture_depth_huge, in->rtex[24] = 0xFF)
FAULT(texture_type, in->rtex[25] = 7)
FAULT(texture_interlace, in->rtex[28] = 2)
FAULT(texture_chunk_long, in->rtex[33] = 0xFF)
FAULT(texture_chunk_short, in->rtex[36] = 0x0E)
FAULT(texture_no_pixels, in->rtex[37] = 'X')
FAULT(texture_no_end, in->rtex[64] = 'X')
FAULT(embedding_vertices, in->embedding->vertex_count += 1)
FAULT(embedding_influences, in->embedding->influences = 3)
FAULT(embedding_fewer, in->embedding->influences = 4)
FAULT(embedding_flags, in->embedding->flags |= 2)
FAULT(embedding_no_offsets, in->embedding->flags = 0)
FAULT(embedding_zero, in->embedding->zero = 1)
FAULT(embedding_far, embedded(in)[7] = in->n)
FAULT(embedding_nan, weights_of(in)[3] = NAN)
FAULT(embedding_sum, weights_of(in)[3] = 0.126f)
FAULT(embedding_offset, offsets_of(in)[1] = NAN)
FAULT(sets_more, in->sets->set_count += 1)
FAULT(sets_huge, in->sets->set_count = 0xFFFFFFFFu)
FAULT(sets_zero, in->sets->zero = 1)
FAULT(sets_empty_name, set_table(in)[0].name_length = 0)
FAULT(sets_long_name, set_table(in)[1].name_length = 256)
FAULT(sets_name_far, set_table(in)[1].name_offset = 0xFFFFFFF0u)
FAULT(sets_first_far, set_table(in)[1].first = 0xFFFFFFF0u)
FAULT(sets_count_far, set_table(in)[1].count += 1)
FAULT(sets_unowned, set_table(in)[1].count -= 1)
FAULT(sets_number_far, set_numbers(in)[0] = in->n)
FAULT(sets_descending, swap(&set_numbers(in)[1], &set_numbers(in)[2]))
FAULT(sets_repeated, set_numbers(in)[2] = set_numbers(in)[1])
FAULT(sets_name_utf8, set_names(in)[0] = (char)0xFF)
FAULT(sets_name_zero, set_names(in)[2] = 0)
FAULT(material_name_open, memset(in->materials[0].name, 'a', 32))
FAULT(material_name_empty, memset(in->materials[0].name, 0, 32))
FAULT(material_name_tail, in->materials[0].name[20] = 'x')
FAULT(material_name_utf8, in->materials[1].name[7] = 'x')
FAULT(material_stiffness, in->materials[0].stretch_stiffness = -1)
FAULT(material_damping, in->materials[0].damping = NAN)
FAULT(material_thickness, in->materials[1].thickness = INFINITY)
FAULT(material_restitution, in->materials[0].restitution = 1.5f)
FAULT(material_color, in->materials[0].color[3] = -0.1f)
FAULT(material_zero, in->materials[1].zero[39] = 1)
FAULT(material_given, in->materials[1].given = 1u << 5)
FAULT(material_rigidity, in->materials[0].flexural_rigidity = -1e-6f)
FAULT(provenance_utf8, in->provenance[3] = (char)0xC0)

const garment_fault garment_faults[] = {
    {"INFO: 2147483648 particles", info_many},
    {"PPOS: 432 bytes long, should be 444", info_more},
    {"PPOS: 432 bytes long, should be 0", info_none},
    {"INFO: mode 0", info_mode_low},
    {"INFO: mode 5", info_mode_high},
    {"INFO: the frame", info_frame},
    {"INFO: the bounds", info_bounds},
    {"INFO: the bounds", info_inverted},
    {"INFO: the bounds", info_bounds_nan},
    {"INFO: spacing and mass", info_spacing},
    {"INFO: spacing and mass", info_mass},
    {"INFO: reserved", info_zero},
    {"INFO: mass 0.0", info_mass_more},
    {"INFO: mass 0.0", info_mass_less},
    {"INFO: mass 0 kg, but", info_mass_none},
    {"INFO: mass 0.035 kg, but the particles that can move have 0", mass_all_fixed},
    {"GRID: a surface has no grid", info_surface},
    {"PPOS: x of stored particle 5", position_nan},
    {"PPOS: z of stored particle 35", position_last_nan},
    {"PPOS: y of stored particle 1", position_inf},
    {"PPOS: z of stored particle 0 is 100", position_outside},
    {"PINV: stored particle 3 has -1", mass_negative},
    {"PINV: stored particle 35", mass_nan},
    {"PINV: stored particle 0 has inf", mass_inf},
    {"PORD: stored particle 4 has own number 36", order_far},
    {"PORD: the two orders disagree", order_twice},
    {"PORD: the two orders disagree", order_disagree},
    {"PORD: the two orders disagree", order_wild},
    {"PCOL: range 1", color_gap},
    {"PCOL: ranges cover 35 of 36", color_short},
    {"PCOL: range 1", color_long},
    {"PCOL: range 0", color_huge},
    {"PCOL: range 1 has color 5", color_number},
    {"PCOL: range 1 has color 0", color_same},
    {"PCOL: range 0 has color 4294967295", color_none},
    {"PCOL: reserved", color_zero},
    {"PCOL: two neighbors along", color_border},
    {"GRID: 4 x 0 x 3 cells", grid_cells_zero},
    {"GRID: 65536 x 65536 x 3 cells", grid_cells_huge},
    {"GRID: 4294967295 x", grid_cells_overflow},
    {"PCEL: cell 35, the grid has 24", grid_cells_fewer},
    {"PPOS: stored particle", grid_cells_other},
    {"GRID: the origin", grid_origin},
    {"PPOS: stored particle 0 is at", grid_origin_moved},
    {"PPOS: stored particle", grid_origin_nudged},
    {"PPOS: stored particle", grid_spacing_other},
    {"PPOS: stored particle", grid_spacing_huge},
    {"PPOS: stored particle", position_swapped},
    {"GRID: spacing 0", grid_spacing_zero},
    {"GRID: spacing", grid_spacing_nan},
    {"GRID: reserved", grid_zero},
    {"PCEL: stored particle", cell_swapped},
    {"PCEL: stored particle", cell_twice},
    {"PCEL: cell 36, the grid has 36", cell_far},
    {"PCEL: cell 4294967295", cell_wild},
    {"NBRS: stored particle", neighbor_far},
    {"NBRS: stored particle", neighbor_negative},
    {"NBRS: stored particle", neighbor_plus_wild},
    {"NBRS: ", neighbor_one_way},
    {"NBRS: ", neighbor_unanswered},
    {"NBRS: stored particle", neighbor_far_link},
    {"NBRS: stored particle", neighbor_axis},
    {"NBRS: stored particle", neighbor_crossed},
    {"NBRS: stored particle", neighbor_wraps_x},
    {"NBRS: stored particle", neighbor_wraps_y},
    {"CGRP: groups cover 0 of 9 bending constraints", group_tetrahedra},
    {"CGRP: groups cover 0 of 9 bending constraints", group_phantoms},
    {"CGRP: group 6 is of the unknown kind 77", group_unknown},
    {"CGRP: ", group_unsorted},
    {"CGRP: group 0 has material 2, there are 2", group_material},
    {"CGRP: reserved", group_zero},
    {"CGRP: group 1 is", group_gap},
    {"CGRP: group 5 is", group_long},
    {"CGRP: group 5 is", group_endless},
    {"CGRP: groups cover", group_short},
    {"CGRP: groups cover", group_bending_short},
    {"CGRP: group 1 has color 0", group_color_twice},
    {"CGRP: group 3 has color 3", group_color_after_none},
    {"CGRP: group 0 is colored, but two", group_shared},
    {"CGRP: group 0 is colored, but two", group_shared_ends},
    {"CDST: constraint 0 has stored particle 36", distance_far_a},
    {"CDST: constraint", distance_far_b},
    {"CDST: constraint 0 has stored particle 0 twice", distance_self},
    {"CDST: constraint 0 has rest length -0.5", distance_negative},
    {"CDST: constraint", distance_nan},
    {"CBND: constraint 0 has stored particle 36", bending_far},
    {"RTRI: triangle 0 names vertex 6, there are 6", triangle_far},
    {"RPOS: value 0", render_nan},
    {"RNRM: the normal of vertex 0", normal_long},
    {"RNRM: the normal of vertex 1", normal_nan},
    {"RNRM: the normal of vertex 0", normal_short},
    {"RUVS: value 1", uv_inf},
    {"RTEX: not a PNG", texture_jpeg},
    {"RTEX: a PNG without a header", texture_headless},
    {"RTEX: a PNG without a header", texture_endless},
    {"RTEX: 8194 x 1 pixels, should be 1 to 8192 per side", texture_wide},
    {"RTEX: 0 x 1 pixels", texture_none},
    {"RTEX: 2 x 2147483649 pixels", texture_tall},
    {"RTEX: a PNG of an unknown kind", texture_depth},
    {"RTEX: a PNG of an unknown kind", texture_depth_huge},
    {"RTEX: a PNG of an unknown kind", texture_type},
    {"RTEX: a PNG of an unknown kind", texture_interlace},
    {"RTEX: a PNG that is truncated or followed by other bytes", texture_chunk_long},
    {"RTEX: a PNG that is truncated or followed by other bytes", texture_chunk_short},
    {"RTEX: a PNG that is truncated or followed by other bytes", texture_no_pixels},
    {"RTEX: a PNG that is truncated or followed by other bytes", texture_no_end},
    {"REMB: it embeds 7 vertices, RPOS has 6", embedding_vertices},
    {"REMB: 3 influences", embedding_influences},
    {"REMB: 472 bytes long", embedding_fewer},
    {"REMB: unknown flags", embedding_flags},
    {"REMB: 472 bytes long", embedding_no_offsets},
    {"REMB: unknown flags or reserved", embedding_zero},
    {"REMB: vertex 0 follows stored particle 36", embedding_far},
    {"REMB: value 3", embedding_nan},
    {"REMB: the weights of vertex 0 sum to 1.001", embedding_sum},
    {"REMB: value 1", embedding_offset},
    {"PSET: ", sets_more},
    {"PSET: ", sets_huge},
    {"PSET: its first 16 bytes", sets_zero},
    {"PSET: the name of set 0 has 0 bytes", sets_empty_name},
    {"PSET: the name of set 1 has 256 bytes", sets_long_name},
    {"PSET: set 1 does not follow", sets_name_far},
    {"PSET: set 1 does not follow", sets_first_far},
    {"PSET: set 1 does not follow", sets_count_far},
    {"PSET: particle numbers or names", sets_unowned},
    {"PSET: set 0 lists stored particle 36", sets_number_far},
    {"PSET: set 1 lists stored particle", sets_descending},
    {"PSET: set 1 lists stored particle", sets_repeated},
    {"PSET: the name of set 0 is not UTF-8", sets_name_utf8},
    {"PSET: the name of set 0 is not UTF-8", sets_name_zero},
    {"MATL: material 0: its name must", material_name_open},
    {"MATL: material 0: its name must", material_name_empty},
    {"MATL: material 0: bytes after", material_name_tail},
    {"MATL: material 1: its name is not UTF-8", material_name_utf8},
    {"MATL: material 0: stiffness", material_stiffness},
    {"MATL: material 0: stiffness", material_damping},
    {"MATL: material 1: stiffness", material_thickness},
    {"MATL: material 0: restitution", material_restitution},
    {"MATL: material 0: restitution and color", material_color},
    {"MATL: material 1: reserved", material_zero},
    {"MATL: material 1: it gives values", material_given},
    {"MATL: material 0: stiffness, rigidity", material_rigidity},
    {"PROV: not UTF-8", provenance_utf8},
};

const size_t garment_fault_count = sizeof garment_faults / sizeof *garment_faults;

void garment_fault_apply(size_t index, forged_pack *pack) {
    fault_context in = context_of(pack);
    garment_faults[index].apply(&in);
    forged_pack_seal(pack);
}
