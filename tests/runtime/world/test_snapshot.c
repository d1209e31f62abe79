// SPDX-License-Identifier: MIT
// Snapshots that no world has saved, with valid checksums: each is refused and changes nothing, or gives a world that
// runs. FORGERIES of them are tried.
#define _POSIX_C_SOURCE 200809L
#include "tests/common/generated_field.h"
#include "tests/runtime/world/clip_world.h"
#include "tests/runtime/world/forged_snapshot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef FORGERIES
#define FORGERIES 1500
#endif

static const double longest_call = 1.0; // seconds of the processor: others may use it too

// --- A world with everything ------------------------------------------------------------------------

static void add_colliders(slv_world *world) {
    char path[256];
    slv_collider_id ids[4];
    for (int i = 0; i < 3; i++) {
        slv_collider_def def = collider_of_every_shape(i); // a plane, a sphere, a capsule
        def.position[1] = -0.5;
        def.velocity[0] = i == 1 ? 0.3f : 0.0f;
        def.angular_velocity[1] = i == 1 ? 2.0f : 0.0f;
        assert_int_equal(slv_world_add_collider(world, &def, &ids[i]), SLV_OK);
    }
    const double to[3] = {0.2, -0.3, 0.1};
    const float turn[4] = {0.0f, 0.6f, 0.0f, 0.8f};
    assert_int_equal(slv_collider_lead(world, ids[2], to, turn, 0.1), SLV_OK);
    slv_collider_def field = slv_default_collider_def();
    field.kind = SLV_COLLIDER_FIELD;
    field.pack_path = temporary_path(path, sizeof path, "field.slv");
    write_ball_field(path, 0.1);
    assert_int_equal(slv_world_add_collider(world, &field, &ids[3]), SLV_OK);
    (void)unlink(path);
}

// A cloth that sleeps and has limits, one that tears and is cut, one that is led and attached to a clip.
static void add_garments(slv_world *world, slv_clip_id clip) {
    const uint32_t fixed[2] = {0, 4};
    const slv_limit_def limit = {.max_distance = 0.2f, .backstop = 0.1f};
    const float targets[6] = {0.0f, 0.1f, 0.0f, 0.3f, 0.0f, 0.0f};
    slv_garment_def def = slv_default_garment_def();
    def.particle_mass = 0.01f;
    def.stretch_stiffness = 500.0f;
    def.garment_collision = true;
    def.sleep_speed = 0.01f;
    def.fixed = fixed;
    def.fixed_count = 2;
    def.tether_slack = 1.1f;
    def.limits = &limit;
    def.limit_count = 1;
    (void)must_add(world, make_grid(5, 1, 5, 0.1f, NULL), def);
    def.limit_count = 0;
    def.tearing_threshold = 1.5f;
    def.position[1] = 0.1;
    const slv_garment_id torn = must_add(world, make_cloth(4, 4, 0.1f, true), def);
    assert_int_equal(slv_garment_cut(world, torn, fixed, 2), SLV_OK);
    def.tearing_threshold = 0.0f;
    def.position[1] = 0.2;
    const slv_garment_id led = must_add(world, make_grid(5, 1, 3, 0.1f, NULL), def);
    assert_int_equal(slv_clip_attach(world, clip, "belt", led), SLV_OK);
    assert_int_equal(slv_garment_move_fixed(world, led, fixed, 2, targets, 40), SLV_OK);
}

static slv_world *make_full_world(void) {
    slv_world_def world_def = slv_default_world_def();
    world_def.threads = 1;
    world_def.max_advance = 0.01; // five steps: a snapshot may have any number of steps due
    slv_world *world = must_create(&world_def);
    slv_clip_def clip_def = slv_default_clip_def();
    clip_def.loop_from = 0.2;
    const slv_clip_id clip = add_clip(world, clip_def);
    const double to[3] = {0.1, 0.0, 0.0};
    const float turn[4] = {0.0f, 0.6f, 0.0f, 0.8f};
    add_colliders(world);
    add_garments(world, clip);
    assert_int_equal(slv_clip_lead(world, clip, to, turn, 0.2), SLV_OK);
    assert_int_equal(slv_world_advance(world, 0.0071, NULL), SLV_OK);
    return world;
}

