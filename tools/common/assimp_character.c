// SPDX-License-Identifier: MIT
#include "tools/common/assimp_character.h"

#include "tools/common/assimp_space.h"
#include "tools/common/polygon.h"

#include <assimp/cimport.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const struct aiScene *scene;
    slv_character_build *build;
    const struct aiNode **nodes; // by number
    uint32_t node_count;
    bool root_is_space; // the root's transform is in character.space
    slv_polygon_scratch scratch;
} reader;

// --- Nodes --------------------------------------------------------------------------------------

// NOLINTNEXTLINE(misc-no-recursion): a tree; one too deep ends this process, not the tool's
static uint32_t count_nodes(const struct aiNode *node) {
    uint32_t count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        count += count_nodes(node->mChildren[i]);
    }
    return count;
}

// NOLINTNEXTLINE(misc-no-recursion): as above
static void add_node(reader *r, const struct aiNode *node, uint32_t parent) {
    const uint32_t number = r->node_count++;
    slv_character_node *made = &r->build->character.nodes[number];
    r->nodes[number] = node;
    made->parent = parent;
    made->name = slv_build_name(r->build, node->mName.data);
    if (parent != SLV_NO_NODE || !r->root_is_space) {
        made->matrix = slv_from_assimp(&node->mTransformation);
        struct aiVector3D move;
        struct aiVector3D scale;
        struct aiQuaternion turn;
        aiDecomposeMatrix(&node->mTransformation, &scale, &turn, &move);
        const slv_character_node parts = {
            .translation = {(double)move.x, (double)move.y, (double)move.z},
            .rotation = {(double)turn.x, (double)turn.y, (double)turn.z, (double)turn.w},
            .scale = {(double)scale.x, (double)scale.y, (double)scale.z}};
        memcpy(made->translation, parts.translation, sizeof parts.translation);
        memcpy(made->rotation, parts.rotation, sizeof parts.rotation);
        memcpy(made->scale, parts.scale, sizeof parts.scale);
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        add_node(r, node->mChildren[i], number);
    }
}

uint32_t slv_assimp_find_node(const struct aiNode *const *nodes, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(nodes[i]->mName.data, name)) {
            return i;
        }
    }
    return SLV_NO_NODE;
}

// --- Skin ---------------------------------------------------------------------------------------

static slv_result add_joint(reader *r, uint32_t node, const slv_affine *bind, slv_error *error) {
    slv_character_joint *joint = slv_build_joint(r->build);
    if (!joint) {
        return slv_no_memory(error);
    }
    joint->node = node;
    joint->inverse_bind = *bind;
    return SLV_OK;
}

// One joint per bone, then one for the node itself, for vertices without bones.
static slv_result add_joints(reader *r, const struct aiMesh *mesh, uint32_t node,
                             slv_error *error) {
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        const uint32_t found = slv_assimp_find_node(r->nodes, r->node_count, bone->mName.data);
        if (found == SLV_NO_NODE) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "bone '%.100s' moves vertices, but is no node of the skeleton; export "
                            "the skeleton with the mesh",
                            bone->mName.data);
        }
        const slv_affine bind = slv_from_assimp(&bone->mOffsetMatrix);
        slv_result result = add_joint(r, found, &bind, error);
        if (result != SLV_OK) {
            return result;
        }
    }
    const slv_affine itself = slv_affine_identity();
    return add_joint(r, node, &itself, error);
}

typedef struct weight_sum {
    uint32_t count;
    double sum;
} weight_sum;

static slv_result sum_weights(const struct aiMesh *mesh, weight_sum *sums, slv_error *error) {
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        for (unsigned w = 0; w < mesh->mBones[b]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &mesh->mBones[b]->mWeights[w];
            if (weight->mVertexId >= mesh->mNumVertices) {
                return slv_fail(error, SLV_ERROR_CONTENT, "a bone moves a vertex that is missing");
            }
            sums[weight->mVertexId].count++;
            sums[weight->mVertexId].sum += (double)weight->mWeight;
        }
    }
    return SLV_OK;
}

