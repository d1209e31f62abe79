// SPDX-License-Identifier: MIT
#include "tools/common/assimp_texture.h"
#include "tools/common/fbx_character.h"

#include <string.h>

// A material's color property is connected to a Texture, perhaps by a LayeredTexture; a Texture to a Video, which names a file
// or holds its bytes.

static bool is_base_color(const slv_fbx_link *link) {
    static const char *const names[] = {"DiffuseColor", "Maya|baseColor", "Maya|TEX_color_map",
                                        "3dsMax|Parameters|base_color_map",
                                        "3dsMax|Parameters|basecolor_map"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        found = found || slv_fbx_link_is(link, names[i]);
    }
    return found;
}

static uint32_t find_texture(const slv_fbx_scene *scene, uint32_t material) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(scene, material, NULL, &at)) != NULL) {
        uint32_t inner = 0;
        const slv_fbx_link *layer = NULL;
        if (!is_base_color(link)) {
            continue;
        }
        if (slv_fbx_is(scene, link->from, "Texture")) {
            return link->from;
        }
        if (slv_fbx_is(scene, link->from, "LayeredTexture") &&
            (layer = slv_fbx_source(scene, link->from, "Texture", &inner)) != NULL) {
            return layer->from;
        }
    }
    return SLV_FBX_NONE;
}

static bool get_path(const slv_fbx_scene *scene, uint32_t object, char *path) {
    static const char *const names[] = {"RelativeFilename", "FileName", "Filename"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        slv_fbx_value value;
        if (slv_fbx_child_text(&scene->file, scene->objects[object].node, names[i], &value) &&
            value.length > 0 && value.length < SLV_FBX_NAME_SIZE) {
            memcpy(path, value.text, value.length);
            path[value.length] = '\0';
            return true;
        }
    }
    return false;
}

static bool take(const slv_fbx_scene *scene, uint32_t object, const char *path, const char *name,
                 slv_assimp_files *files, slv_mesh_texture *texture) {
    uint32_t at = 0;
    const slv_fbx_link *video = slv_fbx_source(scene, object, "Video", &at);
    slv_fbx_value content;
    if (!video || scene->file.is_text ||
        !slv_fbx_child_text(&scene->file, scene->objects[video->from].node, "Content", &content) ||
        content.length == 0) {
        return slv_texture_take_beside(path, name, files, texture);
    }
    return slv_mesh_texture_take(texture, name, content.text, content.length);
}

slv_result slv_fbx_find_texture(const slv_fbx_scene *scene, const char *path,
                                slv_assimp_files *files, slv_mesh_texture *texture,
                                slv_error *error) {
    char first[SLV_FBX_NAME_SIZE] = "";
    for (uint32_t o = 0; o < scene->object_count; o++) {
        char name[SLV_FBX_NAME_SIZE];
        uint32_t at = 0;
        if (!slv_fbx_is(scene, o, "Material") || !slv_fbx_target(scene, o, "Model", &at)) {
            continue;
        }
        const uint32_t object = find_texture(scene, o);
        if (object == SLV_FBX_NONE || !get_path(scene, object, name)) {
            continue;
        }
        if (first[0] != '\0' && strcmp(first, name) != 0) {
            slv_mesh_texture_note(texture, "%.120s is left out: a garment has one texture", name);
        } else if (first[0] == '\0') {
            memcpy(first, name, sizeof first);
            if (!take(scene, object, path, name, files, texture)) {
                return slv_no_memory(error);
            }
        }
    }
    return SLV_OK;
}
