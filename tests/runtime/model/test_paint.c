// SPDX-License-Identifier: MIT
// Paint: vertex colors scale limits per particle.
#include "tests/common/soft_shapes.h"
#include "tests/common/test_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 11, COUNT = SIDE * SIDE };
static const float spacing = 0.1f;
static const float farthest = 0.3f; // metres, where it is white

typedef enum form { GRID, MESH, FORMS } form;

// In own order: red grows with x, green falls with it, blue is black in the first row, alpha in the first half.
static uint8_t colors[COUNT][4];

static void paint_all(void) {
    for (uint32_t p = 0; p < COUNT; p++) {
        colors[p][0] = (uint8_t)(p % SIDE * 255 / (SIDE - 1));
        colors[p][1] = (uint8_t)(255 - colors[p][0]);
        colors[p][2] = p < SIDE ? 0 : 255;
        colors[p][3] = p % SIDE < SIDE / 2 ? 0 : 255;
    }
}

static slv_world *make_world(slv_solver solver, uint32_t threads) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.threads = threads;
    soften_for_integrators(&def, 0.002f, 5.0f);
    return must_create(&def);
}

static slv_garment_def make_def(void) {
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.001f;
    def.stretch_stiffness = 200.0f;
    def.spring_damping = 0.004f;
    return def;
}

// A sheet of SIDE x SIDE particles in the x-z plane, as a grid whose pack brings the paint along, or as a
// mesh which the caller paints.
static slv_garment_id add_sheet(slv_world *world, form kind, slv_garment_def def) {
    static uint8_t stored[COUNT][4];
    def.paint.colors = kind == GRID ? NULL : &colors[0][0];
    def.paint.color_count = kind == GRID ? 0 : COUNT;
    generated_garment *made =
        kind == GRID ? make_grid(SIDE, 1, SIDE, spacing, NULL) : make_cloth(SIDE, SIDE, spacing, 0);
    slv_garment *view = generated_view(made);
    for (uint32_t p = 0; kind == GRID && p < COUNT; p++) {
        memcpy(stored[view->stored_of_own[p]], colors[p], sizeof *stored);
    }
    view->paint = kind == GRID ? &stored[0][0] : NULL;
    return must_add(world, made, def);
}

static double distance_from(slv_world *world, slv_garment_id id, uint32_t particle,
                            const float start[3]) {
    float now[3];
    must_position(world, id, particle, now);
    return hypot(hypot((double)now[0] - (double)start[0], (double)now[1] - (double)start[1]),
                 (double)now[2] - (double)start[2]);
}

static void get_start(slv_world *world, slv_garment_id id, float start[COUNT][3]) {
    for (uint32_t p = 0; p < COUNT; p++) {
        must_position(world, id, p, start[p]);
    }
}

static void painted_particles_stay_within_their_distance_in_every_layout_and_solver(void **state) {
    (void)state;
    const slv_limit_def limit = {NULL, farthest, -1.0f};
    for (int kind = GRID; kind < FORMS; kind++) {
        for (int solver = 0; solver < SLV_SOLVER_COUNT; solver++) {
            slv_world *world = make_world((slv_solver)solver, 1);
            slv_garment_def def = make_def();
            def.limits = &limit;
            def.limit_count = 1;
            def.paint.max_distance = SLV_CHANNEL_RED;
            slv_garment_id id = add_sheet(world, (form)kind, def);
            float start[COUNT][3];
            get_start(world, id, start);
            for (int n = 0; n < 20; n++) {
                must_step(world, 10);
                for (uint32_t p = 0; p < COUNT; p++) {
                    const double most = (double)farthest * colors[p][0] / 255.0;
                    assert_true(distance_from(world, id, p, start[p]) <= most + 1e-6);
                }
            }
            assert_true(distance_from(world, id, SIDE - 1, start[SIDE - 1]) >
                        0.9 * (double)farthest);
            assert_true(distance_from(world, id, 0, start[0]) == 0.0); // black does not move at all
            slv_world_destroy(world);
        }
    }
}

