// SPDX-License-Identifier: MIT
// Garments: a round trip keeps everything, and each single lie is refused, by the section's name.
#include "formats/garment.h"
#include "tests/formats/forged_pack.h"
#include "tests/formats/garment_walk.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

static int set_up(void **state) {
    scratch *place = malloc(sizeof *place);
    *state = place;
    return place ? scratch_open(place) : -1;
}

static int tear_down(void **state) {
    scratch_close(*state);
    free(*state);
    return 0;
}

static forged_pack pack_of(scratch *place, const sample_garment *sample) {
    slv_error error;
    const char *path = scratch_path(place, "garment.slv");
    assert_int_equal(sample_write(&sample->garment, NULL, path, &error), SLV_OK);
    forged_pack pack = forged_pack_load(path);
    assert_non_null(pack.bytes);
    return pack;
}

static forged_pack grid_pack(scratch *place) {
    sample_garment sample;
    sample_grid(&sample, 4, 3, 3);
    forged_pack pack = pack_of(place, &sample);
    sample_free(&sample);
    return pack;
}

static forged_pack surface_pack(scratch *place) {
    sample_garment sample;
    sample_surface(&sample, 5);
    forged_pack pack = pack_of(place, &sample);
    sample_free(&sample);
    return pack;
}

static slv_result open_garment(const forged_pack *bytes, slv_error *error) {
    slv_pack *pack = NULL;
    slv_garment garment;
    assert_int_equal(slv_pack_open_memory(bytes->bytes, bytes->size, NULL, &pack, error), SLV_OK);
    slv_result result = slv_garment_open(pack, &garment, error);
    if (result == SLV_OK) {
        assert_true(isfinite(garment_walk(&garment)));
    }
    slv_pack_close(pack);
    return result;
}

static void assert_refused(const forged_pack *pack, const char *text) {
    slv_error error = {0};
    slv_result result = open_garment(pack, &error);
    if (result != SLV_ERROR_CONTENT || !strstr(error.text, text)) {
        fail_msg("result %d, \"%s\"; should be refused with \"%s\"", result, error.text, text);
    }
}

// --- round trips -----------------------------------------------------------------------------------

static void assert_same(const void *a, const void *b, size_t size) {
    assert_true((a == NULL) == (b == NULL));
    if (size > 0) {
        assert_memory_equal(a, b, size);
    }
}

static void assert_same_pairs(const slv_pair_constraints *a, const slv_pair_constraints *b) {
    assert_int_equal(a->count, b->count);
    size_t size = 4 * (size_t)a->count;
    if (size > 0) {
        assert_same(a->a, b->a, size);
        assert_same(a->b, b->b, size);
        assert_same(a->rest, b->rest, size);
    }
}

static void assert_same_particles(const slv_garment *a, const slv_garment *b) {
    size_t n = a->info.particle_count;
    assert_same(&a->info, &b->info, sizeof a->info);
    assert_same(a->x, b->x, 4 * n);
    assert_same(a->y, b->y, 4 * n);
    assert_same(a->z, b->z, 4 * n);
    assert_same(a->inverse_mass, b->inverse_mass, 4 * n);
    assert_same(a->own_of_stored, b->own_of_stored, 4 * n);
    assert_same(a->stored_of_own, b->stored_of_own, 4 * n);
    assert_same(a->grid, b->grid, a->grid ? sizeof *a->grid : 0);
    assert_same(a->cell, b->cell, a->grid ? 4 * n : 0);
    assert_same(a->neighbours, b->neighbours, a->grid ? 24 * n : 0);
    assert_int_equal(a->colour_count, b->colour_count);
    assert_same(a->colours, b->colours, a->colour_count * sizeof *a->colours);
}

static void assert_same_render(const slv_render_mesh *a, const slv_render_mesh *b) {
    size_t v = a->vertex_count;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->influences, b->influences);
    assert_same(a->positions, b->positions, 12 * v);
    assert_same(a->normals, b->normals, 12 * v);
    assert_same(a->uvs, b->uvs, a->uvs ? 8 * v : 0);
    assert_same(a->triangles, b->triangles, 12 * (size_t)a->triangle_count);
    assert_same(a->source, b->source, a->source ? 4 * v : 0);
    assert_same(a->particles, b->particles, 4 * v * a->influences);
    assert_same(a->weights, b->weights, 4 * v * a->influences);
    assert_same(a->offsets, b->offsets, a->offsets ? 12 * v : 0);
}

