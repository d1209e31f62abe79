// SPDX-License-Identifier: MIT
#include "tools/common/gltf_character.h"

#include "tools/common/gltf_compressed.h"
#include "tools/common/gltf_extensions.h"

#include <stdlib.h>

enum { SETS_MAX = 16 }; // JOINTS_0 … of four influences each

typedef struct reader {
    const slv_gltf *gltf;
    slv_character_build *build;
    uint32_t file_count;  // nodes of the file
    uint32_t *parent;     // [file_count] of the file's nodes
    uint32_t *number_of;  // [file_count] in the character
    uint32_t *order;      // [file_count] nodes of the file in the order of the character
    uint32_t shown_count; // the first ones, which belong to the scene
    uint32_t ordered_count;
    uint32_t *first_joint; // [skins] of the character
} reader;

// --- The tree -----------------------------------------------------------------------------------

static slv_result find_parents(reader *r, slv_error *error) {
    for (uint32_t i = 0; i < r->file_count; i++) {
        r->parent[i] = SLV_NO_NODE;
        r->number_of[i] = SLV_NO_NODE;
    }
    uint32_t node = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(r->gltf->root, "nodes")) {
        const cJSON *child = NULL;
        cJSON_ArrayForEach(child, cJSON_GetObjectItemCaseSensitive(item, "children")) {
            const double number = cJSON_IsNumber(child) ? child->valuedouble : -1.0;
            if (!(number >= 0.0) || number >= r->file_count ||
                r->parent[(uint32_t)number] != SLV_NO_NODE) {
                return slv_fail(error, SLV_ERROR_CONTENT, "node %u: its children make no tree",
                                node);
            }
            r->parent[(uint32_t)number] = node;
        }
        node++;
    }
    return SLV_OK;
}

// Numbers a root and its descendants, each after its parent, children in file order.
static bool number_tree(reader *r, uint32_t root, uint32_t *stack) {
    uint32_t depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        const uint32_t node = stack[--depth];
        if (r->number_of[node] != SLV_NO_NODE) {
            return false;
        }
        r->number_of[node] = r->ordered_count;
        r->order[r->ordered_count++] = node;
        const cJSON *children =
            cJSON_GetObjectItemCaseSensitive(slv_gltf_item(r->gltf, "nodes", node), "children");
        const int count = cJSON_GetArraySize(children);
        uint32_t at = depth + (uint32_t)count;
        depth = at;
        const cJSON *child = NULL;
        cJSON_ArrayForEach(child, children) {
            stack[--at] = (uint32_t)child->valuedouble; // checked by find_parents
        }
    }
    return true;
}

static bool number_scene(reader *r, uint32_t *stack) {
    const cJSON *scene =
        slv_gltf_item(r->gltf, "scenes", slv_gltf_index(r->gltf->root, "scene", 0));
    const cJSON *root = NULL;
    bool sound = true;
    cJSON_ArrayForEach(root, cJSON_GetObjectItemCaseSensitive(scene, "nodes")) {
        const double number = cJSON_IsNumber(root) ? root->valuedouble : -1.0;
        sound = sound && number >= 0.0 && number < r->file_count &&
                r->parent[(uint32_t)number] == SLV_NO_NODE &&
                number_tree(r, (uint32_t)number, stack);
    }
    r->shown_count = r->ordered_count;
    for (uint32_t i = 0; sound && i < r->file_count; i++) {
        if (r->parent[i] == SLV_NO_NODE && r->number_of[i] == SLV_NO_NODE) {
            sound = number_tree(r, i, stack);
        }
    }
    if (!scene) {
        r->shown_count = r->ordered_count;
    }
    return sound && r->ordered_count == r->file_count; // nodes of a cycle are never reached
}

static void read_numbers(const cJSON *object, const char *key, double *values, int count) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    for (int i = 0; cJSON_GetArraySize(array) == count && i < count; i++) {
        values[i] = cJSON_GetNumberValue(
            cJSON_GetArrayItem(array, i)); // NaN where an element is not a number
    }
}

// KHR_node_visibility.
static bool is_hidden(const cJSON *node) {
    const cJSON *extension = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(node, "extensions"), "KHR_node_visibility");
    return cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(extension, "visible"));
}

