// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/parallel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT 5000
#define MAX_THREADS 9

typedef struct run_tally {
    unsigned runs[COUNT];
    atomic_uint workers[MAX_THREADS];
} run_tally;

static void count_run(void *context, size_t index, unsigned worker) {
    run_tally *tally = context;
    tally->runs[index]++; // not atomic: no other task has this index
    atomic_fetch_add(&tally->workers[worker], 1);
}

static void every_index_runs_exactly_once(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, COUNT};
    for (unsigned threads = 1; threads < MAX_THREADS; threads++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            static run_tally tally;
            memset(&tally, 0, sizeof tally);
            slv_parallel_for(threads, counts[c], count_run, &tally);
            unsigned total = 0;
            for (unsigned w = 0; w < MAX_THREADS; w++) {
                unsigned runs = atomic_load(&tally.workers[w]);
                assert_true(w < threads || runs == 0);
                total += runs;
            }
            assert_int_equal(total, counts[c]);
            for (size_t i = 0; i < COUNT; i++) {
                assert_int_equal(tally.runs[i], i < counts[c] ? 1 : 0);
            }
        }
    }
}

typedef struct work_line {
    size_t slots[64];
    bool busy[64]; // from produce to the end of consume
    size_t consumed;
    size_t fail_produce; // index, or SIZE_MAX
    size_t fail_consume;
    size_t slow; // index whose produce takes long
} work_line;

static void wait_a_moment(void) {
    const struct timespec moment = {.tv_nsec = 3000000};
    (void)nanosleep(&moment, NULL);
}

static slv_result produce(void *context, size_t index, unsigned slot, unsigned worker,
                          slv_error *error) {
    work_line *line = context;
    (void)worker;
    if (index == line->slow) {
        wait_a_moment();
    }
    if (line->busy[slot]) {
        return slv_fail(error, SLV_ERROR_MEMORY, "slot %u given twice", slot);
    }
    line->busy[slot] = true;
    line->slots[slot] = index;
    return index == line->fail_produce ? slv_fail(error, SLV_ERROR_CONTENT, "produce %zu", index)
                                       : SLV_OK;
}

static slv_result consume(void *context, size_t index, unsigned slot, slv_error *error) {
    work_line *line = context;
    if (line->slots[slot] != index || line->consumed != index) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of order");
    }
    line->consumed++;
    line->busy[slot] = false;
    return index == line->fail_consume ? slv_fail(error, SLV_ERROR_FILE, "consume %zu", index)
                                       : SLV_OK;
}

static slv_result run_line(unsigned threads, unsigned window, size_t count, work_line *line,
                           slv_error *error) {
    slv_ordered_work work = {
        .count = count, .window = window, .produce = produce, .consume = consume, .context = line};
    return slv_parallel_ordered(threads, &work, error);
}

static void items_are_consumed_in_order(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        for (unsigned window = threads; window <= 24; window += 5) {
            work_line line = {.fail_produce = SIZE_MAX, .fail_consume = SIZE_MAX, .slow = SIZE_MAX};
            slv_error error = {.code = SLV_OK};
            assert_int_equal(run_line(threads, window, 2000, &line, &error), SLV_OK);
            assert_int_equal(line.consumed, 2000);
        }
    }
    work_line line = {.fail_produce = SIZE_MAX, .fail_consume = SIZE_MAX, .slow = SIZE_MAX};
    assert_int_equal(run_line(4, 4, 0, &line, NULL), SLV_OK);
    assert_int_equal(run_line(3, 1, 50, &line, NULL), SLV_OK);
}

// Index 40 fails at once while 37, which fails too, is still running: the error of 37 is returned.
static slv_result produce_two_failures(void *context, size_t index, unsigned slot, unsigned worker,
                                       slv_error *error) {
    (void)slot;
    (void)worker;
    if (index == 37) {
        wait_a_moment();
    }
    atomic_fetch_add((atomic_uint *)context, 1);
    return index == 37 || index == 40 ? slv_fail(error, SLV_ERROR_CONTENT, "produce %zu", index)
                                      : SLV_OK;
}

static slv_result consume_nothing(void *context, size_t index, unsigned slot, slv_error *error) {
    (void)context;
    (void)index;
    (void)slot;
    (void)error;
    return SLV_OK;
}

static void the_lowest_failure_is_returned_for_any_thread_count(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        atomic_uint runs = 0;
        slv_ordered_work work = {.count = 10000,
                                 .window = 16,
                                 .produce = produce_two_failures,
                                 .consume = consume_nothing,
                                 .context = &runs};
        slv_error error = {.code = SLV_OK};
        assert_int_equal(slv_parallel_ordered(threads, &work, &error), SLV_ERROR_CONTENT);
        assert_string_equal(error.text, "produce 37");
        assert_true(atomic_load(&runs) < 100); // the remaining tasks were not started
    }
}

static void a_failing_consumer_stops_the_work(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        work_line line = {.fail_produce = 30, .fail_consume = 22, .slow = 21};
        slv_error error = {.code = SLV_OK};
        assert_int_equal(run_line(threads, 16, 10000, &line, &error), SLV_ERROR_FILE);
        assert_string_equal(error.text, "consume 22");
        assert_int_equal(line.consumed, 23);
        memset(&line, 0, sizeof line);
        line.fail_produce = 22;
        line.fail_consume = 30;
        line.slow = 20;
        assert_int_equal(run_line(threads, 16, 10000, &line, NULL), SLV_ERROR_CONTENT);
        assert_int_equal(line.consumed, 22);
    }
}

static void at_least_one_processor_is_reported(void **state) {
    (void)state;
    assert_true(slv_processor_count() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_exactly_once),
        cmocka_unit_test(items_are_consumed_in_order),
        cmocka_unit_test(the_lowest_failure_is_returned_for_any_thread_count),
        cmocka_unit_test(a_failing_consumer_stops_the_work),
        cmocka_unit_test(at_least_one_processor_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
