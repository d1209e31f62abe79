// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/drawing.h"
#include "tests/tools/voxelize/garment/meshes.h"
#include "tests/tools/voxelize/garment/samples.h"
#include "tools/voxelize/embedding.h"
#include "tools/voxelize/grid_garment.h"
#include "tools/voxelize/influences.h"

#include <math.h>

// --- Helpers ------------------------------------------------------------------------------------

static double largest_coordinate(const slv_garment *garment) {
    double largest = 0;
    for (uint32_t n = 0; n < 3 * garment->render.vertex_count; n++) {
        largest = fmax(largest, fabs((double)garment->render.positions[n]));
    }
    return largest;
}

static void check_embedding(const slv_garment *garment) {
    const slv_render_mesh *mesh = &garment->render;
    const float *const particles[3] = {garment->x, garment->y, garment->z};
    const double tolerance = 2e-6 * largest_coordinate(garment);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float drawn[3];
        double sum = 0;
        draw_vertex(mesh, particles, v, drawn);
        for (int axis = 0; axis < 3; axis++) {
            const float wanted = mesh->positions[3 * (size_t)v + (size_t)axis];
            assert_true(fabs((double)(drawn[axis] - wanted)) <= tolerance);
        }
        for (uint32_t n = 0; n < mesh->influences; n++) {
            const float weight = mesh->weights[(size_t)v * mesh->influences + n];
            assert_true(fabsf(weight) <= 2.001f);
            sum += (double)weight;
        }
        assert_true(fabs(sum - 1) < 1e-6);
    }
}

// Points over the whole lattice and far outside it, as a mesh of arbitrary triangles.
static slv_mesh scattered_points(const slv_lattice *lattice, uint32_t count, uint64_t seed) {
    double(*points)[3] = mesh_array(count, sizeof *points);
    uint32_t(*corners)[3] = mesh_array(count, sizeof *corners);
    for (uint32_t n = 0; n < count; n++) {
        for (int axis = 0; axis < 3; axis++) {
            const double unit = samples_random(&seed) / 2147483648.0;
            points[n][axis] = lattice->origin[axis] +
                              (1.5 * unit - 0.25) * lattice->cells[axis] * lattice->spacing;
        }
        corners[n][0] = n;
        corners[n][1] = (n + 1) % count;
        corners[n][2] = (n + 2) % count;
    }
    slv_mesh mesh =
        mesh_make(count, (const double(*)[3])points, count, (const uint32_t(*)[3])corners);
    free(points);
    free(corners);
    return mesh;
}

static void embed(const samples *s, const slv_mesh *mesh, unsigned threads,
                  slv_garment_builder *builder) {
    slv_error error = {0};
    double largest = -1;
    *builder = (slv_garment_builder){0};
    assert_int_equal(slv_make_grid_garment(&s->index, 1, builder, &error), SLV_OK);
    assert_int_equal(slv_add_render_mesh(mesh, builder, &error), SLV_OK);
    assert_int_equal(slv_embed_in_grid(&s->index, threads, builder, &largest, &error), SLV_OK);
    assert_true(largest >= 0 && largest <= 1e-6 * largest_coordinate(&builder->garment));
}

// --- Tests --------------------------------------------------------------------------------------

static void every_vertex_is_reproduced_at_rest(void **state) {
    (void)state;
    const uint32_t sizes[][3] = {{9, 9, 9}, {70, 3, 5}, {20, 1, 20}, {30, 1, 1}, {1, 1, 1}};
    const uint32_t percents[] = {100, 60, 20, 3};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
            samples s = samples_make(sizes[n][0], sizes[n][1], sizes[n][2], 0.1);
            s.lattice.origin[1] = -0.35;
            samples_scatter(&s, percents[p], n + 10 * p);
            samples_mark(&s, 0, 0, 0);
            samples_number(&s);
            slv_mesh mesh = scattered_points(&s.lattice, 700, n);
            slv_garment_builder builder;
            embed(&s, &mesh, 2, &builder);
            check_embedding(&builder.garment);
            slv_builder_free(&builder);
            slv_mesh_free(&mesh);
            samples_free(&s);
        }
    }
}