// MSFT_lod: the nodes that show this one with less detail.
static void mark_details(const reader *r, const cJSON *node, slv_character_node *nodes) {
    const cJSON *extension = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(node, "extensions"), "MSFT_lod");
    const cJSON *id = NULL;
    cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(extension, "ids")) {
        const double number = cJSON_IsNumber(id) ? id->valuedouble : -1.0;
        if (number >= 0.0 && number < r->file_count) {
            nodes[r->number_of[(uint32_t)number]].lower_detail = 1;
        }
    }
}

static slv_result add_nodes(reader *r, slv_error *error) {
    slv_character_node *nodes = slv_build_nodes(r->build, r->file_count);
    if (!nodes && r->file_count > 0) {
        return slv_no_memory(error);
    }
    for (uint32_t i = 0; i < r->file_count; i++) {
        const cJSON *item = slv_gltf_item(r->gltf, "nodes", r->order[i]);
        const uint32_t parent = r->parent[r->order[i]];
        nodes[i].parent = parent == SLV_NO_NODE ? SLV_NO_NODE : r->number_of[parent];
        nodes[i].in_parts = cJSON_GetObjectItemCaseSensitive(item, "matrix") == NULL;
        nodes[i].hidden = is_hidden(item) ? 1 : 0;
        nodes[i].name = slv_build_name(
            r->build, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name")));
        mark_details(r, item, nodes);
        read_numbers(item, "translation", nodes[i].translation, 3);
        read_numbers(item, "rotation", nodes[i].rotation, 4);
        read_numbers(item, "scale", nodes[i].scale, 3);
        double columns[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        read_numbers(item, "matrix", columns, 16);
        for (int k = 0; k < 12; k++) {
            nodes[i].matrix.m[k / 4][k % 4] = columns[4 * (k % 4) + k / 4];
        }
    }
    return SLV_OK;
}

// --- Skins --------------------------------------------------------------------------------------

static slv_result add_skin(reader *r, uint32_t skin, slv_error *error) {
    const cJSON *item = slv_gltf_item(r->gltf, "skins", skin);
    const cJSON *joints = cJSON_GetObjectItemCaseSensitive(item, "joints");
    const uint32_t matrices = slv_gltf_index(item, "inverseBindMatrices", UINT32_MAX);
    slv_gltf_numbers bind = {0};
    slv_result result =
        matrices == UINT32_MAX ? SLV_OK : slv_gltf_read(r->gltf, matrices, 16, &bind, error);
    r->first_joint[skin] = r->build->character.joint_count;
    uint32_t at = 0;
    const cJSON *joint = NULL;
    cJSON_ArrayForEach(joint, joints) {
        const double node = cJSON_IsNumber(joint) ? joint->valuedouble : -1.0;
        if (result != SLV_OK) {
            break;
        }
        if (!(node >= 0.0) || node >= r->file_count || (bind.values && at >= bind.count)) {
            result = slv_fail(error, SLV_ERROR_CONTENT, "skin %u: joint %u is missing", skin, at);
            break;
        }
        slv_character_joint *added = slv_build_joint(r->build);
        if (!added) {
            result = slv_no_memory(error);
            break;
        }
        added->node = r->number_of[(uint32_t)node];
        added->inverse_bind = slv_affine_identity();
        for (int k = 0; bind.values && k < 12; k++) {
            added->inverse_bind.m[k / 4][k % 4] =
                bind.values[16 * (size_t)at + 4 * (size_t)(k % 4) + (size_t)(k / 4)];
        }
        at++;
    }
    free(bind.values);
    return result;
}

static slv_result add_skins(reader *r, slv_error *error) {
    const uint32_t count = slv_gltf_count(r->gltf, "skins");
    r->first_joint = calloc((size_t)count + 1, sizeof *r->first_joint);
    slv_result result = r->first_joint ? SLV_OK : slv_no_memory(error);
    for (uint32_t i = 0; result == SLV_OK && i < count; i++) {
        result = add_skin(r, i, error);
    }
    if (result == SLV_OK) {
        r->first_joint[count] = r->build->character.joint_count;
    }
    return result;
}

// --- Meshes -------------------------------------------------------------------------------------

typedef struct influence_sets {
    slv_gltf_numbers joints[SETS_MAX], weights[SETS_MAX];
    uint32_t count;
} influence_sets;

static slv_result read_sets(reader *r, const cJSON *attributes, uint32_t vertex_count,
                            influence_sets *sets, slv_error *error) {
    for (uint32_t s = 0; s < SETS_MAX; s++) {
        char joints[16] = "JOINTS_0";
        char weights[16] = "WEIGHTS_0";
        joints[7] = (char)(s < 10 ? '0' + s : '1');
        joints[8] = (char)(s < 10 ? '\0' : '0' + s - 10);
        weights[8] = joints[7];
        weights[9] = joints[8];
        const uint32_t j = slv_gltf_index(attributes, joints, UINT32_MAX);
        const uint32_t w = slv_gltf_index(attributes, weights, UINT32_MAX);
        if (j == UINT32_MAX || w == UINT32_MAX) {
            return SLV_OK;
        }
        sets->count = s + 1;
        slv_result result = slv_gltf_read(r->gltf, j, 4, &sets->joints[s], error);
        if (result == SLV_OK) {
            result = slv_gltf_read(r->gltf, w, 4, &sets->weights[s], error);
        }
        if (result != SLV_OK) {
            return result;
        }
        if (sets->joints[s].count < vertex_count || sets->weights[s].count < vertex_count) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "a mesh has skin weights for only some of its vertices");
        }
    }
    return SLV_OK;
}

