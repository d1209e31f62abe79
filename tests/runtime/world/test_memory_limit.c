// SPDX-License-Identifier: MIT
// The memory limit of a world: forged packs are refused before memory is taken, true ones fit the default.
#include "tests/common/folder.h"
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"
#include "tests/formats/forged_bombs.h"
#include "tests/formats/sample_collider.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const double most_seconds = 2.0; // of the processor, for a refusal

// A world whose allocator notes the most bytes that were ever in use.
typedef struct watched_world {
    counting_memory memory;
    slv_allocator allocator;
    slv_world *world;
    size_t peak;
} watched_world;

static void *allocate_watched(void *context, size_t size, size_t alignment) {
    watched_world *watched = context;
    const slv_allocator inner = counting_allocator(&watched->memory);
    void *memory = inner.allocate(inner.context, size, alignment);
    watched->peak = watched->memory.bytes > watched->peak ? watched->memory.bytes : watched->peak;
    return memory;
}

static void release_watched(void *context, void *memory, size_t size) {
    watched_world *watched = context;
    const slv_allocator inner = counting_allocator(&watched->memory);
    inner.release(inner.context, memory, size);
}

// memory_limit in MiB, 0: the default.
static void open_watched(watched_world *watched, uint32_t memory_limit) {
    *watched = (watched_world){.memory = unlimited_memory()};
    watched->allocator = (slv_allocator){allocate_watched, release_watched, watched};
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.allocator = &watched->allocator;
    def.memory_limit = memory_limit;
    watched->world = must_create(&def);
}

static size_t default_limit(size_t file_size) {
    return ((size_t)256 << 20) + 64 * file_size;
}

static void assert_limit_named(slv_world *world) {
    if (!strstr(slv_world_get_message(world), "memory limit")) {
        fail_msg("the message does not name the limit: %s", slv_world_get_message(world));
    }
}

static slv_garment_def garment_in(const forged_pack *pack) {
    slv_garment_def def = slv_default_garment_def();
    def.pack_bytes = pack->bytes;
    def.pack_size = pack->size;
    def.particle_mass = 0.01f;
    def.garment_collision = true;
    return def;
}

static forged_pack make_sparse_grid(uint32_t layers) {
    generated_write_and_free(make_grid(4, 1, 4, 0.1f, NULL), "grid.slv");
    forged_pack pack = forged_pack_load("grid.slv");
    assert_non_null(pack.bytes);
    forge_layers(&pack, layers);
    return pack;
}

static void a_grid_with_forged_cells_is_refused_before_memory_is_taken(void **state) {
    (void)state;
    static const uint32_t layers[] = {100000, 1000000, 4000000, 8000000, UINT32_MAX / 4};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        watched_world watched;
        open_watched(&watched, 0);
        const uint64_t hash = must_hash(watched.world);
        forged_pack pack = make_sparse_grid(layers[i]);
        slv_garment_def def = garment_in(&pack);
        def.shear_stiffness = 100.0f; // needs the number of the particle in each cell
        def.drag = 0.5f;              // needs the triangles of all cells
        const clock_t start = clock();
        const slv_result status = slv_world_add_garment(watched.world, &def, NULL);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < most_seconds);
        assert_true(watched.peak <= default_limit(pack.size));
        assert_true(status == SLV_OK || status == SLV_ERROR_MEMORY);
        if (status != SLV_OK) {
            assert_limit_named(watched.world);
        }
        assert_true(layers[i] <= 1000000 || status == SLV_ERROR_MEMORY);
        assert_true(status == SLV_OK || must_hash(watched.world) == hash);
        slv_world_destroy(watched.world);
        assert_int_equal(watched.memory.bytes, 0);
        forged_pack_free(&pack);
    }
}

// --- Clips ------------------------------------------------------------------------------------------

static void a_clip_with_forged_points_is_refused_before_memory_is_taken(void **state) {
    (void)state;
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 12, .frames = 9, .error = 1e-4, .table_raw = true};
    static const uint32_t points[] = {1 << 20, 8 << 20, 48 << 20};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        watched_world watched;
        open_watched(&watched, 0);
        assert_int_equal(sample_collider_write(&sample, "clip.slv", &error), SLV_OK);
        forged_pack pack = forged_pack_load("clip.slv");
        forge_points(&pack, points[i]);
        slv_clip_def def = slv_default_clip_def();
        def.pack_bytes = pack.bytes;
        def.pack_size = pack.size;
        const clock_t start = clock();
        const slv_result status = slv_world_add_clip(watched.world, &def, NULL);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < most_seconds);
        assert_true(status == SLV_ERROR_MEMORY || status == SLV_ERROR_CONTENT);
        if (status == SLV_ERROR_MEMORY) {
            assert_limit_named(watched.world);
        }
        assert_true(watched.peak <= default_limit(pack.size));
        assert_int_equal(slv_world_get_clip_count(watched.world), 0);
        assert_int_equal(slv_world_get_garment_count(watched.world), 0);
        slv_world_destroy(watched.world);
        assert_int_equal(watched.memory.bytes, 0);
        forged_pack_free(&pack);
    }
}

