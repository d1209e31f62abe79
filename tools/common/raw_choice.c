// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/raw_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Which polygons -----------------------------------------------------------------------------

// The names of the groups that a polygon is in; NULL: none.
typedef struct names {
    const char *of[SLV_GROUP_KINDS];
} names;

static bool matches(const char *patterns, const char *name) {
    return name && slv_part_matches(patterns, name, strlen(name));
}

static bool matches_shape(const char *patterns, const names *n) {
    return matches(patterns, n->of[SLV_GROUP_OBJECT]) || matches(patterns, n->of[SLV_GROUP_GROUP]);
}

// Whether a group of the file has the same name with a lower level of detail.
static bool has_better(const slv_raw_mesh *raw, const char *name) {
    uint32_t level = 0;
    size_t base = 0;
    if (!name || !slv_part_level(name, strlen(name), &level, &base) || level == 0) {
        return false;
    }
    for (uint32_t g = 0; g < raw->group_count; g++) {
        uint32_t other = 0;
        size_t other_base = 0;
        const char *named = raw->groups[g].name;
        if (raw->groups[g].kind != SLV_GROUP_MATERIAL &&
            slv_part_level(named, strlen(named), &other, &other_base) && other < level &&
            other_base == base && !memcmp(named, name, base)) {
            return true;
        }
    }
    return false;
}

static int fate_of(const slv_raw_mesh *raw, const slv_part_choice *choice, const names *n) {
    if ((choice->node && !matches_shape(choice->node, n)) ||
        (choice->mesh && !matches_shape(choice->mesh, n)) ||
        (choice->material && !matches(choice->material, n->of[SLV_GROUP_MATERIAL])) ||
        (choice->exclude && (matches_shape(choice->exclude, n) ||
                             matches(choice->exclude, n->of[SLV_GROUP_MATERIAL])))) {
        return SLV_PART_NOT_CHOSEN;
    }
    const bool lower =
        has_better(raw, n->of[SLV_GROUP_OBJECT]) || has_better(raw, n->of[SLV_GROUP_GROUP]);
    return lower && !choice->node ? SLV_PART_LOWER_DETAIL : SLV_PART_KEPT;
}

slv_result slv_raw_mesh_choose(slv_raw_mesh *raw, const slv_part_choice *choice,
                               slv_part_counts *counts, slv_error *error) {
    names now = {{NULL}};
    uint32_t group = 0;
    uint32_t kept = 0;
    int fate = SLV_PART_KEPT;
    bool changed = true;
    *counts = (slv_part_counts){{0}};
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        for (; group < raw->group_count && raw->groups[group].first_polygon <= p; group++) {
            now.of[raw->groups[group].kind] = raw->groups[group].name;
            raw->groups[group].first_polygon = kept;
            changed = true;
        }
        if (changed) {
            fate = fate_of(raw, choice, &now);
            counts->parts[fate]++;
            changed = false;
        }
        if (fate == SLV_PART_KEPT) {
            raw->polygons[kept++] = raw->polygons[p];
        }
    }
    for (; group < raw->group_count; group++) {
        raw->groups[group].first_polygon = kept;
    }
    raw->polygon_count = kept;
    return kept > 0 ? SLV_OK
                    : slv_fail(error, SLV_ERROR_ARGUMENT,
                               "no polygons are left of the parts that were chosen; --list shows "
                               "all");
}

slv_result slv_raw_mesh_drop_unused(slv_raw_mesh *raw, slv_error *error) {
    uint32_t *number = calloc((size_t)raw->position_count + 1, sizeof *number);
    if (!number) {
        return slv_no_memory(error);
    }
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        for (uint32_t c = 0; c < raw->polygons[p].corner_count; c++) {
            number[raw->corners[raw->polygons[p].first_corner + c].position] = 1;
        }
    }
    uint32_t kept = 0;
    uint32_t painted = 0;
    for (uint32_t v = 0; v < raw->position_count; v++) {
        if (number[v]) {
            memmove(raw->positions + 3 * (size_t)kept, raw->positions + 3 * (size_t)v,
                    3 * sizeof *raw->positions);
            if (v < raw->paint_count) {
                memmove(raw->paint + 4 * (size_t)kept, raw->paint + 4 * (size_t)v,
                        4 * sizeof *raw->paint);
                painted = kept + 1;
            }
            number[v] = kept++;
        }
    }
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        for (uint32_t c = 0; c < raw->polygons[p].corner_count; c++) {
            slv_raw_corner *corner = &raw->corners[raw->polygons[p].first_corner + c];
            corner->position = number[corner->position];
        }
    }
    raw->position_count = kept;
    raw->paint_count = painted;
    free(number);
    return SLV_OK;
}

// --- Listing ------------------------------------------------------------------------------------

static void print_group(const slv_raw_mesh *raw, const slv_raw_group *group, uint32_t end,
                        const slv_import_space *space, FILE *out) {
    static const char *const kinds[SLV_GROUP_KINDS] = {"object", "group", "material"};
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t p = group->first_polygon; p < end; p++) {
        const slv_raw_polygon *polygon = &raw->polygons[p];
        for (uint32_t c = 0; c < polygon->corner_count; c++) {
            double at[3];
            const size_t position = raw->corners[polygon->first_corner + c].position;
            slv_import_space_apply(space, raw->positions + 3 * position, at);
            for (int d = 0; d < 3; d++) {
                min[d] = fmin(min[d], at[d]);
                max[d] = fmax(max[d], at[d]);
            }
        }
    }
    if (end > group->first_polygon) {
        const bool lower = group->kind != SLV_GROUP_MATERIAL && has_better(raw, group->name);
        (void)fprintf(out, "%s '%.64s': %u polygons, %.3g x %.3g x %.3g m%s\n", kinds[group->kind],
                      group->name, end - group->first_polygon, max[0] - min[0], max[1] - min[1],
                      max[2] - min[2], lower ? ", left out: lower detail" : "");
    }
}

slv_result slv_raw_mesh_list(const slv_raw_mesh *raw, const slv_import_space *space, char **text,
                             slv_error *error) {
    size_t size = 0;
    FILE *out = open_memstream(text, &size);
    if (!out) {
        return slv_no_memory(error);
    }
    for (uint32_t g = 0; g < raw->group_count; g++) {
        uint32_t next = g + 1;
        while (next < raw->group_count && raw->groups[next].kind != raw->groups[g].kind) {
            next++;
        }
        const uint32_t end =
            next < raw->group_count ? raw->groups[next].first_polygon : raw->polygon_count;
        print_group(raw, &raw->groups[g], end, space, out);
    }
    if (raw->group_count == 0) {
        (void)fprintf(out, "no groups: %u polygons\n", raw->polygon_count);
    }
    if (fclose(out) != 0) {
        free(*text);
        *text = NULL;
        return slv_no_memory(error);
    }
    return SLV_OK;
}
