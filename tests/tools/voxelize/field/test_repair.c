// SPDX-License-Identifier: MIT
// Damaged meshes: flipped, inverted, duplicated, with internal walls. The inside must be that of
// the intact mesh.
#include "surfaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double origin[3] = {0.0, 0.0, 0.0};

// The field of mesh has the same inside as that of `like`; both are consumed.
static slv_field_facts check_like(slv_mesh mesh, slv_mesh like, uint32_t samples) {
    const slv_lattice lattice = lattice_round(&like, samples);
    field found = measure_field(&mesh, &lattice, 2);
    field expected = measure_field(&like, &lattice, 2);
    for (size_t s = 0; s < slv_lattice_count(&lattice); s++) {
        if ((found.values[s] < 0.0f) != (expected.values[s] < 0.0f) &&
            fabsf(found.values[s]) > 1e-6f) {
            fail_msg("sample %zu: %g instead of %g", s, (double)found.values[s],
                     (double)expected.values[s]);
        }
    }
    const slv_field_facts facts = found.facts;
    free_field(&found);
    free_field(&expected);
    slv_mesh_free(&mesh);
    slv_mesh_free(&like);
    return facts;
}

static void a_third_of_the_faces_flipped_gives_the_same_inside(void **state) {
    (void)state;
    slv_mesh mesh = make_sphere(origin, 1.0, 16);
    flip_at_random(&mesh, 3, 0.3);
    const slv_field_facts facts = check_like(mesh, make_sphere(origin, 1.0, 16), 24);
    assert_true(facts.closed);
    assert_in_range(facts.flipped_triangles, 200, 400); // of 960
}

static void half_of_the_faces_flipped_gives_the_same_inside(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed < 6; seed++) {
        slv_mesh mesh = make_torus(2.0, 0.8, 12);
        flip_at_random(&mesh, seed, 0.5);
        check_like(mesh, make_torus(2.0, 0.8, 12), 20);
    }
}

static void an_inverted_mesh_is_flipped(void **state) {
    (void)state;
    slv_mesh mesh = make_torus(2.0, 0.8, 12);
    flip_at_random(&mesh, 1, 1.0);
    const slv_field_facts facts = check_like(mesh, make_torus(2.0, 0.8, 12), 20);
    assert_int_equal(facts.flipped_triangles, 288);
}

static void an_inverted_part_does_not_cancel_another_part(void **state) {
    (void)state;
    const double aside[3] = {1.2, 0.1, 0.0};
    slv_mesh turned = make_sphere(aside, 1.0, 9);
    flip_at_random(&turned, 1, 1.0);
    check_like(join_meshes(make_sphere(origin, 1.5, 9), turned),
               join_meshes(make_sphere(origin, 1.5, 9), make_sphere(aside, 1.0, 9)), 26);
}

// The same surface with its points in another order.
static void shuffle_points(slv_mesh *mesh, uint32_t seed) {
    for (uint32_t p = mesh->point_count - 1; p > 0; p--) {
        const uint32_t q = (uint32_t)(random_fraction(&seed) * (p + 1));
        for (size_t axis = 0; axis < 3; axis++) {
            const double kept = mesh->points[3 * (size_t)p + axis];
            mesh->points[3 * (size_t)p + axis] = mesh->points[3 * (size_t)q + axis];
            mesh->points[3 * (size_t)q + axis] = kept;
        }
        for (size_t corner = 0; corner < 3 * (size_t)mesh->triangle_count; corner++) {
            uint32_t *number = &mesh->triangles[corner];
            *number = *number == p ? q : (*number == q ? p : *number);
        }
    }
}

static void overlapping_inverted_parts_are_united_for_any_point_order(void **state) {
    (void)state;
    const double far[3] = {0.8, 0.0, 0.0};
    const double on_skin[3] = {0.0, 0.97, 0.1};
    for (uint32_t seed = 1; seed < 17; seed++) {
        const double *center = seed % 2 == 0 ? far : on_skin;
        const double radius = seed % 2 == 0 ? 1.0 : 0.4;
        slv_mesh turned = make_sphere(center, radius, 8);
        flip_at_random(&turned, 1, 1.0);
        slv_mesh mesh = join_meshes(make_sphere(origin, 1.0, 8), turned);
        shuffle_points(&mesh, seed);
        check_like(mesh, join_meshes(make_sphere(origin, 1.0, 8), make_sphere(center, radius, 8)),
                   18);
    }
}