// --- The limit of the caller ------------------------------------------------------------------------

static void a_garment_beyond_the_given_limit_is_refused_and_changes_nothing(void **state) {
    (void)state;
    watched_world watched;
    open_watched(&watched, 4);
    generated_write_and_free(make_cloth(20, 20, 0.05f, true), "small.slv");
    generated_write_and_free(make_cloth(200, 200, 0.05f, true), "large.slv");
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    def.pack_path = "small.slv";
    assert_int_equal(slv_world_add_garment(watched.world, &def, NULL), SLV_OK);
    must_step(watched.world, 2);
    const uint64_t hash = must_hash(watched.world);
    def.pack_path = "large.slv";
    assert_int_equal(slv_world_add_garment(watched.world, &def, NULL), SLV_ERROR_MEMORY);
    assert_limit_named(watched.world);
    assert_non_null(strstr(slv_world_get_message(watched.world), "4 MiB"));
    assert_true(watched.peak <= (size_t)4 << 20);
    assert_int_equal(slv_world_get_garment_count(watched.world), 1);
    assert_true(must_hash(watched.world) == hash);
    must_step(watched.world, 2);
    assert_string_equal(slv_world_get_message(watched.world), "");
    slv_world_destroy(watched.world);
    open_watched(&watched, 200);
    assert_int_equal(slv_world_add_garment(watched.world, &def, NULL), SLV_OK);
    slv_world_destroy(watched.world);
}

// What is removed no longer counts, neither its memory nor the size of its file.
static void objects_that_leave_return_their_part_of_the_limit(void **state) {
    (void)state;
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 12, .frames = 41, .more = true, .error = 1e-4};
    generated_write_and_free(make_grid(8, 1, 8, 0.1f, NULL), "grid.slv");
    write_ball_field("field.slv", 0.1);
    assert_int_equal(sample_collider_write(&sample, "clip.slv", &error), SLV_OK);
    watched_world watched;
    open_watched(&watched, 2);
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = "grid.slv";
    garment.particle_mass = 0.01f;
    slv_clip_def clip = slv_default_clip_def();
    clip.pack_path = "clip.slv";
    slv_collider_def field = slv_default_collider_def();
    field.kind = SLV_COLLIDER_FIELD;
    field.pack_path = "field.slv";
    for (int i = 0; i < 100; i++) {
        slv_garment_id garment_id;
        slv_clip_id clip_id;
        slv_collider_id field_id;
        assert_int_equal(slv_world_add_garment(watched.world, &garment, &garment_id), SLV_OK);
        assert_int_equal(slv_world_add_clip(watched.world, &clip, &clip_id), SLV_OK);
        assert_int_equal(slv_world_add_collider(watched.world, &field, &field_id), SLV_OK);
        assert_int_equal(slv_world_remove_garment(watched.world, garment_id), SLV_OK);
        assert_int_equal(slv_world_remove_clip(watched.world, clip_id), SLV_OK);
        assert_int_equal(slv_world_remove_collider(watched.world, field_id), SLV_OK);
    }
    slv_world_destroy(watched.world);
    assert_int_equal(watched.memory.bytes, 0);
}

// A surface with contacts, the kind of garment that takes the most memory for the size of its pack.
static void true_garments_take_less_than_half_of_the_default_limit(void **state) {
    (void)state;
    watched_world watched;
    open_watched(&watched, 0);
    generated_write_and_free(make_grid(400, 1, 400, 0.01f, NULL), "grid.slv");
    generated_write_and_free(make_cloth(300, 300, 0.01f, true), "cloth.slv");
    static const char *const names[] = {"grid.slv", "cloth.slv"};
    size_t sizes = 0;
    for (int i = 0; i < 2; i++) {
        forged_pack pack = forged_pack_load(names[i]);
        sizes += pack.size;
        slv_garment_def def = garment_in(&pack);
        def.self_collision = true;
        def.position[1] = (double)i;
        assert_int_equal(slv_world_add_garment(watched.world, &def, NULL), SLV_OK);
        forged_pack_free(&pack);
    }
    must_step(watched.world, 1);
    print_message("%zu bytes of packs, %zu bytes of memory\n", sizes, watched.peak);
    assert_true(watched.peak <= default_limit(sizes) / 2);
    slv_world_destroy(watched.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_grid_with_forged_cells_is_refused_before_memory_is_taken,
                                        folder_enter, folder_leave),
        cmocka_unit_test_setup_teardown(a_clip_with_forged_points_is_refused_before_memory_is_taken,
                                        folder_enter, folder_leave),
        cmocka_unit_test_setup_teardown(
            a_garment_beyond_the_given_limit_is_refused_and_changes_nothing, folder_enter,
            folder_leave),
        cmocka_unit_test_setup_teardown(objects_that_leave_return_their_part_of_the_limit,
                                        folder_enter, folder_leave),
        cmocka_unit_test_setup_teardown(true_garments_take_less_than_half_of_the_default_limit,
                                        folder_enter, folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
