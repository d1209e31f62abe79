// SPDX-License-Identifier: MIT
// Garments, clips and colliders as objects of a world: ids, iteration, user data, removing, memory.
#include "tests/common/generated_field.h"
#include "tests/common/soft_shapes.h"
#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static slv_world *make_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    return must_create(&def);
}

static slv_garment_id add_cloth(slv_world *world, float height) {
    slv_garment_def def = slv_default_garment_def();
    def.position[1] = (double)height;
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 1000.0f;
    return must_add(world, make_grid(5, 1, 5, 0.05f, NULL), def);
}

static slv_collider_id add_ball(slv_world *world) {
    slv_collider_def def = slv_default_collider_def();
    slv_collider_id id = {0};
    def.radius = 0.1f;
    assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
    return id;
}

static bool same_id(const void *a, const void *b) {
    return memcmp(a, b, sizeof(slv_garment_id)) == 0;
}

// A block of 3 x 3 x 3 cubes of six tetrahedra, 0.3 m wide.
static slv_result add_soft_block(slv_world *world, float stiffness, slv_garment_id *id) {
    char path[256];
    slv_garment_def def = slv_default_garment_def();
    def.stretch_stiffness = stiffness;
    soft_shape shape = soft_lattice(4, 4, 4, 0.1f, NULL);
    soft_write(&shape, 1.0f, temporary_path(path, sizeof path, "block.slv"));
    soft_free(&shape);
    def.pack_path = path;
    const slv_result status = slv_world_add_garment(world, &def, id);
    (void)remove(path);
    return status;
}

static slv_result add_block(slv_world *world, slv_garment_id *id) {
    return add_soft_block(world, 1000.0f, id);
}

// --- Ids --------------------------------------------------------------------------------------------

static void a_zeroed_id_names_nothing(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_garment_id garment = {0};
    const slv_clip_id clip = {0};
    const slv_collider_id collider = {0};
    slv_particle_view view;
    slv_clip_report report;
    double position[3];
    (void)add_cloth(world, 1.0f);
    (void)add_ball(world);
    assert_false(slv_garment_is_valid(world, garment));
    assert_false(slv_clip_is_valid(world, clip));
    assert_false(slv_collider_is_valid(world, collider));
    assert_int_equal(slv_garment_get_positions(world, garment, &view), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "null id"));
    assert_int_equal(slv_clip_get_report(world, clip, &report), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "null id"));
    assert_int_equal(slv_collider_get_pose(world, collider, position, NULL), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "null id"));
    assert_false(slv_garment_is_valid(NULL, garment));
    assert_false(slv_clip_is_valid(NULL, clip));
    assert_false(slv_collider_is_valid(NULL, collider));
    slv_world_destroy(world);
}

static void iteration_gives_the_ids_in_the_order_of_adding(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_garment_id cloths[3];
    slv_collider_id balls[3];
    const slv_garment_id no_garment = {0};
    const slv_collider_id no_collider = {0};
    const slv_clip_id no_clip = {0};
    for (int i = 0; i < 3; i++) {
        cloths[i] = add_cloth(world, (float)i);
        balls[i] = add_ball(world);
    }
    assert_int_equal(slv_world_get_garment_count(world), 3);
    assert_int_equal(slv_world_get_collider_count(world), 3);
    for (uint32_t i = 0; i < 3; i++) {
        const slv_garment_id garment = slv_world_get_garment(world, i);
        const slv_collider_id collider = slv_world_get_collider(world, i);
        assert_true(same_id(&garment, &cloths[i]));
        assert_true(same_id(&collider, &balls[i]));
        assert_true(slv_garment_is_valid(world, garment));
        assert_true(slv_collider_is_valid(world, collider));
        assert_int_equal(slv_garment_get_index(world, garment), i);
    }
    const slv_garment_id garment = slv_world_get_garment(world, 3);
    const slv_collider_id collider = slv_world_get_collider(world, 3);
    const slv_clip_id clip = slv_world_get_clip(world, 0);
    assert_true(same_id(&garment, &no_garment));
    assert_true(same_id(&collider, &no_collider));
    assert_true(same_id(&clip, &no_clip));
    assert_int_equal(slv_garment_get_index(world, no_garment), SLV_NO_INDEX);
    slv_world_destroy(world);
}