static void touching_inverted_parts_are_solid(void **state) {
    (void)state;
    slv_mesh beside = make_box(1.0, 0.0, 0.0, 2.0, 1.0, 1.0); // a whole wall in common
    flip_at_random(&beside, 1, 1.0);
    check_like(
        join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), beside),
        join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), make_box(1.0, 0.0, 0.0, 2.0, 1.0, 1.0)),
        17);
    slv_mesh copy = make_sphere(origin, 1.0, 8); // a copy, not welded
    flip_at_random(&copy, 1, 1.0);
    check_like(join_meshes(make_sphere(origin, 1.0, 8), copy), make_sphere(origin, 1.0, 8), 17);
}

static void a_cavity_that_touches_the_outer_wall_stays_empty(void **state) {
    (void)state;
    slv_mesh cavity = make_box(0.0, 0.25, 0.25, 0.75, 0.75, 0.75);
    flip_at_random(&cavity, 1, 1.0);
    slv_mesh mesh = join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), cavity);
    const slv_lattice lattice = lattice_of(19, 19, 19, -0.0321, 0.0617);
    field f = measure_field(&mesh, &lattice, 1);
    assert_false(bit_at(&f, f.inside, 8, 8, 8));
    assert_true(bit_at(&f, f.inside, 8, 2, 8));
    assert_true(bit_at(&f, f.inside, 15, 8, 8));
    free_field(&f);
    slv_mesh_free(&mesh);
}

static slv_mesh make_hollow(bool inside_out) {
    slv_mesh cavity = make_sphere(origin, 0.6, 8);
    flip_at_random(&cavity, 1, 1.0);
    slv_mesh hollow = join_meshes(make_sphere(origin, 1.0, 10), cavity);
    flip_at_random(&hollow, 1, inside_out ? 1.0 : 0.0);
    return hollow;
}

static void a_cavity_stays_empty(void **state) {
    (void)state;
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        slv_mesh mesh = make_hollow(inside_out == 1);
        const slv_lattice lattice = lattice_of(23, 23, 23, -1.1, 0.1);
        field f = measure_field(&mesh, &lattice, 1);
        assert_false(bit_at(&f, f.inside, 11, 11, 11)); // the cavity
        assert_true(bit_at(&f, f.inside, 11, 11, 19));  // the shell
        assert_false(bit_at(&f, f.inside, 11, 11, 22));
        free_field(&f);
        slv_mesh_free(&mesh);
    }
}

static void an_inverted_shell_beside_a_large_solid_is_flipped_with_its_cavity(void **state) {
    (void)state;
    const double beside[3] = {5.0, 0.0, 0.0};
    slv_mesh mesh = join_meshes(make_hollow(true), make_sphere(beside, 3.0, 9));
    const slv_lattice lattice = lattice_of(23, 23, 23, -1.1, 0.1);
    field f = measure_field(&mesh, &lattice, 1);
    assert_false(bit_at(&f, f.inside, 11, 11, 11));
    assert_true(bit_at(&f, f.inside, 11, 11, 19));
    free_field(&f);
    slv_mesh_free(&mesh);
}

static void solids_in_solids_are_filled(void **state) {
    (void)state;
    check_like(join_meshes(make_sphere(origin, 1.0, 10), make_sphere(origin, 0.5, 8)),
               make_sphere(origin, 1.0, 10), 22);
}

static void duplicate_faces_count_once(void **state) {
    (void)state;
    for (int opposite = 0; opposite < 2; opposite++) {
        slv_mesh copy = make_sphere(origin, 1.0, 9);
        flip_at_random(&copy, 1, opposite == 1 ? 1.0 : 0.0);
        slv_mesh mesh = join_meshes(make_sphere(origin, 1.0, 9), copy);
        weld_points(&mesh);
        const slv_field_facts facts = check_like(mesh, make_sphere(origin, 1.0, 9), 20);
        assert_true(facts.closed);
    }
    slv_mesh few = make_sphere(origin, 1.0, 9); // only some faces are duplicated
    few = join_meshes(few, make_sphere(origin, 1.0, 9));
    few.triangle_count -= few.triangle_count / 3;
    weld_points(&few);
    check_like(few, make_sphere(origin, 1.0, 9), 20);
}

static void internal_walls_are_ignored(void **state) {
    (void)state;
    // Two boxes that share a wall; both contain it.
    slv_mesh shared =
        join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), make_box(1.0, 0.0, 0.0, 2.0, 1.0, 1.0));
    weld_points(&shared);
    const slv_field_facts facts = check_like(shared, make_box(0.0, 0.0, 0.0, 2.0, 1.0, 1.0), 21);
    assert_true(facts.closed);
    // A single wall across the middle, connected to the sides.
    slv_mesh single =
        join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), make_box(1.0, 0.0, 0.0, 2.0, 1.0, 1.0));
    weld_points(&single);
    remove_triangle(&single, 21); // two triangles of the second box's copy of the wall
    remove_triangle(&single, 20);
    assert_true(check_like(single, make_box(0.0, 0.0, 0.0, 2.0, 1.0, 1.0), 21).closed);
}

