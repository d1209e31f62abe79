// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/base64.h"
#include "tools/common/gltf_character.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An image is a file beside the glTF, a data URI, or a view of a buffer.

static bool take_data(const char *uri, const char *name, slv_mesh_texture *texture) {
    const char *comma = strchr(uri, ',');
    uint8_t *bytes = NULL;
    size_t size = 0;
    slv_error why = {.code = SLV_OK};
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0 ||
        slv_base64_decode(comma + 1, &bytes, &size, &why) != SLV_OK) {
        slv_mesh_texture_note(texture, "%.120s is left out: its data URI cannot be read", name);
        return why.code != SLV_ERROR_MEMORY;
    }
    const bool taken = slv_mesh_texture_take(texture, name, bytes, size);
    free(bytes);
    return taken;
}

static bool take_file(const char *path, const char *uri, slv_assimp_files *files,
                      slv_mesh_texture *texture) {
    const slv_input_file *file = NULL;
    if (slv_assimp_files_check_name(files, uri, NULL) != SLV_OK) {
        slv_mesh_texture_note(texture, SLV_TEXTURE_OUTSIDE, uri);
        return true;
    }
    char *name = slv_mesh_texture_path(path, uri, false);
    if (!name) {
        return false;
    }
    file = slv_assimp_files_load(files, name);
    free(name);
    if (!file) {
        const bool outside = slv_assimp_files_refusal(files, NULL) != SLV_OK;
        slv_mesh_texture_note(
            texture, outside ? SLV_TEXTURE_OUTSIDE : "%.150s is left out: there is no such file",
            uri);
        return true;
    }
    return slv_mesh_texture_take(texture, uri, file->bytes, file->size);
}

static bool take_image(const slv_gltf *gltf, uint32_t image, const char *path,
                       slv_assimp_files *files, slv_mesh_texture *texture) {
    const cJSON *item = slv_gltf_item(gltf, "images", image);
    const char *uri = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "uri"));
    const char *named = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
    char name[128];
    (void)snprintf(name, sizeof name, "image %u", image);
    named = named ? named : name;
    if (uri) {
        return strncmp(uri, "data:", 5) != 0 ? take_file(path, uri, files, texture)
                                             : take_data(uri, named, texture);
    }
    size_t size = 0;
    const uint8_t *bytes =
        slv_gltf_view(gltf, slv_gltf_index(item, "bufferView", UINT32_MAX), &size);
    if (!bytes) {
        slv_mesh_texture_note(texture, "%.120s is left out: its bytes are not there", named);
        return true;
    }
    return slv_mesh_texture_take(texture, named, bytes, size);
}

// Marks the materials that meshes of the file use.
static void mark_materials(const slv_gltf *gltf, bool *used, uint32_t count) {
    const cJSON *mesh = NULL;
    cJSON_ArrayForEach(mesh, cJSON_GetObjectItemCaseSensitive(gltf->root, "meshes")) {
        const cJSON *primitive = NULL;
        cJSON_ArrayForEach(primitive, cJSON_GetObjectItemCaseSensitive(mesh, "primitives")) {
            const uint32_t material = slv_gltf_index(primitive, "material", UINT32_MAX);
            if (material < count) {
                used[material] = true;
            }
        }
    }
}

slv_result slv_gltf_find_texture(const slv_gltf *gltf, const char *path, slv_assimp_files *files,
                                 slv_mesh_texture *texture, slv_error *error) {
    const uint32_t count = slv_gltf_count(gltf, "materials");
    bool *used = calloc((size_t)count + 1, sizeof *used);
    if (!used) {
        return slv_no_memory(error);
    }
    mark_materials(gltf, used, count);
    uint32_t first = UINT32_MAX;
    slv_result result = SLV_OK;
    for (uint32_t m = 0; result == SLV_OK && m < count; m++) {
        const cJSON *info = slv_gltf_base_color(slv_gltf_item(gltf, "materials", m));
        const cJSON *item =
            slv_gltf_item(gltf, "textures", slv_gltf_index(info, "index", UINT32_MAX));
        const uint32_t image = slv_gltf_index(item, "source", UINT32_MAX);
        if (!used[m] || !item || image == first) {
            continue;
        }
        if (image == UINT32_MAX) {
            slv_mesh_texture_note(texture, "%s is left out: its image is in no format that is read",
                                  "the base color");
        } else if (first != UINT32_MAX) {
            slv_mesh_texture_note(texture, "image %u is left out: a garment has one texture",
                                  image);
        } else {
            first = image;
            result = take_image(gltf, image, path, files, texture) ? SLV_OK : slv_no_memory(error);
        }
    }
    free(used);
    return result;
}
