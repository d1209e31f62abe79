// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/gltf_file.h"

#include "tools/common/base64.h"
#include "tools/common/gltf_extensions.h"
#include "tools/common/json_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLB_MAGIC 0x46546C67u
#define GLB_JSON 0x4E4F534Au
#define GLB_BINARY 0x004E4942u

static uint32_t word_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

// --- The container ------------------------------------------------------------------------------

typedef struct pieces {
    const char *json;
    size_t json_size;
    slv_gltf_buffer binary;
} pieces;

static slv_result split_binary(const uint8_t *bytes, size_t size, pieces *found, slv_error *error) {
    if (size < 20 || word_at(bytes + 4) != 2) {
        return slv_fail(error, SLV_ERROR_CONTENT, "not binary glTF of version 2");
    }
    size_t at = 12;
    while (size - at >= 8) {
        const size_t length = word_at(bytes + at);
        const uint32_t kind = word_at(bytes + at + 4);
        if (length > size - at - 8) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "is cut off: a chunk of %zu bytes is not all there", length);
        }
        if (kind == GLB_JSON && !found->json) {
            found->json = (const char *)bytes + at + 8;
            found->json_size = length;
        } else if (kind == GLB_BINARY && !found->binary.bytes) {
            found->binary = (slv_gltf_buffer){.bytes = bytes + at + 8, .size = length};
        }
        at += 8 + length;
    }
    return found->json ? SLV_OK : slv_fail(error, SLV_ERROR_CONTENT, "has no JSON in it");
}

static slv_result split(const slv_input_file *file, pieces *found, slv_error *error) {
    const uint8_t *bytes = (const uint8_t *)file->bytes;
    *found = (pieces){0};
    if (file->size >= 12 && word_at(bytes) == GLB_MAGIC) {
        return split_binary(bytes, file->size, found, error);
    }
    found->json = file->bytes;
    found->json_size = file->size;
    return SLV_OK;
}

static slv_result check_version(const slv_gltf *gltf, slv_error *error) {
    const cJSON *asset = cJSON_GetObjectItemCaseSensitive(gltf->root, "asset");
    const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(asset, "version"));
    if (!version || strncmp(version, "2.", 2) != 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "not glTF of version 2");
    }
    return slv_gltf_check_required(
        cJSON_GetObjectItemCaseSensitive(gltf->root, "extensionsRequired"), error);
}

// --- Buffers ------------------------------------------------------------------------------------

static slv_result load_text(const char *uri, slv_gltf_buffer *buffer, slv_error *error) {
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "a data URI is not base64");
    }
    const slv_result result = slv_base64_decode(comma + 1, &buffer->owned, &buffer->size, error);
    buffer->bytes = buffer->owned;
    return result;
}

static slv_result load_file(const char *path, const char *uri, slv_assimp_files *files,
                            slv_gltf_buffer *buffer, slv_error *error) {
    const slv_result allowed = slv_assimp_files_check_name(files, uri, error);
    if (allowed != SLV_OK) {
        return allowed;
    }
    const char *slash = uri[0] != '/' ? strrchr(path, '/') : NULL;
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    const size_t size = (size_t)folder + strlen(uri) + 1;
    char *name = malloc(size);
    if (!name) {
        return slv_no_memory(error);
    }
    (void)snprintf(name, size, "%.*s%s", folder, path, uri);
    const slv_input_file *file = slv_assimp_files_load(files, name);
    free(name);
    if (!file && slv_assimp_files_error(files, error) == SLV_ERROR_MEMORY) {
        return SLV_ERROR_MEMORY;
    }
    if (!file && slv_assimp_files_refusal(files, error) != SLV_OK) {
        return SLV_ERROR_CONTENT;
    }
    if (!file) {
        return slv_fail(error, SLV_ERROR_FILE, "its buffer '%.200s' cannot be read", uri);
    }
    buffer->bytes = (const uint8_t *)file->bytes;
    buffer->size = file->size;
    return SLV_OK;
}

static slv_result load_buffer(const char *path, slv_assimp_files *files, const cJSON *item,
                              const slv_gltf_buffer *binary, slv_gltf_buffer *buffer,
                              slv_error *error) {
    const char *uri = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "uri"));
    const uint32_t length = slv_gltf_index(item, "byteLength", UINT32_MAX);
    bool empty = false;
    slv_result result = slv_gltf_check_buffer(item, &empty, error);
    if (result != SLV_OK || empty) {
        return result;
    }
    if (!uri) {
        *buffer = *binary;
        result = binary->bytes ? SLV_OK : slv_fail(error, SLV_ERROR_CONTENT, "a buffer is missing");
    } else if (!strncmp(uri, "data:", 5)) {
        result = load_text(uri, buffer, error);
    } else {
        result = load_file(path, uri, files, buffer, error);
    }
    if (result == SLV_OK && length > buffer->size) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "a buffer has %zu bytes, should have %u",
                          buffer->size, length);
    }
    return result;
}