static void assert_same_garment(const slv_garment *a, const slv_garment *b) {
    assert_same_particles(a, b);
    assert_int_equal(a->group_count, b->group_count);
    assert_same(a->groups, b->groups, a->group_count * sizeof *a->groups);
    assert_same_pairs(&a->distance, &b->distance);
    assert_same_pairs(&a->bending, &b->bending);
    assert_same_render(&a->render, &b->render);
    assert_int_equal(a->material_count, b->material_count);
    assert_same(a->materials, b->materials, a->material_count * sizeof *a->materials);
    assert_int_equal(a->provenance_size, b->provenance_size);
    assert_same(a->provenance, b->provenance, a->provenance_size);
    assert_int_equal(a->set_count, b->set_count);
    for (uint32_t i = 0; i < a->set_count; i++) {
        slv_named_set one = slv_garment_get_set(a, i);
        slv_named_set other = slv_garment_get_set(b, i);
        assert_int_equal(one.name_length, other.name_length);
        assert_int_equal(one.count, other.count);
        assert_same(one.name, other.name, one.name_length);
        assert_same(one.particles, other.particles, 4 * (size_t)one.count);
    }
}

static void check_round_trip(scratch *place, sample_garment *sample) {
    forged_pack bytes = pack_of(place, sample);
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_error error = {0};
    assert_int_equal(slv_pack_open_memory(bytes.bytes, bytes.size, NULL, &pack, &error), SLV_OK);
    if (slv_garment_open(pack, &garment, &error) != SLV_OK) {
        fail_msg("%s", error.text);
    }
    assert_same_garment(&sample->garment, &garment);
    slv_pack_close(pack);
    forged_pack_free(&bytes);
    sample_free(sample);
}

static void a_grid_garment_comes_back_whole(void **state) {
    const uint32_t sizes[][3] = {{2, 2, 1}, {4, 3, 3}, {17, 5, 9}, {2, 40, 2}, {65, 2, 65}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sample_garment sample;
        sample_grid(&sample, sizes[i][0], sizes[i][1], sizes[i][2]);
        check_round_trip(*state, &sample);
    }
}

static void a_surface_comes_back_whole(void **state) {
    sample_garment sample;
    sample_surface(&sample, 100);
    check_round_trip(*state, &sample);
}

static void an_empty_garment_comes_back_empty(void **state) {
    sample_garment sample;
    sample_empty(&sample);
    slv_error error;
    const char *path = scratch_path(*state, "empty.slv");
    assert_int_equal(sample_write(&sample.garment, NULL, path, &error), SLV_OK);
    sample_free(&sample);
    slv_pack *pack = NULL;
    slv_garment garment;
    assert_int_equal(slv_pack_open(path, NULL, &pack, &error), SLV_OK);
    assert_int_equal(slv_garment_open(pack, &garment, &error), SLV_OK);
    assert_int_equal(garment.info.particle_count, 0);
    assert_int_equal(garment.colour_count, 0);
    assert_true(garment_walk(&garment) > 0); // its materials and provenance
    slv_pack_close(pack);
}

static void a_garment_needs_no_render_mesh_sets_or_provenance(void **state) {
    sample_garment sample;
    sample_grid(&sample, 3, 3, 3);
    sample.garment.render = (slv_render_mesh){0};
    sample.garment.set_count = 0;
    sample.garment.provenance_size = 0;
    sample.garment.provenance = NULL;
    check_round_trip(*state, &sample);
}

static void colours_are_found_even_past_empty_ranges(void **state) {
    (void)state;
    const slv_colour_range ranges[] = {{0, 0, 0, 0}, {1, 0, 3, 0}, {2, 3, 0, 0}, {3, 3, 2, 0}};
    slv_garment garment = {.colour_count = 4, .colours = ranges};
    const uint32_t expected[] = {1, 1, 1, 3, 3};
    for (uint32_t s = 0; s < 5; s++) {
        assert_int_equal(slv_garment_particle_colour(&garment, s), expected[s]);
    }
}

static void a_collider_pack_is_no_garment(void **state) {
    forged_pack pack = grid_pack(*state);
    forged_header(&pack)->contents = SLV_CONTENTS_COLLIDER;
    forged_pack_seal(&pack);
    assert_refused(&pack, "a collider (COLL) pack, should be a garment");
    forged_pack_free(&pack);
}

// --- lies ------------------------------------------------------------------------------------------

