// SPDX-License-Identifier: MIT
#include "tools/common/character.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slv_character_free(slv_character *character) {
    void *arrays[] = {character->nodes,     character->parts,           character->positions,
                      character->uvs,       character->normals,         character->paint,
                      character->triangles, character->first_influence, character->texture.bytes,
                      character->joints,    character->influences,      character->target_weights,
                      character->deltas,    character->clips,           character->channels,
                      character->times,     character->values,          character->names,
                      character->pivots,    character->points};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    *character = (slv_character){0};
}

void slv_character_copy_name(const slv_character *character, slv_character_name name, char *text,
                             size_t size) {
    text[0] = '\0';
    if (name.length > 0) {
        (void)snprintf(text, size, "%.*s", (int)name.length, character->names + name.first);
    }
}

void slv_character_clip_name(const slv_character *character, uint32_t clip, char *text,
                             size_t size) {
    const slv_character_clip *c = &character->clips[clip];
    if (c->name_length == 0) {
        (void)snprintf(text, size, "clip %u", clip);
        return;
    }
    (void)snprintf(text, size, "%.*s", (int)c->name_length, character->names + c->first_name);
}

// --- Checks -------------------------------------------------------------------------------------

static bool all_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static slv_result bad(slv_error *error, const char *what) {
    return slv_fail(error, SLV_ERROR_CONTENT, "%s", what);
}

static bool is_name(const slv_character *c, slv_character_name name) {
    return name.first <= c->name_bytes && name.length <= c->name_bytes - name.first;
}

static slv_result check_pivots(const slv_character *c, slv_error *error) {
    for (uint32_t i = 0; i < c->pivot_count; i++) {
        const slv_character_pivots *p = &c->pivots[i];
        if (p->order >= SLV_TURN_ORDERS || p->inheritance >= SLV_INHERIT_COUNT ||
            !all_finite(&p->before[0][0], 9) || !all_finite(&p->after[0][0], 9) ||
            !all_finite(p->rotation_offset, 3) || !all_finite(p->rotation_pivot, 3) ||
            !all_finite(p->scale_offset, 3) || !all_finite(p->scale_pivot, 3)) {
            return bad(error, "the pivots of a node are not finite");
        }
    }
    for (uint32_t i = 0; i < c->node_count; i++) {
        const slv_character_node *node = &c->nodes[i];
        if (node->pivots != SLV_NO_PIVOTS &&
            (node->pivots >= c->pivot_count ||
             (node->parent != SLV_NO_NODE && c->nodes[node->parent].pivots == SLV_NO_PIVOTS))) {
            return bad(error, "the pivots of a node are missing");
        }
    }
    return SLV_OK;
}

static slv_result check_nodes(const slv_character *c, slv_error *error) {
    for (uint32_t i = 0; i < c->node_count; i++) {
        const slv_character_node *node = &c->nodes[i];
        if ((node->parent != SLV_NO_NODE && node->parent >= i) || !is_name(c, node->name)) {
            return bad(error, "its nodes form no tree");
        }
        if (!all_finite(node->translation, 3) || !all_finite(node->rotation, 4) ||
            !all_finite(node->scale, 3) || !all_finite(&node->matrix.m[0][0], 12)) {
            return slv_fail(error, SLV_ERROR_CONTENT, "node %u: its transform is not finite", i);
        }
    }
    for (uint32_t i = 0; i < c->joint_count; i++) {
        if (c->joints[i].node >= c->node_count ||
            !all_finite(&c->joints[i].inverse_bind.m[0][0], 12)) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "joint %u: its node is missing or its bind matrix is not finite", i);
        }
    }
    return SLV_OK;
}

