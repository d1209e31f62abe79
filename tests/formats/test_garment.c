// SPDX-License-Identifier: MIT
// Garments: all data are read back as written, and each single fault is refused with the name of the section.
#include "formats/garment.h"
#include "tests/formats/forged_pack.h"
#include "tests/formats/garment_faults.h"
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

static forged_pack pack_of(scratch *temporary, const sample_garment *sample) {
    slv_error error;
    const char *path = scratch_path(temporary, "garment.slv");
    assert_int_equal(sample_write(&sample->garment, NULL, path, &error), SLV_OK);
    forged_pack pack = forged_pack_load(path);
    assert_non_null(pack.bytes);
    return pack;
}

static forged_pack grid_pack(scratch *temporary) {
    sample_garment sample;
    sample_grid(&sample, 4, 3, 3);
    forged_pack pack = pack_of(temporary, &sample);
    sample_free(&sample);
    return pack;
}

static forged_pack surface_pack(scratch *temporary) {
    sample_garment sample;
    sample_surface(&sample, 5);
    forged_pack pack = pack_of(temporary, &sample);
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

static void assert_same_constraints(const slv_garment *a, const slv_garment *b, uint32_t kind) {
    const slv_constraints *one = &a->constraints[kind];
    const slv_constraints *two = &b->constraints[kind];
    assert_int_equal(one->count, two->count);
    size_t size = 4 * (size_t)one->count;
    for (uint32_t e = 0; size > 0 && e < slv_constraint_kinds[kind].arity; e++) {
        assert_same(one->ends[e], two->ends[e], size);
    }
    if (size > 0) {
        assert_same(one->rest, two->rest, size);
    }
}

static void assert_same_particles(const slv_garment *a, const slv_garment *b) {
    size_t n = a->info.particle_count;
    assert_same(&a->info, &b->info, sizeof a->info);
    assert_same(a->x, b->x, 4 * n);
    assert_same(a->y, b->y, 4 * n);
    assert_same(a->z, b->z, 4 * n);
    assert_same(a->inverse_mass, b->inverse_mass, 4 * n);
    assert_int_equal(a->paint != NULL, b->paint != NULL);
    if (a->paint) {
        assert_same(a->paint, b->paint, 4 * n);
    }
    assert_same(a->own_of_stored, b->own_of_stored, 4 * n);
    assert_same(a->stored_of_own, b->stored_of_own, 4 * n);
    assert_same(a->grid, b->grid, a->grid ? sizeof *a->grid : 0);
    assert_same(a->cell, b->cell, a->grid ? 4 * n : 0);
    assert_same(a->neighbors, b->neighbors, a->grid ? 24 * n : 0);
    assert_int_equal(a->color_count, b->color_count);
    assert_same(a->colors, b->colors, a->color_count * sizeof *a->colors);
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
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        assert_same_constraints(a, b, kind);
    }
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

static void check_round_trip(scratch *temporary, sample_garment *sample) {
    forged_pack bytes = pack_of(temporary, sample);
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
    assert_int_equal(garment.color_count, 0);
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

static void colors_are_found_even_past_empty_ranges(void **state) {
    (void)state;
    const slv_color_range ranges[] = {{0, 0, 0, 0}, {1, 0, 3, 0}, {2, 3, 0, 0}, {3, 3, 2, 0}};
    slv_garment garment = {.color_count = 4, .colors = ranges};
    const uint32_t expected[] = {1, 1, 1, 3, 3};
    for (uint32_t s = 0; s < 5; s++) {
        assert_int_equal(slv_garment_get_particle_color(&garment, s), expected[s]);
    }
}

static void a_collider_pack_is_no_garment(void **state) {
    forged_pack pack = grid_pack(*state);
    forged_header(&pack)->contents = SLV_CONTENTS_COLLIDER;
    forged_pack_seal(&pack);
    assert_refused(&pack, "a collider (COLL) pack, should be a garment");
    forged_pack_free(&pack);
}

// --- faults ------------------------------------------------------------------------------------------

static void each_sealed_fault_is_refused_by_the_sections_name(void **state) {
    forged_pack pack = grid_pack(*state);
    assert_int_equal(open_garment(&pack, NULL), SLV_OK);
    for (size_t i = 0; i < garment_fault_count; i++) {
        forged_pack forged = forged_pack_copy(pack.bytes, pack.size);
        garment_fault_apply(i, &forged);
        assert_refused(&forged, garment_faults[i].text);
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

// No distance constraint may join two particles of one color.
static void colored_particles_joined_by_a_distance_constraint_are_refused(void **state) {
    sample_garment sample;
    sample_surface(&sample, 3);
    slv_color_range one = {.color = 0, .count = sample.garment.info.particle_count};
    sample.garment.colors = &one;
    forged_pack pack = pack_of(*state, &sample);
    assert_refused(&pack,
                   "PCOL: distance constraint 0 joins stored particles 0 and 1, both of color 0");
    forged_pack_free(&pack);
    sample_free(&sample);
}

static void many_tiny_colored_groups_are_checked_in_linear_time(void **state) {
    sample_garment sample;
    sample_surface(&sample, 40000);
    slv_garment *garment = &sample.garment;
    uint32_t count = (uint32_t)garment->constraints[SLV_CONSTRAINT_DISTANCE].count;
    slv_constraint_group *groups = calloc(count + 1, sizeof *groups);
    assert_non_null(groups);
    for (uint32_t i = 0; i < count; i++) {
        groups[i] = (slv_constraint_group){
            .kind = SLV_CONSTRAINT_DISTANCE, .color = i, .first = i, .count = 1};
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
    {SLV_SECTION_INFO, false},          {SLV_SECTION_GRID, false},
    {SLV_SECTION_POSITION, false},      {SLV_SECTION_INVMASS, false},
    {SLV_SECTION_CELL, false},          {SLV_SECTION_ORDER, false},
    {SLV_SECTION_COLOR, false},         {SLV_SECTION_NEIGHBOR, false},
    {SLV_SECTION_GROUP, false},         {SLV_SECTION_DISTANCE, false},
    {SLV_SECTION_BENDING, false},       {SLV_SECTION_MATERIAL, false},
    {SLV_SECTION_PAINT, true},          {SLV_SECTION_RENDER_POSITION, false},
    {SLV_SECTION_RENDER_NORMAL, false}, {SLV_SECTION_RENDER_UV, false}, // the texture needs them
    {SLV_SECTION_RENDER_TEXTURE, true}, {SLV_SECTION_RENDER_TRIANGLE, false},
    {SLV_SECTION_RENDER_SOURCE, true},  {SLV_SECTION_EMBEDDING, false},
    {SLV_SECTION_SETS, true},           {SLV_SECTION_PROVENANCE, true},
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
            assert_refused(&forged, slv_section_get_name(kind, name));
            forged_pack_free(&forged);
        }
        free(bytes);
    }
    forged_pack_free(&pack);
}

static void grid_sections_without_a_grid_are_refused(void **state) {
    const uint32_t kinds[] = {SLV_SECTION_CELL, SLV_SECTION_NEIGHBOR};
    for (size_t i = 0; i < 2; i++) {
        forged_pack pack = surface_pack(*state);
        forged_pack_append(&pack, kinds[i], 0, "1234", 4);
        char name[5];
        assert_refused(&pack, slv_section_get_name(kinds[i], name));
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

static void an_unknown_section_is_skipped_unless_required(void **state) {
    const uint32_t kind = SLV_FOURCC('C', 'N', 'E', 'W');
    forged_pack pack = surface_pack(*state);
    forged_pack_append(&pack, kind, 0, "1234", 4);
    assert_int_equal(open_garment(&pack, NULL), SLV_OK);
    forged_entry(&pack, kind)->flags = SLV_SECTION_REQUIRED;
    forged_pack_seal(&pack);
    assert_refused(&pack, "CNEW: required, but unknown to this version");
    forged_pack_free(&pack);
}

static void every_known_section_may_be_required(void **state) {
    forged_pack pack = grid_pack(*state);
    uint32_t count = 0;
    const slv_section_info *list = slv_section_get_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        slv_section_entry *entry = forged_entry(&pack, list[i].kind);
        if (entry) {
            entry->flags = SLV_SECTION_REQUIRED;
        }
    }
    assert_non_null(forged_entry(&pack, SLV_SECTION_PAINT));
    forged_pack_seal(&pack);
    assert_int_equal(open_garment(&pack, NULL), SLV_OK);
    forged_pack_free(&pack);
}

// Any single word of a sealed pack is replaced: the pack is refused, or all of it can be read.
static void any_changed_word_is_refused_or_harmless(void **state) {
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

#define TEST(test) cmocka_unit_test_setup_teardown(test, scratch_set_up, scratch_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_grid_garment_comes_back_whole),
        TEST(a_surface_comes_back_whole),
        TEST(an_empty_garment_comes_back_empty),
        TEST(a_garment_needs_no_render_mesh_sets_or_provenance),
        TEST(colors_are_found_even_past_empty_ranges),
        TEST(a_collider_pack_is_no_garment),
        TEST(each_sealed_fault_is_refused_by_the_sections_name),
        TEST(sets_of_the_same_name_are_refused),
        TEST(colored_particles_joined_by_a_distance_constraint_are_refused),
        TEST(many_tiny_colored_groups_are_checked_in_linear_time),
        TEST(missing_sections_are_refused_unless_optional),
        TEST(sections_of_another_size_are_refused),
        TEST(grid_sections_without_a_grid_are_refused),
        TEST(a_solid_without_a_grid_is_refused),
        TEST(an_unknown_section_is_skipped_unless_required),
        TEST(every_known_section_may_be_required),
        TEST(any_changed_word_is_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