static void the_id_of_a_removed_collider_stays_invalid(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_collider_id first = add_ball(world);
    assert_int_equal(slv_world_remove_collider(world, first), SLV_OK);
    assert_false(slv_collider_is_valid(world, first));
    const slv_collider_id second = add_ball(world);
    assert_true(slv_collider_is_valid(world, second));
    assert_false(slv_collider_is_valid(world, first));
    assert_int_equal(slv_world_remove_collider(world, first), SLV_ERROR_ARGUMENT);
    assert_non_null(strstr(slv_world_get_message(world), "removed"));
    assert_true(slv_collider_is_valid(world, second));
    slv_world_destroy(world);
}

// --- User data --------------------------------------------------------------------------------------

enum { PARTICLES = 12, FRAMES = 41 };

static slv_clip_id add_clip(slv_world *world) {
    char path[256];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {
        .particles = PARTICLES, .frames = FRAMES, .more = true, .error = 1e-4};
    slv_clip_def def = slv_default_clip_def();
    slv_clip_id id = {0};
    (void)temporary_path(path, sizeof path, "clip.slv");
    assert_int_equal(sample_collider_write(&sample, path, &error), SLV_OK);
    def.pack_path = path;
    def.copy = true;
    assert_int_equal(slv_world_add_clip(world, &def, &id), SLV_OK);
    (void)remove(path);
    return id;
}

static void user_data_is_kept(void **state) {
    (void)state;
    int things[4];
    slv_world *world = make_world();
    const slv_garment_id cloth = add_cloth(world, 1.0f);
    const slv_clip_id clip = add_clip(world);
    const slv_collider_id ball = add_ball(world);
    assert_null(slv_world_get_user_data(world));
    assert_null(slv_garment_get_user_data(world, cloth));
    assert_null(slv_clip_get_user_data(world, clip));
    assert_null(slv_collider_get_user_data(world, ball));
    assert_int_equal(slv_world_set_user_data(world, &things[0]), SLV_OK);
    assert_int_equal(slv_garment_set_user_data(world, cloth, &things[1]), SLV_OK);
    assert_int_equal(slv_clip_set_user_data(world, clip, &things[2]), SLV_OK);
    assert_int_equal(slv_collider_set_user_data(world, ball, &things[3]), SLV_OK);
    assert_ptr_equal(slv_world_get_user_data(world), &things[0]);
    assert_ptr_equal(slv_garment_get_user_data(world, cloth), &things[1]);
    assert_ptr_equal(slv_clip_get_user_data(world, clip), &things[2]);
    assert_ptr_equal(slv_collider_get_user_data(world, ball), &things[3]);
    assert_int_equal(slv_world_remove_collider(world, ball), SLV_OK);
    assert_null(slv_collider_get_user_data(world, ball));
    assert_null(slv_collider_get_user_data(world, add_ball(world)));
    assert_int_equal(slv_collider_set_user_data(world, ball, things), SLV_ERROR_ARGUMENT);
    assert_null(slv_garment_get_user_data(world, (slv_garment_id){0}));
    assert_null(slv_clip_get_user_data(world, (slv_clip_id){0}));
    slv_world_destroy(world);
}

// --- Removing ---------------------------------------------------------------------------------------

static void assert_same_state(slv_world *one, slv_garment_id a, slv_world *other,
                              slv_garment_id b) {
    slv_particle_view views[2][2];
    assert_int_equal(slv_garment_get_positions(one, a, &views[0][0]), SLV_OK);
    assert_int_equal(slv_garment_get_previous_positions(one, a, &views[0][1]), SLV_OK);
    assert_int_equal(slv_garment_get_positions(other, b, &views[1][0]), SLV_OK);
    assert_int_equal(slv_garment_get_previous_positions(other, b, &views[1][1]), SLV_OK);
    for (int time = 0; time < 2; time++) {
        const slv_particle_view *left = &views[0][time];
        const slv_particle_view *right = &views[1][time];
        for (uint32_t p = 0; p < left->count; p++) {
            float l[3];
            float r[3];
            slv_particle_view_get(left, p, l);
            slv_particle_view_get(right, p, r);
            assert_memory_equal(l, r, sizeof l);
        }
    }
}

