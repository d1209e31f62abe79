// SPDX-License-Identifier: MIT
#include "tools/common/assimp_character.h"

#include <assimp/cimport.h>
#include <assimp/commonMetaData.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Assimp puts units and axes of FBX and Collada into the root transform. A character keeps the
// units of the file, so that transform is ignored for these two.

typedef struct reader {
    const struct aiScene *scene;
    slv_character_build *build;
    const struct aiNode **nodes; // by number
    uint32_t node_count;
} reader;

static slv_affine from_assimp(const struct aiMatrix4x4 *m) {
    return (slv_affine){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                         {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                         {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

static bool has_own_root(const struct aiScene *scene) {
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        if (!strcmp(data->mKeys[i].data, AI_METADATA_SOURCE_FORMAT) &&
            data->mValues[i].mType == AI_AISTRING) {
            const char *format = ((const struct aiString *)data->mValues[i].mData)->data;
            return !strstr(format, "FBX") && !strstr(format, "Collada");
        }
    }
    return true;
}

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
    if (parent != SLV_NO_NODE || has_own_root(r->scene)) {
        made->matrix = from_assimp(&node->mTransformation);
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
        const slv_affine bind = from_assimp(&bone->mOffsetMatrix);
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

static slv_result add_faces(reader *r, const struct aiMesh *mesh, uint32_t first,
                            slv_error *error) {
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        if (face->mNumIndices != 3) {
            continue; // points and lines are ignored
        }
        uint32_t *triangle = slv_build_triangle(r->build);
        if (!triangle) {
            return slv_no_memory(error);
        }
        for (int k = 0; k < 3; k++) {
            if (face->mIndices[k] >= mesh->mNumVertices) {
                return slv_fail(error, SLV_ERROR_CONTENT,
                                "a face names vertex %u of a mesh that has %u", face->mIndices[k],
                                mesh->mNumVertices);
            }
            triangle[k] = first + face->mIndices[k];
        }
    }
    return SLV_OK;
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
        return slv_fail(error, SLV_ERROR_CONTENT, "has no nodes");
    }
    const uint32_t count = count_nodes(scene->mRootNode);
    reader r = {.scene = scene,
                .build = build,
                .nodes = calloc((size_t)count, sizeof(const struct aiNode *))};
    slv_result result = r.nodes && slv_build_nodes(build, count) ? SLV_OK : slv_no_memory(error);
    if (result == SLV_OK) {
        add_node(&r, scene->mRootNode, SLV_NO_NODE);
        result = add_meshes(&r, error);
    }
    if (result == SLV_OK) {
        result = slv_assimp_clips(scene, r.nodes, build, error);
    }
    free(r.nodes);
    return result;
}
