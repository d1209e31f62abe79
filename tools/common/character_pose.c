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
    scratch->frames =
        character->pivot_count > 0 ? calloc(character->node_count, sizeof *scratch->frames) : NULL;
    scratch->joints = calloc((size_t)character->joint_count + 1, sizeof *scratch->joints);
    scratch->weights = calloc((size_t)character->target_count + 1, sizeof *scratch->weights);
    if (!scratch->nodes || !scratch->world_transforms || !scratch->joints || !scratch->weights ||
        (character->pivot_count > 0 && !scratch->frames)) {
        slv_pose_scratch_free(scratch);
        return slv_no_memory(error);
    }
    return SLV_OK;
}

void slv_pose_scratch_free(slv_pose_scratch *scratch) {
    free(scratch->nodes);
    free(scratch->world_transforms);
    free(scratch->frames);
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

// --- Curves of keys that each say how they go on ------------------------------------------------

// Keys are at whole ticks, far apart compared with this; times of frames have rounding errors.
static const double SAME_TIME = 1e-9; // s

// The parameter of a Bézier curve where its time, with control points at 0, a, b and 1, is u. It ascends for a and b within
// 0 … 1: bisection always finds it.
static double parameter_at(double a, double b, double u) {
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 54; i++) {
        const double t = 0.5 * (low + high);
        const double time = 3.0 * (1.0 - t) * t * ((1.0 - t) * a + t * b) + t * t * t;
        if (time < u) {
            low = t;
        } else {
            high = t;
        }
    }
    return 0.5 * (low + high);
}

static double weighted(const double *key, const double *next, double step, double u) {
    const double t = parameter_at(key[SLV_KEY_WEIGHT], 1.0 - key[SLV_KEY_WEIGHT_IN], u);
    const double from = key[SLV_KEY_VALUE];
    const double to = next[SLV_KEY_VALUE];
    const double out = from + step * key[SLV_KEY_WEIGHT] * key[SLV_KEY_SLOPE];
    const double in = to - step * key[SLV_KEY_WEIGHT_IN] * key[SLV_KEY_SLOPE_IN];
    const double rest = 1.0 - t;
    return rest * rest * rest * from + 3.0 * rest * t * (rest * out + t * in) + t * t * t * to;
}

