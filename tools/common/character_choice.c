// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/character_choice.h"

#include "tools/common/character_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Which parts --------------------------------------------------------------------------------

static const char *text_of(const slv_character *c, slv_character_name name) {
    return name.length > 0 ? c->names + name.first : "";
}

static bool name_matches(const slv_character *c, const char *patterns, slv_character_name name) {
    return slv_part_matches(patterns, text_of(c, name), name.length);
}

// The node of a part or one above it.
static bool node_matches(const slv_character *c, const char *patterns, uint32_t node) {
    for (; node != SLV_NO_NODE; node = c->nodes[node].parent) {
        if (name_matches(c, patterns, c->nodes[node].name)) {
            return true;
        }
    }
    return false;
}

static bool is_hidden(const slv_character *c, uint32_t node) {
    bool hidden = false;
    for (; node != SLV_NO_NODE; node = c->nodes[node].parent) {
        hidden = hidden || c->nodes[node].hidden;
    }
    return hidden;
}

// Whether another node has the same name with a lower level of detail, which shows more.
static bool has_better(const slv_character *c, slv_character_name name) {
    uint32_t level = 0;
    size_t base = 0;
    if (!slv_part_level(text_of(c, name), name.length, &level, &base) || level == 0) {
        return false;
    }
    for (uint32_t i = 0; i < c->node_count; i++) {
        uint32_t other = 0;
        size_t other_base = 0;
        const slv_character_name named = c->nodes[i].name;
        if (slv_part_level(text_of(c, named), named.length, &other, &other_base) && other < level &&
            other_base == base && !memcmp(text_of(c, named), text_of(c, name), base)) {
            return true;
        }
    }
    return false;
}

static bool is_lower_detail(const slv_character *c, uint32_t node) {
    bool lower = false;
    for (; !lower && node != SLV_NO_NODE; node = c->nodes[node].parent) {
        lower = c->nodes[node].lower_detail || has_better(c, c->nodes[node].name);
    }
    return lower;
}

static int fate_of(const slv_character *c, const slv_part_choice *choice,
                   const slv_character_part *part) {
    const bool named = choice->node && node_matches(c, choice->node, part->node);
    if ((choice->node && !named) || (choice->mesh && !name_matches(c, choice->mesh, part->mesh)) ||
        (choice->material && !name_matches(c, choice->material, part->material)) ||
        (choice->exclude && (node_matches(c, choice->exclude, part->node) ||
                             name_matches(c, choice->exclude, part->mesh) ||
                             name_matches(c, choice->exclude, part->material)))) {
        return SLV_PART_NOT_CHOSEN;
    }
    return named                            ? SLV_PART_KEPT
           : is_hidden(c, part->node)       ? SLV_PART_HIDDEN
           : is_lower_detail(c, part->node) ? SLV_PART_LOWER_DETAIL
                                            : SLV_PART_KEPT;
}

// --- Removing -----------------------------------------------------------------------------------

static void move(void *array, size_t to, size_t from, size_t count, size_t size) {
    if (array && count > 0) {
        memmove((char *)array + to * size, (char *)array + from * size, count * size);
    }
}

// Moves a part down to the end of the kept ones, whose counts are in *c.
static void keep_part(slv_character *c, slv_character_part part) {
    const uint32_t shift = part.first_vertex - c->vertex_count;
    const uint32_t influence = c->first_influence[part.first_vertex];
    const uint32_t influences =
        c->first_influence[part.first_vertex + part.vertex_count] - influence;
    move(c->positions, c->vertex_count, part.first_vertex, part.vertex_count, 3 * sizeof(double));
    move(c->uvs, c->vertex_count, part.first_vertex, part.vertex_count, 2 * sizeof(float));
    move(c->normals, c->vertex_count, part.first_vertex, part.vertex_count, 3 * sizeof(float));
    move(c->paint, c->vertex_count, part.first_vertex, part.vertex_count, 4 * sizeof(float));
    move(c->points, c->vertex_count, part.first_vertex, part.vertex_count, sizeof *c->points);
    move(c->influences, c->influence_count, influence, influences, sizeof *c->influences);
    for (uint32_t v = 0; v < part.vertex_count; v++) {
        c->first_influence[c->vertex_count + v] =
            c->first_influence[part.first_vertex + v] - influence + c->influence_count;
    }
    for (size_t k = 0; k < 3 * (size_t)part.triangle_count; k++) {
        c->triangles[3 * (size_t)c->triangle_count + k] =
            c->triangles[3 * (size_t)part.first_triangle + k] - shift;
    }
    const uint64_t deltas = (uint64_t)part.target_count * part.vertex_count;
    move(c->target_weights, c->target_count, part.first_target, part.target_count, sizeof(double));
    move(c->deltas, c->delta_count, (size_t)part.first_delta, (size_t)deltas, 3 * sizeof(float));
    part.first_vertex = c->vertex_count;
    part.first_triangle = c->triangle_count;
    part.first_target = c->target_count;
    part.first_delta = c->delta_count;
    c->parts[c->part_count++] = part;
    c->vertex_count += part.vertex_count;
    c->triangle_count += part.triangle_count;
    c->target_count += part.target_count;
    c->delta_count += (uint32_t)deltas;
    c->influence_count += influences;
}