static slv_result check_parts(const slv_character *c, slv_error *error) {
    uint64_t vertex = 0;
    uint64_t target = 0;
    uint64_t delta = 0;
    uint64_t triangle = 0;
    for (uint32_t i = 0; i < c->part_count; i++) {
        const slv_character_part *part = &c->parts[i];
        if (part->node >= c->node_count || part->first_vertex != vertex ||
            part->first_target != target || part->first_delta != delta ||
            part->first_triangle != triangle || !is_name(c, part->mesh) ||
            !is_name(c, part->material)) {
            return bad(error, "its parts do not fit together");
        }
        vertex += part->vertex_count;
        target += part->target_count;
        delta += (uint64_t)part->target_count * part->vertex_count;
        triangle += part->triangle_count;
    }
    if (vertex != c->vertex_count || target != c->target_count || delta != c->delta_count ||
        triangle != c->triangle_count) {
        return bad(error, "its parts do not fit together");
    }
    for (size_t i = 0; i < 3 * (size_t)c->vertex_count; i++) {
        if (!isfinite(c->positions[i])) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "vertex %zu has the coordinate %g; it must be finite", i / 3 + 1,
                            c->positions[i]);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)c->delta_count; i++) {
        if (!isfinite(c->deltas[i])) {
            return bad(error, "a vertex of a morph target is not finite");
        }
    }
    return all_finite(c->target_weights, c->target_count)
               ? SLV_OK
               : bad(error, "a morph weight is not finite");
}

static slv_result check_surface(const slv_character *c, slv_error *error) {
    for (uint32_t p = 0; p < c->part_count; p++) {
        const slv_character_part *part = &c->parts[p];
        const size_t first = 3 * (size_t)part->first_triangle;
        for (size_t i = first; i < first + 3 * (size_t)part->triangle_count; i++) {
            const uint32_t vertex = c->triangles[i];
            if (vertex < part->first_vertex || vertex - part->first_vertex >= part->vertex_count) {
                return bad(error, "a triangle names a vertex that does not exist");
            }
        }
    }
    for (uint32_t v = 0; v < c->vertex_count; v++) {
        if (c->first_influence[v] > c->first_influence[v + 1]) {
            return bad(error, "its influences do not fit its vertices");
        }
    }
    if (c->vertex_count > 0 &&
        (c->first_influence[0] != 0 || c->first_influence[c->vertex_count] != c->influence_count)) {
        return bad(error, "its influences do not fit its vertices");
    }
    for (uint32_t i = 0; i < c->influence_count; i++) {
        if (c->influences[i].joint >= c->joint_count) {
            return bad(error, "a vertex is bound to a joint that does not exist");
        }
        if (!isfinite(c->influences[i].weight)) {
            return bad(error, "a skin weight is not finite");
        }
    }
    for (uint32_t v = 0; c->points && v < c->vertex_count; v++) {
        if (c->points[v] >= c->point_count) {
            return bad(error, "a vertex has no number in the file");
        }
    }
    if (c->point_count > 0 && c->vertex_count > 0 && !c->points) {
        return bad(error, "its vertices have no numbers in the file");
    }
    for (size_t i = 0; c->uvs && i < 2 * (size_t)c->vertex_count; i++) {
        if (!isfinite(c->uvs[i])) {
            return bad(error, "a texture coordinate is not finite");
        }
    }
    return SLV_OK;
}

