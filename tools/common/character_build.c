// SPDX-License-Identifier: MIT
#include "tools/common/character_build.h"

#include "tools/common/grow.h"

#include <string.h>

enum { NAME_MAX_BYTES = 1024 };

// Extends the array by `more` zeroed elements and increases *count. NULL, with everything
// unchanged, where memory is short.
static void *extend(slv_character_build *build, void *array, uint32_t *count, uint32_t *room,
                    uint64_t more, size_t size) {
    void *grown = array;
    if (!slv_grow(&grown, room, *count + more, size)) {
        build->no_memory = true;
        return NULL;
    }
    memset((char *)grown + *count * size, 0, (size_t)more * size);
    *count += (uint32_t)more;
    return grown;
}

slv_character_node *slv_build_nodes(slv_character_build *build, uint32_t count) {
    slv_character *c = &build->character;
    const uint32_t first = c->node_count;
    void *grown =
        extend(build, c->nodes, &c->node_count, &build->node_room, count, sizeof *c->nodes);
    if (!grown) {
        return NULL;
    }
    c->nodes = grown;
    for (uint32_t i = first; i < c->node_count; i++) {
        c->nodes[i] = (slv_character_node){.parent = SLV_NO_NODE,
                                           .pivots = SLV_NO_PIVOTS,
                                           .rotation = {0.0, 0.0, 0.0, 1.0},
                                           .scale = {1.0, 1.0, 1.0},
                                           .matrix = slv_affine_identity()};
    }
    return c->nodes + first;
}

slv_character_pivots *slv_build_pivots(slv_character_build *build, uint32_t *number) {
    slv_character *c = &build->character;
    void *grown =
        extend(build, c->pivots, &c->pivot_count, &build->pivot_room, 1, sizeof *c->pivots);
    if (!grown) {
        return NULL;
    }
    c->pivots = grown;
    *number = c->pivot_count - 1;
    slv_character_pivots *made = &c->pivots[*number];
    for (int k = 0; k < 3; k++) {
        made->before[k][k] = made->after[k][k] = 1.0;
    }
    return made;
}

static bool extend_shading(slv_character_build *build, uint32_t count) {
    slv_character *c = &build->character;
    uint32_t normals = c->vertex_count;
    uint32_t paints = c->vertex_count;
    void *grown =
        extend(build, c->normals, &normals, &build->normal_room, count, 3 * sizeof *c->normals);
    if (!grown) {
        return false;
    }
    c->normals = grown;
    grown = extend(build, c->paint, &paints, &build->paint_room, count, 4 * sizeof *c->paint);
    c->paint = grown ? grown : c->paint;
    return grown != NULL;
}

static bool extend_vertices(slv_character_build *build, uint32_t count) {
    slv_character *c = &build->character;
    uint32_t vertices = c->vertex_count;
    uint32_t uvs = c->vertex_count;
    uint32_t firsts = c->vertex_count;
    void *grown = extend(build, c->positions, &vertices, &build->position_room, count,
                         3 * sizeof *c->positions);
    if (!grown) {
        return false;
    }
    c->positions = grown;
    grown = extend(build, c->uvs, &uvs, &build->uv_room, count, 2 * sizeof *c->uvs);
    if (!grown) {
        return false;
    }
    c->uvs = grown;
    if (build->shaded && !extend_shading(build, count)) {
        return false;
    }
    uint32_t numbers = c->vertex_count;
    grown = build->numbered
                ? extend(build, c->points, &numbers, &build->point_room, count, sizeof *c->points)
                : NULL;
    if (build->numbered && !grown) {
        return false;
    }
    c->points = grown;
    // One element more than vertices; the first is zero, the others are set with the influences.
    grown = extend(build, c->first_influence, &firsts, &build->first_room, (uint64_t)count + 1,
                   sizeof *c->first_influence);
    if (!grown) {
        return false;
    }
    c->first_influence = grown;
    for (uint32_t v = c->vertex_count; v <= vertices; v++) {
        c->first_influence[v] = c->influence_count;
    }
    c->vertex_count = vertices;
    return true;
}

slv_character_part *slv_build_part(slv_character_build *build, uint32_t vertex_count,
                                   uint32_t target_count) {
    slv_character *c = &build->character;
    const slv_character_part part = {.first_vertex = c->vertex_count,
                                     .vertex_count = vertex_count,
                                     .first_target = c->target_count,
                                     .target_count = target_count,
                                     .first_delta = c->delta_count,
                                     .first_triangle = c->triangle_count};
    const uint64_t deltas = (uint64_t)vertex_count * target_count;
    void *parts = extend(build, c->parts, &c->part_count, &build->part_room, 1, sizeof *c->parts);
    if (!parts) {
        return NULL;
    }
    c->parts = parts;
    void *weights = extend(build, c->target_weights, &c->target_count, &build->target_room,
                           target_count, sizeof *c->target_weights);
    if (!weights) {
        return NULL;
    }
    c->target_weights = weights;
    void *vectors = extend(build, c->deltas, &c->delta_count, &build->delta_room, deltas,
                           3 * sizeof *c->deltas);
    if (!vectors) {
        return NULL;
    }
    c->deltas = vectors;
    if (!extend_vertices(build, vertex_count)) {
        return NULL;
    }
    c->parts[c->part_count - 1] = part;
    return &c->parts[c->part_count - 1];
}