static double sample_each(const slv_character *c, const slv_character_channel *channel, double t) {
    const double *times = c->times + channel->first_time;
    const uint32_t k = find_key(times, channel->time_count, t + SAME_TIME);
    const double *key = c->values + channel->first_value + (size_t)SLV_KEY_FIELDS * k;
    if (k + 1 == channel->time_count || t < times[k] + SAME_TIME) {
        return key[SLV_KEY_VALUE];
    }
    const double *next = key + SLV_KEY_FIELDS;
    const double step = times[k + 1] - times[k];
    const double u = (t - times[k]) / step;
    // An ordinary cubic key in the order of fields of curve(): tangent in, value, tangent out.
    const double ends[6] = {
        0.0, key[SLV_KEY_VALUE], key[SLV_KEY_SLOPE], key[SLV_KEY_SLOPE_IN], next[SLV_KEY_VALUE],
        0.0};
    double value = key[SLV_KEY_VALUE];
    switch ((int)key[SLV_KEY_SHAPE]) {
    case SLV_SHAPE_NEXT:
        return next[SLV_KEY_VALUE];
    case SLV_SHAPE_LINE:
        return value + u * (next[SLV_KEY_VALUE] - value);
    case SLV_SHAPE_CUBIC:
        curve(ends, 1, step, u, &value);
        return value;
    case SLV_SHAPE_WEIGHTED:
        return weighted(key, next, step, u);
    default:
        return value;
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

static void apply_component(const slv_character *c, const slv_character_channel *channel, double t,
                            slv_pose_scratch *scratch) {
    slv_character_node *node = &scratch->nodes[channel->node];
    const double value = sample_each(c, channel, t);
    const uint32_t k = channel->component;
    for (uint32_t i = 0; channel->kind == SLV_CHANNEL_WEIGHTS && i < c->part_count; i++) {
        const slv_character_part *part = &c->parts[i];
        if (part->node == channel->node && k < part->target_count) {
            scratch->weights[part->first_target + k] = value;
        }
    }
    if (channel->kind == SLV_CHANNEL_TRANSLATION) {
        node->translation[k] = value;
    } else if (channel->kind == SLV_CHANNEL_ROTATION) {
        node->rotation[k] = value;
    } else if (channel->kind == SLV_CHANNEL_SCALE) {
        node->scale[k] = value;
    }
}

static void apply_channels(const slv_character *c, uint32_t clip, double t,
                           slv_pose_scratch *scratch) {
    const slv_character_clip *chosen = &c->clips[clip];
    for (uint32_t i = 0; i < chosen->channel_count; i++) {
        const slv_character_channel *channel = &c->channels[chosen->first_channel + i];
        slv_character_node *node = &scratch->nodes[channel->node];
        if (channel->keys == SLV_KEYS_EACH) {
            apply_component(c, channel, t, scratch);
            continue;
        }
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

// Where the origin of a node with pivots is in its parent, by the product in slv_character_pivots.
static void place_origin(const slv_character_node *node, const slv_character_pivots *p,
                         double turn[3][3], double origin[3]) {
    double v[3];
    for (int d = 0; d < 3; d++) {
        v[d] = p->scale_offset[d] + p->scale_pivot[d] - node->scale[d] * p->scale_pivot[d] -
               p->rotation_pivot[d];
    }
    for (int d = 0; d < 3; d++) {
        origin[d] = turn[d][0] * v[0] + turn[d][1] * v[1] + turn[d][2] * v[2] +
                    p->rotation_pivot[d] + p->rotation_offset[d] + node->translation[d];
    }
}

// The linear part of a node's world transform is R N S: rotations R of the node and all above it, its scale S, and what it
// inherits of scale and shear N. With the parent's P = N S and the node's rotation L, N is P where the scale applies first,
// L⁻¹ P L where matrices multiply, since R_parent P L S = R_parent L (L⁻¹ P L) S, and the parent's N without the parent's scale.
static void inherit(const slv_pose_frame *above, const slv_character_node *parent,
                    uint32_t inheritance, double turn[3][3], slv_pose_frame *frame) {
    slv_pose_frame from = *above;
    slv_multiply_rows(from.turn, turn, frame->turn);
    for (int k = 0; inheritance != SLV_INHERIT_NOT_PARENT && k < 9; k++) {
        from.stretch[k / 3][k % 3] *= parent->scale[k % 3];
    }
    if (inheritance == SLV_INHERIT_ALL) {
        double back[3][3];
        for (int k = 0; k < 9; k++) {
            back[k / 3][k % 3] = turn[k % 3][k / 3];
        }
        slv_multiply_rows(from.stretch, turn, from.stretch);
        slv_multiply_rows(back, from.stretch, from.stretch);
    }
    memcpy(frame->stretch, from.stretch, sizeof frame->stretch);
}

static slv_affine pivot_transform(const slv_character *c, uint32_t number,
                                  slv_pose_scratch *scratch) {
    static const slv_pose_frame still = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    static const slv_character_node unscaled = {.scale = {1.0, 1.0, 1.0}};
    const slv_character_node *node = &scratch->nodes[number];
    slv_character_pivots p = c->pivots[node->pivots];
    double turn[3][3];
    slv_turn_axes(node->rotation, p.order, turn);
    slv_multiply_rows(p.before, turn, turn);
    slv_multiply_rows(turn, p.after, turn);
    double origin[3];
    place_origin(node, &p, turn, origin);
    const bool top = node->parent == SLV_NO_NODE;
    slv_pose_frame *frame = &scratch->frames[number];
    inherit(top ? &still : &scratch->frames[node->parent],
            top ? &unscaled : &scratch->nodes[node->parent], p.inheritance, turn, frame);
    double linear[3][3];
    slv_multiply_rows(frame->turn, frame->stretch, linear);
    double place[3];
    memcpy(place, origin, sizeof place);
    if (!top) {
        slv_affine_apply(&scratch->world_transforms[node->parent], origin, place);
    }
    slv_affine world;
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            world.m[r][k] = linear[r][k] * node->scale[k];
        }
        world.m[r][3] = place[r];
    }
    return world;
}

static slv_affine world_transform(const slv_character *c, uint32_t number,
                                  slv_pose_scratch *scratch) {
    const slv_character_node *node = &scratch->nodes[number];
    if (node->pivots != SLV_NO_PIVOTS) {
        return pivot_transform(c, number, scratch);
    }
    const slv_affine own = node->in_parts
                               ? slv_affine_compose(node->translation, node->rotation, node->scale)
                               : node->matrix;
    return node->parent == SLV_NO_NODE
               ? own
               : slv_affine_multiply(&scratch->world_transforms[node->parent], &own);
}

static void compute_world_transforms(const slv_character *c, slv_pose_scratch *scratch) {
    for (uint32_t i = 0; i < c->node_count; i++) {
        scratch->world_transforms[i] = world_transform(c, i, scratch);
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
