// SPDX-License-Identifier: MIT
#include "runtime/step/plan.h"

#include <assert.h>
#include <string.h>

// --- The lists --------------------------------------------------------------------------------------

#define SLV_KERNEL(name, domain, traits, call)                                                     \
    [SLV_ID_##name] = {#name, SLV_DOMAIN_##domain, traits},
const slv_kernel_info slv_kernel_infos[SLV_KERNEL_COUNT] = {
#include "kernels/list.h"
};

#define SLV_DOMAIN(name, columns, dimensions) [SLV_DOMAIN_##name] = (columns),
int slv_domain_columns(slv_domain domain, const slv_body_layout *body) {
    const int columns[SLV_DOMAIN_COUNT] = {
#include "kernels/domains.h"
    };
    return columns[domain];
}
#undef SLV_DOMAIN

#define SLV_DOMAIN(name, columns, dimensions) [SLV_DOMAIN_##name] = (dimensions),
int slv_domain_dimensions(slv_domain domain) {
    static const int dimensions[SLV_DOMAIN_COUNT] = {
#include "kernels/domains.h"
    };
    return dimensions[domain];
}
#undef SLV_DOMAIN

// --- Stages -----------------------------------------------------------------------------------------

typedef enum stage_condition {
    ALWAYS,
    WHILE_MOVING,
    UNLESS_DIVERGED,
    AFTER_DIVERGENCE
} stage_condition;

static const struct {
    const char *name;
    stage_condition condition;
} stages[SLV_STAGE_COUNT] = {
    [SLV_STAGE_WAKE] = {"wake", ALWAYS},
    [SLV_STAGE_INTEGRATE] = {"integrate", ALWAYS},
    [SLV_STAGE_MOVE] = {"move", WHILE_MOVING},
    [SLV_STAGE_SOLVE] = {"solve", ALWAYS},
    [SLV_STAGE_CHECK] = {"check", ALWAYS},
    [SLV_STAGE_SLEEP] = {"sleep", UNLESS_DIVERGED},
    [SLV_STAGE_ROLLBACK] = {"rollback", AFTER_DIVERGENCE},
};

const char *slv_stage_get_name(slv_stage stage) {
    return stages[stage].name;
}

bool slv_stage_is_due(slv_stage stage, bool moving, bool diverged) {
    switch (stages[stage].condition) {
    case WHILE_MOVING:
        return moving;
    case UNLESS_DIVERGED:
        return !diverged;
    case AFTER_DIVERGENCE:
        return diverged;
    case ALWAYS:
        break;
    }
    return true;
}

// --- Playing ----------------------------------------------------------------------------------------

slv_plan_cursor slv_plan_begin(const slv_plan *plan, slv_stage stage) {
    return (slv_plan_cursor){.next = plan->entries + plan->stages[stage],
                             .end = plan->entries + plan->stages[stage + 1]};
}

const slv_plan_launch *slv_plan_next(slv_plan_cursor *cursor) {
    while (cursor->next < cursor->end) {
        const slv_plan_entry *entry = cursor->next++;
        if (entry->kind == SLV_ENTRY_LAUNCH) {
            return &entry->launch;
        }
        if (entry->kind == SLV_ENTRY_LOOP_BEGIN) {
            cursor->left[cursor->depth++] = entry->rounds;
        } else if (--cursor->left[cursor->depth - 1] > 0) {
            cursor->next -= entry->length + 1;
        } else {
            cursor->depth--;
        }
    }
    return NULL;
}

const slv_plan_launch *slv_plan_next_once(slv_plan_cursor *cursor) {
    while (cursor->next < cursor->end) {
        const slv_plan_entry *entry = cursor->next++;
        if (entry->kind == SLV_ENTRY_LAUNCH) {
            return &entry->launch;
        }
    }
    return NULL;
}

// --- Writing ----------------------------------------------------------------------------------------

static void write_entry(slv_plan_writer *writer, slv_plan_entry entry) {
    if (writer->entries) {
        writer->entries[writer->count] = entry;
    }
    writer->count++;
    writer->room = writer->count > writer->room ? writer->count : writer->room;
}

void slv_plan_launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, uint32_t body, int index,
                          int first, int end) {
    if (first >= end) {
        return;
    }
    slv_domain domain = slv_kernel_infos[kernel].domain;
    slv_plan_launch launch = {
        .number = (int)writer->count,
        .kernel = (int)kernel,
        .body = (int)body,
        .first = first,
        .end = end,
        .columns = slv_domain_columns(domain, &writer->layout->bodies[body]),
        .index = index,
        .flags = writer->flags,
        .first_iteration = writer->first_iteration,
        .relaxation = writer->relaxation,
    };
    writer->last = (int)writer->count;
    write_entry(writer, (slv_plan_entry){.kind = SLV_ENTRY_LAUNCH, .launch = launch});
}