// The sections of a forged pack, to be tampered with. n = 36 particles: 18 red, 18 black.
typedef struct lie_context {
    forged_pack *pack;
    slv_garment_info *info;
    slv_grid_info *grid;
    float *position;
    float *inverse_mass;
    uint32_t *cell;
    uint32_t *order;
    slv_colour_range *colours;
    int32_t *neighbours;
    slv_constraint_group *groups;
    uint32_t *distance;
    uint32_t *bending;
    uint32_t *rtri;
    float *rpos, *rnrm, *ruvs;
    slv_embedding_info *embedding;
    slv_sets_info *sets;
    slv_material *materials;
    char *provenance;
    uint32_t n;
    uint32_t m; // distance constraints
} lie_context;

static lie_context context_of(forged_pack *pack) {
    lie_context in = {
        .pack = pack,
        .info = forged_section(pack, SLV_SECTION_INFO),
        .grid = forged_section(pack, SLV_SECTION_GRID),
        .position = forged_section(pack, SLV_SECTION_POSITION),
        .inverse_mass = forged_section(pack, SLV_SECTION_INVMASS),
        .cell = forged_section(pack, SLV_SECTION_CELL),
        .order = forged_section(pack, SLV_SECTION_ORDER),
        .colours = forged_section(pack, SLV_SECTION_COLOUR),
        .neighbours = forged_section(pack, SLV_SECTION_NEIGHBOUR),
        .groups = forged_section(pack, SLV_SECTION_GROUP),
        .distance = forged_section(pack, SLV_SECTION_DISTANCE),
        .bending = forged_section(pack, SLV_SECTION_BENDING),
        .rtri = forged_section(pack, SLV_SECTION_RENDER_TRIANGLE),
        .rpos = forged_section(pack, SLV_SECTION_RENDER_POSITION),
        .rnrm = forged_section(pack, SLV_SECTION_RENDER_NORMAL),
        .ruvs = forged_section(pack, SLV_SECTION_RENDER_UV),
        .embedding = forged_section(pack, SLV_SECTION_EMBEDDING),
        .sets = forged_section(pack, SLV_SECTION_SETS),
        .materials = forged_section(pack, SLV_SECTION_MATERIAL),
        .provenance = forged_section(pack, SLV_SECTION_PROVENANCE),
    };
    in.n = in.info->particle_count;
    in.m = (uint32_t)(forged_entry(pack, SLV_SECTION_DISTANCE)->raw_size / 12);
    return in;
}

static float *rest_of(const lie_context *in) {
    return (float *)(void *)(in->distance + 2 * (size_t)in->m);
}
static uint32_t *embedded(const lie_context *in) {
    return (uint32_t *)(void *)(in->embedding + 1);
}
static float *weights_of(const lie_context *in) {
    return (float *)(void *)(embedded(in) + 8 * (size_t)in->embedding->vertex_count);
}
static float *offsets_of(const lie_context *in) {
    return weights_of(in) + 8 * (size_t)in->embedding->vertex_count;
}
static slv_particle_set *set_table(const lie_context *in) {
    return (slv_particle_set *)(void *)(in->sets + 1);
}
static uint32_t *set_numbers(const lie_context *in) {
    return (uint32_t *)(void *)(set_table(in) + in->sets->set_count);
}
static char *set_names(const lie_context *in) {
    return (char *)(void *)(set_numbers(in) + in->sets->index_count);
}

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_neighbours(int32_t *a, int32_t *b) {
    int32_t kept = *a;
    *a = *b;
    *b = kept;
}

// A whole, symmetric, but false link along -x/+x between two particles that are no neighbours.
static void link_strangers(const lie_context *in) {
    uint32_t n = in->n;
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            if (in->neighbours[a] < 0 && in->neighbours[n + b] < 0 && a != b) {
                in->neighbours[a] = (int32_t)b;
                in->neighbours[n + b] = (int32_t)a;
                return;
            }
        }
    }
}

// The first particle whose slot is taken.
static uint32_t taken(const lie_context *in, unsigned slot) {
    uint32_t s = 0;
    while (in->neighbours[slot * in->n + s] < 0) {
        s++;
    }
    return s;
}

#define LIE(name, statement)                                                                       \
    static void name(const lie_context *in) {                                                      \
        statement;                                                                                 \
    }