// --- Trying -----------------------------------------------------------------------------------------

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The world must be in the saved state, all of it.
static void assert_unchanged(slv_world *world, const saved_world *saved) {
    const saved_world again = must_save(world);
    assert_int_equal(again.size, saved->size);
    assert_memory_equal(again.bytes, saved->bytes, saved->size);
    free(again.bytes);
}

static void assert_refused(slv_world *world, const saved_world *good, const void *bytes,
                           size_t size) {
    if (slv_world_restore_snapshot(world, bytes, size) == SLV_OK) {
        fail_msg("accepted");
    }
    assert_int_equal(strncmp(slv_world_get_message(world), "the snapshot", 12), 0);
    assert_unchanged(world, good);
}

// Calls that read everything that was restored. Each may fail, none may take long.
static void run(slv_world *world) {
    slv_surface_view surface;
    slv_motion_view motion;
    slv_contact_point points[4];
    slv_measures measures;
    uint32_t count = 0;
    double begin = now();
    (void)slv_world_step(world, 2);
    assert_true(now() - begin < longest_call);
    begin = now();
    (void)slv_world_advance(world, 0.004, NULL);
    assert_true(now() - begin < longest_call);
    begin = now();
    for (uint32_t g = 0; g < slv_world_get_garment_count(world); g++) {
        const slv_garment_id id = slv_world_get_garment(world, g);
        (void)slv_garment_get_surface_at(world, id, 0.5f, &surface);
        (void)slv_garment_get_contact_points(world, id, points, 4, &count);
    }
    (void)slv_clip_get_motion(world, slv_world_get_clip(world, 0), &motion);
    (void)slv_clip_get_surface(world, slv_world_get_clip(world, 0), &surface);
    (void)slv_world_get_measures(world, &measures);
    assert_true(now() - begin < longest_call);
}

static void forged_snapshots_are_refused_or_run(void **state) {
    (void)state;
    slv_world *world = make_full_world();
    const saved_world good = must_save(world);
    snapshot_fields list = list_snapshot_fields(world, &good);
    const size_t room = good.size + 4096;
    char *bytes = malloc(room);
    assert_non_null(bytes);
    uint64_t seed = 88172645463325252u;
    size_t accepted = 0;
    for (size_t n = 0; n < FORGERIES; n++) {
        size_t size = good.size;
        memcpy(bytes, good.bytes, size);
        if (next_random(&seed) % 8 == 0) {
            forge_length(&seed, &list, bytes, &size, room);
        }
        for (uint64_t i = next_random(&seed) % 3; i < 3; i++) {
            const int part = (int)(next_random(&seed) % SNAPSHOT_PARTS);
            const size_t fields = list.first[part + 1] - list.first[part];
            const snapshot_field *field =
                fields > 0 ? &list.fields[list.first[part] + next_random(&seed) % fields] : NULL;
            if (field && field->offset + get_field_size(field->type) <= size) {
                forge_field(&seed, field, bytes);
            }
        }
        set_snapshot_checksum(bytes, size);
        const double begin = now();
        const slv_result result = slv_world_restore_snapshot(world, bytes, size);
        assert_true(now() - begin < longest_call);
        if (result == SLV_OK) {
            accepted++;
            run(world);
            must_restore(world, &good);
        }
        assert_unchanged(world, &good);
    }
    assert_true(accepted > FORGERIES / 50 && accepted < FORGERIES);
    (void)printf("%zu of %d forged snapshots were accepted\n", accepted, FORGERIES);
    free(bytes);
    free(good.bytes);
    free_snapshot_fields(&list);
    slv_world_destroy(world);
}