// A box of n x n squares a side, its sides welded, with walls of the same mesh at x = 0.25, 0.5 …
static slv_mesh make_walled_box(uint32_t n, uint32_t walls) {
    const double x[3] = {1.0, 0.0, 0.0};
    const double y[3] = {0.0, 1.0, 0.0};
    const double z[3] = {0.0, 0.0, 1.0};
    slv_mesh mesh = join_meshes(make_sheet(origin, y, x, n), make_sheet(z, x, y, n));
    mesh = join_meshes(mesh, join_meshes(make_sheet(origin, x, z, n), make_sheet(y, z, x, n)));
    mesh = join_meshes(mesh, join_meshes(make_sheet(origin, z, y, n), make_sheet(x, y, z, n)));
    for (uint32_t w = 1; w <= walls; w++) {
        const double at[3] = {0.25 * w, 0.0, 0.0};
        mesh = join_meshes(mesh, make_sheet(at, y, z, n));
    }
    weld_points(&mesh);
    return mesh;
}

static void single_internal_walls_of_a_box_with_holes_are_ignored(void **state) {
    (void)state;
    for (uint32_t walls = 1; walls < 4; walls++) {
        slv_mesh mesh = make_walled_box(8, walls);
        slv_mesh like = make_walled_box(8, 0);
        remove_triangle(&mesh, 151); // of the second side, away from the walls
        remove_triangle(&like, 151);
        flip_at_random(&mesh, walls, 0.1);
        const slv_field_facts facts = check_like(mesh, like, 33);
        assert_false(facts.closed);
    }
}

static void boxes_that_share_an_edge_are_both_solid(void **state) {
    (void)state;
    slv_mesh mesh =
        join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), make_box(1.0, 1.0, 0.0, 2.0, 2.0, 1.0));
    weld_points(&mesh);
    flip_at_random(&mesh, 5, 0.2);
    check_like(
        mesh,
        join_meshes(make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), make_box(1.0, 1.0, 0.0, 2.0, 2.0, 1.0)),
        21);
}

static void a_flipped_open_surface_keeps_its_inside(void **state) {
    (void)state;
    slv_mesh mesh = make_sphere(origin, 1.0, 10);
    slv_mesh like = make_sphere(origin, 1.0, 10);
    for (uint32_t t = 0; t < 5; t++) {
        remove_triangle(&mesh, 11 * t);
        remove_triangle(&like, 11 * t);
    }
    flip_at_random(&mesh, 9, 0.3);
    const slv_field_facts facts = check_like(mesh, like, 23);
    assert_false(facts.closed);
}

static slv_mesh make_punctured(const double center[3]) {
    slv_mesh mesh = make_sphere(center, 1.0, 10);
    remove_triangle(&mesh, 100);
    remove_triangle(&mesh, 50);
    return mesh;
}

static void flipped_open_parts_that_overlap_do_not_cancel(void **state) {
    (void)state;
    const double aside[3] = {0.7, 0.2, 0.1};
    for (uint32_t seed = 1; seed < 9; seed++) {
        slv_mesh mesh = join_meshes(make_punctured(origin), make_punctured(aside));
        flip_at_random(&mesh, seed, 0.3);
        check_like(mesh, join_meshes(make_punctured(origin), make_punctured(aside)), 20);
    }
}

static void an_inverted_file_is_flipped_with_its_open_parts(void **state) {
    (void)state;
    const double aside[3] = {0.7, 0.2, 0.1};
    slv_mesh mesh = join_meshes(make_sphere(origin, 1.0, 10), make_punctured(aside));
    flip_at_random(&mesh, 1, 1.0);
    check_like(mesh, join_meshes(make_sphere(origin, 1.0, 10), make_punctured(aside)), 20);
}

// Separate triangles, each shrunk by a thousandth.
static slv_mesh make_shrunk_sphere(uint32_t rings) {
    slv_mesh whole = make_sphere(origin, 1.0, rings);
    slv_mesh shrunk = make_soup(1, whole.triangle_count, 1.0, 1.0);
    for (size_t corner = 0; corner < 3 * (size_t)whole.triangle_count; corner++) {
        for (size_t axis = 0; axis < 3; axis++) {
            double sum = 0.0;
            for (size_t other = 0; other < 3; other++) {
                sum += whole.points[3 * (size_t)whole.triangles[corner / 3 * 3 + other] + axis];
            }
            const double own = whole.points[3 * (size_t)whole.triangles[corner] + axis];
            shrunk.points[3 * corner + axis] = 0.999 * own + 0.001 * sum / 3.0;
        }
    }
    slv_mesh_free(&whole);
    return shrunk;
}

