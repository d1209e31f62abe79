// SPDX-License-Identifier: MIT
#include "tools/common/assimp_scene.h"

#include "tools/common/affine.h"

#include <assimp/commonMetaData.h>
#include <string.h>

// Assimp converts glTF and Collada to y up and applies the unit of Collada. FBX stores axes and
// unit (in centimetres) as metadata. Versions of Assimp differ in how they put these into the root
// transform, so for FBX that transform is replaced by one from the metadata. Assimp has float
// positions, which limits the precision.

static slv_affine from_assimp(const struct aiMatrix4x4 *m) {
    return (slv_affine){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                         {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                         {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

// Normals transform by the cofactor matrix: the inverse transpose up to a factor that keeps the
// sign. Returns the determinant.
static double cofactors(const slv_affine *a, double c[3][3]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3;
            int i2 = (i + 2) % 3;
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            c[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
        }
    }
    return a->m[0][0] * c[0][0] + a->m[0][1] * c[0][1] + a->m[0][2] * c[0][2];
}

// --- FBX -----------------------------------------------------------------------------------------

static const struct aiMetadataEntry *find_metadata(const struct aiScene *scene, const char *key) {
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        if (!strcmp(data->mKeys[i].data, key) && data->mValues[i].mData) {
            return &data->mValues[i];
        }
    }
    return NULL;
}

static bool is_fbx(const struct aiScene *scene) {
    const struct aiMetadataEntry *format = find_metadata(scene, AI_METADATA_SOURCE_FORMAT);
    return format && format->mType == AI_AISTRING &&
           strstr(((const struct aiString *)format->mData)->data, "FBX");
}

static double get_number(const struct aiScene *scene, const char *key, double otherwise) {
    const struct aiMetadataEntry *entry = find_metadata(scene, key);
    if (entry && entry->mType == AI_FLOAT) {
        return (double)*(const float *)entry->mData;
    }
    if (entry && entry->mType == AI_DOUBLE) {
        return *(const double *)entry->mData;
    }
    if (entry && entry->mType == AI_INT32) {
        return *(const int32_t *)entry->mData;
    }
    return otherwise;
}

// Unit vector of the axis (0, 1 or 2) given by a metadata key, with its sign.
static void get_axis(const struct aiScene *scene, const char *key, const char *sign_key,
                     double otherwise, double axis[3]) {
    double number = get_number(scene, key, otherwise);
    double sign = get_number(scene, sign_key, 1.0) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        axis[k] = number == k ? sign : 0.0;
    }
}

// Up becomes y and front becomes z; x is their cross product, so the map is never a reflection.
static slv_affine fbx_root(const struct aiScene *scene) {
    double up[3];
    double front[3];
    double unit = get_number(scene, "UnitScaleFactor", 1.0);
    double scale = unit > 0.0 && unit < 1e9 ? 0.01 * unit : 0.01;
    get_axis(scene, "UpAxis", "UpAxisSign", 1.0, up);
    get_axis(scene, "FrontAxis", "FrontAxisSign", 2.0, front);
    double side[3] = {up[1] * front[2] - up[2] * front[1], up[2] * front[0] - up[0] * front[2],
                      up[0] * front[1] - up[1] * front[0]};
    if (side[0] == 0.0 && side[1] == 0.0 && side[2] == 0.0) { // parallel axes: invalid
        return (slv_affine){{{scale}, {0.0, scale}, {0.0, 0.0, scale}}};
    }
    slv_affine root = {{{0.0}}};
    for (int k = 0; k < 3; k++) {
        root.m[0][k] = scale * side[k];
        root.m[1][k] = scale * up[k];
        root.m[2][k] = scale * front[k];
    }
    return root;
}

// --- meshes --------------------------------------------------------------------------------------

static bool add_vertices(const struct aiMesh *mesh, const slv_affine *transform, double turn[3][3],
                         double sign, slv_raw_mesh *raw) {
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct aiVector3D *p = &mesh->mVertices[v];
        double position[3];
        for (int r = 0; r < 3; r++) {
            position[r] = transform->m[r][0] * (double)p->x + transform->m[r][1] * (double)p->y +
                          transform->m[r][2] * (double)p->z + transform->m[r][3];
        }
        if (!slv_raw_mesh_add_position(raw, position)) {
            return false;
        }
        const struct aiColor4D *colors = mesh->mColors[0];
        if (colors && !slv_raw_mesh_add_paint(raw, (const float[4]){colors[v].r, colors[v].g,
                                                                    colors[v].b, colors[v].a})) {
            return false;
        }
        if (mesh->mNormals) {
            const struct aiVector3D *n = &mesh->mNormals[v];
            float normal[3];
            for (int r = 0; r < 3; r++) {
                normal[r] = (float)(sign * (turn[r][0] * (double)n->x + turn[r][1] * (double)n->y +
                                            turn[r][2] * (double)n->z));
            }
            if (!slv_raw_mesh_add_normal(raw, normal)) {
                return false;
            }
        }
        const struct aiVector3D *uvs = mesh->mTextureCoords[0];
        if (uvs && !slv_raw_mesh_add_uv(raw, (const float[2]){uvs[v].x, uvs[v].y})) {
            return false;
        }
    }
    return true;
}