// Garments without contact: the others continue as in a world that never had the removed one.
static void removal_keeps_the_states_of_other_garments(void **state) {
    (void)state;
    for (int removed = 0; removed < 3; removed++) {
        slv_world *world = make_world();
        slv_world *known = make_world();
        slv_garment_id cloths[3];
        slv_garment_id same[3];
        for (int i = 0; i < 3; i++) {
            cloths[i] = add_cloth(world, (float)i);
            same[i] = i == removed ? (slv_garment_id){0} : add_cloth(known, (float)i);
        }
        must_step(world, 7);
        must_step(known, 7);
        assert_int_equal(slv_world_remove_garment(world, cloths[removed]), SLV_OK);
        assert_int_equal(slv_world_get_garment_count(world), 2);
        assert_false(slv_garment_is_valid(world, cloths[removed]));
        for (int steps = 0; steps < 2; steps++) {
            for (int i = 0; i < 3; i++) {
                if (i != removed) {
                    assert_same_state(world, cloths[i], known, same[i]);
                }
            }
            assert_int_equal(must_hash(world), must_hash(known));
            must_step(world, 5);
            must_step(known, 5);
        }
        assert_int_equal(slv_world_remove_garment(world, cloths[removed]), SLV_ERROR_ARGUMENT);
        slv_world_destroy(world);
        slv_world_destroy(known);
    }
}

static void removing_a_clip_removes_its_surface_and_frees_attached_particles(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_garment_def def = slv_default_garment_def();
    const uint32_t held = 4; // of the attachment "belt", beside particle 1
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 1000.0f;
    def.fixed = &held;
    def.fixed_count = 1;
    const slv_clip_id clip = add_clip(world);
    const slv_garment_id cloth = must_add(world, make_grid(5, 1, 5, 0.05f, NULL), def);
    const slv_garment_id surface = slv_world_get_garment(world, 0);
    slv_garment_structure structure;
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    must_step(world, 30);
    assert_int_equal(slv_world_remove_garment(world, surface), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_remove_clip(world, clip), SLV_OK);
    assert_false(slv_clip_is_valid(world, clip));
    assert_false(slv_garment_is_valid(world, surface));
    assert_true(slv_garment_is_valid(world, cloth));
    assert_int_equal(slv_world_get_clip_count(world), 0);
    assert_int_equal(slv_world_get_garment_count(world), 1);
    assert_int_equal(slv_garment_get_structure(world, cloth, &structure), SLV_OK);
    assert_false(structure.fixed[1]);
    assert_true(structure.fixed[held]);
    float before[3];
    float after[3];
    float free_before[3];
    float free_after[3];
    must_position(world, cloth, held, before);
    must_position(world, cloth, 1, free_before);
    must_step(world, 100);
    must_position(world, cloth, held, after);
    must_position(world, cloth, 1, free_after);
    assert_memory_equal(before, after, sizeof before);
    assert_memory_not_equal(free_before, free_after, sizeof free_before);
    slv_world_destroy(world);
}

static void other_clips_continue_after_a_removal(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_world *known = make_world();
    const slv_clip_id first = add_clip(world);
    const slv_clip_id second = add_clip(world);
    (void)add_clip(known);
    must_step(world, 10);
    must_step(known, 10);
    assert_int_equal(slv_world_remove_clip(world, first), SLV_OK);
    const slv_clip_id now = slv_world_get_clip(world, 0);
    assert_true(same_id(&now, &second));
    must_step(world, 40);
    must_step(known, 40);
    assert_int_equal(must_hash(world), must_hash(known));
    const slv_clip_id third = add_clip(world);
    assert_true(slv_clip_is_valid(world, third));
    assert_false(slv_clip_is_valid(world, first));
    slv_world_destroy(world);
    slv_world_destroy(known);
}

