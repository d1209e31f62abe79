// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_costs.h"

#include "runtime/backends/cpu/cpu_wavefront.h"

#include <stdlib.h>

// Seconds of one element of a launch on one thread, and of a launch beside its elements.
static const double grid_element = 1.5e-9;
static const double other_element = 4e-9;
static const double launch_overhead = 60e-9;

static const double barrier_cost = 4e-6;           // seconds, of threads that spin
static const double sleeping_barrier_cost = 30e-6; // seconds, of threads that do not
static const double wake_cost = 40e-6;             // seconds

// Of the time of one thread that several must save at least.
static const double least_gain = 0.15;

slv_schedule_costs slv_schedule_get_costs(bool spins) {
    return (slv_schedule_costs){.barrier = spins ? barrier_cost : sleeping_barrier_cost,
                                .wake = wake_cost};
}

// A body, and what its launches cost in a step.
typedef struct body_cost {
    double seconds; // on one thread
    double rounds;  // launches that can be part of a wavefront
    double others;  // launches that cannot
    int body;
} body_cost;

static double seconds_of(const slv_plan_launch *launch) {
    const bool grid = slv_domain_is_grid(slv_kernel_infos[launch->kernel].domain);
    return launch_overhead + (double)(launch->end - launch->first) * (double)launch->columns *
                                 (grid ? grid_element : other_element);
}

// Adds up the launches of a step; those over the common bodies in `common`.
static void add_costs(const slv_layout *layout, const slv_plan *plan, body_cost *bodies,
                      body_cost *common) {
    double rounds[SLV_LOOP_DEPTH + 1] = {1.0};
    uint32_t depth = 0;
    for (uint32_t i = plan->stages[SLV_STAGE_WAKE]; i < plan->stages[SLV_STAGE_SLEEP]; i++) {
        const slv_plan_entry *entry = &plan->entries[i];
        if (entry->kind == SLV_ENTRY_LOOP_BEGIN) {
            rounds[depth + 1] = rounds[depth] * (double)entry->rounds;
            depth++;
        } else if (entry->kind == SLV_ENTRY_LOOP_END) {
            depth--;
        } else {
            const uint32_t body = (uint32_t)entry->launch.body;
            const bool own = body < layout->body_count;
            body_cost *cost = own ? &bodies[body] : common;
            const bool in_wavefront =
                own && slv_wavefront_accepts(&entry->launch, &layout->bodies[body]);
            cost->seconds += rounds[depth] * seconds_of(&entry->launch);
            *(in_wavefront ? &cost->rounds : &cost->others) += rounds[depth];
        }
    }
}

// The longest first; of two that take as long, that with the lower number.
static int compare(const void *a, const void *b) {
    const body_cost *one = a;
    const body_cost *other = b;
    const int slower = (one->seconds < other->seconds) - (one->seconds > other->seconds);
    return slower != 0 ? slower : (one->body > other->body) - (one->body < other->body);
}

// Waits within the launches of a body whose rows are divided.
static double count_waits(const slv_layout *layout, const body_cost *cost, uint32_t members) {
    const slv_body_layout *body_layout = &layout->bodies[cost->body];
    const int length =
        slv_body_is_grid(body_layout) ? slv_wavefront_length(body_layout, members) : 0;
    return cost->others + cost->rounds / (double)(length > 0 ? length : 1);
}

// A division of the bodies, longest first: rows of the first `shared` ones are divided.
typedef struct division {
    uint32_t members, shared;
    double seconds; // of a step
} division;

// Tries all numbers of large bodies for a team. `total`: seconds of all bodies on one thread.
static void try_members(const slv_layout *layout, const body_cost *bodies, const body_cost *common,
                        double total, uint32_t members, const slv_schedule_costs *costs,
                        division *best) {
    const double each = (total + common->seconds) / (double)members +
                        (common->others + 2.0) * costs->barrier + costs->wake;
    double waits = 0.0;
    for (uint32_t shared = 0; shared <= SLV_SHARED_BODIES && shared <= layout->body_count;
         shared++) {
        // Members that have nothing left wait for the one that has the last small garment.
        const double last = shared < layout->body_count ? bodies[shared].seconds : 0.0;
        const double seconds = each + waits * costs->barrier + last * (1.0 - 1.0 / (double)members);
        if (seconds < best->seconds) {
            *best = (division){members, shared, seconds};
        }
        if (shared < layout->body_count) {
            const double more = count_waits(layout, &bodies[shared], members);
            waits = more > waits ? more : waits; // bodies of a wavefront wait together
        }
    }
}

static division find_division(const slv_layout *layout, const body_cost *bodies,
                              const body_cost *common, uint32_t team_size,
                              const slv_schedule_costs *costs) {
    double total = 0.0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        total += bodies[i].seconds;
    }
    const double alone = total + common->seconds;
    division best = {1, 0, alone * (costs->barrier > 0.0 ? 1.0 - least_gain : 1.0) + 1e-12};
    for (uint32_t members = 2; members <= team_size; members++) {
        try_members(layout, bodies, common, total, members, costs, &best);
    }
    return best;
}

bool slv_divide(slv_division *made, const slv_layout *layout, const slv_plan *plan,
                uint32_t team_size, const slv_schedule_costs *costs, slv_memory *memory) {
    slv_memory scratch = {.allocator = memory->allocator};
    const uint32_t count = layout->body_count;
    body_cost *bodies = slv_memory_take(&scratch, count, sizeof *bodies);
    int *shared_number = slv_memory_take(memory, count, sizeof *shared_number);
    if (!bodies || !shared_number) {
        slv_memory_release(&scratch);
        return false;
    }
    body_cost common = {.seconds = 0.0};
    for (uint32_t i = 0; i < count; i++) {
        bodies[i].body = (int)i;
        shared_number[i] = -1;
    }
    add_costs(layout, plan, bodies, &common);
    qsort(bodies, count, sizeof *bodies, compare);
    const division chosen = find_division(layout, bodies, &common, team_size, costs);
    *made = (slv_division){
        .members = chosen.members, .shared_number = shared_number, .shared_count = chosen.shared};
    for (uint32_t n = 0; n < chosen.shared; n++) {
        made->shared[n] = bodies[n].body;
        shared_number[bodies[n].body] = (int)n;
    }
    slv_memory_release(&scratch);
    return true;
}