// Inverts the table: bones list vertices in Assimp, vertices list joints here.
static slv_result add_influences(reader *r, const struct aiMesh *mesh, uint32_t first_vertex,
                                 uint32_t first_joint, weight_sum *sums, slv_error *error) {
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const bool loose = !(sums[v].sum > 0.0);
        slv_character_influence *made =
            slv_build_influences(r->build, first_vertex + v, loose ? 1 : sums[v].count);
        if (!made) {
            return slv_no_memory(error);
        }
        made->joint = first_joint + mesh->mNumBones;
        made->weight = 1.0;
        sums[v].count = loose ? UINT32_MAX : 0; // from here on the number of stored weights
    }
    slv_character *c = &r->build->character;
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        for (unsigned w = 0; w < mesh->mBones[b]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &mesh->mBones[b]->mWeights[w];
            weight_sum *sum = &sums[weight->mVertexId];
            if (sum->count != UINT32_MAX) {
                const uint32_t at =
                    c->first_influence[first_vertex + weight->mVertexId] + sum->count++;
                c->influences[at].joint = first_joint + b;
                c->influences[at].weight = (double)weight->mWeight / sum->sum;
            }
        }
    }
    return SLV_OK;
}

static slv_result add_skin(reader *r, const struct aiMesh *mesh, uint32_t node,
                           uint32_t first_vertex, slv_error *error) {
    const uint32_t first_joint = r->build->character.joint_count;
    weight_sum *sums = calloc((size_t)mesh->mNumVertices + 1, sizeof *sums);
    slv_result result = sums ? add_joints(r, mesh, node, error) : slv_no_memory(error);
    if (result == SLV_OK) {
        result = sum_weights(mesh, sums, error);
    }
    if (result == SLV_OK) {
        result = add_influences(r, mesh, first_vertex, first_joint, sums, error);
    }
    free(sums);
    return result;
}

// --- Meshes -------------------------------------------------------------------------------------

static slv_result add_targets(reader *r, const struct aiMesh *mesh, const slv_character_part *part,
                              slv_error *error) {
    slv_character *c = &r->build->character;
    float *delta = c->deltas + 3 * part->first_delta;
    for (unsigned t = 0; t < mesh->mNumAnimMeshes; t++) {
        const struct aiAnimMesh *target = mesh->mAnimMeshes[t];
        if (target->mVertices && target->mNumVertices != mesh->mNumVertices) {
            return slv_fail(error, SLV_ERROR_CONTENT, "a morph target has %u vertices, its mesh %u",
                            target->mNumVertices, mesh->mNumVertices);
        }
        c->target_weights[part->first_target + t] = (double)target->mWeight;
        for (unsigned v = 0; v < mesh->mNumVertices; v++, delta += 3) {
            if (target->mVertices) {
                delta[0] = target->mVertices[v].x - mesh->mVertices[v].x;
                delta[1] = target->mVertices[v].y - mesh->mVertices[v].y;
                delta[2] = target->mVertices[v].z - mesh->mVertices[v].z;
            }
        }
    }
    return SLV_OK;
}

static slv_result add_face(reader *r, const struct aiMesh *mesh, const struct aiFace *face,
                           uint32_t first, slv_error *error) {
    const uint32_t count = face->mNumIndices;
    if (!slv_polygon_reserve(&r->scratch, count)) {
        return slv_no_memory(error);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (face->mIndices[k] >= mesh->mNumVertices) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "a face names vertex %u of a mesh that has %u", face->mIndices[k] + 1,
                            mesh->mNumVertices);
        }
        memcpy(r->scratch.outline + 3 * (size_t)k,
               r->build->character.positions + 3 * ((size_t)first + face->mIndices[k]),
               3 * sizeof *r->scratch.outline);
    }
    slv_result result =
        slv_polygon_split(r->scratch.outline, count, r->scratch.split, &r->scratch, error);
    for (uint32_t t = 0; result == SLV_OK && t < count - 2; t++) {
        uint32_t *triangle = slv_build_triangle(r->build);
        result = triangle ? SLV_OK : slv_no_memory(error);
        for (uint32_t k = 0; triangle && k < 3; k++) {
            triangle[k] = first + face->mIndices[r->scratch.split[3 * (size_t)t + k]];
        }
    }
    r->build->character.polygon_count += count > 3 ? 1 : 0;
    return result;
}

static slv_result add_faces(reader *r, const struct aiMesh *mesh, uint32_t first,
                            slv_error *error) {
    slv_result result = SLV_OK;
    for (unsigned f = 0; result == SLV_OK && f < mesh->mNumFaces; f++) {
        if (mesh->mFaces[f].mNumIndices >= 3) { // points and lines are ignored
            result = add_face(r, mesh, &mesh->mFaces[f], first, error);
        }
    }
    return result;
}