static void removing_a_garment_removes_its_attachments(void **state) {
    (void)state;
    slv_world *world = make_world();
    const slv_clip_id clip = add_clip(world);
    const slv_garment_id cloth = add_cloth(world, 0.0f);
    assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
    must_step(world, 10);
    assert_int_equal(slv_world_remove_garment(world, cloth), SLV_OK);
    must_step(world, 50);
    assert_int_equal(slv_world_get_garment_count(world), 1);
    slv_world_destroy(world);
}

// --- Memory -----------------------------------------------------------------------------------------

static slv_world *make_counted(counting_memory *memory) {
    const slv_allocator allocator = counting_allocator(memory);
    slv_world_def def = slv_default_world_def();
    def.allocator = &allocator;
    def.threads = 1;
    return must_create(&def);
}

// A first round may leave lists that are longer; rounds after it keep nothing.
static void added_and_removed_fields_keep_no_memory(void **state) {
    (void)state;
    char path[256];
    counting_memory memory = unlimited_memory();
    slv_world *world = make_counted(&memory);
    size_t bytes = 0;
    (void)add_cloth(world, 1.0f);
    write_ball_field(temporary_path(path, sizeof path, "ball.slv"), 0.15);
    for (int round = 0; round < 20; round++) {
        slv_collider_def def = slv_default_collider_def();
        slv_collider_id id = {0};
        def.kind = SLV_COLLIDER_FIELD;
        def.pack_path = path;
        assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
        assert_int_equal(slv_world_remove_collider(world, id), SLV_OK);
        bytes = round == 0 ? memory.bytes : bytes;
        assert_int_equal(memory.bytes, bytes);
    }
    (void)remove(path);
    slv_world_destroy(world);
    assert_int_equal(memory.bytes, 0);
}

// A field between two others goes; the others collide as before.
static void a_field_that_stays_keeps_its_samples(void **state) {
    (void)state;
    char path[256];
    slv_world *worlds[2] = {make_world(), make_world()};
    write_ball_field(temporary_path(path, sizeof path, "ball.slv"), 0.15);
    for (int w = 0; w < 2; w++) {
        slv_collider_id ids[2] = {{0}};
        for (int i = w; i < 2; i++) {
            slv_collider_def def = slv_default_collider_def();
            def.kind = SLV_COLLIDER_FIELD;
            def.pack_path = path;
            def.position[0] = i == 0 ? 5.0 : 0.1;
            assert_int_equal(slv_world_add_collider(worlds[w], &def, &ids[i]), SLV_OK);
        }
        (void)add_cloth(worlds[w], 0.2f);
        if (w == 0) {
            assert_int_equal(slv_world_remove_collider(worlds[w], ids[0]), SLV_OK);
        }
        must_step(worlds[w], 200);
    }
    assert_same_state(worlds[0], slv_world_get_garment(worlds[0], 0), worlds[1],
                      slv_world_get_garment(worlds[1], 0));
    (void)remove(path);
    slv_world_destroy(worlds[0]);
    slv_world_destroy(worlds[1]);
}

static void added_and_removed_garments_and_clips_keep_no_memory(void **state) {
    (void)state;
    counting_memory memory = unlimited_memory();
    slv_world *world = make_counted(&memory);
    size_t bytes = 0;
    for (int round = 0; round < 5; round++) {
        const slv_garment_id cloth = add_cloth(world, 1.0f);
        const slv_clip_id clip = add_clip(world);
        assert_int_equal(slv_clip_attach(world, clip, "belt", cloth), SLV_OK);
        assert_int_equal(slv_clip_attach(world, clip, "nothing", cloth), SLV_ERROR_ARGUMENT);
        must_step(world, 3);
        assert_int_equal(slv_world_remove_clip(world, clip), SLV_OK);
        assert_int_equal(slv_world_remove_garment(world, cloth), SLV_OK);
        bytes = round == 0 ? memory.bytes : bytes;
        assert_int_equal(memory.bytes, bytes);
    }
    slv_world_destroy(world);
    assert_int_equal(memory.bytes, 0);
}

