// SPDX-License-Identifier: MIT
#include "tools/common/gltf_character.h"

#include "tools/common/gltf_extensions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t kind_of(const char *path) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    for (uint32_t i = 0; path && i < SLV_CHANNEL_COUNT; i++) {
        if (!strcmp(path, paths[i])) {
            return i;
        }
    }
    return SLV_CHANNEL_COUNT;
}

static uint32_t keys_of(const cJSON *sampler) {
    const char *name =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(sampler, "interpolation"));
    return name && !strcmp(name, "STEP")          ? SLV_KEYS_STEP
           : name && !strcmp(name, "CUBICSPLINE") ? SLV_KEYS_CUBIC
                                                  : SLV_KEYS_LINEAR;
}

// Morph targets of the meshes at a node.
static uint32_t targets_at(const slv_character *c, uint32_t node) {
    for (uint32_t i = 0; i < c->part_count; i++) {
        if (c->parts[i].node == node && c->parts[i].target_count > 0) {
            return c->parts[i].target_count;
        }
    }
    return 0;
}

static slv_result add_keys(slv_character_build *build, uint32_t node, uint32_t kind, uint32_t keys,
                           const slv_gltf_numbers *times, const slv_gltf_numbers *values,
                           slv_error *error) {
    const uint32_t width = kind == SLV_CHANNEL_WEIGHTS    ? targets_at(&build->character, node)
                           : kind == SLV_CHANNEL_ROTATION ? 4
                                                          : 3;
    const uint64_t needed = (uint64_t)times->count * width * (keys == SLV_KEYS_CUBIC ? 3 : 1);
    if (width == 0) {
        return SLV_OK; // weights of a mesh without targets or outside the scene
    }
    if ((uint64_t)values->count * values->width != needed) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "an animation has %u times, but %u values that do not fit them",
                        times->count, values->count);
    }
    slv_character_channel *channel = slv_build_channel(build, kind, keys, width, times->count);
    if (!channel) {
        return slv_no_memory(error);
    }
    channel->node = node;
    const slv_character *c = &build->character;
    memcpy(c->times + channel->first_time, times->values, times->count * sizeof *c->times);
    memcpy(c->values + channel->first_value, values->values, (size_t)needed * sizeof *c->values);
    return SLV_OK;
}

// KHR_animation_pointer: "/nodes/3/translation". What else moves vertices is refused; materials and cameras do not.
static void find_pointed(const cJSON *target, uint32_t *node, uint32_t *kind,
                         slv_character_build *build) {
    const cJSON *extension = slv_gltf_extension(target, "KHR_animation_pointer");
    const char *pointer =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(extension, "pointer"));
    if (!pointer || (strncmp(pointer, "/nodes/", 7) != 0 && strncmp(pointer, "/meshes/", 8) != 0) ||
        strstr(pointer, "/extensions/")) {
        return;
    }
    const char *digits = pointer + 7;
    size_t length = strspn(digits, "0123456789");
    uint64_t number = 0;
    for (size_t i = 0; i < length && i < 10; i++) {
        number = 10 * number + (uint64_t)(digits[i] - '0');
    }
    *kind = length > 0 && length < 10 && digits[length] == '/' && pointer[1] == 'n'
                ? kind_of(digits + length + 1)
                : SLV_CHANNEL_COUNT;
    if (*kind != SLV_CHANNEL_COUNT) {
        *node = (uint32_t)number;
        return;
    }
    char reason[160];
    (void)snprintf(reason, sizeof reason, "animates '%.80s', which is not read", pointer);
    slv_build_clip_refused(build, reason);
}

static slv_result add_channel(const slv_gltf *gltf, const slv_gltf_list *samplers,
                              const cJSON *item, const uint32_t *number_of,
                              slv_character_build *build, slv_error *error) {
    const cJSON *target = cJSON_GetObjectItemCaseSensitive(item, "target");
    uint32_t node = slv_gltf_index(target, "node", UINT32_MAX);
    uint32_t kind = kind_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(target, "path")));
    if (kind == SLV_CHANNEL_COUNT) {
        find_pointed(target, &node, &kind, build);
    }
    if (node == UINT32_MAX || kind == SLV_CHANNEL_COUNT) {
        return SLV_OK; // properties of extensions do not change the shape
    }
    if (node >= slv_gltf_count(gltf, "nodes")) {
        return slv_fail(error, SLV_ERROR_CONTENT, "an animation moves node %u, which is missing",
                        node);
    }
    const uint32_t number = slv_gltf_index(item, "sampler", UINT32_MAX);
    const cJSON *sampler = number < samplers->count ? samplers->items[number].json : NULL;
    slv_gltf_numbers times = {0};
    slv_gltf_numbers values = {0};
    slv_result result =
        slv_gltf_read(gltf, slv_gltf_index(sampler, "input", UINT32_MAX), 1, &times, error);
    if (result == SLV_OK) {
        result =
            slv_gltf_read(gltf, slv_gltf_index(sampler, "output", UINT32_MAX), 0, &values, error);
    }
    if (result == SLV_OK) {
        result = add_keys(build, number_of[node], kind, keys_of(sampler), &times, &values, error);
    }
    free(times.values);
    free(values.values);
    return result;
}

slv_result slv_gltf_clips(const slv_gltf *gltf, const uint32_t *number_of,
                          slv_character_build *build, slv_error *error) {
    slv_result result = SLV_OK;
    const cJSON *animation = NULL;
    cJSON_ArrayForEach(animation, cJSON_GetObjectItemCaseSensitive(gltf->root, "animations")) {
        const char *name =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(animation, "name"));
        if (!slv_build_clip(build, name ? name : "")) {
            return slv_no_memory(error);
        }
        slv_gltf_list samplers;
        result = slv_gltf_list_items(cJSON_GetObjectItemCaseSensitive(animation, "samplers"),
                                     &samplers, error);
        const cJSON *item = NULL;
        cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(animation, "channels")) {
            if (result == SLV_OK) {
                result = add_channel(gltf, &samplers, item, number_of, build, error);
            }
        }
        free(samplers.items);
        if (result != SLV_OK) {
            return result;
        }
        slv_build_clip_end(build);
    }
    return SLV_OK;
}