// Accessors of indices and joints may have signed or fractional numbers, which the format forbids.
static bool is_index(double value, uint32_t count) {
    return value >= 0.0 && value < count && value == (double)(uint32_t)value;
}

// Weights are scaled to sum to 1. A vertex without weights is an error: its position is undefined.
static slv_result add_influences(reader *r, uint32_t vertex, uint32_t skin,
                                 const influence_sets *sets, uint32_t v, slv_error *error) {
    const uint32_t joints = r->first_joint[skin + 1] - r->first_joint[skin];
    uint32_t count = 0;
    double sum = 0.0;
    for (uint32_t k = 0; k < 4 * sets->count; k++) {
        const double weight = sets->weights[k / 4].values[4 * (size_t)v + k % 4];
        count += weight != 0.0;
        sum += weight;
    }
    if (!(sum > 0.0)) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "vertex %u of a skinned mesh has no weights that sum to more than 0", v);
    }
    slv_character_influence *influence = slv_build_influences(r->build, vertex, count);
    if (!influence) {
        return slv_no_memory(error);
    }
    for (uint32_t k = 0; k < 4 * sets->count; k++) {
        const double weight = sets->weights[k / 4].values[4 * (size_t)v + k % 4];
        const double joint = sets->joints[k / 4].values[4 * (size_t)v + k % 4];
        if (weight != 0.0) {
            if (!is_index(joint, joints)) {
                return slv_fail(error, SLV_ERROR_CONTENT,
                                "vertex %u is bound to joint %g, its skin has %u", v, joint,
                                joints);
            }
            influence->joint = r->first_joint[skin] + (uint32_t)joint;
            influence->weight = weight / sum;
            influence++;
        }
    }
    return SLV_OK;
}

static slv_result add_skin_of_part(reader *r, const cJSON *attributes, uint32_t skin,
                                   uint32_t first, uint32_t count, slv_error *error) {
    influence_sets sets = {.count = 0};
    slv_result result = read_sets(r, attributes, count, &sets, error);
    if (result == SLV_OK && sets.count > 0) {
        r->build->character.parts[r->build->character.part_count - 1].skinned = 1;
        for (uint32_t v = 0; result == SLV_OK && v < count; v++) {
            result = add_influences(r, first + v, skin, &sets, v, error);
        }
    }
    for (uint32_t s = 0; s < sets.count; s++) {
        free(sets.joints[s].values);
        free(sets.weights[s].values);
    }
    return result;
}

