// SPDX-License-Identifier: MIT
// Schedules (runtime/backends/cpu/cpu_schedule.h): which garments are divided among threads, and that every launch of
// a plan is played as often and, of each garment, in the order of the plan.
#include "runtime/backends/cpu/cpu_engine.h"
#include "runtime/backends/cpu/cpu_schedule.h"
#include "runtime/world/world.h"
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GARMENTS = 12 };

typedef struct crowd {
    uint32_t threads;
    bool meets;  // garments collide with each other
    bool sleeps; // and come to rest
    bool costs;  // waiting costs what it does in a program
    bool timing; // stages are timed
} crowd;

static void add_cloth(slv_world *world, const crowd *like, uint32_t side, double x, double y) {
    slv_garment_def def = slv_default_garment_def();
    def.position[0] = x;
    def.position[1] = y;
    def.garment_collision = def.self_collision = like->meets;
    def.sleep_speed = like->sleeps ? 0.01f : 0.0f;
    (void)must_add(world, make_grid(side, 1, side, 0.02f, NULL), def);
}

// Small garments above a floor, one of index tables, and a large one.
static slv_world *make_crowd(const crowd *like) {
    slv_world_def def = slv_default_world_def();
    def.threads = like->threads;
    def.timing = like->timing;
    slv_world *world = must_create(&def);
    if (like->costs) {
        slv_cpu_set_costs(world->engine, slv_schedule_get_costs(true));
    }
    slv_collider_def floor = slv_default_collider_def();
    floor.kind = SLV_COLLIDER_PLANE;
    floor.position[1] = -0.02;
    assert_int_equal(slv_world_add_collider(world, &floor, NULL), SLV_OK);
    for (int i = 0; i < GARMENTS; i++) {
        const int layer = i / 6;
        add_cloth(world, like, 8 + (uint32_t)i % 5, 0.3 * (i % 6), 0.03 * layer);
    }
    slv_garment_def def_of_mesh = slv_default_garment_def();
    (void)must_add(world, make_cloth(9, 7, 0.02f, true), def_of_mesh);
    add_cloth(world, like, 40, 4.0, 0.1);
    return world;
}

static void every_division_gives_the_same_bits(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        crowd like = {.threads = 1, .meets = kind % 2 == 1, .sleeps = kind / 2 == 1};
        uint64_t hashes[5];
        for (int n = 0; n < 5; n++) {
            static const uint32_t threads[5] = {1, 2, 3, 2, 4};
            like.threads = threads[n];
            like.costs = n > 2;
            like.timing = n == 2 || n == 4;
            slv_world *world = make_crowd(&like);
            must_step(world, 12);
            hashes[n] = must_hash(world);
            slv_world_destroy(world);
            assert_int_equal(hashes[n], hashes[0]);
        }
    }
}

// With times of its stages a step has other wavefronts. A thread that waits for a row of another wavefront waits forever.
static void timed_steps_of_a_divided_cloth_give_the_same_bits(void **state) {
    (void)state;
    uint64_t hashes[4];
    for (int n = 0; n < 4; n++) {
        static const uint32_t threads[4] = {1, 2, 2, 3};
        const crowd like = {.threads = threads[n]};
        slv_world_def def = slv_default_world_def();
        def.threads = like.threads;
        def.timing = n > 1;
        slv_world *world = must_create(&def);
        add_cloth(world, &like, 64, 0.0, 0.0);
        must_step(world, 10);
        hashes[n] = must_hash(world);
        slv_world_destroy(world);
        assert_int_equal(hashes[n], hashes[0]);
    }
}

// --- What is divided --------------------------------------------------------------------------------

static slv_world *make_alone(uint32_t side, uint32_t count) {
    const crowd like = {.threads = 2};
    slv_world_def def = slv_default_world_def();
    def.threads = like.threads;
    slv_world *world = must_create(&def);
    slv_cpu_set_costs(world->engine, slv_schedule_get_costs(true));
    for (uint32_t i = 0; i < count; i++) {
        add_cloth(world, &like, side, 3.0 * i, 0.0);
    }
    must_step(world, 1);
    return world;
}

