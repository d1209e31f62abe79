// SPDX-License-Identifier: MIT
#include "runtime/model/soft.h"

#include "runtime/model/body.h"

#include <string.h>

static slv_result no_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for constraints and phantoms");
}

uint32_t slv_soft_end(const slv_garment *garment, uint32_t stored) {
    return stored < garment->info.particle_count ? garment->own_of_stored[stored] : stored;
}

// --- Copies -----------------------------------------------------------------------------------------

static void add_copies(slv_soft *soft, const slv_garment *garment) {
    uint32_t copy = 0;
    for (uint32_t i = 0; i < garment->phantoms.count; i++) {
        const uint32_t own = garment->own_of_stored[garment->phantoms.original[i]];
        uint32_t *phantom = soft->phantoms + 3 * (size_t)i;
        phantom[0] = own;
        phantom[1] = copy;
        for (; copy < garment->phantoms.end[i]; copy++) {
            soft->originals[copy] = own;
        }
        phantom[2] = copy;
    }
    soft->copy_count = copy;
    soft->phantom_count = garment->phantoms.count;
}

slv_result slv_soft_create(slv_body *body, const slv_garment *garment, size_t spring_room,
                           slv_error *error) {
    slv_soft *soft = &body->soft;
    const uint32_t copies = garment->phantoms.copies;
    if (copies == 0) {
        return SLV_OK;
    }
    soft->originals = slv_memory_take(&body->memory, copies, sizeof *soft->originals);
    soft->phantoms =
        slv_memory_take(&body->memory, 3 * (size_t)garment->phantoms.count, sizeof *soft->phantoms);
    soft->spring_ends = slv_memory_take(&body->memory, spring_room, sizeof *soft->spring_ends);
    soft->uses = slv_memory_take(&body->memory, copies, sizeof *soft->uses);
    if (!soft->originals || !soft->phantoms || !soft->spring_ends || !soft->uses) {
        return no_memory(error);
    }
    memset(soft->spring_ends, 0xFF, spring_room * sizeof *soft->spring_ends);
    add_copies(soft, garment);
    return SLV_OK;
}

// Springs that were added without a word about copies join the particles themselves.
static void complete_springs(slv_body *body) {
    for (uint32_t s = 0; body->soft.spring_ends && s < body->spring_count; s++) {
        uint32_t *ends = body->soft.spring_ends[s];
        if (ends[0] == UINT32_MAX) {
            ends[0] = body->springs[s].a;
            ends[1] = body->springs[s].b;
        }
    }
}

static void note_use(slv_body *body, uint32_t end, int phase) {
    if (end >= body->count) {
        body->soft.uses[end - body->count] |= (uint8_t)(1u << phase);
    }
}

static void note_uses(slv_body *body) {
    const slv_soft *soft = &body->soft;
    if (soft->copy_count == 0) {
        return;
    }
    for (uint32_t s = 0; s < body->spring_count; s++) {
        note_use(body, soft->spring_ends[s][0], SLV_PHASE_SPRINGS);
        note_use(body, soft->spring_ends[s][1], SLV_PHASE_SPRINGS);
    }
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        for (uint32_t i = 0; i < soft->batches[b].count; i++) {
            for (uint32_t e = 0; e < slv_batch_arity(b); e++) {
                note_use(body, soft->batches[b].ends[i][e], SLV_PHASE_BATCHES + b);
            }
        }
    }
}

// --- Batches ----------------------------------------------------------------------------------------

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
                slv_soft_end(garment, colored ? end : slv_garment_original(garment, end));
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

// Colors the last group, which the pack has not colored.
static bool color_group(slv_body *body, int b, slv_memory *scratch) {
    slv_constraint_batch *batch = &body->soft.batches[b];
    const slv_batch_group whole = batch->groups[--batch->group_count];
    uint64_t *used = slv_memory_take(scratch, body->count, sizeof *used);
    uint32_t *color = slv_memory_take(scratch, whole.count, sizeof *color);
    if (!used || !color) {
        return false;
    }
    memset(color, 0xFF, whole.count * sizeof *color);
    uint32_t colors = 0;
    for (uint32_t left = whole.count; left > 0; colors += 64) {
        memset(used, 0, body->count * sizeof *used);
        left = color_round(batch, &whole, slv_batch_arity(b), used, color, colors);
    }
    return sort_by_color(batch, &whole, color, colors, &body->memory, scratch);
}

static bool allocate_batch(slv_body *body, const slv_garment *garment, int b) {
    slv_constraint_batch *batch = &body->soft.batches[b];
    const size_t count = (size_t)garment->constraints[slv_batch_kinds[b]].count;
    batch->ends = slv_memory_take(&body->memory, count, sizeof *batch->ends);
    batch->rests = slv_memory_take(&body->memory, count, sizeof *batch->rests);
    batch->groups = slv_memory_take(&body->memory, garment->group_count, sizeof *batch->groups);
    return batch->ends && batch->rests && batch->groups;
}

// Groups of a pack: colored ones, then ones to be averaged; or uncolored ones only.
static bool fill_batch(slv_body *body, const slv_garment *garment, int b, double scale,
                       slv_memory *scratch) {
    slv_constraint_batch *batch = &body->soft.batches[b];
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
            done = color_group(body, b, scratch);
        }
    }
    return done;
}

slv_result slv_soft_finish(slv_body *body, const slv_garment *garment, double scale,
                           slv_error *error) {
    slv_memory scratch = {.allocator = body->memory.allocator};
    bool done = true;
    complete_springs(body);
    for (int b = 0; done && b < SLV_BATCH_COUNT; b++) {
        const uint64_t count = garment->constraints[slv_batch_kinds[b]].count;
        if (count > UINT32_MAX / 16) {
            return slv_fail(error, SLV_ERROR_UNSUPPORTED, "too many %s for one garment",
                            slv_constraint_kinds[slv_batch_kinds[b]].plural);
        }
        done = count == 0 ||
               (allocate_batch(body, garment, b) && fill_batch(body, garment, b, scale, &scratch));
        slv_memory_release(&scratch);
    }
    if (done) {
        note_uses(body);
    }
    return done ? SLV_OK : no_memory(error);
}
