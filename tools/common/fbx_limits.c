// SPDX-License-Identifier: MIT
#include "tools/common/fbx_limits.h"

#include "tools/common/assimp_space.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// A node's world transform by InheritType: 1 (RSrs), the usual one, multiplies all matrices. 0 (RrSs) applies the scale of
// the parents after the rotation, which differs where that scale is not uniform. 2 (Rrs) leaves out the scale of the
// parent. Assimp treats all nodes as 1.
enum { ROTATION_FIRST = 0, INHERITS_ALL = 1, WITHOUT_PARENT = 2 };

// Relative difference of scales that counts as one: exporters write 0.99999994.
static const double SAME_SCALE = 1e-5;

#define HELPER "_$AssimpFbx$_"

// --- Skins --------------------------------------------------------------------------------------

// The first occurrence of a word; NULL where there is none.
static const char *find_word(const char *bytes, const char *end, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = bytes; (size_t)(end - at) >= length; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - length + 1);
        if (!at || !memcmp(at, word, length)) {
            return at;
        }
    }
    return NULL;
}

slv_result slv_fbx_check_limits(const void *bytes, size_t size, slv_error *error) {
    static const char *const refused[] = {"DualQuaternion", "Blend"};
    enum { DISTANCE = 16 }; // bytes between key and value: punctuation, or type and length
    const char *text = bytes;
    const char *end = text + size;
    const bool binary = size > 18 && !memcmp(text, "Kaydara FBX Binary", 18);
    const size_t head = size < 512 ? size : 512;
    if (!binary && !find_word(text, text + head, "FBX")) {
        return SLV_OK;
    }
    for (const char *at = find_word(text, end, "SkinningType"); at;
         at = find_word(at + 1, end, "SkinningType")) {
        const char *value = at + strlen("SkinningType");
        for (size_t i = 0; i < 2; i++) {
            const size_t room = strlen(refused[i]) + DISTANCE;
            const char *last = (size_t)(end - value) < room ? end : value + room;
            if (find_word(value, last, refused[i])) {
                return slv_fail(error, SLV_ERROR_CONTENT,
                                "has a skin of type '%s', which is not supported; export it as "
                                "linear, or export glTF",
                                refused[i]);
            }
        }
    }
    return SLV_OK;
}

// --- Inheritance --------------------------------------------------------------------------------

typedef struct scale_use {
    bool any, uneven; // a scale other than 1; one that differs between the axes
} scale_use;

static void add_scale(const double scale[3], scale_use *use) {
    for (int d = 0; d < 3; d++) {
        use->any = use->any || !(fabs(scale[d] - 1.0) <= SAME_SCALE);
        use->uneven = use->uneven || !(fabs(scale[d] - scale[0]) <= SAME_SCALE * fabs(scale[0]));
    }
}

static void add_rest_scale(const slv_character *c, uint32_t node, scale_use *use) {
    const slv_affine *m = &c->nodes[node].matrix;
    double lengths[3];
    for (int d = 0; d < 3; d++) {
        lengths[d] =
            sqrt(m->m[0][d] * m->m[0][d] + m->m[1][d] * m->m[1][d] + m->m[2][d] * m->m[2][d]);
    }
    add_scale(lengths, use);
}

// clip NULL: at rest.
static scale_use scale_of(const slv_character *c, uint32_t node, const slv_character_clip *clip) {
    scale_use use = {false, false};
    bool animated = false;
    for (uint32_t i = 0; clip && i < clip->channel_count; i++) {
        const slv_character_channel *channel = &c->channels[clip->first_channel + i];
        const bool scales = channel->node == node && channel->kind == SLV_CHANNEL_SCALE;
        animated = animated || scales;
        for (uint32_t k = 0; scales && k < channel->time_count; k++) {
            add_scale(c->values + channel->first_value + 3 * (size_t)k, &use);
        }
    }
    if (!animated) {
        add_rest_scale(c, node, &use);
    }
    return use;
}

// A node of the file may be a chain of nodes in the scene: helpers, then the node itself.
static bool is_helper(const struct aiNode *node) {
    return strstr(node->mName.data, HELPER) != NULL;
}

// Whether the node is placed wrongly because of the scale of a parent.
static bool is_affected(const slv_character *c, const struct aiNode *const *nodes, uint32_t node,
                        const slv_character_clip *clip) {
    const double type = slv_assimp_number(nodes[node]->mMetaData, "InheritType", INHERITS_ALL);
    if (type != ROTATION_FIRST && type != WITHOUT_PARENT) {
        return false;
    }
    uint32_t at = c->nodes[node].parent;
    while (at != SLV_NO_NODE && is_helper(nodes[at])) {
        at = c->nodes[at].parent; // helpers of the node itself
    }
    bool direct = true; // the parent or one of its helpers
    for (uint32_t first = at; at != SLV_NO_NODE; at = c->nodes[at].parent) {
        direct = direct && (at == first || is_helper(nodes[at]));
        const scale_use use = scale_of(c, at, clip);
        if (use.uneven || (direct && use.any && type == WITHOUT_PARENT)) {
            return true;
        }
    }
    return false;
}

slv_result slv_fbx_check_inheritance(slv_character *character, const struct aiNode *const *nodes,
                                     slv_error *error) {
    for (uint32_t i = 0; i < character->node_count; i++) {
        if (is_affected(character, nodes, i, NULL)) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "node '%.100s' does not inherit the scale of its parent (segment scale "
                            "compensation), which is not supported; freeze the scale before "
                            "exporting, or export glTF",
                            nodes[i]->mName.data);
        }
        for (uint32_t k = 0; k < character->clip_count; k++) {
            if (!character->clips[k].refused &&
                is_affected(character, nodes, i, &character->clips[k])) {
                character->clips[k].refused = 1;
            }
        }
    }
    return SLV_OK;
}
