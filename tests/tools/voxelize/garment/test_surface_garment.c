// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/meshes.h"
#include "tools/voxelize/surface_garment.h"

#include <math.h>

static slv_surface_facts make(const slv_mesh *mesh, slv_garment_builder *builder) {
    slv_surface_facts facts;
    slv_error error = {0};
    *builder = (slv_garment_builder){0};
    assert_int_equal(slv_make_surface_garment(mesh, builder, &facts, &error), SLV_OK);
    return facts;
}

static void a_square_has_five_edges_and_one_bending_pair(void **state) {
    (void)state;
    slv_mesh mesh = mesh_square();
    slv_garment_builder builder;
    const slv_surface_facts facts = make(&mesh, &builder);
    const slv_garment *garment = &builder.garment;
    const uint32_t a[5] = {0, 0, 0, 1, 2};
    const uint32_t b[5] = {1, 2, 3, 2, 3};
    assert_int_equal(garment->constraints[SLV_CONSTRAINT_DISTANCE].count, 5);
    assert_memory_equal(garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[0], a, sizeof a);
    assert_memory_equal(garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[1], b, sizeof b);
    assert_true(garment->constraints[SLV_CONSTRAINT_DISTANCE].rest[1] == (float)sqrt(2));
    assert_int_equal(garment->constraints[SLV_CONSTRAINT_BENDING].count, 1);
    assert_int_equal(garment->constraints[SLV_CONSTRAINT_BENDING].ends[0][0], 1);
    assert_int_equal(garment->constraints[SLV_CONSTRAINT_BENDING].ends[1][0], 3);
    assert_true(garment->constraints[SLV_CONSTRAINT_BENDING].rest[0] == (float)sqrt(2));
    assert_int_equal(facts.boundary_edges, 4);
    assert_int_equal(facts.boundary[0] + facts.boundary[1] + facts.boundary[2] + facts.boundary[3],
                     4);
    assert_true(fabs(facts.area - 1) < 1e-12);
    assert_true(fabs(facts.areas[0] - 1.0 / 3) < 1e-12); // both triangles
    assert_true(fabs(facts.areas[1] - 1.0 / 6) < 1e-12); // one
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

static void groups_and_particles_stay_uncolored(void **state) {
    (void)state;
    slv_mesh mesh = mesh_square();
    slv_garment_builder builder;
    make(&mesh, &builder);
    const slv_garment *garment = &builder.garment;
    assert_int_equal(garment->group_count, 2);
    assert_int_equal(garment->groups[0].kind, SLV_CONSTRAINT_DISTANCE);
    assert_int_equal(garment->groups[1].kind, SLV_CONSTRAINT_BENDING);
    assert_true(garment->groups[0].color == SLV_UNCOLORED && garment->groups[0].count == 5);
    assert_true(garment->groups[1].color == SLV_UNCOLORED && garment->groups[1].first == 0);
    assert_int_equal(garment->color_count, 1);
    assert_true(garment->colors[0].color == SLV_UNCOLORED && garment->colors[0].count == 4);
    assert_null(garment->grid);
    for (uint32_t n = 0; n < 4; n++) {
        assert_int_equal(garment->own_of_stored[n], n);
        assert_true(garment->x[n] == (float)mesh.points[3 * n]);
    }
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

static void a_closed_mesh_has_no_boundary(void **state) {
    (void)state;
    slv_mesh mesh = mesh_tetrahedron();
    slv_garment_builder builder;
    const slv_surface_facts facts = make(&mesh, &builder);
    assert_int_equal(facts.boundary_edges, 0);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_DISTANCE].count, 6);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].count,
                     6); // each edge has an opposite one
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

// Three triangles on edge 0-1: they pair in sequence, 2-3 and 3-4.
static void triangles_on_one_edge_pair_in_sequence(void **state) {
    (void)state;
    const double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
    const uint32_t corners[3][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    slv_mesh mesh = mesh_make(5, points, 3, corners);
    slv_garment_builder builder;
    const slv_surface_facts facts = make(&mesh, &builder);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].count, 2);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].ends[0][0], 2);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].ends[1][0], 3);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].ends[0][1], 3);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].ends[1][1], 4);
    assert_int_equal(facts.boundary_edges, 6);
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

// A duplicate triangle: its edges once, and no pair of a point with itself.
static void duplicate_triangles_have_no_bending_pair(void **state) {
    (void)state;
    const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t corners[2][3] = {{0, 1, 2}, {0, 2, 1}};
    slv_mesh mesh = mesh_make(3, points, 2, corners);
    slv_garment_builder builder;
    make(&mesh, &builder);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_DISTANCE].count, 3);
    assert_int_equal(builder.garment.constraints[SLV_CONSTRAINT_BENDING].count, 0);
    assert_int_equal(builder.garment.group_count, 1);
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_square_has_five_edges_and_one_bending_pair),
        cmocka_unit_test(groups_and_particles_stay_uncolored),
        cmocka_unit_test(a_closed_mesh_has_no_boundary),
        cmocka_unit_test(triangles_on_one_edge_pair_in_sequence),
        cmocka_unit_test(duplicate_triangles_have_no_bending_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