// Inside full cells, moving the particles by any affine map must move the vertices by the same.
static void vertices_inside_follow_an_affine_motion_exactly(void **state) {
    (void)state;
    samples s = samples_make_full(6, 6, 6, 0.25);
    const double points[3][3] = {{0.3, 0.4, 0.5}, {1.2, 0.01, 0.77}, {0.6, 1.1, 0.9}};
    const uint32_t corners[1][3] = {{0, 1, 2}};
    slv_mesh mesh = mesh_make(3, points, 1, corners);
    slv_garment_builder builder;
    embed(&s, &mesh, 1, &builder);
    const slv_garment *garment = &builder.garment;
    assert_null(garment->render.offsets);
    float *moved = mesh_array(garment->info.particle_count, sizeof *moved);
    for (uint32_t n = 0; n < garment->info.particle_count; n++) {
        moved[n] = 3 * garment->x[n] - garment->y[n] + 0.5f * garment->z[n] + 7;
    }
    const float *const particles[3] = {moved, garment->y, garment->z};
    for (uint32_t v = 0; v < 3; v++) {
        float drawn[3];
        draw_vertex(&garment->render, particles, v, drawn);
        const double wanted = 3 * points[v][0] - points[v][1] + 0.5 * points[v][2] + 7;
        assert_true(fabs((double)drawn[0] - wanted) < 1e-5);
    }
    free(moved);
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
    samples_free(&s);
}

// A sheet one particle thick, rotated by a quarter turn: vertices off the sheet must rotate with
// it.
static void vertices_off_a_sheet_rotate_with_it(void **state) {
    (void)state;
    samples s = samples_make_full(8, 1, 8, 0.5);
    const double points[3][3] = {{1.1, 0.2, 1.3}, {2.2, -0.1, 2.9}, {0.3, 0.15, 3.3}};
    const uint32_t corners[1][3] = {{0, 1, 2}};
    slv_mesh mesh = mesh_make(3, points, 1, corners);
    slv_garment_builder builder;
    embed(&s, &mesh, 1, &builder);
    const slv_garment *garment = &builder.garment;
    float *turned = mesh_array(garment->info.particle_count, sizeof *turned); // -y
    for (uint32_t n = 0; n < garment->info.particle_count; n++) {
        turned[n] = -garment->y[n];
    }
    const float *const particles[3] = {turned, garment->x, garment->z}; // (x, y) -> (-y, x)
    for (uint32_t v = 0; v < 3; v++) {
        float drawn[3];
        draw_vertex(&garment->render, particles, v, drawn);
        assert_true(fabs((double)drawn[0] + points[v][1]) < 1e-5);
        assert_true(fabs((double)drawn[1] - points[v][0]) < 1e-5);
        assert_true(fabs((double)drawn[2] - points[v][2]) < 1e-5);
    }
    free(turned);
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
    samples_free(&s);
}

// A distance normal to the sheet must not influence the weights.
static void a_vertex_far_from_a_sheet_has_even_weights(void **state) {
    (void)state;
    samples s = samples_make_full(8, 1, 8, 0.5);
    const double points[3][3] = {{1.25, 1e4, 1.25}, {2.25, -1e3, 1.75}, {1.75, 500, 1.25}};
    const uint32_t corners[1][3] = {{0, 1, 2}};
    slv_mesh mesh = mesh_make(3, points, 1, corners);
    slv_garment_builder builder;
    embed(&s, &mesh, 1, &builder);
    const slv_garment *garment = &builder.garment;
    for (size_t v = 0; v < 3; v++) {
        double reached[2] = {0, 0};
        for (size_t slot = SLV_INFLUENCES * v; slot < SLV_INFLUENCES * (v + 1); slot++) {
            const double weight = (double)garment->render.weights[slot];
            reached[0] += weight * (double)garment->x[garment->render.particles[slot]];
            reached[1] += weight * (double)garment->z[garment->render.particles[slot]];
        }
        assert_true(fabs(reached[0] - points[v][0]) < 1e-6); // the projection onto the sheet
        assert_true(fabs(reached[1] - points[v][2]) < 1e-6);
    }
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
    samples_free(&s);
}

