// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/character_import.h"

#include "tools/common/assimp_character.h"
#include "tools/common/assimp_files.h"
#include "tools/common/assimp_run.h"
#include "tools/common/child_process.h"
#include "tools/common/fbx_clip_start.h"
#include "tools/common/gltf_character.h"
#include "tools/common/key_curves.h"
#include "tools/common/wire.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- On the wire --------------------------------------------------------------------------------

// One table of all arrays of a character, used for both sending and receiving.
typedef struct field {
    size_t array, count; // offsets in slv_character
    size_t size;         // of an element
    uint32_t more;       // elements beyond the count
} field;

#define FIELD(name, counted, factor, extra)                                                        \
    {                                                                                              \
        offsetof(slv_character, name), offsetof(slv_character, counted),                           \
            (factor) * sizeof *((slv_character *)NULL)->name, (extra)                              \
    }

static const field fields[] = {
    FIELD(nodes, node_count, 1, 0),
    FIELD(parts, part_count, 1, 0),
    FIELD(positions, vertex_count, 3, 0),
    FIELD(uvs, vertex_count, 2, 0),
    FIELD(first_influence, vertex_count, 1, 1),
    FIELD(triangles, triangle_count, 3, 0),
    FIELD(joints, joint_count, 1, 0),
    FIELD(influences, influence_count, 1, 0),
    FIELD(target_weights, target_count, 1, 0),
    FIELD(deltas, delta_count, 3, 0),
    FIELD(clips, clip_count, 1, 0),
    FIELD(channels, channel_count, 1, 0),
    FIELD(times, time_count, 1, 0),
    FIELD(values, value_count, 1, 0),
    FIELD(names, name_bytes, 1, 0),
};

static void send_character(const slv_character *character, FILE *out) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const void *array;
        uint32_t count;
        memcpy(&array, (const char *)character + fields[i].array, sizeof array);
        memcpy(&count, (const char *)character + fields[i].count, sizeof count);
        slv_wire_write_array(out, array, array ? count + fields[i].more : 0, fields[i].size);
    }
    slv_wire_write_number(out, character->curves_unknown);
    (void)fwrite(&character->input_hash, sizeof character->input_hash, 1, out);
}

// Arrays with a common count must have equal counts; an optional array (UVs) may be absent.
static bool receive_character(slv_character *character, FILE *in) {
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof fields / sizeof *fields; i++) {
        void *array = NULL;
        uint32_t count = 0;
        uint32_t known = 0;
        ok = slv_wire_read_array(in, &array, &count, fields[i].size);
        memcpy((char *)character + fields[i].array, &array, sizeof array);
        memcpy(&known, (char *)character + fields[i].count, sizeof known);
        if (fields[i].count == offsetof(slv_character, vertex_count) &&
            fields[i].array != offsetof(slv_character, positions)) {
            ok = ok && count == (known > 0 ? known + fields[i].more : 0);
        } else {
            memcpy((char *)character + fields[i].count, &count, sizeof count);
        }
    }
    return ok && slv_wire_read_number(in, &character->curves_unknown) &&
           fread(&character->input_hash, sizeof character->input_hash, 1, in) == 1 &&
           fgetc(in) == EOF;
}

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
        slv_gltf_close(&gltf);
    }
    return result;
}

// Shifts the clips back to the time line of the file.
static void shift_clips(slv_character *c, const slv_input_file *file) {
    for (uint32_t i = 0; i < c->clip_count; i++) {
        slv_character_clip *clip = &c->clips[i];
        char name[1025];
        slv_character_clip_name(c, i, name, sizeof name);
        const double shift = slv_fbx_clip_start(file->bytes, file->size, name);
        for (uint32_t k = 0; k < clip->channel_count; k++) {
            const slv_character_channel *channel = &c->channels[clip->first_channel + k];
            for (uint32_t t = 0; t < channel->time_count; t++) {
                c->times[channel->first_time + t] += shift;
            }
        }
        clip->start = shift < 0.0 ? shift : 0.0;
        clip->end += shift;
    }
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
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(
        path, aiProcess_Triangulate, slv_assimp_files_io(files), properties);
    aiReleasePropertyStore(properties);
    if (!scene) {
        return slv_assimp_explain(files, error);
    }
    result = slv_assimp_character(scene, build, error);
    aiReleaseImport(scene);
    const slv_input_file *file = slv_assimp_files_load(files, path);
    if (result == SLV_OK && file) {
        shift_clips(&build->character, file);
        build->character.curves_unknown =
            slv_keys_are_straight(path, file->bytes, file->size) ? 0 : 1;
    }
    return result;
}

static slv_result read_character(const char *path, slv_assimp_files *files,
                                 slv_character_build *build, slv_file_list *list,
                                 slv_error *error) {
    slv_result result = is_gltf(path) ? read_gltf(path, files, build, error)
                                      : read_by_assimp(path, files, build, error);
    if (result == SLV_OK) {
        result = slv_assimp_files_report(files, list, &build->character.input_hash, error);
    }
    return result;
}

typedef struct import_job {
    const char *path;
    bool allow_paths;
} import_job;

// Memory is not freed: the process ends when this returns.
static void work(FILE *out, void *context) {
    const import_job *job = context;
    slv_error error = {.code = SLV_OK};
    slv_character_build build = {.no_memory = false};
    slv_file_list list = {.paths = NULL};
    slv_assimp_watch_memory();
    slv_assimp_files *files = slv_assimp_files_create(job->path, job->allow_paths);
    if (!files) {
        (void)slv_no_memory(&error);
    } else {
        (void)read_character(job->path, files, &build, &list, &error);
    }
    slv_wire_write_number(out, (uint32_t)error.code);
    if (error.code != SLV_OK) {
        slv_wire_write_text(out, error.text);
        return;
    }
    slv_wire_write_files(out, &list);
    send_character(&build.character, out);
}

// --- In the parent ------------------------------------------------------------------------------

static bool receive(FILE *in, slv_character *character, slv_file_list *files, slv_error *error) {
    uint32_t code;
    if (!slv_wire_read_number(in, &code)) {
        return false;
    }
    if (code != SLV_OK) {
        return slv_wire_read_error(in, error, code);
    }
    return slv_wire_read_files(in, files) && receive_character(character, in);
}

slv_result slv_character_import(const char *path, bool allow_paths, slv_character *character,
                                slv_file_list *files, slv_error *error) {
    slv_file_list read = {.paths = NULL};
    slv_error inside = {.code = SLV_OK};
    slv_child_limits limits = slv_assimp_limits(path);
    slv_child child;
    *character = (slv_character){0};
    import_job job = {path, allow_paths};
    slv_result result = slv_child_start(&limits, work, &job, &child, error);
    if (result != SLV_OK) {
        return result;
    }
    const bool complete = receive(child.output, character, &read, &inside);
    result = slv_child_finish(&child, complete, error);
    if (result == SLV_OK && inside.code != SLV_OK) {
        result = slv_fail(error, inside.code, "%s", inside.text);
    }
    if (result == SLV_OK) {
        result = slv_character_check(character, error);
    }
    if (result == SLV_OK && character->triangle_count == 0) {
        result = slv_fail(error, SLV_ERROR_CONTENT,
                          "has no triangles; a character with a surface is needed%s",
                          character->clip_count > 0 ? ", not motion alone" : "");
    }
    if (result != SLV_OK) {
        slv_character_free(character);
        slv_file_list_free(&read);
    } else if (files) {
        *files = read;
    } else {
        slv_file_list_free(&read);
    }
    return result;
}
