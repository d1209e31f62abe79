// SPDX-License-Identifier: MIT
#include "tests/tools/voxelize/garment/samples.h"
#include "tools/voxelize/grid_garment.h"
#include "tools/voxelize/shapes.h"

#include <math.h>
#include <string.h>

typedef struct made_shape {
    slv_shape shape;
    uint64_t *bits;
    slv_lattice lattice;
    slv_grid_index index;
    slv_garment_builder builder;
} made_shape;

static made_shape make(const char *text) {
    made_shape made = {0};
    slv_error error = {0};
    slv_set_list sets = {0};
    assert_int_equal(slv_shape_parse(text, &made.shape, &error), SLV_OK);
    assert_int_equal(slv_shape_sample(&made.shape, 0.5, &made.lattice, &made.bits, &error), SLV_OK);
    assert_int_equal(slv_grid_index_create(&made.lattice, made.bits, &made.index, &error), SLV_OK);
    assert_int_equal(slv_make_grid_garment(&made.index, 1, &made.builder, &error), SLV_OK);
    assert_int_equal(slv_add_shape_sets(&sets, &made.shape, &made.index, &error), SLV_OK);
    assert_int_equal(slv_set_list_finish(&sets, &made.builder, &error), SLV_OK);
    slv_set_list_free(&sets);
    assert_int_equal(slv_add_shape_render_mesh(&made.shape, &made.index, &made.builder, &error),
                     SLV_OK);
    return made;
}

static void discard(made_shape *made) {
    slv_builder_free(&made->builder);
    slv_grid_index_free(&made->index);
    free(made->bits);
}

static uint32_t set_size(const slv_garment *garment, const char *name) {
    for (uint32_t n = 0; n < garment->set_count; n++) {
        const slv_named_set set = slv_garment_get_set(garment, n);
        if (set.name_length == strlen(name) && memcmp(set.name, name, set.name_length) == 0) {
            return set.count;
        }
    }
    return 0;
}

static void shapes_have_exactly_these_particles_and_constraints(void **state) {
    (void)state;
    const struct {
        const char *text;
        uint32_t particles, constraints;
    } cases[] = {
        {"grid:100x100", 10000, 19800}, {"grid:1x1", 1, 0},       {"grid:5x3", 15, 22},
        {"rope:100", 100, 99},          {"rope:1", 1, 0},         {"box:4x3x2", 24, 46},
        {"box:10x10x10", 1000, 2700},   {"poncho:5x5:1", 24, 36}, {"poncho:20x10:4", 184, 330},
        {"poncho:4x4:2", 12, 12},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        made_shape made = make(cases[n].text);
        assert_int_equal(made.builder.garment.info.particle_count, cases[n].particles);
        assert_int_equal(made.builder.garment.constraints[SLV_CONSTRAINT_DISTANCE].count,
                         cases[n].constraints);
        discard(&made);
    }
}

static void a_grid_lies_in_the_xz_plane_first_index_along_x(void **state) {
    (void)state;
    made_shape made = make("grid:7x4");
    const slv_garment *garment = &made.builder.garment;
    for (uint32_t own = 0; own < 28; own++) {
        const uint32_t stored = garment->stored_of_own[own];
        const uint32_t k = own / 7;
        assert_true(garment->x[stored] == 0.5f * (float)(own % 7));
        assert_true(garment->y[stored] == 0);
        assert_true(garment->z[stored] == 0.5f * (float)k);
    }
    assert_int_equal(garment->grid->cells[0], 7);
    assert_int_equal(garment->grid->cells[1], 1);
    assert_int_equal(garment->grid->cells[2], 4);
    discard(&made);
}

static void sets_have_the_documented_names_and_particles(void **state) {
    (void)state;
    made_shape made = make("poncho:9x7:3");
    const slv_garment *garment = &made.builder.garment;
    assert_int_equal(garment->set_count, 6);
    assert_int_equal(set_size(garment, "corners"), 4);
    assert_int_equal(set_size(garment, "edge-x-min"), 7);
    assert_int_equal(set_size(garment, "edge-x-max"), 7);
    assert_int_equal(set_size(garment, "edge-z-min"), 9);
    assert_int_equal(set_size(garment, "edge-z-max"), 9);
    assert_int_equal(set_size(garment, "hole"), 16);
    discard(&made);

    made = make("rope:5");
    const slv_named_set end = slv_garment_get_set(&made.builder.garment, 1);
    assert_memory_equal(end.name, "end", 3);
    assert_int_equal(made.builder.garment.own_of_stored[end.particles[0]], 4);
    assert_int_equal(set_size(&made.builder.garment, "ends"), 2);
    discard(&made);

    made = make("box:3x4x5");
    assert_int_equal(set_size(&made.builder.garment, "top"), 15);
    assert_int_equal(set_size(&made.builder.garment, "x-min"), 20);
    assert_int_equal(set_size(&made.builder.garment, "z-max"), 12);
    discard(&made);
}

