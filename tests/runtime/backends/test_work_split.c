// SPDX-License-Identifier: MIT
// Splitting launches whose rows differ in cost (runtime/backends/cpu/cpu_work_split.h), with simulated threads: the
// thread that is idle first takes the next rows.
#include "runtime/backends/cpu/cpu_work_split.h"
#include "runtime/world/world.h"
#include "tests/common/test_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MEMBERS = 3, SIDE = 96, ROWS = SIDE * SIDE / SLV_BLOCK };

typedef struct simulated_team {
    slv_world *world;
    slv_work_split split;
    const slv_plan_launch *launch; // ROWS rows
    const double *costs;           // [rows] seconds
    double speeds[MEMBERS];

    // Of the last launch.
    double free_at[MEMBERS];
    int rows_of[MEMBERS];
    int done_by[ROWS]; // the member + 1
} simulated_team;

static const slv_plan_launch *find_launch(const slv_plan *plan, int kernel) {
    slv_plan_cursor cursor = slv_plan_begin(plan, SLV_STAGE_SOLVE);
    for (const slv_plan_launch *launch; (launch = slv_plan_next_once(&cursor)) != NULL;) {
        if (launch->kernel == kernel) {
            return launch;
        }
    }
    fail();
    return NULL;
}

static void begin(simulated_team *self, const double *costs) {
    slv_world_def def = slv_default_world_def();
    slv_garment_def garment = slv_default_garment_def();
    *self = (simulated_team){.costs = costs, .speeds = {1.0, 1.0, 1.0}};
    self->world = must_create(&def);
    garment.self_collision = true;
    (void)must_add(self->world, make_grid(SIDE, 1, SIDE, 0.02f, NULL), garment);
    must_step(self->world, 1);
    assert_true(slv_work_split_create(&self->split, &self->world->plan, 0, MEMBERS,
                                      slv_default_allocator()));
    self->launch = find_launch(&self->world->plan, SLV_ID_pair_push);
    assert_int_equal(self->launch->end - self->launch->first, ROWS);
}

static void end(simulated_team *self) {
    slv_work_split_destroy(&self->split);
    slv_world_destroy(self->world);
}

static void do_rows(simulated_team *self, uint32_t member, int from, int to) {
    for (int row = from; row < to; row++) {
        const int n = row - self->launch->first;
        assert_in_range(n, 0, ROWS - 1);
        assert_int_equal(self->done_by[n], 0); // no member did it before
        self->done_by[n] = (int)member + 1;
        self->rows_of[member]++;
        self->free_at[member] += self->costs[n] / self->speeds[member];
    }
}

// Plays the launch once. Returns the longest idle time of a member, as a fraction of the total time.
static double play(simulated_team *self) {
    slv_work_cursor cursors[MEMBERS];
    bool busy[MEMBERS];
    memset(self->done_by, 0, sizeof self->done_by);
    for (uint32_t m = 0; m < MEMBERS; m++) {
        cursors[m] = slv_work_begin(&self->split, self->launch, m);
        busy[m] = true;
        self->free_at[m] = 0.0;
        self->rows_of[m] = 0;
    }
    for (;;) {
        uint32_t next = MEMBERS;
        for (uint32_t m = 0; m < MEMBERS; m++) {
            if (busy[m] && (next == MEMBERS || self->free_at[m] < self->free_at[next])) {
                next = m;
            }
        }
        if (next == MEMBERS) {
            break;
        }
        int from = 0;
        int to = 0;
        busy[next] = slv_work_next(&cursors[next], &from, &to);
        if (busy[next]) {
            do_rows(self, next, from, to);
        }
    }
    double least = self->free_at[0];
    double most = self->free_at[0];
    for (int m = 0; m < MEMBERS; m++) {
        least = self->free_at[m] < least ? self->free_at[m] : least;
        most = self->free_at[m] > most ? self->free_at[m] : most;
    }
    for (int n = 0; n < ROWS; n++) {
        assert_int_not_equal(self->done_by[n], 0);
    }
    return (most - least) / most;
}

// Plays until the split no longer changes.
static void settle(simulated_team *self) {
    for (int times = 0; times < 60; times++) {
        (void)play(self);
    }
}

// How often the member changes from a row to the next.
static int count_borders(const simulated_team *self) {
    int borders = 0;
    for (int n = 1; n < ROWS; n++) {
        borders += self->done_by[n] != self->done_by[n - 1];
    }
    return borders;
}

static void every_row_is_done_exactly_once(void **context) {
    (void)context;
    double costs[ROWS];
    simulated_team self;
    for (int n = 0; n < ROWS; n++) {
        costs[n] = 1.0 + (n * 7919) % 13;
    }
    begin(&self, costs);
    for (int times = 0; times < 50; times++) {
        self.speeds[times % MEMBERS] = times % 5 == 0 ? 0.01 : 1.0; // moves rows between members
        (void)play(&self);
    }
    end(&self);
}

// As with a crumpled corner, the last tenth of the rows costs as much as all the others together.
static void the_split_follows_the_cost_and_stays_contiguous(void **context) {
    (void)context;
    double costs[ROWS];
    simulated_team self;
    for (int n = 0; n < ROWS; n++) {
        costs[n] = n < ROWS * 9 / 10 ? 1.0 : 9.0;
    }
    begin(&self, costs);
    (void)play(&self);
    const int borders_at_first = count_borders(&self);
    settle(&self);
    const double idle = play(&self);
    assert_true(idle < 0.2);                 // two of the rows that cost most
    assert_true(self.rows_of[2] < ROWS / 8); // they cost a third
    assert_true(self.rows_of[0] > ROWS / 2);
    assert_true(count_borders(&self) <= borders_at_first);
    assert_true(count_borders(&self) <= 3 * (MEMBERS - 1)); // few rows are stolen
    end(&self);
}

static void a_slow_thread_gets_fewer_rows(void **context) {
    (void)context;
    double costs[ROWS];
    simulated_team self;
    for (int n = 0; n < ROWS; n++) {
        costs[n] = 1.0;
    }
    begin(&self, costs);
    self.speeds[1] = 0.25;
    settle(&self);
    assert_near((double)self.rows_of[1], ROWS * 0.25 / 2.25, 0.05 * ROWS);
    self.speeds[1] = 1.0; // back at full speed
    settle(&self);
    assert_near((double)self.rows_of[1], ROWS / 3.0, 0.05 * ROWS);
    end(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_done_exactly_once),
        cmocka_unit_test(the_split_follows_the_cost_and_stays_contiguous),
        cmocka_unit_test(a_slow_thread_gets_fewer_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