// Every float and double as NaN and infinity, and every truth value as 2.
static void a_snapshot_with_one_impossible_number_is_refused(void **state) {
    (void)state;
    slv_world *world = make_full_world();
    const saved_world good = must_save(world);
    snapshot_fields list = list_snapshot_fields(world, &good);
    const double values[2] = {(double)NAN, -(double)INFINITY};
    for (size_t f = 0; f < list.count; f += list.fields[f].part == PART_PARTICLES ? 7 : 1) {
        const snapshot_field *field = &list.fields[f];
        const size_t size = get_field_size(field->type);
        char *at = (char *)good.bytes + field->offset;
        char kept[8];
        memcpy(kept, at, size);
        for (int i = 0; i < 2 && (field->type == FIELD_FLOAT || field->type == FIELD_DOUBLE); i++) {
            const float single = (float)values[i];
            memcpy(at, field->type == FIELD_FLOAT ? (const void *)&single : &values[i], size);
            set_snapshot_checksum(good.bytes, good.size);
            if (slv_world_restore_snapshot(world, good.bytes, good.size) == SLV_OK) {
                fail_msg("part %d, offset %zu: %g was accepted", field->part, field->offset,
                         values[i]);
            }
        }
        if (field->type == FIELD_TRUTH) {
            *at = 2;
            set_snapshot_checksum(good.bytes, good.size);
            assert_int_equal(slv_world_restore_snapshot(world, good.bytes, good.size),
                             SLV_ERROR_CONTENT);
        }
        memcpy(at, kept, size);
    }
    set_snapshot_checksum(good.bytes, good.size);
    assert_unchanged(world, &good);
    free(good.bytes);
    free_snapshot_fields(&list);
    slv_world_destroy(world);
}

static void a_snapshot_with_two_moves_of_a_particle_is_refused(void **state) {
    (void)state;
    slv_world *world = make_full_world();
    const saved_world good = must_save(world);
    snapshot_fields list = list_snapshot_fields(world, &good);
    uint64_t size = 0;
    size_t moves = 0; // offset of two moves or more
    for (size_t f = list.first[PART_FEATURES]; f < list.count && moves == 0; f++) {
        if (list.fields[f].type == FIELD_LONG && list.fields[f + 1].type == FIELD_WORD) {
            memcpy(&size, (char *)good.bytes + list.fields[f].offset, sizeof size);
            moves = size >= 88 ? list.fields[f + 1].offset : 0;
        }
    }
    assert_true(moves > 0);
    saved_world forged = {malloc(good.size), good.size};
    memcpy(forged.bytes, good.bytes, good.size);
    memcpy((char *)forged.bytes + moves, (char *)forged.bytes + moves + 12, 12);
    set_snapshot_checksum(forged.bytes, forged.size);
    assert_refused(world, &good, forged.bytes, forged.size);
    free(forged.bytes);
    free(good.bytes);
    free_snapshot_fields(&list);
    slv_world_destroy(world);
}

// --- Without memory ---------------------------------------------------------------------------------

static slv_world *make_cut_world(counting_memory *memory, bool cut) {
    slv_allocator allocator = counting_allocator(memory);
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.allocator = &allocator;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    const slv_garment_id id = must_add(world, make_grid(6, 1, 6, 0.1f, NULL), garment);
    const uint32_t fixed[2] = {0, 5};
    const uint32_t cuts[3] = {0, 7, 9};
    if (cut) {
        assert_int_equal(slv_garment_set_fixed(world, id, fixed, 2, true), SLV_OK);
        assert_int_equal(slv_garment_cut(world, id, cuts, 3), SLV_OK);
    }
    must_step(world, 5);
    return world;
}

static void a_restore_without_memory_changes_nothing(void **state) {
    (void)state;
    for (int back = 0; back < 2; back++) { // to cuts, and back to a cloth without
        counting_memory memory = unlimited_memory();
        counting_memory other_memory = unlimited_memory();
        slv_world *world = make_cut_world(&memory, back);
        slv_world *other = make_cut_world(&other_memory, !back);
        const saved_world before = must_save(world);
        const saved_world saved = must_save(other);
        slv_result result = SLV_ERROR_MEMORY;
        size_t failures = 0;
        for (size_t left = 0; result == SLV_ERROR_MEMORY; left++) {
            memory.left = left;
            result = slv_world_restore_snapshot(world, saved.bytes, saved.size);
            memory.left = SIZE_MAX;
            if (result == SLV_ERROR_MEMORY) {
                assert_unchanged(world, &before);
                failures++;
            }
        }
        assert_int_equal(result, SLV_OK);
        assert_true(failures > 5);
        assert_unchanged(world, &saved);
        must_step(world, 5);
        must_step(other, 5);
        must_end_alike(world, other);
        free(before.bytes);
        free(saved.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_with_one_impossible_number_is_refused),
        cmocka_unit_test(a_snapshot_with_two_moves_of_a_particle_is_refused),
        cmocka_unit_test(a_restore_without_memory_changes_nothing),
        cmocka_unit_test(forged_snapshots_are_refused_or_run),
    };
    return cmocka_run_group_tests(tests, write_clip_pack, remove_clip_pack);
}
