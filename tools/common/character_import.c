// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/character_import.h"

#include "tools/common/assimp_character.h"
#include "tools/common/assimp_files.h"
#include "tools/common/assimp_run.h"
#include "tools/common/assimp_texture.h"
#include "tools/common/character_pose.h"
#include "tools/common/character_stream.h"
#include "tools/common/child_process.h"
#include "tools/common/fbx_character.h"
#include "tools/common/gltf_character.h"
#include "tools/common/key_curves.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <string.h>
#include <strings.h>

// --- In the child -------------------------------------------------------------------------------

static bool is_gltf(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot &&
           (!strcasecmp(dot, ".gltf") || !strcasecmp(dot, ".glb") || !strcasecmp(dot, ".vrm"));
}

static slv_result read_gltf(const char *path, slv_assimp_files *files, slv_character_build *build,
                            slv_error *error) {
    slv_gltf gltf;
    slv_result result = slv_gltf_open(path, files, &gltf, error);
    if (result == SLV_OK) {
        result = slv_gltf_character(&gltf, build, error);
        if (result == SLV_OK && build->shaded) {
            result = slv_gltf_find_texture(&gltf, path, files, &build->character.texture, error);
        }
        slv_gltf_close(&gltf);
    }
    return result;
}

// By the name or the first bytes.
static bool is_fbx(const char *path) {
    const char *dot = strrchr(path, '.');
    char head[SLV_INPUT_FILE_HEAD];
    size_t length = 0;
    return (dot && !strcasecmp(dot, ".fbx")) ||
           (slv_input_file_peek(path, head, &length, NULL) == SLV_OK &&
            (slv_fbx_is_binary(head, length) || slv_fbx_is_text(head, length)));
}

static slv_result read_fbx(const char *path, slv_assimp_files *files, slv_character_build *build,
                           slv_error *error) {
    const slv_input_file *file = slv_assimp_files_load(files, path);
    if (!file) {
        return slv_input_file_check(path, error) == SLV_OK ? slv_no_memory(error) : error->code;
    }
    slv_fbx_scene scene;
    slv_result result = slv_fbx_scene_open(file->bytes, file->size, &scene, error);
    if (result == SLV_OK) {
        result = slv_fbx_character(&scene, build, error);
        if (result == SLV_OK && build->shaded) {
            result = slv_fbx_find_texture(&scene, path, files, &build->character.texture, error);
        }
        slv_fbx_scene_close(&scene);
    }
    return result;
}

static slv_result read_by_assimp(const char *path, slv_assimp_files *files,
                                 slv_character_build *build, slv_error *error) {
    slv_result result = slv_assimp_check_file(path, error);
    if (result != SLV_OK) {
        return result;
    }
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties) {
        return slv_no_memory(error);
    }
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene =
        aiImportFileExWithProperties(path, 0, slv_assimp_files_io(files), properties);
    aiReleasePropertyStore(properties);
    if (!scene) {
        return slv_assimp_explain(files, error);
    }
    result = slv_assimp_character(scene, build, error);
    if (result == SLV_OK && build->shaded) {
        result = slv_assimp_find_texture(scene, path, files, &build->character.texture, error);
    }
    aiReleaseImport(scene);
    const slv_input_file *file = slv_assimp_files_load(files, path);
    if (result == SLV_OK && file) {
        build->character.curves_unknown =
            slv_keys_are_straight(path, file->bytes, file->size) ? 0 : 1;
    }
    return result;
}

static slv_result read_character(const char *path, slv_assimp_files *files,
                                 slv_character_build *build, slv_file_list *list,
                                 slv_error *error) {
    slv_result (*read)(const char *, slv_assimp_files *, slv_character_build *, slv_error *) =
        is_gltf(path)  ? read_gltf
        : is_fbx(path) ? read_fbx
                       : read_by_assimp;
    slv_result result = read(path, files, build, error);
    if (result == SLV_OK) {
        result = slv_assimp_files_report(files, list, &build->character.input_hash, error);
    }
    return result;
}

typedef struct import_job {
    const char *path;
    bool shaded, allow_paths;
} import_job;

// Memory is not freed: the process ends when this returns.
static void work(FILE *out, void *context) {
    const import_job *job = context;
    slv_character_build build = {.shaded = job->shaded};
    slv_character_message message = {.error = {.code = SLV_OK}};
    build.character.space = slv_import_space_default();
    slv_assimp_watch_memory();
    slv_assimp_files *files = slv_assimp_files_create(job->path, job->allow_paths);
    if (!files) {
        (void)slv_no_memory(&message.error);
    } else {
        (void)read_character(job->path, files, &build, &message.files, &message.error);
    }
    message.character = build.character;
    slv_character_message_write(&message, out);
}

// --- In the parent ------------------------------------------------------------------------------

static double part_determinant(const slv_character *c, const slv_character_part *part,
                               const slv_pose_scratch *pose) {
    const slv_affine *map = &pose->world_transforms[part->node];
    if (part->skinned) {
        const uint32_t first = c->first_influence[part->first_vertex];
        if (first == c->first_influence[part->first_vertex + 1]) {
            return 1.0;
        }
        map = &pose->joints[c->influences[first].joint];
    }
    const double(*m)[4] = map->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Turns round the triangles of parts that their transform mirrors, so that they face outwards as in the file.
static slv_result orient_triangles(slv_character *c, slv_error *error) {
    slv_pose_scratch pose = {0};
    slv_result result = slv_pose_scratch_create(c, &pose, error);
    if (result == SLV_OK) {
        slv_character_transforms(c, SLV_AT_REST, 0.0, &pose);
    }
    for (uint32_t p = 0; result == SLV_OK && p < c->part_count; p++) {
        const slv_character_part *part = &c->parts[p];
        const bool mirrored = part->vertex_count > 0 && part_determinant(c, part, &pose) < 0.0;
        for (uint32_t t = 0; mirrored && t < part->triangle_count; t++) {
            uint32_t *triangle = c->triangles + 3 * ((size_t)part->first_triangle + t);
            const uint32_t last = triangle[2];
            triangle[2] = triangle[0];
            triangle[0] = last;
        }
    }
    slv_pose_scratch_free(&pose);
    return result;
}

static slv_result check_received(slv_character *character, slv_error *error) {
    slv_result result = slv_character_check(character, error);
    if (result == SLV_OK && character->triangle_count == 0) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "has no triangles; a surface is needed%s",
                          character->clip_count > 0 ? ", not motion alone" : "");
    }
    return result == SLV_OK ? orient_triangles(character, error) : result;
}

slv_result slv_character_import(const char *path, const slv_import_options *options,
                                slv_character *character, slv_file_list *files, slv_error *error) {
    slv_child_limits limits = slv_assimp_limits(path, options->allow_paths);
    slv_child child;
    *character = (slv_character){0};
    import_job job = {path, !options->undrawn, options->allow_paths};
    slv_result result = slv_child_start(&limits, work, &job, &child, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_character_message message;
    const bool complete = slv_character_message_read(child.output, &message);
    result = slv_child_finish(&child, complete, error);
    if (result == SLV_OK && message.error.code != SLV_OK) {
        result = slv_fail(error, message.error.code, "%s", message.error.text);
    }
    if (result == SLV_OK) {
        result = check_received(&message.character, error);
    }
    if (result == SLV_OK) {
        *character = message.character;
        message.character = (slv_character){0};
        if (files) {
            *files = message.files;
            message.files = (slv_file_list){.paths = NULL};
        }
    }
    slv_character_message_free(&message);
    return result;
}
