// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_work_split.h"

#include <assert.h>

enum {
    CHUNKS = 64,     // of a range: at least one of these is taken at a time
    INERTIA = 4,     // a weight moves by one part in so many towards the rows done
    ROW_WEIGHT = 64, // weight of a row, so that ranges can change by fractions of a row
    CACHE_LINE = 64  // bytes
};

// --- Making -----------------------------------------------------------------------------------------

// Numbers the uneven launches of a plan and returns their count.
static size_t number_launches(const slv_plan *plan, int *weight_index) {
    int count = 0;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        slv_plan_cursor cursor = slv_plan_begin(plan, (slv_stage)stage);
        for (const slv_plan_launch *launch; (launch = slv_plan_next_once(&cursor)) != NULL;) {
            const bool uneven = slv_kernel_infos[launch->kernel].traits & SLV_UNEVEN;
            weight_index[launch->number] = uneven ? count++ : -1;
        }
    }
    return (size_t)count;
}

bool slv_work_split_create(slv_work_split *split, const slv_plan *plan, uint32_t groups,
                           uint32_t members, slv_allocator allocator) {
    slv_work_split made = {.memory = {.allocator = allocator}, .members = members};
    made.weight_index = slv_memory_take(&made.memory, plan->count, sizeof *made.weight_index);
    made.workers = slv_memory_take(&made.memory, members, sizeof *made.workers);
    const size_t launches = made.weight_index ? number_launches(plan, made.weight_index) : 0;
    const size_t count = launches + groups;
    made.group_index = (int)launches;
    made.weights = slv_memory_take(&made.memory, 2 * count * members, sizeof *made.weights);
    // No two members write to one cache line.
    const size_t row = (count + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    uint8_t *newer_sets = slv_memory_take(&made.memory, members, row);
    if (!made.weight_index || !made.workers || !made.weights || !newer_sets) {
        slv_memory_release(&made.memory);
        return false;
    }
    for (size_t i = 0; i < 2 * count * members; i++) {
        made.weights[i] = 1;
    }
    for (uint32_t i = 0; i < members; i++) {
        atomic_init(&made.workers[i].taken, 0);
        made.workers[i].newer_sets = newer_sets + i * row;
    }
    *split = made;
    return true;
}

void slv_work_split_destroy(slv_work_split *split) {
    slv_memory memory = split->memory;
    slv_memory_release(&memory);
    *split = (slv_work_split){.members = 0};
}

bool slv_work_split_has(const slv_work_split *split, const slv_plan_launch *launch) {
    return split->weight_index[launch->number] >= 0;
}

// --- Taking rows ------------------------------------------------------------------------------------

// The first row behind the ranges of members with `weight` in all.
static uint32_t find_row(const slv_work_cursor *cursor, uint64_t weight) {
    const uint64_t rows = (uint64_t)(cursor->end - cursor->first);
    return (uint32_t)(rows * weight / cursor->total);
}

static slv_work_cursor begin(const slv_work_split *split, int index, int first, int end,
                             uint32_t member) {
    const uint32_t members = split->members;
    slv_worker *worker = &split->workers[member];
    const uint8_t newer = worker->newer_sets[index];
    uint32_t *sets = split->weights + 2 * (size_t)index * members;
    slv_work_cursor cursor = {.split = split,
                              .first = first,
                              .end = end,
                              .weights = sets + newer * members,
                              .next = sets + (1 - newer) * members + member,
                              .member = member,
                              .owner = member,
                              .left = members - 1};
    worker->newer_sets[index] = 1 - newer;
    worker->played++;
    for (uint32_t i = 0; i < members; i++) {
        cursor.total += cursor.weights[i];
    }
    assert(cursor.total > 0);
    for (uint32_t i = 0; i < member; i++) {
        cursor.before += cursor.weights[i];
    }
    return cursor;
}

slv_work_cursor slv_work_begin(const slv_work_split *split, const slv_plan_launch *launch,
                               uint32_t member) {
    return begin(split, split->weight_index[launch->number], launch->first, launch->end, member);
}

slv_work_cursor slv_work_begin_group(const slv_work_split *split, uint32_t group, uint32_t count,
                                     uint32_t member) {
    return begin(split, split->group_index + (int)group, 0, (int)count, member);
}

// Takes half of what is left of a range of `size` rows, but at least a chunk. False when none are left.
static bool take_rows(slv_worker *owner, uint32_t number, uint32_t size, uint32_t *first,
                      uint32_t *end) {
    const uint32_t chunk = size / CHUNKS + 1;
    uint_fast64_t seen = atomic_load_explicit(&owner->taken, memory_order_relaxed);
    for (;;) {
        const uint32_t launch = (uint32_t)(seen >> 32);
        const uint32_t taken = launch == number ? (uint32_t)seen : 0;
        if ((int32_t)(launch - number) > 0 || taken >= size) {
            return false;
        }
        const uint32_t half = (size - taken) / 2;
        const uint32_t count = half > chunk ? half : chunk;
        *first = taken;
        *end = count < size - taken ? taken + count : size;
        const uint_fast64_t next = (uint_fast64_t)number << 32 | *end;
        if (atomic_compare_exchange_weak_explicit(&owner->taken, &seen, next, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            return true;
        }
    }
}

static void next_owner(slv_work_cursor *cursor) {
    cursor->before += cursor->weights[cursor->owner];
    cursor->owner++;
    if (cursor->owner == cursor->split->members) {
        cursor->owner = 0;
        cursor->before = 0;
    }
    cursor->left--;
}

// Moves a weight by a part of the difference between the rows done and the rows given, so that a member that
// had to wait once does not lose its rows at once.
static void update_weight(const slv_work_cursor *cursor) {
    const uint64_t rows = (uint64_t)(cursor->end - cursor->first);
    const uint64_t given = ROW_WEIGHT * rows * cursor->weights[cursor->member] / cursor->total;
    *cursor->next =
        (uint32_t)(((INERTIA - 1) * given + ROW_WEIGHT * (uint64_t)cursor->done) / INERTIA) + 1;
}

bool slv_work_next(slv_work_cursor *cursor, int *from, int *to) {
    const uint32_t number = cursor->split->workers[cursor->member].played;
    for (;; next_owner(cursor)) {
        const uint32_t first = find_row(cursor, cursor->before);
        const uint32_t size =
            find_row(cursor, cursor->before + cursor->weights[cursor->owner]) - first;
        uint32_t begin = 0;
        uint32_t end = 0;
        if (take_rows(&cursor->split->workers[cursor->owner], number, size, &begin, &end)) {
            *from = cursor->first + (int)(first + begin);
            *to = cursor->first + (int)(first + end);
            cursor->done += end - begin;
            return true;
        }
        if (cursor->left == 0) {
            update_weight(cursor);
            return false;
        }
    }
}
