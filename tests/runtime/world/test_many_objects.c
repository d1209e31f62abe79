// SPDX-License-Identifier: MIT
// Many objects in a scene, and many that come and go: time is linear and memory does not grow. CYCLES additions of each
// kind, OBJECTS objects.
#define _POSIX_C_SOURCE 200809L
#include "tests/common/folder.h"
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef CYCLES
#define CYCLES 400
#define OBJECTS 2000
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const size_t most_growth = 1 << 20;           // bytes
static const double seconds_an_object = 5.0 / 10000; // of the processor

// --- Coming and going -------------------------------------------------------------------------------

static slv_garment_def garment_of(const char *path) {
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = path;
    def.particle_mass = 0.01f;
    def.garment_collision = true;
    return def;
}

static void cycle_garment(slv_world *world) {
    slv_garment_id id;
    const slv_garment_def def = garment_of("grid.slv");
    assert_int_equal(slv_world_add_garment(world, &def, &id), SLV_OK);
    assert_int_equal(slv_world_remove_garment(world, id), SLV_OK);
}

static void refuse_garment(slv_world *world) {
    const uint32_t fixed = 1000;
    slv_garment_def def = garment_of("grid.slv");
    def.fixed = &fixed;
    def.fixed_count = 1;
    assert_int_equal(slv_world_add_garment(world, &def, NULL), SLV_ERROR_ARGUMENT);
    def = garment_of("clip.slv");
    assert_int_equal(slv_world_add_garment(world, &def, NULL), SLV_ERROR_CONTENT);
}

static void cycle_shape(slv_world *world) {
    slv_collider_id id;
    const slv_collider_def def = collider_of_every_shape((int)slv_world_get_step_count(world));
    assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
    assert_int_equal(slv_world_remove_collider(world, id), SLV_OK);
}

static void cycle_field(slv_world *world) {
    slv_collider_id id;
    slv_collider_def def = slv_default_collider_def();
    def.kind = SLV_COLLIDER_FIELD;
    def.pack_path = "field.slv";
    assert_int_equal(slv_world_add_collider(world, &def, &id), SLV_OK);
    assert_int_equal(slv_world_remove_collider(world, id), SLV_OK);
}

static void cycle_clip(slv_world *world) {
    slv_clip_id id;
    slv_surface_view surface;
    slv_motion_view motion;
    slv_clip_def def = slv_default_clip_def();
    def.pack_path = "clip.slv";
    assert_int_equal(slv_world_add_clip(world, &def, &id), SLV_OK);
    assert_int_equal(slv_clip_attach(world, id, "belt", slv_world_get_garment(world, 0)), SLV_OK);
    assert_int_equal(slv_clip_get_surface(world, id, &surface), SLV_OK);
    assert_int_equal(slv_clip_get_motion(world, id, &motion), SLV_OK);
    assert_int_equal(slv_world_remove_clip(world, id), SLV_OK);
}

// Its surface would be a garment too far away.
static void refuse_clip(slv_world *world) {
    slv_clip_def def = slv_default_clip_def();
    def.pack_path = "clip.slv";
    def.scale = 1e6f;
    def.position[0] = 9e5;
    assert_int_equal(slv_world_add_clip(world, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_get_garment_count(world), 1);
    assert_int_equal(slv_world_get_clip_count(world), 0);
}

static void cycle_snapshot(slv_world *world) {
    const uint32_t cut = 3;
    const saved_world saved = must_save(world);
    assert_int_equal(slv_garment_cut(world, slv_world_get_garment(world, 0), &cut, 1), SLV_OK);
    must_restore(world, &saved);
    free(saved.bytes);
}

// Bytes of this process in memory.
static size_t resident(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*s %lu", &pages) != 1) { // NOLINT(cert-err34-c)
        pages = 0;
    }
    if (file) {
        (void)fclose(file);
    }
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void write_inputs(void) {
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 12, .frames = 41, .more = true, .error = 1e-4};
    generated_write_and_free(make_grid(4, 1, 4, 0.1f, NULL), "grid.slv");
    write_ball_field("field.slv", 0.1);
    assert_int_equal(sample_collider_write(&sample, "clip.slv", &error), SLV_OK);
}

static void objects_that_come_and_go_leave_no_memory(void **state) {
    (void)state;
    static void (*const cycles[])(slv_world *) = {cycle_garment, refuse_garment, cycle_shape,
                                                  cycle_field,   cycle_clip,     refuse_clip,
                                                  cycle_snapshot};
    write_inputs();
    for (size_t kind = 0; kind < sizeof cycles / sizeof *cycles; kind++) {
        counting_memory memory = unlimited_memory();
        slv_allocator allocator = counting_allocator(&memory);
        slv_world_def def = slv_default_world_def();
        def.threads = 1;
        def.allocator = &allocator;
        slv_world *world = must_create(&def);
        const slv_garment_def garment = garment_of("grid.slv");
        assert_int_equal(slv_world_add_garment(world, &garment, NULL), SLV_OK);
        size_t bytes = 0;
        size_t in_memory = 0;
        for (int n = 0; n < CYCLES; n++) {
            if (n == CYCLES / 10) { // lists have their size by now
                bytes = memory.bytes;
                in_memory = resident();
            }
            cycles[kind](world);
            must_step(world, 1);
        }
        if (memory.bytes > bytes || (!SANITIZED && resident() > in_memory + most_growth)) {
            fail_msg("kind %zu: from %zu to %zu bytes, %zu to %zu in memory", kind, bytes,
                     memory.bytes, in_memory, resident());
        }
        slv_world_destroy(world);
        assert_int_equal(memory.bytes, 0);
    }
}