// Normals and colors of the last part.
static void add_shading(reader *r, const struct aiMesh *mesh, slv_character_part *part) {
    const slv_character *c = &r->build->character;
    const size_t first = part->first_vertex;
    for (size_t v = 0; mesh->mNormals && v < mesh->mNumVertices; v++) {
        const struct aiVector3D *n = &mesh->mNormals[v];
        const float normal[3] = {n->x, n->y, n->z};
        memcpy(c->normals + 3 * (first + v), normal, sizeof normal);
    }
    for (size_t v = 0; mesh->mColors[0] && v < mesh->mNumVertices; v++) {
        const struct aiColor4D *p = &mesh->mColors[0][v];
        const float paint[4] = {p->r, p->g, p->b, p->a};
        memcpy(c->paint + 4 * (first + v), paint, sizeof paint);
    }
    part->attributes |=
        (mesh->mNormals ? SLV_PART_NORMALS : 0u) | (mesh->mColors[0] ? SLV_PART_PAINT : 0u);
}

static void name_part(reader *r, const struct aiMesh *mesh, slv_character_part *part) {
    struct aiString material = {.length = 0};
    if (mesh->mMaterialIndex < r->scene->mNumMaterials) {
        (void)aiGetMaterialString(r->scene->mMaterials[mesh->mMaterialIndex], AI_MATKEY_NAME,
                                  &material);
    }
    part->mesh = slv_build_name(r->build, mesh->mName.data);
    part->material = slv_build_name(r->build, material.data);
}

static slv_result add_mesh(reader *r, const struct aiMesh *mesh, uint32_t node, slv_error *error) {
    if (!mesh->mVertices || !mesh->mFaces || mesh->mNumVertices == 0) {
        return SLV_OK;
    }
    slv_character_part *part = slv_build_part(r->build, mesh->mNumVertices, mesh->mNumAnimMeshes);
    if (!part) {
        return slv_no_memory(error);
    }
    part->node = node;
    part->skinned = mesh->mNumBones > 0;
    part->attributes = mesh->mTextureCoords[0] ? SLV_PART_UVS : 0u;
    name_part(r, mesh, part);
    slv_character *c = &r->build->character;
    const uint32_t first = part->first_vertex;
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        double *position = c->positions + 3 * ((size_t)first + v);
        position[0] = (double)mesh->mVertices[v].x;
        position[1] = (double)mesh->mVertices[v].y;
        position[2] = (double)mesh->mVertices[v].z;
        if (mesh->mTextureCoords[0]) {
            c->uvs[2 * ((size_t)first + v)] = mesh->mTextureCoords[0][v].x;
            c->uvs[2 * ((size_t)first + v) + 1] = mesh->mTextureCoords[0][v].y;
        }
    }
    if (r->build->shaded) {
        add_shading(r, mesh, part);
    }
    slv_result result = add_targets(r, mesh, part, error);
    if (result == SLV_OK && mesh->mNumBones > 0) {
        result = add_skin(r, mesh, node, first, error);
    }
    return result == SLV_OK ? add_faces(r, mesh, first, error) : result;
}

static slv_result add_meshes(reader *r, slv_error *error) {
    slv_result result = SLV_OK;
    for (uint32_t i = 0; i < r->node_count; i++) {
        const struct aiNode *node = r->nodes[i];
        for (unsigned m = 0; result == SLV_OK && m < node->mNumMeshes; m++) {
            if (node->mMeshes[m] < r->scene->mNumMeshes) {
                result = add_mesh(r, r->scene->mMeshes[node->mMeshes[m]], i, error);
            }
        }
    }
    return result;
}

slv_result slv_assimp_character(const struct aiScene *scene, slv_character_build *build,
                                slv_error *error) {
    if (!scene->mRootNode) {
        return slv_fail(error, SLV_ERROR_CONTENT, "has no triangles; a surface is needed");
    }
    const uint32_t count = count_nodes(scene->mRootNode);
    reader r = {.scene = scene,
                .build = build,
                .root_is_space = slv_assimp_space(scene, &build->character.space),
                .nodes = calloc((size_t)count, sizeof(const struct aiNode *))};
    slv_result result = r.nodes && slv_build_nodes(build, count) ? SLV_OK : slv_no_memory(error);
    if (result == SLV_OK) {
        add_node(&r, scene->mRootNode, SLV_NO_NODE);
        result = add_meshes(&r, error);
    }
    if (result == SLV_OK) {
        result = slv_assimp_clips(scene, r.nodes, build, error);
    }
    result = result == SLV_OK && build->no_memory ? slv_no_memory(error) : result;
    slv_polygon_scratch_free(&r.scratch);
    free(r.nodes);
    return result;
}