static void tetrahedra_stay_within_painted_distances(void **state) {
    (void)state;
    char path[256];
    const slv_limit_def limit = {NULL, farthest, -1.0f};
    const slv_solver solvers[] = {SLV_PBD_GS, SLV_PBD_JACOBI};
    soft_shape shape = soft_lattice(6, 3, 3, spacing, NULL);
    uint8_t *paint = calloc(shape.particle_count, 4);
    float least = 1e9f;
    for (uint32_t p = 0; p < shape.particle_count; p++) {
        least = fminf(least, shape.positions[p][0]);
    }
    for (uint32_t p = 0; p < shape.particle_count; p++) {
        paint[4 * p + 2] = (uint8_t)((shape.positions[p][0] - least) / (6.0f * spacing) * 255.0f);
    }
    soft_write(&shape, 1.0f, temporary_path(path, sizeof path, "block.slv"));
    for (size_t s = 0; s < 2; s++) {
        slv_world *world = make_world(solvers[s], 1);
        slv_garment_def def = slv_default_garment_def();
        slv_garment_id id;
        def.pack_path = path;
        def.stretch_stiffness = 100.0f;
        def.limits = &limit;
        def.limit_count = 1;
        def.paint = (slv_paint_def){
            .max_distance = SLV_CHANNEL_BLUE, .colors = paint, .color_count = shape.particle_count};
        assert_int_equal(slv_world_add_garment(world, &def, &id), SLV_OK);
        double farthest_distance = 0.0;
        must_step(world, 200);
        for (uint32_t p = 0; p < shape.particle_count; p++) {
            const double distance = distance_from(world, id, p, shape.positions[p]);
            assert_true(distance <= (double)farthest * paint[4 * p + 2] / 255.0 + 1e-6);
            farthest_distance = fmax(farthest_distance, distance);
        }
        assert_true(farthest_distance > 0.1);
        slv_world_destroy(world);
    }
    free(paint);
    soft_free(&shape);
    (void)remove(path);
}

static void paint_scales_the_limit_of_the_last_set(void **state) {
    (void)state;
    static const char names[] = "corner";
    static const slv_particle_set set = {.name_length = 6, .count = 1};
    static const uint32_t corner = COUNT - SIDE;
    const slv_limit_def limits[] = {{NULL, 0.1f, -1.0f}, {"corner", 0.2f, -1.0f}};
    generated_garment *made = make_cloth(SIDE, SIDE, spacing, false);
    slv_garment *view = generated_view(made);
    view->set_count = 1;
    view->sets = &set;
    view->set_particles = &corner;
    view->set_names = names;
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    slv_garment_def def = make_def();
    def.stretch_stiffness = 0.01f; // particles move almost independently
    def.limits = limits;
    def.limit_count = 2;
    def.paint = (slv_paint_def){
        .max_distance = SLV_CHANNEL_GREEN, .colors = &colors[0][0], .color_count = COUNT};
    colors[corner][1] = 204; // four fifths
    slv_garment_id id = must_add(world, made, def);
    paint_all();
    float start[COUNT][3];
    get_start(world, id, start);
    must_step(world, 300);
    assert_near(distance_from(world, id, 0, start[0]), 0.1, 0.002);
    assert_near(distance_from(world, id, corner, start[corner]), 0.16, 0.002);
    assert_true(distance_from(world, id, SIDE - 1, start[SIDE - 1]) == 0.0);
    slv_world_destroy(world);
}

static void backstops_are_scaled_by_paint(void **state) {
    (void)state;
    const slv_limit_def limit = {NULL, -1.0f, 0.2f};
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    slv_garment_def def = make_def();
    def.limits = &limit;
    def.limit_count = 1;
    def.paint.backstop = SLV_CHANNEL_ALPHA;
    slv_garment_id id = add_sheet(world, MESH, def);
    must_step(world, 300);
    float black[3];
    float white[3];
    must_position(world, id, 0, black);
    must_position(world, id, SIDE - 1, white);
    assert_true(black[1] >= -1e-6f);
    assert_near((double)white[1], -0.2, 0.002);
    slv_world_destroy(world);
}