static slv_result check_channel(const slv_character *c, const slv_character_clip *clip,
                                const slv_character_channel *channel, slv_error *error) {
    char name[64];
    slv_character_clip_name(c, (uint32_t)(clip - c->clips), name, sizeof name);
    const bool each = channel->keys == SLV_KEYS_EACH;
    const uint64_t values = (uint64_t)channel->time_count * channel->width *
                            (each                              ? SLV_KEY_FIELDS
                             : channel->keys == SLV_KEYS_CUBIC ? 3
                                                               : 1);
    const uint32_t widths[SLV_CHANNEL_COUNT] = {each ? 1 : 3, each ? 1 : 4, each ? 1 : 3,
                                                each ? 1 : channel->width};
    if (channel->node >= c->node_count || channel->kind >= SLV_CHANNEL_COUNT ||
        channel->keys >= SLV_KEYS_COUNT || channel->width != widths[channel->kind] ||
        (each && channel->kind != SLV_CHANNEL_WEIGHTS &&
         (channel->component >= 3 || c->nodes[channel->node].pivots == SLV_NO_PIVOTS)) ||
        (!each && channel->kind == SLV_CHANNEL_ROTATION &&
         c->nodes[channel->node].pivots != SLV_NO_PIVOTS) ||
        channel->time_count == 0 || channel->first_time > c->time_count ||
        channel->time_count > c->time_count - channel->first_time ||
        channel->first_value > c->value_count || values > c->value_count - channel->first_value) {
        return slv_fail(error, SLV_ERROR_CONTENT, "clip '%s': a channel's keys are missing", name);
    }
    const double *times = c->times + channel->first_time;
    for (uint32_t k = 0; k < channel->time_count; k++) {
        if (!isfinite(times[k]) || (k > 0 && times[k] < times[k - 1])) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "clip '%s': the times of its keys are not finite or do not ascend",
                            name);
        }
    }
    if (!all_finite(c->values + channel->first_value, (size_t)values)) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "clip '%s': a key is not finite; export the animation anew", name);
    }
    for (uint32_t k = 0; each && k < channel->time_count; k++) {
        const double *key = c->values + channel->first_value + (size_t)SLV_KEY_FIELDS * k;
        if (!(key[SLV_KEY_SHAPE] >= SLV_SHAPE_HOLD && key[SLV_KEY_SHAPE] <= SLV_SHAPE_WEIGHTED)) {
            return slv_fail(error, SLV_ERROR_CONTENT, "clip '%s': a key has an unknown shape",
                            name);
        }
    }
    return SLV_OK;
}

static slv_result check_clips(const slv_character *c, slv_error *error) {
    for (uint32_t i = 0; i < c->clip_count; i++) {
        const slv_character_clip *clip = &c->clips[i];
        if (clip->first_channel > c->channel_count ||
            clip->channel_count > c->channel_count - clip->first_channel ||
            clip->first_name > c->name_bytes ||
            clip->name_length > c->name_bytes - clip->first_name || !is_name(c, clip->refused)) {
            return slv_fail(error, SLV_ERROR_CONTENT, "clip %u makes no sense", i);
        }
        for (uint32_t k = 0; k < clip->channel_count; k++) {
            slv_result result =
                check_channel(c, clip, &c->channels[clip->first_channel + k], error);
            if (result != SLV_OK) {
                return result;
            }
        }
        if (!isfinite(clip->start) || !isfinite(clip->end) || clip->end < clip->start) {
            return slv_fail(error, SLV_ERROR_CONTENT, "clip %u has no length", i);
        }
    }
    return SLV_OK;
}

static slv_result check_space(const slv_character *c, slv_error *error) {
    return slv_import_space_is_valid(&c->space) ? SLV_OK
                                                : bad(error, "its unit or axes make no sense");
}

slv_result slv_character_check_clip(const slv_character *character, uint32_t clip,
                                    slv_error *error) {
    char name[64];
    slv_character_clip_name(character, clip, name, sizeof name);
    const slv_character_name reason = character->clips[clip].refused;
    return reason.length == 0 ? SLV_OK
                              : slv_fail(error, SLV_ERROR_CONTENT, "clip '%s' %.*s", name,
                                         (int)reason.length, character->names + reason.first);
}

slv_result slv_character_check(const slv_character *character, slv_error *error) {
    static slv_result (*const parts[])(const slv_character *, slv_error *) = {
        check_nodes, check_pivots, check_parts, check_surface, check_clips, check_space};
    slv_result result = SLV_OK;
    for (size_t i = 0; result == SLV_OK && i < sizeof parts / sizeof *parts; i++) {
        result = parts[i](character, error);
    }
    return result;
}