LIE(info_many, in->info->particle_count = 0x80000000u)
LIE(info_more, in->info->particle_count += 1)
LIE(info_none, in->info->particle_count = 0)
LIE(info_mode_low, in->info->mode = 0)
LIE(info_mode_high, in->info->mode = 5)
LIE(info_frame, in->info->frame[1] = (double)NAN)
LIE(info_bounds, in->info->bounds_max[2] = INFINITY)
LIE(info_inverted, in->info->bounds_min[0] = 7)
LIE(info_bounds_nan, in->info->bounds_min[1] = NAN)
LIE(info_spacing, in->info->spacing = -1)
LIE(info_mass, in->info->mass = NAN)
LIE(info_zero, in->info->zero[31] = 1)
LIE(info_surface, in->info->mode = SLV_GARMENT_SURFACE)
LIE(position_nan, in->position[5] = NAN)
LIE(position_last_nan, in->position[3 * in->n - 1] = NAN)
LIE(position_inf, in->position[in->n + 1] = -INFINITY)
LIE(position_outside, in->position[2 * in->n] = 100)
LIE(mass_negative, in->inverse_mass[3] = -1)
LIE(mass_nan, in->inverse_mass[in->n - 1] = NAN)
LIE(mass_inf, in->inverse_mass[0] = INFINITY)
LIE(order_far, in->order[4] = in->n)
LIE(order_twice, in->order[4] = in->order[5])
LIE(order_disagree, swap(&in->order[in->n], &in->order[in->n + 1]))
LIE(order_wild, in->order[2 * in->n - 1] = 0xFFFFFFFFu)
LIE(colour_gap, in->colours[1].first += 1)
LIE(colour_short, in->colours[1].count -= 1)
LIE(colour_long, in->colours[1].count += 1)
LIE(colour_huge, in->colours[0].count = 0xFFFFFFFFu)
LIE(colour_number, in->colours[1].colour = 5)
LIE(colour_same, in->colours[1].colour = 0)
LIE(colour_none, in->colours[0].colour = SLV_UNCOLOURED)
LIE(colour_zero, in->colours[0].zero = 1)
LIE(colour_border, in->colours[0].count += 1; in->colours[1].first += 1; in->colours[1].count -= 1)
LIE(grid_cells_zero, in->grid->cells[1] = 0)
LIE(grid_cells_huge, in->grid->cells[0] = in->grid->cells[1] = 0x10000u)
LIE(grid_cells_overflow, in->grid->cells[0] = in->grid->cells[1] = in->grid->cells[2] = 0xFFFFFFFFu)
LIE(grid_cells_fewer, in->grid->cells[2] -= 1)
LIE(grid_cells_other, in->grid->cells[0] += 1)
LIE(grid_origin, in->grid->origin[0] = (double)INFINITY)
LIE(grid_spacing_zero, in->grid->spacing = 0)
LIE(grid_spacing_nan, in->grid->spacing = (double)NAN)
LIE(grid_zero, in->grid->zero = 1)
LIE(cell_swapped, swap(&in->cell[0], &in->cell[1]))
LIE(cell_twice, in->cell[1] = in->cell[0])
LIE(cell_far, in->cell[in->order[2 * in->n - 1]] = 36)
LIE(cell_wild, in->cell[in->order[2 * in->n - 1]] = 0xFFFFFFFFu)
LIE(neighbour_far, in->neighbours[taken(in, 0)] = (int32_t)in->n)
LIE(neighbour_negative, in->neighbours[taken(in, 0)] = -2)
LIE(neighbour_plus_wild, in->neighbours[in->n + taken(in, 1)] = INT32_MAX)
LIE(neighbour_one_way, in->neighbours[taken(in, 2) + 2 * in->n] = -1)
LIE(neighbour_unanswered, in->neighbours[taken(in, 3) + 3 * in->n] = -1)
LIE(neighbour_strangers, link_strangers(in))
LIE(neighbour_axis, swap_neighbours(&in->neighbours[taken(in, 4) + 4 * in->n],
                                    &in->neighbours[taken(in, 4) + 2 * in->n]))