static slv_result load_buffers(const char *path, slv_assimp_files *files,
                               const slv_gltf_buffer *binary, slv_gltf *gltf, slv_error *error) {
    const uint32_t count = slv_gltf_count(gltf, "buffers");
    gltf->buffers = calloc((size_t)count + 1, sizeof *gltf->buffers);
    if (!gltf->buffers) {
        return slv_no_memory(error);
    }
    slv_result result = SLV_OK;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(gltf->root, "buffers")) {
        if (result == SLV_OK) {
            result =
                load_buffer(path, files, item, binary, &gltf->buffers[gltf->buffer_count++], error);
        }
    }
    return result;
}

// Top-level arrays that may be long and whose elements are looked up by their numbers.
static const char *const listed[SLV_GLTF_LISTS] = {"nodes",       "meshes",    "accessors",
                                                   "bufferViews", "materials", "skins"};

slv_result slv_gltf_list_items(const cJSON *array, slv_gltf_list *list, slv_error *error) {
    const int size = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
    *list = (slv_gltf_list){.items = calloc((size_t)size + 1, sizeof *list->items)};
    if (!list->items) {
        return slv_no_memory(error);
    }
    const cJSON *item = size > 0 ? array->child : NULL;
    for (; item; item = item->next) {
        list->items[list->count++].json = item;
    }
    return SLV_OK;
}

static slv_result list_items(slv_gltf *gltf, slv_error *error) {
    slv_result result = SLV_OK;
    for (size_t i = 0; result == SLV_OK && i < SLV_GLTF_LISTS; i++) {
        const cJSON *array = cJSON_GetObjectItemCaseSensitive(gltf->root, listed[i]);
        result = slv_gltf_list_items(array, &gltf->lists[i], error);
    }
    return result;
}

slv_result slv_gltf_open(const char *path, slv_assimp_files *files, slv_gltf *gltf,
                         slv_error *error) {
    *gltf = (slv_gltf){0};
    pieces found;
    const slv_input_file *file = slv_assimp_files_load(files, path);
    if (!file) {
        slv_result result = slv_assimp_files_error(files, error);
        return result != SLV_OK ? result : slv_fail(error, SLV_ERROR_FILE, "cannot be read");
    }
    slv_result result = split(file, &found, error);
    if (result == SLV_OK) {
        slv_json_begin();
        gltf->root = cJSON_ParseWithLength(found.json, found.json_size);
        result = gltf->root ? check_version(gltf, error)
                 : slv_json_out_of_memory()
                     ? slv_no_memory(error)
                     : slv_fail(error, SLV_ERROR_CONTENT, "its JSON is damaged");
    }
    if (result == SLV_OK) {
        result = list_items(gltf, error);
    }
    if (result == SLV_OK) {
        result = load_buffers(path, files, &found.binary, gltf, error);
    }
    if (result == SLV_OK) {
        gltf->view_count = slv_gltf_count(gltf, "bufferViews");
        gltf->views = calloc((size_t)gltf->view_count + 1, sizeof *gltf->views);
        gltf->accessor_count = slv_gltf_count(gltf, "accessors");
        gltf->accessors = calloc((size_t)gltf->accessor_count + 1, sizeof *gltf->accessors);
        result = gltf->views && gltf->accessors ? SLV_OK : slv_no_memory(error);
    }
    if (result != SLV_OK) {
        slv_gltf_close(gltf);
    }
    return result;
}

static void free_buffers(slv_gltf_buffer *buffers, uint32_t count) {
    for (uint32_t i = 0; buffers && i < count; i++) {
        free(buffers[i].owned);
    }
    free(buffers);
}

void slv_gltf_close(slv_gltf *gltf) {
    for (size_t i = 0; i < SLV_GLTF_LISTS; i++) {
        free(gltf->lists[i].items);
    }
    free_buffers(gltf->buffers, gltf->buffer_count);
    free_buffers(gltf->views, gltf->view_count);
    free_buffers(gltf->accessors, gltf->accessor_count);
    cJSON_Delete(gltf->root);
    *gltf = (slv_gltf){0};
}

// --- JSON ---------------------------------------------------------------------------------------

// SLV_GLTF_LISTS where the array is not listed.
static size_t find_list(const char *array) {
    size_t i = 0;
    while (i < SLV_GLTF_LISTS && strcmp(array, listed[i]) != 0) {
        i++;
    }
    return i;
}

const cJSON *slv_gltf_item(const slv_gltf *gltf, const char *array, uint32_t index) {
    const size_t list = find_list(array);
    if (list < SLV_GLTF_LISTS) {
        return index < gltf->lists[list].count ? gltf->lists[list].items[index].json : NULL;
    }
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(gltf->root, array);
    return cJSON_IsArray(items) && index < INT32_MAX ? cJSON_GetArrayItem(items, (int)index) : NULL;
}

uint32_t slv_gltf_count(const slv_gltf *gltf, const char *array) {
    const size_t list = find_list(array);
    if (list < SLV_GLTF_LISTS) {
        return gltf->lists[list].count;
    }
    const int count = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(gltf->root, array));
    return count > 0 ? (uint32_t)count : 0;
}

uint32_t slv_gltf_index(const cJSON *object, const char *key, uint32_t otherwise) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0.0) || item->valuedouble >= UINT32_MAX ||
        item->valuedouble != (double)(uint32_t)item->valuedouble) {
        return otherwise;
    }
    return (uint32_t)item->valuedouble;
}
