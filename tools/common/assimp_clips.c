// SPDX-License-Identifier: MIT
#include "tools/common/assimp_character.h"

#include <stdbool.h>
#include <string.h>

#define DEFAULT_TICKS 25.0 // per second, where the file has no value

typedef struct reader {
    const struct aiNode *const *nodes;
    slv_character_build *build;
    double seconds; // per tick
} reader;

static double *times_of(const reader *r, const slv_character_channel *channel) {
    return r->build->character.times + channel->first_time;
}

static double *values_of(const reader *r, const slv_character_channel *channel) {
    return r->build->character.values + channel->first_value;
}

// --- Keys of nodes ------------------------------------------------------------------------------

// A channel of `width` values a key, linear between keys, to be filled at *times and *values.
static slv_result start_channel(reader *r, uint32_t node, uint32_t kind, uint32_t width,
                                unsigned count, double **times, double **values, slv_error *error) {
    slv_character_channel *channel =
        slv_build_channel(r->build, kind, SLV_KEYS_LINEAR, width, count);
    if (!channel) {
        return slv_no_memory(error);
    }
    channel->node = node;
    *times = times_of(r, channel);
    *values = values_of(r, channel);
    return SLV_OK;
}

static slv_result add_vectors(reader *r, uint32_t node, uint32_t kind,
                              const struct aiVectorKey *keys, unsigned count, slv_error *error) {
    double *times = NULL;
    double *values = NULL;
    if (count == 0 || !keys) {
        return SLV_OK;
    }
    const slv_result result = start_channel(r, node, kind, 3, count, &times, &values, error);
    for (unsigned k = 0; result == SLV_OK && k < count; k++) {
        times[k] = keys[k].mTime * r->seconds;
        values[3 * (size_t)k] = (double)keys[k].mValue.x;
        values[3 * (size_t)k + 1] = (double)keys[k].mValue.y;
        values[3 * (size_t)k + 2] = (double)keys[k].mValue.z;
    }
    return result;
}

static slv_result add_rotations(reader *r, uint32_t node, const struct aiQuatKey *keys,
                                unsigned count, slv_error *error) {
    double *times = NULL;
    double *values = NULL;
    if (count == 0 || !keys) {
        return SLV_OK;
    }
    const slv_result result =
        start_channel(r, node, SLV_CHANNEL_ROTATION, 4, count, &times, &values, error);
    for (unsigned k = 0; result == SLV_OK && k < count; k++) {
        times[k] = keys[k].mTime * r->seconds;
        const struct aiQuaternion *q = &keys[k].mValue;
        const double quaternion[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
        memcpy(values + 4 * (size_t)k, quaternion, sizeof quaternion);
    }
    return result;
}

static slv_result add_channel(reader *r, const struct aiNodeAnim *keys, slv_error *error) {
    const uint32_t node =
        slv_assimp_find_node(r->nodes, r->build->character.node_count, keys->mNodeName.data);
    if (node == SLV_NO_NODE) {
        return SLV_OK; // the target is not in the scene, for example that of a camera
    }
    slv_result result = add_vectors(r, node, SLV_CHANNEL_TRANSLATION, keys->mPositionKeys,
                                    keys->mNumPositionKeys, error);
    if (result == SLV_OK) {
        result = add_rotations(r, node, keys->mRotationKeys, keys->mNumRotationKeys, error);
    }
    return result == SLV_OK ? add_vectors(r, node, SLV_CHANNEL_SCALE, keys->mScalingKeys,
                                          keys->mNumScalingKeys, error)
                            : result;
}

// --- Morph weights ------------------------------------------------------------------------------

static bool is_named(const struct aiString *name, const char *wanted) {
    const size_t length = strcspn(wanted, "*"); // without a channel number: "face*0"
    return name->length == length && !strncmp(name->data, wanted, length);
}

// The node whose morph targets a channel animates: the channel has the name of the node or of its
// mesh.
static uint32_t find_morphed(const struct aiScene *scene, const reader *r, const char *name) {
    const slv_character *c = &r->build->character;
    for (uint32_t i = 0; i < c->part_count; i++) {
        const struct aiNode *node = r->nodes[c->parts[i].node];
        bool found = c->parts[i].target_count > 0 && is_named(&node->mName, name);
        for (unsigned m = 0; c->parts[i].target_count > 0 && m < node->mNumMeshes; m++) {
            found = found || is_named(&scene->mMeshes[node->mMeshes[m]]->mName, name);
        }
        if (found) {
            return i;
        }
    }
    return UINT32_MAX;
}

static slv_result add_weights(const struct aiScene *scene, reader *r,
                              const struct aiMeshMorphAnim *keys, slv_error *error) {
    const uint32_t part = find_morphed(scene, r, keys->mName.data);
    if (part == UINT32_MAX) {
        return slv_fail(error, SLV_ERROR_CONTENT, "morph keys for '%.100s' fit no mesh in the file",
                        keys->mName.data);
    }
    const uint32_t width = r->build->character.parts[part].target_count;
    if (keys->mNumKeys == 0) {
        return SLV_OK;
    }
    slv_character_channel *channel =
        slv_build_channel(r->build, SLV_CHANNEL_WEIGHTS, SLV_KEYS_LINEAR, width, keys->mNumKeys);
    if (!channel) {
        return slv_no_memory(error);
    }
    channel->node = r->build->character.parts[part].node;
    for (unsigned k = 0; k < keys->mNumKeys; k++) {
        const struct aiMeshMorphKey *key = &keys->mKeys[k];
        times_of(r, channel)[k] = key->mTime * r->seconds;
        for (unsigned w = 0; w < key->mNumValuesAndWeights; w++) {
            if (key->mValues[w] < width) {
                values_of(r, channel)[(size_t)k * width + key->mValues[w]] = key->mWeights[w];
            }
        }
    }
    return SLV_OK;
}

// --- Clips --------------------------------------------------------------------------------------

static slv_result add_clip(const struct aiScene *scene, reader *r,
                           const struct aiAnimation *animation, slv_error *error) {
    if (animation->mNumMeshChannels > 0) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "clip '%.100s' replaces whole meshes, which is not supported; export a "
                        "sequence of OBJ files",
                        animation->mName.data);
    }
    if (!slv_build_clip(r->build, animation->mName.data)) {
        return slv_no_memory(error);
    }
    const double ticks = animation->mTicksPerSecond;
    r->seconds = 1.0 / (ticks > 0.0 ? ticks : DEFAULT_TICKS);
    slv_result result = SLV_OK;
    for (unsigned i = 0; result == SLV_OK && i < animation->mNumChannels; i++) {
        result = add_channel(r, animation->mChannels[i], error);
    }
    for (unsigned i = 0; result == SLV_OK && i < animation->mNumMorphMeshChannels; i++) {
        result = add_weights(scene, r, animation->mMorphMeshChannels[i], error);
    }
    slv_build_clip_end(r->build);
    return result;
}

slv_result slv_assimp_clips(const struct aiScene *scene, const struct aiNode *const *nodes,
                            slv_character_build *build, slv_error *error) {
    reader r = {.nodes = nodes, .build = build};
    slv_result result = SLV_OK;
    for (unsigned i = 0; result == SLV_OK && i < scene->mNumAnimations; i++) {
        result = add_clip(scene, &r, scene->mAnimations[i], error);
    }
    return result;
}