LIE(group_tetrahedra, in->groups[6].kind = SLV_CONSTRAINT_TETRAHEDRON)
LIE(group_phantoms, in->groups[6].kind = SLV_CONSTRAINT_PHANTOM)
LIE(group_unknown, in->groups[6].kind = 77)
LIE(group_unsorted, in->groups[0].kind = SLV_CONSTRAINT_BENDING)
LIE(group_material, in->groups[0].material = 2)
LIE(group_zero, in->groups[0].zero = 1)
LIE(group_gap, in->groups[1].first += 1)
LIE(group_long, in->groups[5].count += 1)
LIE(group_endless, in->groups[5].count = UINT64_MAX)
LIE(group_short, in->groups[5].count -= 1)
LIE(group_bending_short, in->groups[6].count -= 1)
LIE(group_colour_twice, in->groups[1].colour = 0)
LIE(group_colour_after_none, in->groups[2].colour = SLV_UNCOLOURED)
LIE(group_shared, in->distance[1] = in->distance[0])
LIE(distance_far_a, in->distance[0] = in->n)
LIE(distance_far_b, in->distance[2 * in->m - 1] = 0xFFFFFFFFu)
LIE(distance_self, in->distance[in->m] = in->distance[0])
LIE(distance_negative, rest_of(in)[0] = -0.5f)
LIE(distance_nan, rest_of(in)[in->m - 1] = NAN)
LIE(bending_far, in->bending[0] = in->n)
LIE(triangle_far, in->rtri[2] = in->embedding->vertex_count)
LIE(render_nan, in->rpos[0] = NAN)
LIE(normal_long, in->rnrm[0] = 1)
LIE(normal_nan, in->rnrm[5] = NAN)
LIE(normal_short, in->rnrm[2] = 0.5f)
LIE(uv_inf, in->ruvs[1] = INFINITY)
LIE(embedding_vertices, in->embedding->vertex_count += 1)
LIE(embedding_influences, in->embedding->influences = 3)
LIE(embedding_fewer, in->embedding->influences = 4)
LIE(embedding_flags, in->embedding->flags |= 2)
LIE(embedding_no_offsets, in->embedding->flags = 0)
LIE(embedding_zero, in->embedding->zero = 1)
LIE(embedding_far, embedded(in)[7] = in->n)
LIE(embedding_nan, weights_of(in)[3] = NAN)
LIE(embedding_sum, weights_of(in)[3] = 0.126f)
LIE(embedding_offset, offsets_of(in)[1] = NAN)
LIE(sets_more, in->sets->set_count += 1)
LIE(sets_huge, in->sets->set_count = 0xFFFFFFFFu)
LIE(sets_zero, in->sets->zero = 1)
LIE(sets_empty_name, set_table(in)[0].name_length = 0)
LIE(sets_long_name, set_table(in)[1].name_length = 256)
LIE(sets_name_far, set_table(in)[1].name_offset = 0xFFFFFFF0u)
LIE(sets_first_far, set_table(in)[1].first = 0xFFFFFFF0u)
LIE(sets_count_far, set_table(in)[1].count += 1)
LIE(sets_unowned, set_table(in)[1].count -= 1)
LIE(sets_number_far, set_numbers(in)[0] = in->n)
LIE(sets_descending, swap(&set_numbers(in)[1], &set_numbers(in)[2]))
LIE(sets_repeated, set_numbers(in)[2] = set_numbers(in)[1])
LIE(sets_name_utf8, set_names(in)[0] = (char)0xFF)
LIE(sets_name_zero, set_names(in)[2] = 0)
LIE(material_name_open, memset(in->materials[0].name, 'a', 32))
LIE(material_name_empty, memset(in->materials[0].name, 0, 32))
LIE(material_name_tail, in->materials[0].name[20] = 'x')
LIE(material_name_utf8, in->materials[1].name[7] = 'x')
LIE(material_stiffness, in->materials[0].stretch_stiffness = -1)
LIE(material_damping, in->materials[0].damping = NAN)
LIE(material_thickness, in->materials[1].thickness = INFINITY)
LIE(material_restitution, in->materials[0].restitution = 1.5f)
LIE(material_colour, in->materials[0].colour[3] = -0.1f)
LIE(material_zero, in->materials[1].zero[47] = 1)
LIE(provenance_utf8, in->provenance[3] = (char)0xC0)

typedef struct garment_lie {
    const char *text; // what the message must contain
    void (*tell)(const lie_context *in);
} garment_lie;

