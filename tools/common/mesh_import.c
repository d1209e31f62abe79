// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/mesh_import.h"

#include "formats/layout.h"
#include "tools/common/character_choice.h"
#include "tools/common/character_import.h"
#include "tools/common/character_mesh.h"
#include "tools/common/input_file.h"
#include "tools/common/mesh_build.h"
#include "tools/common/obj_reader.h"
#include "tools/common/obj_texture.h"
#include "tools/common/raw_choice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

static slv_result list_one_file(const char *path, slv_file_list *files, slv_error *error) {
    files->paths = malloc(sizeof *files->paths);
    char *copy = strdup(path);
    if (files->paths == NULL || copy == NULL) {
        free(copy);
        free(files->paths);
        files->paths = NULL;
        return slv_no_memory(error);
    }
    files->paths[0] = copy;
    files->count = 1;
    return SLV_OK;
}

static slv_result import_obj(const char *path, bool allow_paths, slv_raw_mesh *raw,
                             slv_file_list *files, uint64_t *hash, slv_error *error) {
    slv_input_file file;
    slv_result result = slv_input_file_read(path, &file, error);
    if (result != SLV_OK) {
        return result;
    }
    *hash = XXH3_64bits(file.bytes, file.size);
    result = slv_obj_read(file.bytes, file.size, raw, error);
    if (result == SLV_OK && files) {
        result = list_one_file(path, files, error);
    }
    if (result == SLV_OK && raw->uv_count > 0) {
        result = slv_obj_find_texture(path, allow_paths, &file, raw, files, hash, error);
    }
    slv_input_file_free(&file);
    return result;
}

// What a reader found, before it becomes a mesh.
typedef struct content {
    slv_raw_mesh raw;
    slv_import_space space; // of the file
    slv_part_counts parts;
    char *list;
    uint64_t hash;
} content;

static slv_result import_character(const char *path, const slv_import_options *options,
                                   content *found, slv_file_list *files, slv_error *error) {
    slv_character character;
    slv_result result = slv_character_import(path, options, &character, files, error);
    if (result != SLV_OK) {
        return result;
    }
    found->space = character.space;
    found->hash = character.input_hash;
    if (options->list) {
        const slv_import_space metres = slv_import_space_resolve(&character.space, options);
        found->list = slv_character_list(&character, &options->choice, &metres);
        result = found->list ? SLV_OK : slv_no_memory(error);
    } else {
        result = slv_character_choose(&character, &options->choice, &found->parts, error);
    }
    if (result == SLV_OK && !options->list) {
        result = slv_character_mesh(&character, options->clip_start, &found->raw, error);
    }
    slv_character_free(&character);
    return result;
}

static slv_result import_groups(const char *path, const slv_import_options *options, content *found,
                                slv_file_list *files, slv_error *error) {
    slv_result result =
        import_obj(path, options->allow_paths, &found->raw, files, &found->hash, error);
    if (result == SLV_OK && options->list) {
        const slv_import_space metres = slv_import_space_resolve(&found->space, options);
        return slv_raw_mesh_list(&found->raw, &metres, &found->list, error);
    }
    return result == SLV_OK
               ? slv_raw_mesh_choose(&found->raw, &options->choice, &found->parts, error)
               : result;
}

static slv_result build_mesh(content *found, const slv_import_options *options, slv_mesh *mesh,
                             slv_error *error) {
    const slv_import_space space = slv_import_space_resolve(&found->space, options);
    slv_raw_mesh *raw = &found->raw;
    const slv_result result = slv_mesh_build(raw, &space, options->undrawn, mesh, error);
    if (result == SLV_OK) {
        mesh->parts = found->parts;
        mesh->input_hash = found->hash;
        mesh->polygon_count += raw->split_polygon_count;
        mesh->texture = raw->uv_count > 0 ? raw->texture.bytes : NULL;
        mesh->texture_size = mesh->texture ? raw->texture.size : 0;
        memcpy(mesh->texture_note, raw->texture.note, sizeof mesh->texture_note);
        raw->texture.bytes = mesh->texture ? NULL : raw->texture.bytes;
    }
    return result;
}

static bool is_obj(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && !strcasecmp(dot, ".obj");
}

// Rejects by the first bytes what need not be read completely.
static slv_result check_head(const char *path, slv_error *error) {
    char head[SLV_INPUT_FILE_HEAD];
    size_t length = 0;
    slv_result result = slv_input_file_peek(path, head, &length, error);
    if (result != SLV_OK) {
        return result;
    }
    if (length >= sizeof SLV_PACK_MAGIC && !memcmp(head, SLV_PACK_MAGIC, sizeof SLV_PACK_MAGIC)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "this is a Selvage pack already, not a mesh");
    }
    while (length > 0 && length < sizeof head && head[length - 1] == '\0') {
        length--; // zeros at the end of the text are accepted
    }
    return is_obj(path) ? slv_obj_check_text(head, length, error) : SLV_OK;
}

slv_result slv_mesh_import(const char *path, const slv_import_options *options, slv_mesh *mesh,
                           slv_file_list *files, slv_error *error) {
    *mesh = (slv_mesh){.points = NULL};
    if (files) {
        *files = (slv_file_list){.paths = NULL};
    }
    content found = {.space = slv_import_space_default()};
    slv_result result = check_head(path, error);
    if (result == SLV_OK) {
        result =
            (is_obj(path) ? import_groups : import_character)(path, options, &found, files, error);
    }
    if (result == SLV_OK && !options->list) {
        result = build_mesh(&found, options, mesh, error);
    }
    mesh->list = found.list;
    slv_raw_mesh_free(&found.raw);
    if (result != SLV_OK && files) {
        slv_file_list_free(files);
    }
    return result;
}