slv_result slv_character_choose(slv_character *c, const slv_part_choice *choice,
                                slv_part_counts *counts, slv_error *error) {
    const uint32_t part_count = c->part_count;
    *counts = (slv_part_counts){{0}};
    int *fates = calloc((size_t)part_count + 1, sizeof *fates);
    if (!fates) {
        return slv_no_memory(error);
    }
    for (uint32_t p = 0; p < part_count; p++) {
        fates[p] = fate_of(c, choice, &c->parts[p]);
        counts->parts[fates[p]]++;
    }
    if (counts->parts[SLV_PART_KEPT] < part_count) {
        c->part_count = c->vertex_count = c->triangle_count = c->target_count = 0;
        c->delta_count = c->influence_count = 0;
        for (uint32_t p = 0; p < part_count; p++) {
            if (fates[p] == SLV_PART_KEPT) {
                keep_part(c, c->parts[p]);
            }
        }
        c->first_influence[c->vertex_count] = c->influence_count;
    }
    free(fates);
    if (c->triangle_count > 0) {
        return SLV_OK;
    }
    const bool asked = choice->node || choice->mesh || choice->material || choice->exclude;
    return slv_fail(error, asked ? SLV_ERROR_ARGUMENT : SLV_ERROR_CONTENT,
                    asked ? "no triangles are left of the parts that were chosen; --list shows all"
                          : "all its parts are hidden; --node keeps those that it names, --list "
                            "shows all");
}

// --- Listing ------------------------------------------------------------------------------------

typedef struct lister {
    const slv_character *c;
    const slv_part_choice *choice;
    const slv_import_space *space;
    const double *positions;
    FILE *out;
} lister;

static void print_part(const lister *l, const slv_character_part *part, int depth) {
    static const char *const fates[SLV_PART_FATES] = {"", ", not chosen", ", left out: hidden",
                                                      ", left out: lower detail"};
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        double p[3];
        slv_import_space_apply(l->space, l->positions + 3 * ((size_t)part->first_vertex + v), p);
        for (int d = 0; d < 3; d++) {
            min[d] = fmin(min[d], p[d]);
            max[d] = fmax(max[d], p[d]);
        }
    }
    char mesh[64];
    char material[64];
    slv_character_copy_name(l->c, part->mesh, mesh, sizeof mesh);
    slv_character_copy_name(l->c, part->material, material, sizeof material);
    (void)fprintf(l->out, "%*smesh '%s', material '%s': %u triangles, %.3g x %.3g x %.3g m%s\n",
                  2 * depth + 2, "", mesh, material, part->triangle_count, max[0] - min[0],
                  max[1] - min[1], max[2] - min[2], fates[fate_of(l->c, l->choice, part)]);
}

// Nodes with parts and those above them; children follow their parents in the order of numbers.
static void print_nodes(const lister *l, const bool *shown) {
    enum { DEEPEST = 24 }; // of the indentation
    for (uint32_t i = 0; i < l->c->node_count; i++) {
        if (!shown[i]) {
            continue;
        }
        int depth = 0;
        for (uint32_t up = l->c->nodes[i].parent; up != SLV_NO_NODE && depth < DEEPEST;
             up = l->c->nodes[up].parent) {
            depth++;
        }
        char name[128];
        slv_character_copy_name(l->c, l->c->nodes[i].name, name, sizeof name);
        (void)fprintf(l->out, "%*snode '%s'\n", 2 * depth, "", name);
        for (uint32_t p = 0; p < l->c->part_count; p++) {
            if (l->c->parts[p].node == i) {
                print_part(l, &l->c->parts[p], depth);
            }
        }
    }
}

char *slv_character_list(const slv_character *c, const slv_part_choice *choice,
                         const slv_import_space *space) {
    slv_pose_scratch pose = {0};
    slv_error ignored;
    char *text = NULL;
    size_t size = 0;
    double *positions = calloc((size_t)c->vertex_count + 1, 3 * sizeof *positions);
    bool *shown = calloc((size_t)c->node_count + 1, sizeof *shown);
    FILE *out = open_memstream(&text, &size);
    bool ok = positions && shown && out && slv_pose_scratch_create(c, &pose, &ignored) == SLV_OK;
    if (ok) {
        slv_character_pose(c, SLV_AT_REST, 0.0, &pose, positions);
        for (uint32_t p = 0; p < c->part_count; p++) {
            for (uint32_t n = c->parts[p].node; n != SLV_NO_NODE; n = c->nodes[n].parent) {
                shown[n] = true;
            }
        }
        const lister l = {c, choice, space, positions, out};
        print_nodes(&l, shown);
    }
    ok = out && fclose(out) == 0 && ok;
    slv_pose_scratch_free(&pose);
    free(positions);
    free(shown);
    if (!ok) {
        free(text);
    }
    return ok ? text : NULL;
}