slv_character_influence *slv_build_influences(slv_character_build *build, uint32_t vertex,
                                              uint32_t count) {
    slv_character *c = &build->character;
    const uint32_t first = c->influence_count;
    void *grown = extend(build, c->influences, &c->influence_count, &build->influence_room, count,
                         sizeof *c->influences);
    if (!grown) {
        return NULL;
    }
    c->influences = grown;
    c->first_influence[vertex + 1] = c->influence_count;
    return c->influences + first;
}

uint32_t *slv_build_triangle(slv_character_build *build) {
    slv_character *c = &build->character;
    void *grown = extend(build, c->triangles, &c->triangle_count, &build->triangle_room, 1,
                         3 * sizeof *c->triangles);
    c->triangles = grown ? grown : c->triangles;
    c->parts[c->part_count - 1].triangle_count += grown ? 1 : 0;
    return grown ? c->triangles + 3 * ((size_t)c->triangle_count - 1) : NULL;
}

slv_character_joint *slv_build_joint(slv_character_build *build) {
    slv_character *c = &build->character;
    void *grown =
        extend(build, c->joints, &c->joint_count, &build->joint_room, 1, sizeof *c->joints);
    c->joints = grown ? grown : c->joints;
    return grown ? c->joints + c->joint_count - 1 : NULL;
}

slv_character_name slv_build_name(slv_character_build *build, const char *text) {
    slv_character *c = &build->character;
    const slv_character_name name = {c->name_bytes, !text ? 0
                                                    : strlen(text) < NAME_MAX_BYTES
                                                        ? (uint32_t)strlen(text)
                                                        : NAME_MAX_BYTES};
    void *names = extend(build, c->names, &c->name_bytes, &build->name_room, name.length, 1);
    if (!names) {
        return (slv_character_name){0};
    }
    c->names = names;
    if (name.length > 0) {
        memcpy(c->names + name.first, text, name.length);
    }
    return name;
}

slv_character_clip *slv_build_clip(slv_character_build *build, const char *name) {
    slv_character *c = &build->character;
    const slv_character_name named = slv_build_name(build, name);
    if (build->no_memory) {
        return NULL;
    }
    void *clips = extend(build, c->clips, &c->clip_count, &build->clip_room, 1, sizeof *c->clips);
    if (!clips) {
        return NULL;
    }
    c->clips = clips;
    slv_character_clip *clip = &c->clips[c->clip_count - 1];
    *clip = (slv_character_clip){
        .first_name = named.first, .name_length = named.length, .first_channel = c->channel_count};
    return clip;
}

slv_character_channel *slv_build_channel(slv_character_build *build, uint32_t kind, uint32_t keys,
                                         uint32_t width, uint32_t time_count) {
    slv_character *c = &build->character;
    const slv_character_channel channel = {.kind = kind,
                                           .keys = keys,
                                           .width = width,
                                           .first_time = c->time_count,
                                           .time_count = time_count,
                                           .first_value = c->value_count};
    const uint64_t values = (uint64_t)time_count * width *
                            (keys == SLV_KEYS_EACH    ? SLV_KEY_FIELDS
                             : keys == SLV_KEYS_CUBIC ? 3
                                                      : 1);
    void *times =
        extend(build, c->times, &c->time_count, &build->time_room, time_count, sizeof *c->times);
    if (!times) {
        return NULL;
    }
    c->times = times;
    void *numbers =
        extend(build, c->values, &c->value_count, &build->value_room, values, sizeof *c->values);
    if (!numbers) {
        return NULL;
    }
    c->values = numbers;
    void *channels =
        extend(build, c->channels, &c->channel_count, &build->channel_room, 1, sizeof *c->channels);
    if (!channels) {
        return NULL;
    }
    c->channels = channels;
    c->channels[c->channel_count - 1] = channel;
    c->clips[c->clip_count - 1].channel_count++;
    return &c->channels[c->channel_count - 1];
}

void slv_build_clip_refused(slv_character_build *build, const char *reason) {
    slv_character_clip *clip = &build->character.clips[build->character.clip_count - 1];
    if (clip->refused.length == 0) {
        clip->refused = slv_build_name(build, reason);
    }
}

void slv_build_clip_end(slv_character_build *build) {
    slv_character *c = &build->character;
    slv_character_clip *clip = &c->clips[c->clip_count - 1];
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const slv_character_channel *channel = &c->channels[clip->first_channel + i];
        const double *times = c->times + channel->first_time;
        const double first = times[0];
        const double last = times[channel->time_count - 1];
        clip->start = first < clip->start ? first : clip->start;
        clip->end = last > clip->end ? last : clip->end;
    }
}