static void a_refused_garment_keeps_no_memory(void **state) {
    (void)state;
    char path[256];
    counting_memory memory = unlimited_memory();
    slv_world *world = make_counted(&memory);
    slv_garment_def def = slv_default_garment_def();
    def.fixed_sets = (const char *const[]){"no such set"};
    def.fixed_set_count = 1;
    def.pack_path = temporary_path(path, sizeof path, "refused.slv");
    generated_write_and_free(make_chain(3, 0.1f), path);
    (void)add_cloth(world, 1.0f);
    const size_t bytes = memory.bytes;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT);
    }
    assert_int_equal(memory.bytes, bytes);
    (void)remove(path);
    slv_world_destroy(world);
}

// If any allocation fails, the world has as many garments and clips as before, and can still step.
static void a_clip_that_fails_leaves_no_surface(void **state) {
    (void)state;
    char path[256];
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {
        .particles = PARTICLES, .frames = FRAMES, .more = true, .error = 1e-4};
    (void)temporary_path(path, sizeof path, "clip.slv");
    assert_int_equal(sample_collider_write(&sample, path, &error), SLV_OK);
    bool enough = false;
    for (size_t left = 0; !enough && left < 400; left++) {
        counting_memory memory = unlimited_memory();
        slv_world *world = make_counted(&memory);
        slv_clip_def def = slv_default_clip_def();
        def.pack_path = path;
        (void)add_cloth(world, 1.0f);
        memory.left = left;
        const slv_result status = slv_world_add_clip(world, &def, NULL);
        memory.left = SIZE_MAX;
        enough = status == SLV_OK;
        assert_true(enough || status == SLV_ERROR_MEMORY);
        assert_int_equal(slv_world_get_garment_count(world), enough ? 2 : 1);
        assert_int_equal(slv_world_get_clip_count(world), enough ? 1 : 0);
        must_step(world, 2);
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(enough);
    (void)remove(path);
}

// Removing needs memory for a new layout. Without it nothing has changed.
static void removing_without_memory_changes_nothing(void **state) {
    (void)state;
    bool enough = false;
    for (size_t left = 0; !enough && left < 200; left++) {
        counting_memory memory = unlimited_memory();
        slv_world *world = make_counted(&memory);
        const slv_garment_id first = add_cloth(world, 1.0f);
        const slv_garment_id second = add_cloth(world, 2.0f);
        must_step(world, 3);
        const uint64_t hash = must_hash(world);
        memory.left = left;
        const slv_result status = slv_world_remove_garment(world, first);
        memory.left = SIZE_MAX;
        enough = status == SLV_OK;
        assert_true(enough || status == SLV_ERROR_MEMORY);
        assert_true(slv_garment_is_valid(world, first) != enough);
        assert_int_equal(slv_garment_get_index(world, second), enough ? 0 : 1);
        assert_true(enough || must_hash(world) == hash);
        must_step(world, 2);
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(enough);
}

// --- The solver -------------------------------------------------------------------------------------

static void set_solver(slv_world *world, slv_solver solver, slv_result expected) {
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.solver = solver;
    assert_int_equal(slv_world_set_parameters(world, &parameters), expected);
}

static void a_world_chooses_a_solver_of_all_its_constraints(void **state) {
    (void)state;
    slv_garment_id block;
    slv_world *world = make_world();
    slv_world *given = make_world();
    set_solver(given, SLV_PBD_GS, SLV_OK);
    assert_int_equal(slv_world_get_solver(world), SLV_PD_MULTIGRID);
    (void)add_cloth(world, 1.0f);
    (void)add_cloth(given, 1.0f);
    assert_int_equal(slv_world_get_solver(world), SLV_PD_MULTIGRID);
    assert_int_equal(add_block(world, &block), SLV_OK);
    assert_int_equal(add_block(given, NULL), SLV_OK);
    assert_int_equal(slv_world_get_solver(world), SLV_PBD_GS);
    assert_int_equal(slv_world_get_parameters(world).solver, SLV_SOLVER_AUTO);
    must_step(world, 20);
    must_step(given, 20);
    assert_true(must_hash(world) == must_hash(given));
    assert_int_equal(slv_world_remove_garment(world, block), SLV_OK);
    assert_int_equal(slv_world_get_solver(world), SLV_PD_MULTIGRID);
    slv_collider_def plane = slv_default_collider_def();
    plane.kind = SLV_COLLIDER_PLANE;
    assert_int_equal(slv_world_add_collider(world, &plane, NULL), SLV_OK);
    assert_int_equal(slv_world_get_solver(world), SLV_PD_RBGS);
    must_step(world, 2);
    assert_int_equal(slv_world_get_solver(world), SLV_PD_RBGS);
    slv_world_destroy(world);
    slv_world_destroy(given);
}

// Soft springs along the edges alone let the block become a puddle.
static void a_block_of_tetrahedra_keeps_its_height_by_default(void **state) {
    (void)state;
    slv_world *world = make_world();
    slv_collider_def floor_def = slv_default_collider_def();
    slv_garment_id block;
    float low = 1e9f;
    float high = -1e9f;
    floor_def.kind = SLV_COLLIDER_PLANE;
    floor_def.position[1] = -0.2;
    assert_int_equal(slv_world_add_collider(world, &floor_def, NULL), SLV_OK);
    assert_int_equal(add_soft_block(world, 1.0f, &block), SLV_OK);
    must_step(world, 500);
    for (uint32_t p = 0; p < 64; p++) {
        float position[3];
        must_position(world, block, p, position);
        low = fminf(low, position[1]);
        high = fmaxf(high, position[1]);
    }
    print_message("height %g m\n", (double)(high - low));
    assert_near((double)(high - low), 0.3, 0.06);
    slv_world_destroy(world);
}

static void a_solver_that_leaves_out_constraints_is_refused(void **state) {
    (void)state;
    const char *words =
        "PD_GS does not solve the tetrahedra of a garment; these do: PBD_JACOBI, PBD_GS";
    slv_garment_id block;
    slv_world *world = make_world();
    (void)add_cloth(world, 1.0f);
    set_solver(world, SLV_PD_GS, SLV_OK);
    assert_int_equal(add_block(world, &block), SLV_ERROR_UNSUPPORTED);
    assert_non_null(strstr(slv_world_get_message(world), words));
    assert_int_equal(slv_world_get_garment_count(world), 1);
    set_solver(world, SLV_PBD_JACOBI, SLV_OK);
    assert_int_equal(add_block(world, &block), SLV_OK);
    const uint64_t before = must_hash(world);
    set_solver(world, SLV_PD_GS, SLV_ERROR_UNSUPPORTED);
    assert_non_null(strstr(slv_world_get_message(world), words));
    assert_int_equal(slv_world_get_parameters(world).solver, SLV_PBD_JACOBI);
    assert_int_equal(slv_world_get_solver(world), SLV_PBD_JACOBI);
    assert_true(must_hash(world) == before);
    set_solver(world, SLV_SOLVER_AUTO, SLV_OK);
    assert_int_equal(slv_world_get_solver(world), SLV_PBD_GS);
    must_step(world, 2);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zeroed_id_names_nothing),
        cmocka_unit_test(iteration_gives_the_ids_in_the_order_of_adding),
        cmocka_unit_test(the_id_of_a_removed_collider_stays_invalid),
        cmocka_unit_test(user_data_is_kept),
        cmocka_unit_test(removal_keeps_the_states_of_other_garments),
        cmocka_unit_test(removing_a_clip_removes_its_surface_and_frees_attached_particles),
        cmocka_unit_test(other_clips_continue_after_a_removal),
        cmocka_unit_test(removing_a_garment_removes_its_attachments),
        cmocka_unit_test(added_and_removed_fields_keep_no_memory),
        cmocka_unit_test(a_field_that_stays_keeps_its_samples),
        cmocka_unit_test(added_and_removed_garments_and_clips_keep_no_memory),
        cmocka_unit_test(a_refused_garment_keeps_no_memory),
        cmocka_unit_test(a_clip_that_fails_leaves_no_surface),
        cmocka_unit_test(removing_without_memory_changes_nothing),
        cmocka_unit_test(a_world_chooses_a_solver_of_all_its_constraints),
        cmocka_unit_test(a_block_of_tetrahedra_keeps_its_height_by_default),
        cmocka_unit_test(a_solver_that_leaves_out_constraints_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
