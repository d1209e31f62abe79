// SPDX-License-Identifier: MIT
#include "tools/common/assimp_space.h"

#include <assimp/commonMetaData.h>
#include <math.h>
#include <string.h>

// Assimp puts the unit and axes of Collada into the root transform. FBX stores axes and unit (in centimetres) as metadata;
// versions of Assimp differ in how they put these into the root transform, so for FBX that transform is ignored.

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

bool slv_assimp_is_fbx(const struct aiScene *scene) {
    return is_format(scene, "FBX");
}

double slv_assimp_number(const struct aiMetadata *data, const char *key, double otherwise) {
    const struct aiMetadataEntry *entry = find_metadata(data, key);
    switch (entry ? entry->mType : AI_META_MAX) {
    case AI_BOOL:
        return *(const bool *)entry->mData ? 1.0 : 0.0;
    case AI_FLOAT:
        return (double)*(const float *)entry->mData;
    case AI_DOUBLE:
        return *(const double *)entry->mData;
    case AI_INT32:
        return *(const int32_t *)entry->mData;
    default:
        return otherwise;
    }
}

bool slv_assimp_is_hidden(const struct aiNode *node) {
    return slv_assimp_number(node->mMetaData, "Show", 1.0) == 0.0 ||
           slv_assimp_number(node->mMetaData, "Visibility", 1.0) == 0.0;
}

static int get_axis(const struct aiMetadata *data, const char *key, int otherwise) {
    const double axis = slv_assimp_number(data, key, otherwise);
    return axis == 0.0 ? 0 : axis == 1.0 ? 1 : axis == 2.0 ? 2 : -1;
}

static int get_sign(const struct aiMetadata *data, const char *key) {
    return slv_assimp_number(data, key, 1.0) < 0.0 ? -1 : 1;
}

static void fbx_space(const struct aiMetadata *data, slv_import_space *space) {
    const double unit = slv_assimp_number(data, "UnitScaleFactor", 1.0); // centimetres
    space->scale = unit > 0.0 && unit < 1e9 ? unit / 100.0 : 0.01;
    // The factor arrives as a float: 2.54f is not 2.54.
    space->scale = rint(space->scale * 1e8) > 0.0 ? rint(space->scale * 1e8) / 1e8 : space->scale;
    space->scale_source = SLV_SPACE_STATED;
    space->turn_source = SLV_SPACE_STATED; // stays as it is where the axes are parallel
    (void)slv_import_space_set_axes(space, get_axis(data, "UpAxis", 1),
                                    get_sign(data, "UpAxisSign"), get_axis(data, "FrontAxis", 2),
                                    get_sign(data, "FrontAxisSign"));
}

bool slv_assimp_space(const struct aiScene *scene, slv_import_space *space) {
    *space = slv_import_space_default();
    if (slv_assimp_is_fbx(scene)) {
        fbx_space(scene->mMetaData, space);
        return true;
    }
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