static slv_result add_targets(reader *r, const cJSON *targets, const slv_character_part *part,
                              slv_error *error) {
    float *deltas = r->build->character.deltas + 3 * part->first_delta;
    const cJSON *target = NULL;
    cJSON_ArrayForEach(target, targets) {
        const uint32_t accessor = slv_gltf_index(target, "POSITION", UINT32_MAX);
        slv_gltf_numbers moved = {0};
        slv_result result =
            accessor == UINT32_MAX ? SLV_OK : slv_gltf_read(r->gltf, accessor, 3, &moved, error);
        if (result != SLV_OK) {
            return result;
        }
        if (moved.values && moved.count != part->vertex_count) {
            free(moved.values);
            return slv_fail(error, SLV_ERROR_CONTENT, "a morph target has %u vertices, its mesh %u",
                            moved.count, part->vertex_count);
        }
        for (size_t k = 0; moved.values && k < 3 * (size_t)part->vertex_count; k++) {
            deltas[k] = (float)moved.values[k];
        }
        free(moved.values);
        deltas += 3 * (size_t)part->vertex_count;
    }
    return SLV_OK;
}

// mode: 4 triangles, 5 a strip, 6 a fan.
static slv_result add_triangles(reader *r, const cJSON *primitive, uint32_t mode, uint32_t first,
                                uint32_t vertex_count, slv_error *error) {
    const uint32_t accessor = slv_gltf_index(primitive, "indices", UINT32_MAX);
    slv_gltf_numbers index = {.count = vertex_count};
    slv_result result =
        accessor == UINT32_MAX ? SLV_OK : slv_gltf_read(r->gltf, accessor, 1, &index, error);
    const uint32_t count = mode == 4 ? index.count / 3 : index.count < 3 ? 0 : index.count - 2;
    for (uint32_t t = 0; result == SLV_OK && t < count; t++) {
        const uint32_t odd = mode == 5 ? t & 1 : 0;
        const uint32_t corners[3] = {mode == 4   ? 3 * t
                                     : mode == 6 ? 0
                                                 : t,
                                     mode == 4 ? 3 * t + 1 : t + 1 + odd,
                                     mode == 4 ? 3 * t + 2 : t + 2 - odd};
        uint32_t *triangle = slv_build_triangle(r->build);
        result = triangle ? SLV_OK : slv_no_memory(error);
        for (int c = 0; result == SLV_OK && c < 3; c++) {
            const double vertex = index.values ? index.values[corners[c]] : corners[c];
            if (!is_index(vertex, vertex_count)) {
                result = slv_fail(error, SLV_ERROR_CONTENT,
                                  "a triangle names vertex %.9g of a mesh that has %u", vertex,
                                  vertex_count);
            } else {
                triangle[c] = first + (uint32_t)vertex;
            }
        }
    }
    free(index.values);
    return result;
}

static slv_result add_primitive(reader *r, const cJSON *primitive, uint32_t node, uint32_t skin,
                                slv_error *error) {
    const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes");
    const cJSON *targets = cJSON_GetObjectItemCaseSensitive(primitive, "targets");
    const uint32_t mode = slv_gltf_index(primitive, "mode", 4);
    const uint32_t accessor = slv_gltf_index(attributes, "POSITION", UINT32_MAX);
    if (mode < 4 || mode > 6 || accessor == UINT32_MAX) {
        return SLV_OK; // points and lines are ignored
    }
    slv_gltf_numbers positions;
    slv_result result = slv_gltf_decode_primitive(r->gltf, primitive, error);
    if (result == SLV_OK) {
        result = slv_gltf_read(r->gltf, accessor, 3, &positions, error);
    }
    if (result != SLV_OK) {
        return result;
    }
    slv_character_part *part =
        slv_build_part(r->build, positions.count, (uint32_t)cJSON_GetArraySize(targets));
    if (!part) {
        free(positions.values);
        return slv_no_memory(error);
    }
    part->node = node;
    const uint32_t first = part->first_vertex;
    for (size_t k = 0; k < 3 * (size_t)positions.count; k++) {
        r->build->character.positions[3 * (size_t)first + k] = positions.values[k];
    }
    free(positions.values);
    result = add_targets(r, targets, part, error);
    if (result == SLV_OK) {
        result = slv_gltf_add_attributes(r->gltf, primitive, r->build, error);
    }
    if (result == SLV_OK && skin != UINT32_MAX) {
        result = add_skin_of_part(r, attributes, skin, first, positions.count, error);
    }
    return result == SLV_OK ? add_triangles(r, primitive, mode, first, positions.count, error)
                            : result;
}