static const garment_lie grid_lies[] = {
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
    {"GRID: a surface has no grid", info_surface},
    {"PPOS: x of particle 5", position_nan},
    {"PPOS: z of particle 35", position_last_nan},
    {"PPOS: y of particle 1", position_inf},
    {"PPOS: z of particle 0 is 100", position_outside},
    {"PINV: particle 3 has -1", mass_negative},
    {"PINV: particle 35", mass_nan},
    {"PINV: particle 0 has inf", mass_inf},
    {"PORD: particle 4 has own number 36", order_far},
    {"PORD: the two orders disagree", order_twice},
    {"PORD: the two orders disagree", order_disagree},
    {"PORD: the two orders disagree", order_wild},
    {"PCOL: range 1", colour_gap},
    {"PCOL: ranges cover 35 of 36", colour_short},
    {"PCOL: range 1", colour_long},
    {"PCOL: range 0", colour_huge},
    {"PCOL: range 1 has colour 5", colour_number},
    {"PCOL: range 1 has colour 0", colour_same},
    {"PCOL: range 0 has colour 4294967295", colour_none},
    {"PCOL: reserved", colour_zero},
    {"PCOL: two neighbours along", colour_border},
    {"GRID: 4 x 0 x 3 cells", grid_cells_zero},
    {"GRID: 65536 x 65536 x 3 cells", grid_cells_huge},
    {"GRID: 4294967295 x", grid_cells_overflow},
    {"PCEL: cell 35, the grid has 24", grid_cells_fewer},
    {"NBRS: particle", grid_cells_other},
    {"GRID: the origin", grid_origin},
    {"GRID: spacing 0", grid_spacing_zero},
    {"GRID: spacing", grid_spacing_nan},
    {"GRID: reserved", grid_zero},
    {"PCEL: particle", cell_swapped},
    {"PCEL: particle", cell_twice},
    {"PCEL: cell 36, the grid has 36", cell_far},
    {"PCEL: cell 4294967295", cell_wild},
    {"NBRS: particle", neighbour_far},
    {"NBRS: particle", neighbour_negative},
    {"NBRS: particle", neighbour_plus_wild},
    {"NBRS: ", neighbour_one_way},
    {"NBRS: ", neighbour_unanswered},
    {"NBRS: particle", neighbour_strangers},
    {"NBRS: particle", neighbour_axis},
    {"CGRP: group 6 holds tetrahedra, which this version does not support", group_tetrahedra},
    {"CGRP: group 6 holds phantoms, which this version does not support", group_phantoms},
    {"CGRP: group 6 is of the unknown kind 77", group_unknown},
    {"CGRP: ", group_unsorted},
    {"CGRP: group 0 has material 2, there are 2", group_material},
    {"CGRP: reserved", group_zero},
    {"CGRP: group 1 is", group_gap},
    {"CGRP: group 5 is", group_long},
    {"CGRP: group 5 is", group_endless},
    {"CGRP: groups cover", group_short},
    {"CGRP: groups cover", group_bending_short},
    {"CGRP: group 1 has colour 0", group_colour_twice},
    {"CGRP: group 3 has colour 3", group_colour_after_none},
    {"CGRP: group 0 is coloured, but two", group_shared},
    {"CDST: constraint 0 joins particles 36", distance_far_a},
    {"CDST: constraint", distance_far_b},
    {"CDST: constraint 0 joins particle 0 to itself", distance_self},
    {"CDST: constraint 0 has rest length -0.5", distance_negative},
    {"CDST: constraint", distance_nan},
    {"CBND: constraint 0 joins particles 36", bending_far},
    {"RTRI: triangle 0 names vertex 6, there are 6", triangle_far},
    {"RPOS: value 0", render_nan},
    {"RNRM: the normal of vertex 0", normal_long},
    {"RNRM: the normal of vertex 1", normal_nan},
    {"RNRM: the normal of vertex 0", normal_short},
    {"RUVS: value 1", uv_inf},
    {"REMB: it embeds 7 vertices, RPOS has 6", embedding_vertices},
    {"REMB: 3 influences", embedding_influences},
    {"REMB: 472 bytes long", embedding_fewer},
    {"REMB: unknown flags", embedding_flags},
    {"REMB: 472 bytes long", embedding_no_offsets},
    {"REMB: unknown flags or reserved", embedding_zero},
    {"REMB: vertex 0 hangs on particle 36", embedding_far},
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
    {"PSET: set 0 lists particle 36", sets_number_far},
    {"PSET: set 1 lists particle", sets_descending},
    {"PSET: set 1 lists particle", sets_repeated},
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
    {"MATL: material 0: restitution and colour", material_colour},
    {"MATL: material 1: reserved", material_zero},
    {"PROV: not UTF-8", provenance_utf8},
};