// Every triangle must face the direction of its vertex normals, and every vertex lie on its
// particle.
static void check_render_mesh(const slv_garment *garment) {
    const slv_render_mesh *mesh = &garment->render;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = &mesh->triangles[3 * (size_t)t];
        const float *a = &mesh->positions[3 * (size_t)corner[0]];
        const float *b = &mesh->positions[3 * (size_t)corner[1]];
        const float *c = &mesh->positions[3 * (size_t)corner[2]];
        const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const float *n = &mesh->normals[3 * (size_t)corner[0]];
        const float area = (u[1] * v[2] - u[2] * v[1]) * n[0] + (u[2] * v[0] - u[0] * v[2]) * n[1] +
                           (u[0] * v[1] - u[1] * v[0]) * n[2];
        assert_true(area == 0.25f); // twice half a cell
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t particle = mesh->particles[v];
        assert_true(mesh->positions[3 * (size_t)v] == garment->x[particle]);
        assert_true(mesh->positions[3 * (size_t)v + 1] == garment->y[particle]);
        assert_true(mesh->positions[3 * (size_t)v + 2] == garment->z[particle]);
        assert_true(mesh->weights[v] == 1);
        assert_true(mesh->uvs[2 * (size_t)v] >= 0 && mesh->uvs[2 * (size_t)v] <= 1);
    }
}

static void render_meshes_face_outwards_and_sit_on_particles(void **state) {
    (void)state;
    const struct {
        const char *text;
        uint32_t vertices, triangles;
    } cases[] = {{"grid:6x4", 24, 30},  {"poncho:6x6:2", 32, 32}, {"box:3x4x5", 94, 104},
                 {"box:1x3x3", 18, 16}, {"rope:9", 0, 0},         {"grid:1x9", 0, 0},
                 {"box:1x1x1", 0, 0}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        made_shape made = make(cases[n].text);
        assert_int_equal(made.builder.garment.render.vertex_count, cases[n].vertices);
        assert_int_equal(made.builder.garment.render.triangle_count, cases[n].triangles);
        check_render_mesh(&made.builder.garment);
        discard(&made);
    }
}

static void a_grid_is_drawn_in_own_order_with_uvs_along_its_indices(void **state) {
    (void)state;
    made_shape made = make("grid:5x3");
    const slv_garment *garment = &made.builder.garment;
    for (uint32_t v = 0; v < 15; v++) {
        const uint32_t k = v / 5;
        assert_int_equal(garment->own_of_stored[garment->render.particles[v]], v);
        assert_true(garment->render.uvs[2 * (size_t)v] == (float)(v % 5) / 4);
        assert_true(garment->render.uvs[2 * (size_t)v + 1] == (float)k / 2);
    }
    discard(&made);
}

static void invalid_shapes_are_rejected(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "grid",
                                 "grid:",
                                 "grid:10",
                                 "grid:0x5",
                                 "grid:5x",
                                 "grid:5x5x5",
                                 "grid:-5x5",
                                 "grid:5x5 ",
                                 "grid: 5x5",
                                 "rope:",
                                 "rope:0",
                                 "rope:1.5",
                                 "box:3x3",
                                 "Box:3x3x3",
                                 "sphere:3",
                                 "poncho:5x5",
                                 "poncho:5x5:4",
                                 "poncho:2x9:1",
                                 "poncho:5x5:0",
                                 "grid:99999999999999999999x2",
                                 "box:2000x2000x2000"};
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        slv_shape shape;
        slv_error error = {0};
        assert_int_equal(slv_shape_parse(texts[n], &shape, &error), SLV_ERROR_ARGUMENT);
        assert_true(error.text[0] != '\0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_exactly_these_particles_and_constraints),
        cmocka_unit_test(a_grid_lies_in_the_xz_plane_first_index_along_x),
        cmocka_unit_test(sets_have_the_documented_names_and_particles),
        cmocka_unit_test(render_meshes_face_outwards_and_sit_on_particles),
        cmocka_unit_test(a_grid_is_drawn_in_own_order_with_uvs_along_its_indices),
        cmocka_unit_test(invalid_shapes_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