static void a_failed_motion_of_a_clip_can_be_repeated(void **state) {
    (void)state;
    write_inputs();
    counting_memory memory = unlimited_memory();
    slv_allocator allocator = counting_allocator(&memory);
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.allocator = &allocator;
    slv_world *world = must_create(&def);
    slv_clip_id id;
    slv_clip_def clip = slv_default_clip_def();
    slv_motion_view motion;
    clip.pack_path = "clip.slv";
    assert_int_equal(slv_world_add_clip(world, &clip, &id), SLV_OK);
    must_step(world, 0);
    memory.left = 1; // of two
    assert_int_equal(slv_clip_get_motion(world, id, &motion), SLV_ERROR_MEMORY);
    const size_t bytes = memory.bytes;
    memory.left = 0;
    assert_int_equal(slv_clip_get_motion(world, id, &motion), SLV_ERROR_MEMORY);
    assert_int_equal(memory.bytes, bytes);
    memory.left = 1;
    assert_int_equal(slv_clip_get_motion(world, id, &motion), SLV_OK);
    slv_world_destroy(world);
}

// --- Many at once -----------------------------------------------------------------------------------

// A scene of so many small cloths and colliders.
static void write_scene(const char *path, int count) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "{\"softObjects\": [");
    for (int i = 0; i < count; i++) {
        (void)fprintf(file, "%s{\"src\": \"grid.slv\", \"position\": [%d, 0, %d]}", i ? "," : "",
                      i % 100, i / 100);
    }
    (void)fprintf(file, "], \"colliders\": [");
    for (int i = 0; i < count; i++) {
        (void)fprintf(file, "%s{\"type\": \"sphere\", \"radius\": 0.1, \"center\": [%d, -2, 0]}",
                      i ? "," : "", i);
    }
    (void)fprintf(file, "]}");
    assert_int_equal(fclose(file), 0);
}

static void scenes_of_many_objects_load_in_linear_time(void **state) {
    (void)state;
    write_inputs();
    write_scene("many.json", OBJECTS);
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    char message[256];
    const clock_t begin = clock();
    assert_int_equal(slv_scene_load("many.json", &scene, message, sizeof message), SLV_OK);
    slv_world_def def = slv_scene_get_world_def(scene);
    def.threads = 1;
    const slv_result result = slv_scene_create_world(scene, &def, &world, message, sizeof message);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (result != SLV_OK) {
        fail_msg("%s", message);
    }
    assert_int_equal(slv_world_get_garment_count(world), OBJECTS);
    assert_int_equal(slv_world_get_collider_count(world), OBJECTS);
    if (!SANITIZED && seconds > seconds_an_object * OBJECTS) {
        fail_msg("%d objects took %.1f s", OBJECTS, seconds);
    }
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

// A scene's layout is made once, a world's with each object: the states are the same.
static void a_scene_has_the_state_of_objects_added_one_by_one(void **state) {
    (void)state;
    write_inputs();
    folder_write_text("few.json",
                      "{\"softObjects\": [{\"src\": \"grid.slv\", \"garmentCollision\": true,"
                      " \"attachedTo\": [\"belt\"]}, {\"src\": \"grid.slv\", \"position\":"
                      " [0.05, 0.1, 0], \"garmentCollision\": true, \"sleepSpeed\": 0.01}],"
                      " \"colliders\": [{\"type\": \"sphere\", \"radius\": 0.1, \"center\":"
                      " [0, -0.2, 0], \"restitution\": 0.5}, {\"type\": \"field\", \"src\":"
                      " \"field.slv\", \"center\": [0.3, -0.2, 0]}], \"modelPath\": \"clip.slv\"}");
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    char message[256];
    assert_int_equal(slv_scene_load("few.json", &scene, message, sizeof message), SLV_OK);
    const slv_world_def def = slv_scene_get_world_def(scene);
    assert_int_equal(slv_scene_create_world(scene, &def, &world, message, sizeof message), SLV_OK);
    slv_world *other = must_create(&def);
    slv_clip_id clip;
    const slv_scene_settings settings = slv_scene_get_settings(scene);
    for (uint32_t i = 0; i < settings.collider_count; i++) {
        slv_collider_def collider;
        assert_int_equal(slv_scene_get_collider(scene, i, &collider), SLV_OK);
        assert_int_equal(slv_world_add_collider(other, &collider, NULL), SLV_OK);
    }
    for (uint32_t i = 0; i < settings.object_count; i++) {
        slv_scene_object object;
        assert_int_equal(slv_scene_get_object(scene, i, &object), SLV_OK);
        assert_int_equal(slv_world_add_garment(other, &object.garment, NULL), SLV_OK);
    }
    assert_int_equal(slv_world_add_clip(other, &settings.model, &clip), SLV_OK);
    assert_int_equal(slv_clip_attach(other, clip, "belt", slv_world_get_garment(other, 0)), SLV_OK);
    must_step(world, 50);
    must_step(other, 50);
    must_end_alike(world, other);
    slv_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(objects_that_come_and_go_leave_no_memory, folder_enter,
                                        folder_leave),
        cmocka_unit_test_setup_teardown(a_failed_motion_of_a_clip_can_be_repeated, folder_enter,
                                        folder_leave),
        cmocka_unit_test_setup_teardown(scenes_of_many_objects_load_in_linear_time, folder_enter,
                                        folder_leave),
        cmocka_unit_test_setup_teardown(a_scene_has_the_state_of_objects_added_one_by_one,
                                        folder_enter, folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
