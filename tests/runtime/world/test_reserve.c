// SPDX-License-Identifier: MIT
// Neighbor lists: no call allocates before its first step, lists grow after the last one, and without memory for longer
// lists a world can still step.
#include "tests/common/test_world.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Counts runs of steps in a call, and allocations before the first run, between two and after the last.
typedef struct watch {
    counting_memory memory;
    slv_allocator counted;
    uint32_t runs;
    uint32_t before, between, after;
} watch;

static void begin_call(watch *w) {
    w->runs = w->before = w->between = w->after = 0;
}

static void *watch_allocate(void *context, size_t size, size_t alignment) {
    watch *w = context;
    *(w->runs > 0 ? &w->after : &w->before) += 1;
    return w->counted.allocate(w->counted.context, size, alignment);
}

static void watch_release(void *context, void *block, size_t size) {
    watch *w = context;
    w->counted.release(w->counted.context, block, size);
}

typedef struct second_worker {
    void (*task)(void *argument, uint32_t worker);
    void *argument;
} second_worker;

static void *run_second(void *context) {
    const second_worker *worker = context;
    worker->task(worker->argument, 1);
    return NULL;
}

// Two workers, since a world with one thread does not call its hook.
static void watch_run(void *context, uint32_t count, void (*task)(void *argument, uint32_t worker),
                      void *argument) {
    watch *w = context;
    second_worker second = {task, argument};
    pthread_t thread;
    assert_int_equal(count, 2);
    w->between += w->after;
    w->after = 0;
    w->runs++;
    assert_int_equal(pthread_create(&thread, NULL, run_second, &second), 0);
    task(argument, 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static slv_world *make_world(watch *w) {
    slv_world_def def = slv_default_world_def();
    *w = (watch){.memory = unlimited_memory()};
    w->counted = counting_allocator(&w->memory);
    const slv_allocator allocator = {watch_allocate, watch_release, w};
    const slv_task_hooks tasks = {watch_run, w};
    def.allocator = &allocator;
    def.tasks = &tasks;
    def.threads = 2;
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
        def.position[1] = i == 0 ? 0.0 : 0.3;
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

static uint64_t hash_after(uint64_t steps) {
    watch w;
    slv_world *world = make_world(&w);
    add_sheets(world);
    assert_int_equal(slv_world_reserve(world, 64), SLV_OK);
    must_step(world, (uint32_t)steps);
    assert_true(steps < STEPS || report_of(world).neighbor_count > 16);
    assert_false(report_of(world).crowded);
    const uint64_t hash = must_hash(world);
    slv_world_destroy(world);
    return hash;
}

static uint64_t known_hash(void) {
    return hash_after(STEPS);
}

// Advances until STEPS steps are done, in calls of so many steps; how many calls ended early. A call allocates after its
// last step or not at all.
static int advance_all(slv_world *world, watch *w, int steps_a_call) {
    int early = 0;
    while (slv_world_get_step_count(world) < STEPS) {
        slv_advance_report report = {0};
        begin_call(w);
        const double seconds =
            early > 0 && steps_a_call >= STEPS ? 0.0 : 0.002 * (double)steps_a_call;
        assert_int_equal(slv_world_advance(world, seconds, &report), SLV_OK);
        assert_true(w->runs > 0);
        assert_int_equal(w->before, 0);
        assert_int_equal(w->between, 0);
        assert_true(report.steps_left == 0 ||
                    w->after > 0); // what it lacked is there for the next call
        early += report.steps_left > 0 ? 1 : 0;
    }
    return early;
}

static void advancing_allocates_only_after_its_last_step(void **state) {
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

// slv_world_step does all of its steps. It allocates between two runs only where it had to repeat a step, otherwise
// after the last.
static void a_step_may_grow_lists_and_gives_the_same(void **state) {
    (void)state;
    static const uint32_t cuts[] = {STEPS, 10, 1};
    const uint64_t known = known_hash();
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        watch w;
        slv_world *world = make_world(&w);
        uint32_t repeats = 0;
        add_sheets(world);
        while (slv_world_get_step_count(world) < STEPS) {
            begin_call(&w);
            must_step(world, cuts[c]);
            assert_int_equal(w.before, 0);
            assert_true((w.runs > 1) == (w.between > 0));
            repeats += w.runs - 1;
        }
        assert_true(cuts[c] < STEPS || repeats > 0); // a long call finds lists too short
        assert_true(report_of(world).neighbor_capacity > 16);
        assert_int_equal(must_hash(world), known);
        slv_world_destroy(world);
        assert_int_equal(w.memory.bytes, 0);
    }
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

// No memory for longer lists: one call fails after its last good step, later calls step with contacts left out, and a
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
        slv_advance_report report = {0};
        const uint64_t before = slv_world_get_step_count(world);
        const slv_result status = slv_world_advance(world, 0.01, &report);
        assert_int_equal(slv_world_get_step_count(world), before + report.steps_done);
        if (status != SLV_OK) {
            assert_int_equal(status, SLV_ERROR_MEMORY);
            assert_true(report.steps_done < 5);
            assert_int_equal(must_hash(world), hash_after(slv_world_get_step_count(world)));
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
        cmocka_unit_test(advancing_allocates_only_after_its_last_step),
        cmocka_unit_test(a_step_may_grow_lists_and_gives_the_same),
        cmocka_unit_test(reserved_lists_never_grow),
        cmocka_unit_test(without_memory_the_world_can_still_step),
        cmocka_unit_test(a_step_without_memory_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