// The first row is fixed. White columns may stretch to twice their length, black ones not at all.
static void painted_tethers_are_taut_where_they_are_black(void **state) {
    (void)state;
    for (int kind = GRID; kind < FORMS; kind++) {
        slv_world *world = make_world(SLV_PD_RBGS, 1);
        slv_garment_def def = make_def();
        def.stretch_stiffness = 0.05f;
        def.tether_slack = 2.0f;
        def.paint.fixed = SLV_CHANNEL_BLUE;
        def.paint.tether_slack = SLV_CHANNEL_RED;
        slv_garment_id id = add_sheet(world, (form)kind, def);
        float start[COUNT][3];
        get_start(world, id, start);
        must_step(world, 1500);
        const uint32_t last = COUNT - SIDE;
        const double length = (double)spacing * (SIDE - 1);
        assert_true(distance_from(world, id, last, start[0]) <= length * 1.000001);
        assert_true(distance_from(world, id, COUNT - 1, start[SIDE - 1]) > length * 1.5);
        assert_true(distance_from(world, id, COUNT - 1, start[SIDE - 1]) <= length * 2.000001);
        assert_true(distance_from(world, id, 5, start[5]) == 0.0); // the mask
        slv_world_destroy(world);
    }
}

// The longest of the springs that hang down from row to row in some columns, over its length at rest.
static double longest_in(slv_world *world, slv_garment_id id, uint32_t first, uint32_t end) {
    double longest = 0.0;
    for (uint32_t p = 0; p + SIDE < COUNT; p++) {
        if (p % SIDE >= first && p % SIDE < end) {
            float above[3];
            must_position(world, id, p, above);
            longest = fmax(longest, distance_from(world, id, p + SIDE, above) / (double)spacing);
        }
    }
    return longest;
}

static void the_strain_limit_is_one_where_black_and_full_where_white(void **state) {
    (void)state;
    for (int kind = GRID; kind < FORMS; kind++) {
        slv_world *world = make_world(SLV_PD_RBGS, 1);
        slv_garment_def def = make_def();
        def.stretch_stiffness = 0.3f;
        def.strain_limit = 1.5f;
        def.paint.fixed = SLV_CHANNEL_BLUE;
        def.paint.strain_limit = SLV_CHANNEL_ALPHA;
        slv_garment_id id = add_sheet(world, (form)kind, def);
        must_step(world, 600);
        const double black = longest_in(world, id, 0, SIDE / 2);
        const double white = longest_in(world, id, SIDE / 2, SIDE);
        print_message("form %d: black %.4f, white %.4f\n", kind, black, white);
        assert_true(black < 1.15);
        assert_true(white > 1.3 && white < 1.65);
        slv_world_destroy(world);
    }
}