static void set_weights(reader *r, const cJSON *weights, uint32_t first_part) {
    slv_character *c = &r->build->character;
    for (uint32_t p = first_part; p < c->part_count; p++) {
        for (uint32_t k = 0; k < c->parts[p].target_count; k++) {
            const cJSON *weight = cJSON_GetArrayItem(weights, (int)k);
            c->target_weights[c->parts[p].first_target + k] =
                weight ? cJSON_GetNumberValue(weight) : 0.0;
        }
    }
}

static slv_result add_mesh(reader *r, uint32_t number, slv_error *error) {
    const cJSON *node = slv_gltf_item(r->gltf, "nodes", r->order[number]);
    const cJSON *mesh = slv_gltf_item(r->gltf, "meshes", slv_gltf_index(node, "mesh", UINT32_MAX));
    static const char instancing[] = "EXT_mesh_gpu_instancing";
    const cJSON *extensions = cJSON_GetObjectItemCaseSensitive(node, "extensions");
    if (mesh && cJSON_GetObjectItemCaseSensitive(extensions, instancing)) {
        return slv_gltf_refuse_extension(instancing, error);
    }
    const uint32_t skin = slv_gltf_index(node, "skin", UINT32_MAX);
    const uint32_t first_part = r->build->character.part_count;
    if (skin != UINT32_MAX && skin >= slv_gltf_count(r->gltf, "skins")) {
        return slv_fail(error, SLV_ERROR_CONTENT, "skin %u of a node is missing", skin);
    }
    slv_result result = SLV_OK;
    const cJSON *primitive = NULL;
    cJSON_ArrayForEach(primitive, cJSON_GetObjectItemCaseSensitive(mesh, "primitives")) {
        if (result == SLV_OK) {
            result = add_primitive(r, primitive, number, skin, error);
        }
    }
    const cJSON *weights = cJSON_GetObjectItemCaseSensitive(node, "weights");
    weights = weights ? weights : cJSON_GetObjectItemCaseSensitive(mesh, "weights");
    if (result == SLV_OK) {
        set_weights(r, weights, first_part);
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(mesh, "name"));
        const slv_character_name named = slv_build_name(r->build, name);
        for (uint32_t p = first_part; p < r->build->character.part_count; p++) {
            r->build->character.parts[p].mesh = named;
        }
    }
    return result;
}

// --- The whole ----------------------------------------------------------------------------------

static slv_result read_all(reader *r, uint32_t *stack, slv_error *error) {
    slv_result result = slv_gltf_decode_views(r->gltf, error);
    if (result == SLV_OK) {
        result = find_parents(r, error);
    }
    if (result == SLV_OK && !number_scene(r, stack)) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "its nodes form no tree");
    }
    if (result == SLV_OK) {
        result = add_nodes(r, error);
    }
    if (result == SLV_OK) {
        result = add_skins(r, error);
    }
    for (uint32_t i = 0; result == SLV_OK && i < r->shown_count; i++) {
        result = add_mesh(r, i, error);
    }
    return result == SLV_OK ? slv_gltf_clips(r->gltf, r->number_of, r->build, error) : result;
}

slv_result slv_gltf_character(const slv_gltf *gltf, slv_character_build *build, slv_error *error) {
    reader r = {.gltf = gltf, .build = build, .file_count = slv_gltf_count(gltf, "nodes")};
    uint32_t *room = calloc(4 * (size_t)r.file_count + 4, sizeof *room);
    if (!room) {
        return slv_no_memory(error);
    }
    r.parent = room;
    r.number_of = room + r.file_count;
    r.order = room + 2 * (size_t)r.file_count;
    build->character.space.scale_source = SLV_SPACE_STATED; // metres, y up, by the specification
    build->character.space.turn_source = SLV_SPACE_STATED;
    slv_result result = read_all(&r, room + 3 * (size_t)r.file_count, error);
    result = result == SLV_OK && build->no_memory ? slv_no_memory(error) : result;
    free(r.first_joint);
    free(room);
    return result;
}
