// SPDX-License-Identifier: MIT
#include "tools/inspect/dump_constraints.h"

#include <stdio.h>

// Number of end columns: the largest arity in the garment, at least two for phantom rows.
static uint32_t count_columns(const slv_garment *garment) {
    uint32_t columns = 2;
    for (uint32_t k = SLV_CONSTRAINT_FIRST; k < SLV_CONSTRAINT_END; k++) {
        const uint32_t arity = slv_constraint_kinds[k].arity;
        columns = garment->constraints[k].count > 0 && arity > columns ? arity : columns;
    }
    return columns;
}

const char *slv_dump_constraint_columns(const slv_garment *garment,
                                        char text[SLV_CONSTRAINT_COLUMNS]) {
    size_t used = (size_t)snprintf(text, SLV_CONSTRAINT_COLUMNS, "kind,color,rest");
    for (uint32_t e = 0; e < count_columns(garment); e++) {
        used += (size_t)snprintf(text + used, SLV_CONSTRAINT_COLUMNS - used, ",%c", 'a' + (int)e);
    }
    return text;
}

// Own numbers for particles; copies keep their number.
static uint32_t number_of_end(const slv_garment *garment, uint32_t end) {
    return end < garment->info.particle_count ? garment->own_of_stored[end] : end;
}

static void print_ends(slv_table *table, const uint32_t *ends, uint32_t count, uint32_t columns) {
    for (uint32_t e = 0; e < columns; e++) {
        if (e < count) {
            slv_table_uint(table, ends[e]);
        } else {
            slv_table_none(table);
        }
    }
}

// One row per copy. All copies are merged in one step, so they have no color.
static void print_phantoms(const slv_garment *garment, uint32_t columns, slv_table *table) {
    const uint32_t n = garment->info.particle_count;
    for (uint32_t i = n; i < n + garment->phantoms.copies && !slv_table_closed(table); i++) {
        const uint32_t ends[2] = {garment->own_of_stored[slv_garment_get_copied(garment, i)], i};
        slv_table_word(table, slv_constraint_kinds[SLV_CONSTRAINT_PHANTOM].name);
        slv_table_color(table, SLV_UNCOLORED);
        slv_table_float(table, 0.0f);
        print_ends(table, ends, 2, columns);
    }
}

static void print_group(const slv_garment *garment, const slv_constraint_group *group,
                        uint32_t columns, slv_table *table) {
    const slv_constraint_kind *info = &slv_constraint_kinds[group->kind];
    const slv_constraints *set = &garment->constraints[group->kind];
    const uint64_t end = group->first + group->count;
    for (uint64_t i = group->first; i < end && !slv_table_closed(table); i++) {
        uint32_t ends[SLV_ARITY_MAX] = {0};
        for (uint32_t e = 0; e < info->arity; e++) {
            ends[e] = number_of_end(garment, set->ends[e][i]);
        }
        slv_table_word(table, info->name);
        slv_table_color(table, group->color);
        slv_table_float(table, set->rest[i]);
        print_ends(table, ends, info->arity, columns);
    }
}

void slv_dump_constraints(const slv_garment *garment, uint32_t kind, slv_table *table) {
    const uint32_t columns = count_columns(garment);
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        if (kind != 0 && kind != group->kind) {
            continue;
        }
        if (group->kind == SLV_CONSTRAINT_PHANTOM) {
            print_phantoms(garment, columns, table);
        } else {
            print_group(garment, group, columns, table);
        }
    }
}
