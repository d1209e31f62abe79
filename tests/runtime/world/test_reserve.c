// SPDX-License-Identifier: MIT
// Neighbor lists: a step allocates nothing, lists grow between calls, and without memory for longer lists a world can
// still step.
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Counts runs of steps, and allocations that happen after the first one in a call.
typedef struct watch {
    counting_memory memory;
    slv_allocator counted;
    uint32_t runs;
    uint32_t late;
} watch;

static void *watch_allocate(void *context, size_t size, size_t alignment) {
    watch *w = context;
    w->late += w->runs > 0 ? 1 : 0;
    return w->counted.allocate(w->counted.context, size, alignment);
}

static void watch_release(void *context, void *block, size_t size) {
    watch *w = context;
    w->counted.release(w->counted.context, block, size);
}

static void watch_run(void *context, uint32_t count, void (*task)(void *argument, uint32_t worker),
                      void *argument) {
    watch *w = context;
    assert_int_equal(count, 1);
    w->runs++;
    task(argument, 0);
}

static slv_world *make_world(watch *w) {
    slv_world_def def = slv_default_world_def();
    *w = (watch){.memory = unlimited_memory()};
    w->counted = counting_allocator(&w->memory);
    const slv_allocator allocator = {watch_allocate, watch_release, w};
    const slv_task_hooks tasks = {watch_run, w};
    def.allocator = &allocator;
    def.tasks = &tasks;
    def.threads = 1;
    def.max_advance = 0.0;
    return must_create(&def);
}

// Two sheets that collide, with radii so large that every particle has dozens of neighbors during the collision and
// none before.
static void add_sheets(slv_world *world) {
    for (int i = 0; i < 2; i++) {
        slv_garment_def def = slv_default_garment_def();
        def.particle_mass = 0.001f;
        def.stretch_stiffness = 200.0f;
        def.collision_radius = 0.02f;
        def.garment_collision = true;
        def.position[1] = i == 0 ? 0.0f : 0.3f;
        def.velocity[1] = i == 0 ? 3.0f : -3.0f;
        (void)must_add(world, make_grid(16, 1, 16, 0.01f, NULL), def);
    }
}

static slv_contact_report report_of(slv_world *world) {
    slv_contact_report report;
    assert_int_equal(slv_world_get_contact_report(world, &report), SLV_OK);
    return report;
}

enum { STEPS = 150 };

static uint64_t known_hash(void) {
    watch w;
    slv_world *world = make_world(&w);
    add_sheets(world);
    assert_int_equal(slv_world_reserve(world, 64), SLV_OK);
    must_step(world, STEPS);
    assert_true(report_of(world).neighbor_count > 16);
    assert_false(report_of(world).crowded);
    const uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

// Advances until STEPS steps are done, in calls of so many steps; how many calls ended early.
static int advance_all(slv_world *world, watch *w, int steps_a_call) {
    int early = 0;
    while (slv_world_get_step_count(world) < STEPS) {
        slv_advance_report report = {0};
        w->runs = 0;
        w->late = 0;
        const double seconds =
            early > 0 && steps_a_call >= STEPS ? 0.0 : 0.002 * (double)steps_a_call;
        assert_int_equal(slv_world_advance(world, seconds, &report), SLV_OK);
        assert_int_equal(w->late, 0);
        early += report.steps_left > 0 ? 1 : 0;
    }
    w->runs = 0;
    return early;
}

static void advancing_allocates_nothing_after_its_first_step(void **state) {
    (void)state;
    static const int cuts[] = {STEPS, 10, 5, 1};
    const uint64_t known = known_hash();
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        watch w;
        slv_world *world = make_world(&w);
        add_sheets(world);
        assert_int_equal(report_of(world).neighbor_capacity, 8);
        const int early = advance_all(world, &w, cuts[c]);
        assert_true(cuts[c] < STEPS || early > 0); // a long call finds lists too short
        assert_true(report_of(world).neighbor_capacity > 16);
        assert_int_equal(must_hash(world), known);
        slv_world_destroy(world);
        assert_int_equal(w.memory.bytes, 0);
    }
}