static void each_sealed_lie_is_refused_by_the_sections_name(void **state) {
    forged_pack pack = grid_pack(*state);
    assert_int_equal(open_garment(&pack, NULL), SLV_OK);
    for (size_t i = 0; i < sizeof grid_lies / sizeof *grid_lies; i++) {
        forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
        lie_context in = context_of(&forged);
        grid_lies[i].tell(&in);
        forged_pack_seal(&forged);
        assert_refused(&forged, grid_lies[i].text);
        forged_pack_free(&forged);
    }
    forged_pack_free(&pack);
}

static void sets_of_the_same_name_are_refused(void **state) {
    sample_garment sample;
    sample_grid(&sample, 3, 3, 3);
    sample.garment.set_names = "aaaaaaaa";
    slv_particle_set sets[2] = {sample.garment.sets[0], sample.garment.sets[1]};
    sets[0].name_length = sets[1].name_length = 4;
    sets[1].name_offset = 4;
    sample.garment.sets = sets;
    forged_pack pack = pack_of(*state, &sample);
    assert_refused(&pack, "PSET: two sets are called \"aaaa\"");
    forged_pack_free(&pack);
    sample_free(&sample);
}

// Colours promise more than ranges: a distance constraint between two of one colour breaks them.
static void coloured_particles_joined_by_a_distance_constraint_are_refused(void **state) {
    sample_garment sample;
    sample_surface(&sample, 3);
    slv_colour_range one = {.colour = 0, .count = sample.garment.info.particle_count};
    sample.garment.colours = &one;
    forged_pack pack = pack_of(*state, &sample);
    assert_refused(&pack, "PCOL: distance constraint 0 joins particles 0 and 1, both of colour 0");
    forged_pack_free(&pack);
    sample_free(&sample);
}

static void many_tiny_coloured_groups_are_checked_in_linear_time(void **state) {
    sample_garment sample;
    sample_surface(&sample, 40000);
    slv_garment *garment = &sample.garment;
    uint32_t count = (uint32_t)garment->distance.count;
    slv_constraint_group *groups = calloc(count + 1, sizeof *groups);
    assert_non_null(groups);
    for (uint32_t i = 0; i < count; i++) {
        groups[i] = (slv_constraint_group){
            .kind = SLV_CONSTRAINT_DISTANCE, .colour = i, .first = i, .count = 1};
    }
    groups[count] = garment->groups[1];
    garment->groups = groups;
    garment->group_count = count + 1;
    forged_pack pack = pack_of(*state, &sample);
    assert_int_equal(open_garment(&pack, NULL), SLV_OK);
    forged_pack_free(&pack);
    free(groups);
    sample_free(&sample);
}

// --- sections that are missing, too many, or of the wrong size -------------------------------------

typedef struct section_rule {
    uint32_t kind;
    bool optional;
} section_rule;

static const section_rule grid_sections[] = {
    {SLV_SECTION_INFO, false},
    {SLV_SECTION_GRID, false},
    {SLV_SECTION_POSITION, false},
    {SLV_SECTION_INVMASS, false},
    {SLV_SECTION_CELL, false},
    {SLV_SECTION_ORDER, false},
    {SLV_SECTION_COLOUR, false},
    {SLV_SECTION_NEIGHBOUR, false},
    {SLV_SECTION_GROUP, false},
    {SLV_SECTION_DISTANCE, false},
    {SLV_SECTION_BENDING, false},
    {SLV_SECTION_MATERIAL, false},
    {SLV_SECTION_RENDER_POSITION, false},
    {SLV_SECTION_RENDER_NORMAL, false},
    {SLV_SECTION_RENDER_UV, true},
    {SLV_SECTION_RENDER_TRIANGLE, false},
    {SLV_SECTION_RENDER_SOURCE, true},
    {SLV_SECTION_EMBEDDING, false},
    {SLV_SECTION_SETS, true},
    {SLV_SECTION_PROVENANCE, true},
};

static void missing_sections_are_refused_unless_optional(void **state) {
    forged_pack pack = grid_pack(*state);
    for (size_t i = 0; i < sizeof grid_sections / sizeof *grid_sections; i++) {
        forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
        forged_pack_remove(&forged, grid_sections[i].kind);
        slv_result expected = grid_sections[i].optional ? SLV_OK : SLV_ERROR_CONTENT;
        assert_int_equal(open_garment(&forged, NULL), expected);
        forged_pack_free(&forged);
    }
    forged_pack_free(&pack);
}

