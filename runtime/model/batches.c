// SPDX-License-Identifier: MIT
#include "runtime/model/batches.h"

#include "runtime/model/phantoms.h"

#include <string.h>

const uint32_t slv_batch_kinds[SLV_BATCH_COUNT] = {
#define ROW(NAME, ...) [SLV_BATCH_##NAME] = SLV_CONSTRAINT_##NAME,
    SLV_BATCHED_KINDS(ROW)
#undef ROW
};

static void add_group(slv_constraint_batch *batch, const slv_garment *garment,
                      const slv_constraint_group *group, double scale) {
    const slv_constraint_kind *kind = &slv_constraint_kinds[group->kind];
    const slv_constraints *from = &garment->constraints[group->kind];
    const bool colored = group->color != SLV_UNCOLORED;
    double factor = 1.0;
    for (uint32_t p = 0; p < kind->power; p++) {
        factor *= scale;
    }
    for (uint64_t i = group->first; i < group->first + group->count; i++) {
        for (uint32_t e = 0; e < kind->arity; e++) {
            const uint32_t end = from->ends[e][i];
            batch->ends[i][e] =
                slv_phantom_end(garment, colored ? end : slv_garment_get_original(garment, end));
        }
        batch->rests[i] = (float)((double)from->rest[i] * factor);
    }
    batch->groups[batch->group_count++] =
        (slv_batch_group){(uint32_t)group->first, (uint32_t)group->count};
    batch->count += (uint32_t)group->count;
}

// Gives out 64 colors: a constraint gets the first one that is free at all its ends. Returns how many
// constraints have none and are left for the next round.
static uint32_t color_round(const slv_constraint_batch *batch, const slv_batch_group *group,
                            uint32_t arity, uint64_t *used, uint32_t *color, uint32_t base) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const uint32_t *ends = batch->ends[group->first + i];
        uint64_t taken = 0;
        for (uint32_t e = 0; e < arity; e++) {
            taken |= used[ends[e]];
        }
        if (color[i] != UINT32_MAX || ~taken == 0) {
            left += color[i] == UINT32_MAX;
            continue;
        }
        const uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
        for (uint32_t e = 0; e < arity; e++) {
            used[ends[e]] |= UINT64_C(1) << bit;
        }
        color[i] = base + bit;
    }
    return left;
}

// Sorts the constraints of a group by color, each color a group of its own.
static bool sort_by_color(slv_constraint_batch *batch, const slv_batch_group *whole,
                          const uint32_t *color, uint32_t colors, slv_memory *memory,
                          slv_memory *scratch) {
    uint32_t(*ends)[SLV_ARITY_MAX] = slv_memory_take(scratch, whole->count, sizeof *ends);
    float *rests = slv_memory_take(scratch, whole->count, sizeof *rests);
    slv_batch_group *groups =
        slv_memory_take(memory, (size_t)batch->group_count + colors, sizeof *groups);
    if (!ends || !rests || !groups) {
        return false;
    }
    memcpy(ends, batch->ends + whole->first, whole->count * sizeof *ends);
    memcpy(rests, batch->rests + whole->first, whole->count * sizeof *rests);
    if (batch->group_count > 0) {
        memcpy(groups, batch->groups, batch->group_count * sizeof *groups);
    }
    batch->groups = groups;
    uint32_t next = whole->first;
    for (uint32_t c = 0; c < colors; c++) {
        const uint32_t first = next;
        for (uint32_t i = 0; i < whole->count; i++) {
            if (color[i] == c) {
                memcpy(batch->ends[next], ends[i], sizeof *ends);
                batch->rests[next++] = rests[i];
            }
        }
        if (next > first) {
            groups[batch->group_count++] = (slv_batch_group){first, next - first};
        }
    }
    return true;
}

bool slv_batch_color(slv_constraint_batch *batch, uint32_t arity, uint32_t particle_count,
                     slv_memory *memory, slv_memory *scratch) {
    const slv_batch_group whole = batch->groups[--batch->group_count];
    uint64_t *used = slv_memory_take(scratch, particle_count, sizeof *used);
    uint32_t *color = slv_memory_take(scratch, whole.count, sizeof *color);
    if (!used || !color) {
        return false;
    }
    memset(color, 0xFF, whole.count * sizeof *color);
    uint32_t colors = 0;
    for (uint32_t left = whole.count; left > 0; colors += 64) {
        memset(used, 0, particle_count * sizeof *used);
        left = color_round(batch, &whole, arity, used, color, colors);
    }
    return sort_by_color(batch, &whole, color, colors, memory, scratch);
}

static bool allocate_batch(slv_constraint_batch *batch, const slv_garment *garment, int b,
                           slv_memory *memory) {
    const size_t count = (size_t)garment->constraints[slv_batch_kinds[b]].count;
    batch->ends = slv_memory_take(memory, count, sizeof *batch->ends);
    batch->rests = slv_memory_take(memory, count, sizeof *batch->rests);
    batch->groups = slv_memory_take(memory, garment->group_count, sizeof *batch->groups);
    return batch->ends && batch->rests && batch->groups;
}

// Groups of a pack: colored ones, then ones to be averaged; or uncolored ones only.
static bool fill_batch(slv_constraint_batch *batch, const slv_garment *garment, int b, double scale,
                       slv_memory *memory, slv_memory *scratch) {
    bool colored = false;
    bool done = true;
    for (uint32_t g = 0; done && g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        if (group->kind != slv_batch_kinds[b] || group->count == 0) {
            continue;
        }
        add_group(batch, garment, group, scale);
        if (group->color != SLV_UNCOLORED) {
            colored = true;
        } else if (colored && !batch->averages_last) {
            batch->averages_last = true;
        } else if (batch->averages_last) { // of another material: all are averaged together
            batch->groups[batch->group_count - 2].count += (uint32_t)group->count;
            batch->group_count--;
        } else {
            done = slv_batch_color(batch, slv_batch_arity(b), garment->info.particle_count, memory,
                                   scratch);
        }
    }
    return done;
}

slv_result slv_batches_create(slv_constraint_batch batches[SLV_BATCH_COUNT],
                              const slv_garment *garment, double scale, slv_memory *memory,
                              slv_error *error) {
    slv_memory scratch = {.allocator = memory->allocator};
    bool done = true;
    for (int b = 0; done && b < SLV_BATCH_COUNT; b++) {
        const uint64_t count = garment->constraints[slv_batch_kinds[b]].count;
        if (count > UINT32_MAX / 16) {
            return slv_fail(error, SLV_ERROR_UNSUPPORTED, "too many %s for one garment",
                            slv_constraint_kinds[slv_batch_kinds[b]].plural);
        }
        done = count == 0 || (allocate_batch(&batches[b], garment, b, memory) &&
                              fill_batch(&batches[b], garment, b, scale, memory, &scratch));
        slv_memory_release(&scratch);
    }
    return done ? SLV_OK : slv_fail(error, SLV_ERROR_MEMORY, "out of memory for constraints");
}