static uint64_t run_everything(form kind, uint32_t threads, const char *instruction_set) {
    const slv_limit_def limit = {NULL, 0.6f, 0.5f};
    slv_world_def world_def = slv_default_world_def();
    world_def.threads = threads;
    world_def.instruction_set = instruction_set;
    slv_world *world = must_create(&world_def);
    slv_garment_def def = make_def();
    def.stretch_stiffness = 3.0f;
    def.strain_limit = 1.3f;
    def.tether_slack = 1.3f;
    def.limits = &limit;
    def.limit_count = 1;
    def.paint.max_distance = SLV_CHANNEL_RED;
    def.paint.backstop = SLV_CHANNEL_GREEN;
    def.paint.tether_slack = SLV_CHANNEL_GREEN;
    def.paint.strain_limit = SLV_CHANNEL_ALPHA;
    def.paint.fixed = SLV_CHANNEL_BLUE;
    (void)add_sheet(world, kind, def);
    must_step(world, 200);
    const uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

static void paint_gives_the_same_bits_for_threads_and_instructions(void **state) {
    (void)state;
    for (int kind = GRID; kind < FORMS; kind++) {
        const uint64_t hash = run_everything((form)kind, 1, NULL);
        assert_true(run_everything((form)kind, 1, "baseline") == hash);
        assert_true(run_everything((form)kind, 3, NULL) == hash);
    }
}

// --- Invalid paint --------------------------------------------------------------------------------------

static void refuse_paint(slv_garment_def def, slv_paint_def paint, const char *words) {
    char path[256];
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    generated_write_and_free(make_cloth(SIDE, SIDE, spacing, false),
                             temporary_path(path, sizeof path, "plain.slv"));
    def.pack_path = path;
    def.paint = paint;
    assert_int_equal(slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT);
    if (!strstr(slv_world_get_message(world), words)) {
        fail_msg("'%s' should say '%s'", slv_world_get_message(world), words);
    }
    assert_int_equal(slv_world_get_garment_count(world), 0);
    slv_world_destroy(world);
    (void)remove(path);
}

static void invalid_paint_is_refused_with_the_remedy(void **state) {
    (void)state;
    const slv_limit_def limit = {NULL, 0.1f, -1.0f};
    const uint8_t *all = &colors[0][0];
    slv_garment_def def = make_def();
    refuse_paint(def, (slv_paint_def){.fixed = SLV_CHANNEL_RED}, "selvage-voxelize");
    refuse_paint(def, (slv_paint_def){.fixed = (slv_channel)5}, "fixed is 5, should be one of");
    refuse_paint(def, (slv_paint_def){.colors = all, .color_count = COUNT - 1},
                 "120 colors, the garment has 121 particles");
    refuse_paint(def, (slv_paint_def){.max_distance = SLV_CHANNEL_RED},
                 "no limit gives a distance");
    refuse_paint(def, (slv_paint_def){.tether_slack = SLV_CHANNEL_RED}, "tether_slack is painted");
    refuse_paint(def, (slv_paint_def){.strain_limit = SLV_CHANNEL_RED}, "strain_limit is painted");
    def.limits = &limit;
    def.limit_count = 1;
    refuse_paint(def, (slv_paint_def){.backstop = SLV_CHANNEL_RED}, "backstop is painted");
}

// --- Limits that change -------------------------------------------------------------------------------------

static void changed_limits_are_in_snapshots_and_end_with_a_reset(void **state) {
    (void)state;
    static float distances[COUNT];
    const slv_limit_def limit = {NULL, farthest, -1.0f};
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    slv_garment_def def = make_def();
    def.limits = &limit;
    def.limit_count = 1;
    def.paint.max_distance = SLV_CHANNEL_RED;
    slv_garment_id id = add_sheet(world, GRID, def);
    float start[COUNT][3];
    get_start(world, id, start);
    must_step(world, 100);
    const uint64_t painted = must_hash(world);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    for (uint32_t p = 0; p < COUNT; p++) {
        distances[p] = 0.05f;
    }
    assert_int_equal(slv_garment_set_limits(world, id, distances, NULL), SLV_OK);
    must_step(world, 100);
    assert_true(distance_from(world, id, 0, start[0]) > 0.04);
    assert_true(distance_from(world, id, SIDE - 1, start[SIDE - 1]) <= 0.05 + 1e-6);
    const saved_world saved = must_save(world);
    must_step(world, 20);
    const uint64_t later = must_hash(world);
    assert_int_equal(slv_world_reset(world), SLV_OK);
    must_step(world, 100);
    assert_true(must_hash(world) == painted); // the limits of the definition
    must_restore(world, &saved);
    must_step(world, 20);
    assert_true(must_hash(world) == later); // the limits of the snapshot
    free(saved.bytes);
    distances[7] = NAN;
    assert_int_equal(slv_garment_set_limits(world, id, NULL, distances), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_garment_set_limits(world, slv_world_get_garment(world, 9), NULL, NULL),
                     SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

static void structure_shows_the_paint(void **state) {
    (void)state;
    slv_world *world = make_world(SLV_PD_RBGS, 1);
    slv_garment_structure structure;
    slv_garment_id id = add_sheet(world, GRID, make_def());
    assert_int_equal(slv_garment_get_structure(world, id, &structure), SLV_OK);
    assert_memory_equal(structure.paint, colors, sizeof colors);
    id = must_add(world, make_cloth(3, 3, spacing, false), make_def());
    assert_int_equal(slv_garment_get_structure(world, id, &structure), SLV_OK);
    assert_null(structure.paint);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(painted_particles_stay_within_their_distance_in_every_layout_and_solver),
        cmocka_unit_test(tetrahedra_stay_within_painted_distances),
        cmocka_unit_test(paint_scales_the_limit_of_the_last_set),
        cmocka_unit_test(backstops_are_scaled_by_paint),
        cmocka_unit_test(painted_tethers_are_taut_where_they_are_black),
        cmocka_unit_test(the_strain_limit_is_one_where_black_and_full_where_white),
        cmocka_unit_test(paint_gives_the_same_bits_for_threads_and_instructions),
        cmocka_unit_test(invalid_paint_is_refused_with_the_remedy),
        cmocka_unit_test(changed_limits_are_in_snapshots_and_end_with_a_reset),
        cmocka_unit_test(structure_shows_the_paint),
    };
    paint_all();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
