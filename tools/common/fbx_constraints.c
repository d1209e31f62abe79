// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Keys move a node, not constraints: a file with both keys and constraints is right by its keys alone. A node without keys that
// a constraint moves would stand still.

static bool has_keys(const slv_fbx_reader *r, const slv_character_clip *clip, uint32_t node) {
    const slv_character *c = &r->build->character;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const slv_character_channel *channel = &c->channels[clip->first_channel + i];
        if (channel->node == node && channel->kind != SLV_CHANNEL_WEIGHTS &&
            channel->time_count > 1) {
            return true;
        }
    }
    return false;
}

// Whether keys move a node or one above it.
static bool is_moved(const slv_fbx_reader *r, const slv_character_clip *clip, uint32_t node) {
    for (; node != SLV_NO_NODE; node = r->build->character.nodes[node].parent) {
        if (has_keys(r, clip, node)) {
            return true;
        }
    }
    return false;
}

// Whether the property names what the constraint moves: "Constrained object (Child)", "First Joint", "End Joint".
static bool is_driven(const slv_fbx_link *link) {
    static const char *const words[] = {"constrained", "joint"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t length = strlen(words[w]);
        for (size_t at = 0; at + length <= link->property_length; at++) {
            size_t same = 0;
            while (same < length &&
                   tolower((unsigned char)link->property[at + same]) == words[w][same]) {
                same++;
            }
            if (same == length) {
                return true;
            }
        }
    }
    return false;
}

static bool is_active(const slv_fbx_scene *scene, uint32_t object) {
    return slv_fbx_is(scene, object, "Constraint") &&
           !slv_fbx_is_class(scene, object, "Character") &&
           slv_fbx_property_number(scene, object, "Active", 1.0) != 0.0 &&
           slv_fbx_property_number(scene, object, "Weight", 100.0) != 0.0;
}

// The node that a constraint moves and that has no keys, while what it follows moves; SLV_NO_NODE: none.
static uint32_t driven_by(const slv_fbx_reader *r, const slv_character_clip *clip,
                          uint32_t constraint) {
    uint32_t still = SLV_NO_NODE;
    bool moves = false;
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(r->scene, constraint, "Model", &at)) != NULL) {
        const uint32_t node = r->node_of[link->from];
        if (!is_driven(link)) {
            moves = moves || is_moved(r, clip, node);
        } else if (!has_keys(r, clip, node)) {
            still = node;
        }
    }
    return moves ? still : SLV_NO_NODE;
}

bool slv_fbx_is_constrained(const slv_fbx_reader *r, const slv_character_clip *clip, char *reason,
                            size_t size) {
    for (uint32_t o = 0; o < r->scene->object_count; o++) {
        if (!is_active(r->scene, o)) {
            continue;
        }
        const uint32_t node = driven_by(r, clip, o);
        if (node != SLV_NO_NODE) {
            char moved[SLV_FBX_NAME_SIZE];
            char name[SLV_FBX_NAME_SIZE];
            slv_fbx_name(r->scene, r->model_of[node], moved, sizeof moved);
            slv_fbx_name(r->scene, o, name, sizeof name);
            (void)snprintf(reason, size,
                           "leaves node '%.80s' to the constraint '%.80s', which is not evaluated; "
                           "bake it to keys before exporting",
                           moved, name);
            return true;
        }
    }
    return false;
}