static void a_step_that_is_too_short_to_divide_runs_on_one_thread(void **state) {
    (void)state;
    slv_world *world = make_alone(10, 1);
    assert_int_equal(slv_cpu_get_schedule(world->engine)->division.members, 1);
    slv_world_destroy(world);
}

static void rows_of_a_large_garment_are_divided(void **state) {
    (void)state;
    slv_world *world = make_alone(200, 1);
    const slv_schedule *schedule = slv_cpu_get_schedule(world->engine);
    assert_int_equal(schedule->division.members, 2);
    assert_int_equal(schedule->division.shared_count, 1);
    slv_world_destroy(world);
}

static void many_small_garments_are_played_whole(void **state) {
    (void)state;
    slv_world *world = make_alone(16, 50);
    const slv_schedule *schedule = slv_cpu_get_schedule(world->engine);
    assert_int_equal(schedule->division.members, 2);
    assert_int_equal(schedule->division.shared_count, 0);
    assert_int_equal(schedule->group_count, 2); // a step, and a rollback
    slv_world_destroy(world);
}

// --- Every launch -----------------------------------------------------------------------------------

typedef struct record {
    const slv_plan_launch **launches;
    size_t count;
} record;

static void note(record *made, const slv_plan_launch *launch) {
    made->launches = realloc(made->launches, (made->count + 1) * sizeof(void *));
    assert_non_null(made->launches);
    made->launches[made->count++] = launch;
}

static void note_list(record *made, const slv_schedule *schedule, const slv_schedule_list *list) {
    slv_schedule_cursor cursor = slv_schedule_begin(schedule, list);
    for (const slv_schedule_entry *entry; (entry = slv_schedule_next(&cursor)) != NULL;) {
        if (entry->kind != SLV_ENTRY_GROUP) {
            note(&made[entry->launch->body], entry->launch);
            continue;
        }
        const slv_schedule_group *group = &schedule->groups[entry->number];
        note_list(made, schedule, &group->team);
        for (uint32_t i = 0; i < group->list_count; i++) {
            note_list(made, schedule, &schedule->lists[group->first_list + i]);
        }
    }
}

static void each_garment_has_its_launches_in_the_order_of_the_plan(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const crowd like = {.threads = 2, .meets = true, .sleeps = kind % 2, .costs = kind / 2};
        slv_world *world = make_crowd(&like);
        must_step(world, 1);
        const uint32_t bodies = world->layout.body_count + 2;
        record *planned = calloc(bodies, sizeof *planned);
        record *made = calloc(bodies, sizeof *made);
        assert_non_null(planned);
        assert_non_null(made);
        for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
            slv_plan_cursor cursor = slv_plan_begin(&world->plan, (slv_stage)stage);
            for (const slv_plan_launch *next; (next = slv_plan_next(&cursor)) != NULL;) {
                note(&planned[next->body], next);
            }
        }
        const slv_schedule *schedule = slv_cpu_get_schedule(world->engine);
        for (int sequence = 0; sequence < SLV_SEQUENCE_COUNT; sequence++) {
            note_list(made, schedule, &schedule->sequences[sequence]);
        }
        for (uint32_t b = 0; b < bodies; b++) {
            assert_int_equal(made[b].count, planned[b].count);
            for (size_t i = 0; i < planned[b].count; i++) {
                assert_ptr_equal(made[b].launches[i], planned[b].launches[i]);
            }
            free(planned[b].launches);
            free(made[b].launches);
        }
        free(planned);
        free(made);
        slv_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_division_gives_the_same_bits),
        cmocka_unit_test(timed_steps_of_a_divided_cloth_give_the_same_bits),
        cmocka_unit_test(a_step_that_is_too_short_to_divide_runs_on_one_thread),
        cmocka_unit_test(rows_of_a_large_garment_are_divided),
        cmocka_unit_test(many_small_garments_are_played_whole),
        cmocka_unit_test(each_garment_has_its_launches_in_the_order_of_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