static void disconnected_triangles_are_oriented_outwards(void **state) {
    (void)state;
    slv_mesh mesh = make_shrunk_sphere(12);
    flip_at_random(&mesh, 7, 0.3);
    check_like(mesh, make_shrunk_sphere(12), 24);
    mesh = make_shrunk_sphere(12);
    flip_at_random(&mesh, 7, 1.0);
    check_like(mesh, make_shrunk_sphere(12), 24);
}

// The vertices of the lid do not coincide with those of the sides.
static slv_mesh make_box_with_loose_lid(bool turned) {
    const double top[3] = {0.0, 0.0, 1.0};
    const double x[3] = {1.0, 0.0, 0.0};
    const double y[3] = {0.0, 1.0, 0.0};
    slv_mesh lid = make_sheet(top, x, y, 7);
    flip_at_random(&lid, 1, turned ? 1.0 : 0.0);
    slv_mesh box = make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    remove_triangle(&box, 3);
    remove_triangle(&box, 2);
    return join_meshes(box, lid);
}

static void an_inverted_separate_lid_closes_its_box(void **state) {
    (void)state;
    check_like(make_box_with_loose_lid(true), make_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0), 20);
}

// The tetrahemihexahedron: closed and not orientable.
static void a_non_orientable_closed_surface_is_filled_by_crossing_parity(void **state) {
    (void)state;
    const double points[6][3] = {{1.0, 0.0, 0.0},  {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0},
                                 {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0},  {0.0, 0.0, -1.0}};
    const uint32_t triangles[10][3] = {{0, 2, 4}, {0, 3, 5}, {1, 2, 5}, {1, 3, 4}, {0, 2, 1},
                                       {0, 1, 3}, {0, 4, 1}, {0, 1, 5}, {2, 4, 3}, {2, 3, 5}};
    slv_mesh mesh = make_mesh(points, 6, triangles, 10);
    const slv_lattice lattice = {{21, 21, 21}, {-1.0312, -1.0217, -1.0131}, 0.1};
    field f = measure_field(&mesh, &lattice, 1);
    assert_true(f.facts.closed);
    assert_string_equal(f.facts.sign_method, "ray crossings");
    for (uint32_t k = 0; k < 21; k++) {
        for (uint32_t j = 0; j < 21; j++) {
            for (uint32_t i = 0; i < 21; i++) {
                double p[3];
                sample_position(&lattice, i, j, k, p);
                const bool in_octant = p[0] * p[1] * p[2] > 0.0;
                const bool within = fabs(p[0]) + fabs(p[1]) + fabs(p[2]) < 1.0;
                assert_int_equal(bit_at(&f, f.inside, i, j, k), in_octant && within);
            }
        }
    }
    free_field(&f);
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_third_of_the_faces_flipped_gives_the_same_inside),
        cmocka_unit_test(half_of_the_faces_flipped_gives_the_same_inside),
        cmocka_unit_test(an_inverted_mesh_is_flipped),
        cmocka_unit_test(an_inverted_part_does_not_cancel_another_part),
        cmocka_unit_test(overlapping_inverted_parts_are_united_for_any_point_order),
        cmocka_unit_test(touching_inverted_parts_are_solid),
        cmocka_unit_test(a_cavity_that_touches_the_outer_wall_stays_empty),
        cmocka_unit_test(a_cavity_stays_empty),
        cmocka_unit_test(an_inverted_shell_beside_a_large_solid_is_flipped_with_its_cavity),
        cmocka_unit_test(solids_in_solids_are_filled),
        cmocka_unit_test(duplicate_faces_count_once),
        cmocka_unit_test(internal_walls_are_ignored),
        cmocka_unit_test(single_internal_walls_of_a_box_with_holes_are_ignored),
        cmocka_unit_test(boxes_that_share_an_edge_are_both_solid),
        cmocka_unit_test(a_flipped_open_surface_keeps_its_inside),
        cmocka_unit_test(flipped_open_parts_that_overlap_do_not_cancel),
        cmocka_unit_test(an_inverted_file_is_flipped_with_its_open_parts),
        cmocka_unit_test(disconnected_triangles_are_oriented_outwards),
        cmocka_unit_test(an_inverted_separate_lid_closes_its_box),
        cmocka_unit_test(a_non_orientable_closed_surface_is_filled_by_crossing_parity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