void slv_plan_barrier(slv_plan_writer *writer) {
    if (writer->entries && writer->last >= 0) {
        writer->entries[writer->last].launch.barrier = 1;
    }
    writer->last = -1;
}

void slv_plan_drop_since(slv_plan_writer *writer, uint32_t count) {
    assert(writer->last < 0 && count <= writer->count);
    writer->count = count;
}

void slv_plan_begin_loop(slv_plan_writer *writer, uint32_t rounds) {
    slv_plan_barrier(writer);
    assert(writer->depth < SLV_LOOP_DEPTH);
    writer->loops[writer->depth].begin = writer->count;
    writer->loops[writer->depth++].rounds = rounds;
    write_entry(writer, (slv_plan_entry){.kind = SLV_ENTRY_LOOP_BEGIN, .rounds = rounds});
}

// A loop without launches or rounds is removed.
void slv_plan_end_loop(slv_plan_writer *writer) {
    slv_plan_barrier(writer);
    assert(writer->depth > 0);
    uint32_t begin = writer->loops[--writer->depth].begin;
    if (writer->loops[writer->depth].rounds == 0 || writer->count == begin + 1) {
        writer->count = begin;
        return;
    }
    write_entry(writer,
                (slv_plan_entry){.kind = SLV_ENTRY_LOOP_END, .length = writer->count - begin - 1});
}

static void write_step(slv_plan_writer *writer, slv_plan_write_stage *write_stage,
                       uint32_t begins[SLV_STAGE_COUNT + 1]) {
    writer->relaxation = writer->parameters->relaxation;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        begins[stage] = writer->count;
        write_stage(writer, (slv_stage)stage);
        slv_plan_barrier(writer);
    }
    begins[SLV_STAGE_COUNT] = writer->count;
}

// Writes the step twice: once to count, once to store.
bool slv_plan_create(slv_plan *plan, const slv_layout *layout, const slv_parameters *parameters,
                     slv_plan_write_stage *write_stage, slv_allocator allocator) {
    *plan = (slv_plan){.memory = {.allocator = allocator}};
    slv_plan_writer writer = {.layout = layout, .parameters = parameters, .last = -1};
    write_step(&writer, write_stage, plan->stages);
    slv_plan_entry *entries = slv_memory_take(&plan->memory, writer.room, sizeof *entries);
    if (!entries) {
        return false;
    }
    writer = (slv_plan_writer){
        .layout = layout, .parameters = parameters, .entries = entries, .last = -1};
    write_step(&writer, write_stage, plan->stages);
    plan->entries = entries;
    plan->count = writer.count;
    return true;
}

void slv_plan_destroy(slv_plan *plan) {
    slv_memory_release(&plan->memory);
    *plan = (slv_plan){.memory = plan->memory};
}

bool slv_plan_equals(const slv_plan *one, const slv_plan *other) {
    return one->count == other->count &&
           memcmp(one->stages, other->stages, sizeof one->stages) == 0 &&
           (one->count == 0 ||
            memcmp(one->entries, other->entries, one->count * sizeof *one->entries) == 0);
}