static void a_step_may_grow_lists_and_gives_the_same(void **state) {
    (void)state;
    watch w;
    slv_world *world = make_world(&w);
    add_sheets(world);
    must_step(world, STEPS);
    assert_int_equal(must_hash(world), known_hash());
    slv_world_destroy(world);
}

static void reserved_lists_never_grow(void **state) {
    (void)state;
    watch w;
    slv_world *world = make_world(&w);
    add_sheets(world);
    must_step(world, STEPS);
    const uint32_t needed = report_of(world).neighbor_count;
    slv_world_destroy(world);
    world = make_world(&w);
    add_sheets(world);
    assert_int_equal(slv_world_reserve(world, 2 * needed < 64 ? 2 * needed : 64), SLV_OK);
    const slv_contact_report reserved = report_of(world);
    assert_true(reserved.neighbor_capacity >= needed);
    assert_true(reserved.list_bytes >= (size_t)8 * 512 * reserved.neighbor_capacity);
    const size_t calls = w.memory.calls;
    assert_int_equal(advance_all(world, &w, STEPS), 0);
    assert_int_equal(w.memory.calls, calls);
    assert_int_equal(report_of(world).neighbor_capacity, reserved.neighbor_capacity);
    assert_int_equal(slv_world_reserve(world, 0), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_reserve(world, 65), SLV_ERROR_ARGUMENT);
    assert_int_equal(slv_world_reserve(NULL, 8), SLV_ERROR_ARGUMENT);
    slv_world_destroy(world);
}

// No memory for longer lists: one call fails and changes nothing, later calls step with contacts left out, and a
// snapshot can be restored. With memory again the states are those of a world that always had it.
static void without_memory_the_world_can_still_step(void **state) {
    (void)state;
    watch w;
    slv_world *world = make_world(&w);
    add_sheets(world);
    const saved_world saved = must_save(world);
    w.memory.most = w.memory.bytes + 65536; // enough for all but lists
    int failures = 0;
    bool crowded = false;
    for (int n = 0; slv_world_get_step_count(world) < STEPS && n < 2 * STEPS; n++) {
        const uint64_t hash = must_hash(world);
        const slv_result status = slv_world_advance(world, 0.01, NULL);
        if (status != SLV_OK) {
            assert_int_equal(status, SLV_ERROR_MEMORY);
            assert_int_equal(must_hash(world), hash);
            failures++;
        }
        crowded = crowded || report_of(world).crowded;
    }
    assert_int_equal(failures, 1);
    assert_true(crowded);
    assert_true(slv_world_get_step_count(world) >= STEPS);
    assert_int_equal(report_of(world).neighbor_capacity, 8);
    assert_int_equal(slv_world_reserve(world, 64), SLV_ERROR_MEMORY);
    must_restore(world, &saved);
    must_step(world, 10);
    w.memory.most = SIZE_MAX;
    assert_int_equal(slv_world_reserve(world, 64), SLV_OK);
    must_restore(world, &saved);
    must_step(world, STEPS);
    assert_int_equal(must_hash(world), known_hash());
    free(saved.bytes);
    slv_world_destroy(world);
    assert_int_equal(w.memory.bytes, 0);
}

static void a_step_without_memory_fails_once(void **state) {
    (void)state;
    watch w;
    slv_world *world = make_world(&w);
    add_sheets(world);
    w.memory.most = w.memory.bytes + 65536;
    assert_int_equal(slv_world_step(world, STEPS), SLV_ERROR_MEMORY);
    const uint64_t done = slv_world_get_step_count(world);
    assert_true(done > 0 && done < STEPS);
    assert_int_equal(slv_world_step(world, STEPS), SLV_OK);
    assert_int_equal(slv_world_get_step_count(world), done + STEPS);
    slv_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advancing_allocates_nothing_after_its_first_step),
        cmocka_unit_test(a_step_may_grow_lists_and_gives_the_same),
        cmocka_unit_test(reserved_lists_never_grow),
        cmocka_unit_test(without_memory_the_world_can_still_step),
        cmocka_unit_test(a_step_without_memory_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