// first: indices of the first vertex, UV and normal of the mesh in raw.
static slv_result add_face(const struct aiMesh *mesh, const struct aiFace *face, bool mirrored,
                           slv_raw_corner first, slv_raw_mesh *raw, slv_error *error) {
    unsigned count = face->mNumIndices;
    for (unsigned c = 0; c < count; c++) {
        unsigned index = face->mIndices[mirrored ? count - 1 - c : c];
        if (index >= mesh->mNumVertices) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "a face names vertex %u of a mesh that has %u", index + 1,
                            mesh->mNumVertices);
        }
        slv_raw_corner corner = {.position = first.position + index,
                                 .uv = mesh->mTextureCoords[0] ? first.uv + index : SLV_NO_INDEX,
                                 .normal = mesh->mNormals ? first.normal + index : SLV_NO_INDEX};
        if (!slv_raw_mesh_add_corner(raw, corner)) {
            return slv_no_memory(error);
        }
    }
    return slv_raw_mesh_add_polygon(raw, count, 0) ? SLV_OK : slv_no_memory(error);
}

static slv_result add_mesh(const struct aiMesh *mesh, const slv_affine *transform,
                           slv_raw_mesh *raw, slv_error *error) {
    double turn[3][3];
    double determinant = cofactors(transform, turn);
    bool mirrored = determinant < 0.0;
    slv_raw_corner first = {raw->position_count, raw->uv_count, raw->normal_count};
    if (mesh->mVertices == NULL || mesh->mFaces == NULL) {
        return SLV_OK;
    }
    if (!add_vertices(mesh, transform, turn, mirrored ? -1.0 : 1.0, raw)) {
        return slv_no_memory(error);
    }
    slv_result result = SLV_OK;
    for (unsigned f = 0; f < mesh->mNumFaces && result == SLV_OK; f++) {
        if (mesh->mFaces[f].mNumIndices >= 3) {
            result = add_face(mesh, &mesh->mFaces[f], mirrored, first, raw, error);
        }
    }
    return result;
}

// --- nodes ---------------------------------------------------------------------------------------

// Groups have the name of the node, which is unique per instance. The root has a name made by the
// importer, so the mesh name is used.
static slv_result add_group(const struct aiNode *node, const struct aiMesh *mesh, slv_raw_mesh *raw,
                            slv_error *error) {
    const struct aiString *name = node->mParent ? &node->mName : &mesh->mName;
    if (name->length == 0) {
        name = node->mParent ? &mesh->mName : &node->mName;
    }
    return slv_raw_mesh_add_group(raw, name->data, strlen(name->data)) ? SLV_OK
                                                                       : slv_no_memory(error);
}

// NOLINTNEXTLINE(misc-no-recursion): a tree; one too deep ends this process, not the tool's
static slv_result add_node(const struct aiScene *scene, const struct aiNode *node,
                           const slv_affine *transform, slv_raw_mesh *raw, slv_error *error) {
    slv_result result = SLV_OK;
    for (unsigned m = 0; m < node->mNumMeshes && result == SLV_OK; m++) {
        if (node->mMeshes[m] < scene->mNumMeshes) {
            const struct aiMesh *mesh = scene->mMeshes[node->mMeshes[m]];
            result = add_group(node, mesh, raw, error);
            result = result == SLV_OK ? add_mesh(mesh, transform, raw, error) : result;
        }
    }
    for (unsigned c = 0; c < node->mNumChildren && result == SLV_OK; c++) {
        const struct aiNode *child = node->mChildren[c];
        slv_affine own = from_assimp(&child->mTransformation);
        slv_affine child_transform = slv_affine_multiply(transform, &own);
        result = add_node(scene, child, &child_transform, raw, error);
    }
    return result;
}

slv_result slv_assimp_flatten(const struct aiScene *scene, slv_raw_mesh *raw, slv_error *error) {
    if (scene->mRootNode == NULL) {
        return slv_fail(error, SLV_ERROR_CONTENT, "has no triangles; a surface is needed");
    }
    slv_affine root =
        is_fbx(scene) ? fbx_root(scene) : from_assimp(&scene->mRootNode->mTransformation);
    return add_node(scene, scene->mRootNode, &root, raw, error);
}
