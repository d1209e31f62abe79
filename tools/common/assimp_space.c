// SPDX-License-Identifier: MIT
#include "tools/common/assimp_space.h"

#include <assimp/commonMetaData.h>
#include <string.h>

// Assimp puts the unit and axes of Collada into the root transform.

slv_affine slv_from_assimp(const struct aiMatrix4x4 *m) {
    return (slv_affine){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                         {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                         {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

static const struct aiMetadataEntry *find_metadata(const struct aiMetadata *data, const char *key) {
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        if (!strcmp(data->mKeys[i].data, key) && data->mValues[i].mData) {
            return &data->mValues[i];
        }
    }
    return NULL;
}

static bool is_format(const struct aiScene *scene, const char *name) {
    const struct aiMetadataEntry *format =
        find_metadata(scene->mMetaData, AI_METADATA_SOURCE_FORMAT);
    return format && format->mType == AI_AISTRING &&
           strstr(((const struct aiString *)format->mData)->data, name);
}

bool slv_assimp_space(const struct aiScene *scene, slv_import_space *space) {
    *space = slv_import_space_default();
    if (!is_format(scene, "Collada")) {
        return false;
    }
    const slv_affine root = slv_from_assimp(&scene->mRootNode->mTransformation);
    double matrix[3][3];
    for (int r = 0; r < 3; r++) {
        memcpy(matrix[r], root.m[r], sizeof matrix[r]);
    }
    return root.m[0][3] == 0.0 && root.m[1][3] == 0.0 && root.m[2][3] == 0.0 &&
           slv_import_space_from_matrix(space, matrix);
}
