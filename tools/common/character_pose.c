// SPDX-License-Identifier: MIT
#include "tools/common/character_pose.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

slv_result slv_pose_scratch_create(const slv_character *character, slv_pose_scratch *scratch,
                                   slv_error *error) {
    scratch->nodes = calloc((size_t)character->node_count + 1, sizeof *scratch->nodes);
    scratch->world_transforms =
        calloc((size_t)character->node_count + 1, sizeof *scratch->world_transforms);
    scratch->joints = calloc((size_t)character->joint_count + 1, sizeof *scratch->joints);
    scratch->weights = calloc((size_t)character->target_count + 1, sizeof *scratch->weights);
    if (!scratch->nodes || !scratch->world_transforms || !scratch->joints || !scratch->weights) {
        slv_pose_scratch_free(scratch);
        return slv_no_memory(error);
    }
    return SLV_OK;
}

void slv_pose_scratch_free(slv_pose_scratch *scratch) {
    free(scratch->nodes);
    free(scratch->world_transforms);
    free(scratch->joints);
    free(scratch->weights);
    *scratch = (slv_pose_scratch){0};
}

// --- Keys ---------------------------------------------------------------------------------------

// The last key at or before t; of keys with equal times the last. Key 0 where all are later.
static uint32_t find_key(const double *times, uint32_t count, double t) {
    uint32_t low = 0;
    uint32_t high = count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Cubic Hermite interpolation between two keys with the out-tangent of the first and the in-tangent
// of the second.
static void curve(const double *key, uint32_t width, double step, double u, double *value) {
    const double u2 = u * u;
    const double u3 = u2 * u;
    const double *next = key + 3 * (size_t)width;
    for (uint32_t k = 0; k < width; k++) {
        value[k] = (2.0 * u3 - 3.0 * u2 + 1.0) * key[width + k] +
                   step * (u3 - 2.0 * u2 + u) * key[2 * width + k] +
                   (3.0 * u2 - 2.0 * u3) * next[width + k] + step * (u3 - u2) * next[k];
    }
}

static void between(const double *a, const double *b, uint32_t width, double u, bool turn,
                    double *value) {
    if (turn) {
        double from[4];
        double to[4];
        memcpy(from, a, sizeof from);
        memcpy(to, b, sizeof to);
        slv_quaternion_normalize(from);
        slv_quaternion_normalize(to);
        slv_quaternion_slerp(from, to, u, value);
        return;
    }
    for (uint32_t k = 0; k < width; k++) {
        value[k] = a[k] + u * (b[k] - a[k]);
    }
}

static void sample(const slv_character *c, const slv_character_channel *channel, double t,
                   double *value) {
    const double *times = c->times + channel->first_time;
    const uint32_t width = channel->width;
    const bool cubic = channel->keys == SLV_KEYS_CUBIC;
    const size_t stride = cubic ? 3 * (size_t)width : width;
    const double *values = c->values + channel->first_value;
    const uint32_t k = find_key(times, channel->time_count, t);
    const double *key = values + k * stride;
    const double *point = cubic ? key + width : key;
    const bool last = k + 1 == channel->time_count;
    if (last || t <= times[k] || channel->keys == SLV_KEYS_STEP) {
        memcpy(value, point, width * sizeof *value);
        return;
    }
    const double step = times[k + 1] - times[k];
    const double u = (t - times[k]) / step;
    if (cubic) {
        curve(key, width, step, u, value);
    } else {
        between(key, key + stride, width, u, channel->kind == SLV_CHANNEL_ROTATION, value);
    }
}

// --- Nodes --------------------------------------------------------------------------------------

// Morph weights belong to parts: all parts of a node get the same.
static void set_weights(const slv_character *c, const slv_character_channel *channel, double t,
                        double *weights) {
    for (uint32_t i = 0; i < c->part_count; i++) {
        const slv_character_part *part = &c->parts[i];
        if (part->node == channel->node && part->target_count == channel->width) {
            sample(c, channel, t, weights + part->first_target);
        }
    }
}

static void apply_channels(const slv_character *c, uint32_t clip, double t,
                           slv_pose_scratch *scratch) {
    const slv_character_clip *chosen = &c->clips[clip];
    for (uint32_t i = 0; i < chosen->channel_count; i++) {
        const slv_character_channel *channel = &c->channels[chosen->first_channel + i];
        slv_character_node *node = &scratch->nodes[channel->node];
        switch (channel->kind) {
        case SLV_CHANNEL_TRANSLATION:
            sample(c, channel, t, node->translation);
            break;
        case SLV_CHANNEL_ROTATION:
            sample(c, channel, t, node->rotation);
            break;
        case SLV_CHANNEL_SCALE:
            sample(c, channel, t, node->scale);
            break;
        default:
            set_weights(c, channel, t, scratch->weights);
            continue;
        }
        node->in_parts = 1;
    }
}

static void compute_world_transforms(const slv_character *c, slv_pose_scratch *scratch) {
    for (uint32_t i = 0; i < c->node_count; i++) {
        const slv_character_node *node = &scratch->nodes[i];
        const slv_affine own =
            node->in_parts ? slv_affine_compose(node->translation, node->rotation, node->scale)
                           : node->matrix;
        scratch->world_transforms[i] =
            node->parent == SLV_NO_NODE
                ? own
                : slv_affine_multiply(&scratch->world_transforms[node->parent], &own);
    }
    for (uint32_t j = 0; j < c->joint_count; j++) {
        scratch->joints[j] = slv_affine_multiply(&scratch->world_transforms[c->joints[j].node],
                                                 &c->joints[j].inverse_bind);
    }
}

// --- Surface ------------------------------------------------------------------------------------

static void morph(const slv_character *c, const slv_character_part *part, uint32_t vertex,
                  const double *weights, double point[3]) {
    for (uint32_t k = 0; k < part->target_count; k++) {
        const double weight = weights[part->first_target + k];
        if (weight != 0.0) {
            const float *delta =
                c->deltas + 3 * (part->first_delta + (uint64_t)k * part->vertex_count + vertex);
            for (int d = 0; d < 3; d++) {
                point[d] += weight * (double)delta[d];
            }
        }
    }
}

static void blend(const slv_character *c, uint32_t vertex, const slv_affine *joints,
                  const double point[3], double image[3]) {
    image[0] = image[1] = image[2] = 0.0;
    for (uint32_t i = c->first_influence[vertex]; i < c->first_influence[vertex + 1]; i++) {
        double transformed[3];
        slv_affine_apply(&joints[c->influences[i].joint], point, transformed);
        for (int d = 0; d < 3; d++) {
            image[d] += c->influences[i].weight * transformed[d];
        }
    }
}

static void pose_part(const slv_character *c, const slv_character_part *part,
                      const slv_pose_scratch *scratch, double *positions) {
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        const uint32_t vertex = part->first_vertex + v;
        double point[3];
        memcpy(point, c->positions + 3 * (size_t)vertex, sizeof point);
        morph(c, part, v, scratch->weights, point);
        double *image = positions + 3 * (size_t)vertex;
        if (part->skinned) {
            blend(c, vertex, scratch->joints, point, image);
        } else {
            slv_affine_apply(&scratch->world_transforms[part->node], point, image);
        }
    }
}

void slv_character_transforms(const slv_character *character, uint32_t clip, double seconds,
                              slv_pose_scratch *scratch) {
    memcpy(scratch->nodes, character->nodes, character->node_count * sizeof *scratch->nodes);
    if (character->target_count > 0) {
        memcpy(scratch->weights, character->target_weights,
               character->target_count * sizeof *scratch->weights);
    }
    if (clip != SLV_AT_REST) {
        apply_channels(character, clip, seconds, scratch);
    }
    compute_world_transforms(character, scratch);
}

void slv_character_pose(const slv_character *character, uint32_t clip, double seconds,
                        slv_pose_scratch *scratch, double *positions) {
    slv_character_transforms(character, clip, seconds, scratch);
    for (uint32_t i = 0; i < character->part_count; i++) {
        pose_part(character, &character->parts[i], scratch, positions);
    }
}