static void sections_of_another_size_are_refused(void **state) {
    forged_pack pack = grid_pack(*state);
    for (size_t i = 0; i < sizeof grid_sections / sizeof *grid_sections; i++) {
        uint32_t kind = grid_sections[i].kind;
        size_t size = (size_t)forged_entry(&pack, kind)->raw_size;
        unsigned char *bytes = calloc(1, size + 4);
        assert_non_null(bytes);
        memcpy(bytes, forged_section(&pack, kind), size);
        const size_t sizes[] = {size - 1, size + 4, 4};
        for (size_t k = 0; kind != SLV_SECTION_PROVENANCE && k < 3; k++) {
            forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
            forged_pack_replace(&forged, kind, bytes, sizes[k]);
            char name[5];
            assert_refused(&forged, slv_section_name(kind, name));
            forged_pack_free(&forged);
        }
        free(bytes);
    }
    forged_pack_free(&pack);
}

static void grid_sections_without_a_grid_are_refused(void **state) {
    const uint32_t kinds[] = {SLV_SECTION_CELL, SLV_SECTION_NEIGHBOUR};
    for (size_t i = 0; i < 2; i++) {
        forged_pack pack = surface_pack(*state);
        forged_pack_append(&pack, kinds[i], 0, "1234", 4);
        char name[5];
        assert_refused(&pack, slv_section_name(kinds[i], name));
        forged_pack_free(&pack);
    }
}

static void a_solid_without_a_grid_is_refused(void **state) {
    forged_pack pack = surface_pack(*state);
    ((slv_garment_info *)forged_section(&pack, SLV_SECTION_INFO))->mode = SLV_GARMENT_SOLID;
    forged_pack_seal(&pack);
    assert_refused(&pack, "GRID: missing in a garment made on a grid");
    forged_pack_free(&pack);
}

static void a_reserved_section_is_skipped_unless_required(void **state) {
    forged_pack pack = surface_pack(*state);
    forged_pack_append(&pack, SLV_SECTION_PHANTOM, 0, "1234", 4);
    assert_int_equal(open_garment(&pack, NULL), SLV_OK);
    forged_entry(&pack, SLV_SECTION_PHANTOM)->flags = SLV_SECTION_REQUIRED;
    forged_pack_seal(&pack);
    assert_refused(&pack, "CPHM: this program does not know it");
    forged_pack_free(&pack);
}

// Whatever single word of a sealed pack is replaced: refused, or everything can be walked.
static void any_sealed_word_is_refused_or_harmless(void **state) {
    static const uint32_t words[] = {0,          1,          0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                     0x7FC00000, 0x3F800000, 35,         36};
    forged_pack pack = grid_pack(*state);
    unsigned opened = 0;
    for (size_t at = 0; at + 4 <= pack.size; at += 4) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
            memcpy(forged.bytes + at, &words[k], 4);
            forged_pack_seal(&forged);
            slv_pack *container = NULL;
            slv_garment garment;
            if (slv_pack_open_memory(forged.bytes, forged.size, NULL, &container, NULL) == SLV_OK &&
                slv_garment_open(container, &garment, NULL) == SLV_OK) {
                opened += garment_walk(&garment) == garment_walk(&garment);
            }
            slv_pack_close(container);
            forged_pack_free(&forged);
        }
    }
    assert_true(opened > 0);
    forged_pack_free(&pack);
}

#define PROMISE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        PROMISE(a_grid_garment_comes_back_whole),
        PROMISE(a_surface_comes_back_whole),
        PROMISE(an_empty_garment_comes_back_empty),
        PROMISE(a_garment_needs_no_render_mesh_sets_or_provenance),
        PROMISE(colours_are_found_even_past_empty_ranges),
        PROMISE(a_collider_pack_is_no_garment),
        PROMISE(each_sealed_lie_is_refused_by_the_sections_name),
        PROMISE(sets_of_the_same_name_are_refused),
        PROMISE(coloured_particles_joined_by_a_distance_constraint_are_refused),
        PROMISE(many_tiny_coloured_groups_are_checked_in_linear_time),
        PROMISE(missing_sections_are_refused_unless_optional),
        PROMISE(sections_of_another_size_are_refused),
        PROMISE(grid_sections_without_a_grid_are_refused),
        PROMISE(a_solid_without_a_grid_is_refused),
        PROMISE(a_reserved_section_is_skipped_unless_required),
        PROMISE(any_sealed_word_is_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