// Two sheets two cells apart and a vertex near the upper one: no particle of the lower may have a
// weight.
static void separate_sheets_do_not_share_a_vertex(void **state) {
    (void)state;
    samples s = samples_make(6, 5, 6, 1);
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t k = 0; k < 6; k++) {
            samples_mark(&s, i, 1, k);
            samples_mark(&s, i, 3, k);
        }
    }
    samples_number(&s);
    const double points[3][3] = {{2.4, 2.1, 2.4}, {2.6, 2.2, 3.4}, {3.3, 2.45, 2.2}};
    const uint32_t corners[1][3] = {{0, 1, 2}};
    slv_mesh mesh = mesh_make(3, points, 1, corners);
    slv_garment_builder builder;
    embed(&s, &mesh, 1, &builder);
    for (size_t slot = 0; slot < 3 * SLV_INFLUENCES; slot++) {
        assert_true(builder.garment.y[builder.garment.render.particles[slot]] == 3);
    }
    slv_builder_free(&builder);
    slv_mesh_free(&mesh);
    samples_free(&s);
}

static void the_nearest_particle_is_found_at_any_distance(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (uint32_t percent = 1; percent < 60; percent += 29) {
        samples s = samples_make(90, 21, 33, 1);
        samples_scatter(&s, percent, percent);
        samples_mark(&s, 89, 20, 32);
        samples_number(&s);
        slv_nearest nearest;
        slv_error error = {0};
        assert_int_equal(slv_nearest_create(&s.index, &nearest, &error), SLV_OK);
        for (int round = 0; round < 200; round++) {
            double cell_position[3]; // multiples of 0.5, so that ties are common
            for (int axis = 0; axis < 3; axis++) {
                cell_position[axis] = 0.5 * (samples_random(&seed) % 400) - 50;
            }
            double best = HUGE_VAL;
            uint32_t expected[3] = {0};
            for (uint32_t k = 0; k < 33; k++) {
                for (uint32_t j = 0; j < 21; j++) {
                    for (uint32_t i = 0; i < 90; i++) {
                        const double gap[3] = {i - cell_position[0], j - cell_position[1],
                                               k - cell_position[2]};
                        const double distance = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
                        if (samples_marked(&s, i, j, k) && distance < best) {
                            best = distance;
                            memcpy(expected, (uint32_t[3]){i, j, k}, sizeof expected);
                        }
                    }
                }
            }
            uint32_t found[3];
            slv_nearest_find(&nearest, cell_position, found);
            assert_memory_equal(found, expected, sizeof found);
        }
        slv_nearest_free(&nearest);
        samples_free(&s);
    }
}

static void any_number_of_threads_gives_the_same_embedding(void **state) {
    (void)state;
    samples s = samples_make(20, 20, 20, 0.1);
    samples_scatter(&s, 40, 9);
    samples_number(&s);
    slv_mesh mesh = scattered_points(&s.lattice, 3000, 4);
    slv_garment_builder one;
    slv_garment_builder many;
    embed(&s, &mesh, 1, &one);
    embed(&s, &mesh, 5, &many);
    assert_memory_equal(one.garment.render.weights, many.garment.render.weights, 3000 * 8 * 4);
    assert_memory_equal(one.garment.render.particles, many.garment.render.particles, 3000 * 8 * 4);
    assert_memory_equal(one.garment.render.offsets, many.garment.render.offsets, 3000 * 3 * 4);
    slv_builder_free(&one);
    slv_builder_free(&many);
    slv_mesh_free(&mesh);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vertex_is_reproduced_at_rest),
        cmocka_unit_test(vertices_inside_follow_an_affine_motion_exactly),
        cmocka_unit_test(vertices_off_a_sheet_rotate_with_it),
        cmocka_unit_test(a_vertex_far_from_a_sheet_has_even_weights),
        cmocka_unit_test(separate_sheets_do_not_share_a_vertex),
        cmocka_unit_test(the_nearest_particle_is_found_at_any_distance),
        cmocka_unit_test(any_number_of_threads_gives_the_same_embedding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
