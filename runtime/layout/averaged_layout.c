// SPDX-License-Identifier: MIT
#include "runtime/layout/averaged_layout.h"

#include "kernels/averaged.h"
#include "runtime/layout/batch_layout.h"

#include <limits.h>

bool slv_layout_averages(const slv_body_layout *body_layout) {
    bool averages = body_layout->averaged_groups > 0;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        averages |= body_layout->batches[b].averaged_groups > 0;
    }
    return averages;
}

void slv_averaged_layout_reserve(slv_body_layout *body_layout, const slv_body *body, unsigned parts,
                                 slv_layout_cursor *cursor) {
    if (!(parts & SLV_PART_AVERAGES) || cursor->too_large) {
        return;
    }
    const size_t springs = body->averaged_group_count > 0 ? slv_springs_count_room(body) : 0;
    size_t ends = 2 * springs;
    if (springs > INT_MAX / 32) {
        cursor->too_large = true;
        return;
    }
    body_layout->averaged_groups = (int)body->averaged_group_count;
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        const slv_constraint_batch *batch = &body->batches[b];
        body_layout->batches[b].averaged_groups = batch->averages_last ? 1 : 0;
        body_layout->batches[b].corrections = (int)(4 * ends);
        ends += batch->averages_last ? slv_batch_arity(b) * slv_batch_count_room(batch) : 0;
    }
    if (!slv_layout_averages(body_layout)) {
        return;
    }
    body_layout->corrections = slv_reserve_state(cursor, 4 * ends);
    body_layout->end_tensions = slv_reserve_state(cursor, 2 * springs);
    body_layout->averaged_counts = slv_reserve_state(cursor, (size_t)body_layout->slots);
    body_layout->gather_first = slv_reserve_table(cursor, (size_t)body_layout->slots + 1);
    body_layout->gather = slv_reserve_table(cursor, ends);
}

// Calls `each` for every end of an averaged constraint, in one order: its slot, and the offset of its
// correction.
typedef struct gatherer {
    int *next;     // by slot
    int *gather;   // offsets of corrections
    float *counts; // by slot
} gatherer;

static void each_averaged_end(const slv_body_layout *body_layout, const int *table, gatherer *g,
                              void (*each)(gatherer *g, int slot, int correction)) {
    for (int group = body_layout->group_count - body_layout->averaged_groups;
         group < body_layout->group_count; group++) {
        const int *entry = table + body_layout->groups + 3 * group;
        for (int s = entry[0]; s < entry[0] + entry[1]; s++) {
            for (int e = 0; e < 2; e++) {
                each(g, table[body_layout->ends[e] + s] / SLV_PARTICLE_FLOATS, 8 * s + 4 * e);
            }
        }
    }
}

static void each_averaged_batch_end(const slv_body_layout *body_layout, const slv_body *body, int b,
                                    const int *table, gatherer *g,
                                    void (*each)(gatherer *g, int slot, int correction)) {
    const slv_batch_layout *batch_layout = &body_layout->batches[b];
    const int arity = (int)slv_batch_arity(b);
    for (int group = batch_layout->group_count - batch_layout->averaged_groups;
         group < batch_layout->group_count; group++) {
        const int first = table[batch_layout->groups + 2 * group] * SLV_LANES;
        for (int i = first; i < first + (int)body->batches[b].groups[group].count; i++) {
            for (int e = 0; e < arity; e++) {
                each(g, table[batch_layout->ends[e] + i] / SLV_PARTICLE_FLOATS,
                     batch_layout->corrections + 4 * (arity * i + e));
            }
        }
    }
}

static void each_end(const slv_body_layout *body_layout, const slv_body *body, const int *table,
                     gatherer *g, void (*each)(gatherer *g, int slot, int correction)) {
    each_averaged_end(body_layout, table, g, each);
    for (int b = 0; b < SLV_BATCH_COUNT; b++) {
        each_averaged_batch_end(body_layout, body, b, table, g, each);
    }
}

static void count_end(gatherer *g, int slot, int correction) {
    (void)correction;
    g->next[slot + 1]++;
    g->counts[slot] += 1.0f;
}

static void gather_end(gatherer *g, int slot, int correction) {
    g->gather[g->next[slot]++] = correction;
}

bool slv_averaged_layout_fill(const slv_body_layout *body_layout, const slv_body *body,
                              slv_memory *scratch, float *state, int *table) {
    if (!slv_layout_averages(body_layout)) {
        return true;
    }
    int *first = table + body_layout->gather_first;
    int *next = slv_memory_take(scratch, (size_t)body_layout->slots + 1, sizeof *next);
    if (!next) {
        return false;
    }
    float *counts = &state[body_layout->averaged_counts];
    gatherer g = {first, table + body_layout->gather, counts};
    each_end(body_layout, body, table, &g, count_end);
    for (int s = 0; s < body_layout->slots; s++) {
        first[s + 1] += first[s];
        next[s] = first[s];
        counts[s] = counts[s] > 1.0f ? counts[s] : 1.0f;
    }
    g.next = next;
    each_end(body_layout, body, table, &g, gather_end);
    return true;
}
