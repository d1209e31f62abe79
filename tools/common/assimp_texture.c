// SPDX-License-Identifier: MIT
#include "tools/common/assimp_texture.h"

#include "formats/texture.h"
#include "tools/common/mesh_texture.h"

#include <assimp/material.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

// The texture name of a material; false where it has none for the UV set that is kept.
static bool get_name(const struct aiMaterial *material, struct aiString *name) {
    static const enum aiTextureType types[] = {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        unsigned channel = 0;
        if (aiGetMaterialTexture(material, types[i], 0, name, NULL, &channel, NULL, NULL, NULL,
                                 NULL) == aiReturn_SUCCESS &&
            name->length > 0 && channel == 0) {
            return true;
        }
    }
    return false;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *backslash = strrchr(path, '\\');
    slash = slash && backslash ? (slash > backslash ? slash : backslash)
            : slash            ? slash
                               : backslash;
    return slash ? slash + 1 : path;
}

// "*3" is embedded texture 3; others are found by their file name.
static const struct aiTexture *find_embedded(const struct aiScene *scene, const char *name) {
    if (name[0] == '*') {
        const unsigned long index = strtoul(name + 1, NULL, 10);
        return index < scene->mNumTextures ? scene->mTextures[index] : NULL;
    }
    for (unsigned i = 0; i < scene->mNumTextures; i++) {
        const char *known = scene->mTextures[i]->mFilename.data;
        if (known[0] != '\0' && strcmp(last_part(known), last_part(name)) == 0) {
            return scene->mTextures[i];
        }
    }
    return NULL;
}

bool slv_texture_take_beside(const char *path, const char *name, slv_assimp_files *files,
                             slv_mesh_texture *texture) {
    const slv_input_file *file = NULL;
    for (int n = 0; n < 2 && file == NULL; n++) {
        char *texture_path = slv_mesh_texture_path(path, name, n == 1);
        if (texture_path == NULL) {
            return false;
        }
        file = slv_assimp_files_load(files, texture_path);
        free(texture_path);
    }
    if (file == NULL) {
        const bool outside = slv_assimp_files_refusal(files, NULL) != SLV_OK;
        slv_mesh_texture_note(
            texture, outside ? SLV_TEXTURE_OUTSIDE : "%.150s is left out: there is no such file",
            name);
        return true;
    }
    return slv_mesh_texture_take(texture, name, file->bytes, file->size);
}

static bool take(const struct aiScene *scene, const char *path, const char *name,
                 slv_assimp_files *files, slv_mesh_texture *texture) {
    const struct aiTexture *embedded = find_embedded(scene, name);
    if (embedded == NULL) {
        return slv_texture_take_beside(path, name, files, texture);
    }
    if (embedded->mHeight != 0 || embedded->pcData == NULL) {
        slv_mesh_texture_note(texture, "%.120s is left out: it is no PNG file inside the mesh",
                              name);
        return true;
    }
    return slv_mesh_texture_take(texture, name, embedded->pcData, embedded->mWidth);
}

slv_result slv_assimp_find_texture(const struct aiScene *scene, const char *path,
                                   slv_assimp_files *files, slv_mesh_texture *texture,
                                   slv_error *error) {
    struct aiString first = {.length = 0};
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const unsigned index = scene->mMeshes[m]->mMaterialIndex;
        struct aiString name = {.length = 0};
        if (index >= scene->mNumMaterials || !get_name(scene->mMaterials[index], &name)) {
            continue;
        }
        if (first.length > 0 && strcmp(first.data, name.data) != 0) {
            slv_mesh_texture_note(texture, "%.120s is left out: a garment has one texture",
                                  name.data);
        } else if (first.length == 0) {
            first = name;
            if (!take(scene, path, name.data, files, texture)) {
                return slv_no_memory(error);
            }
        }
    }
    return SLV_OK;
}
