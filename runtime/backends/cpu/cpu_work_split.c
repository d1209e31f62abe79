// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_work_split.h"

#include <assert.h>

enum {
    BITES = 64, // of a share: the least that is taken at a time
    ROW = 64,   // weight of a row, so that shares can grow by less
    LINE = 64   // bytes of a line of cache
};

// --- Making -----------------------------------------------------------------------------------------

// Numbers the uneven launches of a plan; their count.
static size_t number_launches(const slv_plan *plan, int *places) {
    int count = 0;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        slv_plan_cursor cursor = slv_plan_begin(plan, (slv_stage)stage);
        for (const slv_plan_launch *launch; (launch = slv_plan_next_once(&cursor)) != NULL;) {
            const bool uneven = slv_kernel_infos[launch->kernel].traits & SLV_UNEVEN;
            places[launch->number] = uneven ? count++ : -1;
        }
    }
    return (size_t)count;
}

bool slv_work_split_create(slv_work_split *shares, const slv_plan *plan, uint32_t members,
                           slv_allocator allocator) {
    slv_work_split made = {.memory = {.allocator = allocator}, .members = members};
    made.places = slv_memory_take(&made.memory, plan->count, sizeof *made.places);
    made.seats = slv_memory_take(&made.memory, members, sizeof *made.seats);
    const size_t count = made.places ? number_launches(plan, made.places) : 0;
    made.weights = slv_memory_take(&made.memory, 2 * count * members, sizeof *made.weights);
    const size_t row = (count + LINE - 1) / LINE * LINE; // no two members write to one line
    uint8_t *turns = slv_memory_take(&made.memory, members, row);
    if (!made.places || !made.seats || !made.weights || !turns) {
        slv_memory_release(&made.memory);
        return false;
    }
    for (size_t i = 0; i < 2 * count * members; i++) {
        made.weights[i] = 1;
    }
    for (uint32_t i = 0; i < members; i++) {
        atomic_init(&made.seats[i].taken, 0);
        made.seats[i].turns = turns + i * row;
    }
    *shares = made;
    return true;
}

void slv_work_split_destroy(slv_work_split *shares) {
    slv_memory memory = shares->memory;
    slv_memory_release(&memory);
    *shares = (slv_work_split){.members = 0};
}

bool slv_work_split_has(const slv_work_split *shares, const slv_plan_launch *launch) {
    return shares->places[launch->number] >= 0;
}

// --- Walking ----------------------------------------------------------------------------------------

// The first row that those do who come behind the first `weight` of all.
static uint32_t find_row(const slv_work_cursor *walk, uint64_t weight) {
    const uint64_t rows = (uint64_t)(walk->launch->end - walk->launch->first);
    return (uint32_t)(rows * weight / walk->total);
}

slv_work_cursor slv_work_begin(const slv_work_split *shares, const slv_plan_launch *launch,
                               uint32_t member) {
    const int place = shares->places[launch->number];
    const uint32_t members = shares->members;
    slv_worker *seat = &shares->seats[member];
    const uint8_t turn = seat->turns[place];
    uint32_t *sets = shares->weights + 2 * (size_t)place * members;
    slv_work_cursor walk = {.shares = shares,
                            .launch = launch,
                            .weights = sets + turn * members,
                            .next = sets + (1 - turn) * members + member,
                            .member = member,
                            .whose = member,
                            .left = members - 1};
    seat->turns[place] = 1 - turn;
    seat->played++;
    for (uint32_t i = 0; i < members; i++) {
        walk.total += walk.weights[i];
    }
    assert(walk.total > 0);
    for (uint32_t i = 0; i < member; i++) {
        walk.before += walk.weights[i];
    }
    return walk;
}

// Takes half of what is left of a share, but not less than `least` rows. False when none are left.
static bool take_bite(slv_worker *from, uint32_t number, uint32_t size, uint32_t *first,
                      uint32_t *end) {
    const uint32_t least = size / BITES + 1;
    uint_fast64_t seen = atomic_load_explicit(&from->taken, memory_order_relaxed);
    for (;;) {
        const uint32_t launch = (uint32_t)(seen >> 32);
        const uint32_t taken = launch == number ? (uint32_t)seen : 0;
        if ((int32_t)(launch - number) > 0 || taken >= size) {
            return false;
        }
        const uint32_t half = (size - taken) / 2;
        const uint32_t bite = half > least ? half : least;
        *first = taken;
        *end = bite < size - taken ? taken + bite : size;
        const uint_fast64_t wanted = (uint_fast64_t)number << 32 | *end;
        if (atomic_compare_exchange_weak_explicit(&from->taken, &seen, wanted, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            return true;
        }
    }
}

static void go_on(slv_work_cursor *walk) {
    walk->before += walk->weights[walk->whose];
    walk->whose++;
    if (walk->whose == walk->shares->members) {
        walk->whose = 0;
        walk->before = 0;
    }
    walk->left--;
}

// Shares change by a quarter of what members managed more or less: one that had to wait for a moment is not
// thought slow at once.
static void settle(const slv_work_cursor *walk) {
    const uint64_t rows = (uint64_t)(walk->launch->end - walk->launch->first);
    const uint64_t had = ROW * rows * walk->weights[walk->member] / walk->total;
    *walk->next = (uint32_t)((3 * had + ROW * (uint64_t)walk->done) / 4) + 1;
}

bool slv_work_next(slv_work_cursor *walk, int *from, int *to) {
    const uint32_t number = walk->shares->seats[walk->member].played;
    for (;; go_on(walk)) {
        const uint32_t first = find_row(walk, walk->before);
        const uint32_t size = find_row(walk, walk->before + walk->weights[walk->whose]) - first;
        uint32_t begin = 0;
        uint32_t end = 0;
        if (take_bite(&walk->shares->seats[walk->whose], number, size, &begin, &end)) {
            *from = walk->launch->first + (int)(first + begin);
            *to = walk->launch->first + (int)(first + end);
            walk->done += end - begin;
            return true;
        }
        if (walk->left == 0) {
            settle(walk);
            return false;
        }
    }
}
