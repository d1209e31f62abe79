// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include "tools/common/grow.h"

#include <math.h>
#include <string.h>

static bool is_deformer(const slv_fbx_scene *scene, uint32_t object, const char *name) {
    return slv_fbx_is(scene, object, "Deformer") && slv_fbx_is_class(scene, object, name);
}

// --- Skins --------------------------------------------------------------------------------------

typedef struct binding { // of one control point to one joint
    uint32_t point, joint;
    double weight;
} binding;

typedef struct skinner {
    slv_fbx_reader *reader;
    uint32_t node, point_count;
    binding *bindings;
    uint32_t count, room;
    bool *partial; // [point_count] weights below 1 leave the rest to the node of the mesh
} skinner;

static slv_result fail(const slv_fbx_reader *r, uint32_t object, const char *what,
                       slv_error *error) {
    char name[SLV_FBX_NAME_SIZE];
    slv_fbx_name(r->scene, object, name, sizeof name);
    return slv_fail(error, SLV_ERROR_CONTENT, "skin cluster '%.100s' %s", name, what);
}

static slv_result check_method(const slv_fbx_reader *r, uint32_t skin, slv_error *error) {
    slv_fbx_value type;
    if (slv_fbx_child_text(&r->scene->file, r->scene->objects[skin].node, "SkinningType", &type) &&
        !slv_fbx_value_is(&type, "Linear") && !slv_fbx_value_is(&type, "Rigid")) {
        return slv_fail(
            error, SLV_ERROR_CONTENT,
            "has a skin of type '%.*s', which is not supported; export it as linear, or "
            "export glTF",
            type.length < 60 ? (int)type.length : 60, type.text);
    }
    return SLV_OK;
}

static slv_result read_matrix(const slv_fbx_reader *r, uint32_t record, const char *name,
                              slv_affine *matrix, bool *found, slv_error *error) {
    const slv_fbx *file = &r->scene->file;
    void *values = NULL;
    uint32_t count = 0;
    slv_result result = slv_fbx_read_array(file, slv_fbx_child(file, record, name), SLV_FBX_DOUBLE,
                                           &values, &count, error);
    *found = count >= 16;
    for (int k = 0; *found && k < 12; k++) { // columns, one after another
        matrix->m[k / 4][k % 4] = ((const double *)values)[4 * (k % 4) + k / 4];
    }
    free(values);
    return result;
}

// Transform is the inverse of the bone's transform at binding, times that of the mesh then.
static slv_result add_joint(skinner *s, uint32_t cluster, uint32_t *number, slv_error *error) {
    slv_fbx_reader *r = s->reader;
    uint32_t at = 0;
    const slv_fbx_link *bone = slv_fbx_source(r->scene, cluster, "Model", &at);
    if (!bone) {
        return fail(r, cluster,
                    "moves vertices, but its bone is not in the file; export the "
                    "skeleton with the mesh",
                    error);
    }
    slv_character_joint *joint = slv_build_joint(r->build);
    if (!joint) {
        return slv_no_memory(error);
    }
    joint->node = r->node_of[bone->from];
    *number = r->build->character.joint_count - 1;
    bool found = false;
    const slv_result result = read_matrix(r, r->scene->objects[cluster].node, "Transform",
                                          &joint->inverse_bind, &found, error);
    return result == SLV_OK && !found ? fail(r, cluster, "has no transform of its binding", error)
                                      : result;
}

static slv_result add_bindings(skinner *s, uint32_t cluster, const int32_t *points,
                               const double *weights, uint32_t count, bool total,
                               slv_error *error) {
    uint32_t joint = 0;
    slv_result result = add_joint(s, cluster, &joint, error);
    for (uint32_t i = 0; result == SLV_OK && i < count; i++) {
        if (points[i] < 0 || (uint32_t)points[i] >= s->point_count) {
            return fail(s->reader, cluster, "moves a vertex that is missing", error);
        }
        if (!(weights[i] > 0.0)) {
            continue; // negative ones do nothing in the file's own application
        }
        void *grown = s->bindings;
        if (!slv_grow(&grown, &s->room, (uint64_t)s->count + 1, sizeof *s->bindings)) {
            return slv_no_memory(error);
        }
        s->bindings = grown;
        s->bindings[s->count++] = (binding){(uint32_t)points[i], joint, weights[i]};
        s->partial[points[i]] = s->partial[points[i]] || total;
    }
    return result;
}

static slv_result read_cluster(skinner *s, uint32_t cluster, slv_error *error) {
    const slv_fbx_scene *scene = s->reader->scene;
    const uint32_t record = scene->objects[cluster].node;
    slv_fbx_value mode;
    const bool stated = slv_fbx_child_text(&scene->file, record, "Mode", &mode);
    if (stated && slv_fbx_value_is(&mode, "Additive")) {
        return fail(s->reader, cluster,
                    "is additive, which is not supported; export normalized weights", error);
    }
    void *points = NULL;
    void *weights = NULL;
    uint32_t count = 0;
    uint32_t weight_count = 0;
    slv_result result =
        slv_fbx_read_array(&scene->file, slv_fbx_child(&scene->file, record, "Indexes"),
                           SLV_FBX_INT32, &points, &count, error);
    if (result == SLV_OK) {
        result = slv_fbx_read_array(&scene->file, slv_fbx_child(&scene->file, record, "Weights"),
                                    SLV_FBX_DOUBLE, &weights, &weight_count, error);
    }
    if (result == SLV_OK && count != weight_count) {
        result = fail(s->reader, cluster, "has another number of weights than of vertices", error);
    }
    if (result == SLV_OK && count > 0) {
        const bool total = stated && slv_fbx_value_is(&mode, "Total1");
        result = add_bindings(s, cluster, points, weights, count, total, error);
    }
    free(points);
    free(weights);
    return result;
}

static slv_result read_clusters(skinner *s, uint32_t geometry, bool *any, slv_error *error) {
    const slv_fbx_scene *scene = s->reader->scene;
    slv_result result = SLV_OK;
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while (result == SLV_OK && (link = slv_fbx_source(scene, geometry, "Deformer", &at)) != NULL) {
        if (is_deformer(scene, link->from, "VertexCacheDeformer") &&
            slv_fbx_property_number(scene, link->from, "Active", 1.0) != 0.0) {
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "has a mesh that a vertex cache moves, which is not read; export a "
                            "sequence of OBJ files");
        }
        if (!is_deformer(scene, link->from, "Skin")) {
            continue;
        }
        result = check_method(s->reader, link->from, error);
        uint32_t inner = 0;
        const slv_fbx_link *cluster = NULL;
        while (result == SLV_OK &&
               (cluster = slv_fbx_source(scene, link->from, "Deformer", &inner)) != NULL) {
            if (is_deformer(scene, cluster->from, "Cluster")) {
                result = read_cluster(s, cluster->from, error);
            }
        }
        *any = *any || s->count > 0;
    }
    return result;
}

// Weights above this sum count as a whole: files round them to floats.
static const double WHOLE = 1.0 - 1e-3;

// Lists the influences by control point. Weights are scaled to sum to 1; the rest of clusters that say "Total1" and a point
// without weights belong to the node of the mesh: joint `own`.
static slv_result list_influences(const skinner *s, uint32_t own, slv_fbx_skin *skin,
                                  slv_error *error) {
    const size_t points = s->point_count;
    double *sums = calloc(points + 1, sizeof *sums);
    skin->first = calloc(points + 2, sizeof *skin->first);
    skin->influences = malloc(((size_t)s->count + points + 1) * sizeof *skin->influences);
    if (!sums || !skin->first || !skin->influences || s->count >= UINT32_MAX - points) {
        free(sums);
        return slv_no_memory(error);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        sums[s->bindings[i].point] += s->bindings[i].weight;
        skin->first[s->bindings[i].point + 1]++;
    }
    uint32_t *next = skin->first + 1; // of a point, while the list is filled
    uint32_t begin = 0;
    for (size_t p = 0; p < points; p++) {
        const double rest =
            sums[p] > 0.0 && !(s->partial[p] && sums[p] < WHOLE) ? 0.0 : 1.0 - sums[p];
        const uint32_t count = next[p];
        next[p] = begin;
        if (rest > 0.0) {
            skin->influences[next[p]++] = (slv_character_influence){.joint = own, .weight = rest};
            sums[p] = 1.0;
        }
        begin += count + (rest > 0.0 ? 1 : 0);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const binding *b = &s->bindings[i];
        skin->influences[next[b->point]++] =
            (slv_character_influence){.joint = b->joint, .weight = b->weight / sums[b->point]};
    }
    free(sums);
    return SLV_OK;
}

slv_result slv_fbx_read_skin(slv_fbx_reader *r, uint32_t geometry, uint32_t node,
                             uint32_t point_count, slv_fbx_skin *skin, slv_error *error) {
    skinner s = {.reader = r, .node = node, .point_count = point_count};
    s.partial = calloc((size_t)point_count + 1, sizeof *s.partial);
    bool any = false;
    slv_result result = s.partial ? read_clusters(&s, geometry, &any, error) : slv_no_memory(error);
    if (result == SLV_OK && any) {
        slv_character_joint *own = slv_build_joint(r->build);
        if (own) {
            own->node = node;
            own->inverse_bind = slv_affine_identity();
            result = list_influences(&s, r->build->character.joint_count - 1, skin, error);
        } else {
            result = slv_no_memory(error);
        }
    }
    free(s.bindings);
    free(s.partial);
    return result;
}

void slv_fbx_skin_free(slv_fbx_skin *skin) {
    free(skin->first);
    free(skin->influences);
    *skin = (slv_fbx_skin){.first = NULL};
}

// --- Blend shapes -------------------------------------------------------------------------------

slv_result slv_fbx_read_moves(const slv_fbx_scene *scene, uint32_t shape, uint32_t point_count,
                              double *moved, slv_error *error) {
    if (shape == SLV_FBX_NONE) {
        return SLV_OK;
    }
    const slv_fbx *file = &scene->file;
    const uint32_t record = scene->objects[shape].node;
    void *points = NULL;
    void *moves = NULL;
    uint32_t count = 0;
    uint32_t numbers = 0;
    slv_result result = slv_fbx_read_array(file, slv_fbx_child(file, record, "Indexes"),
                                           SLV_FBX_INT32, &points, &count, error);
    if (result == SLV_OK) {
        result = slv_fbx_read_array(file, slv_fbx_child(file, record, "Vertices"), SLV_FBX_DOUBLE,
                                    &moves, &numbers, error);
    }
    if (result == SLV_OK && numbers / 3 != count) {
        result =
            slv_fail(error, SLV_ERROR_CONTENT,
                     "a blend shape has %u vertices and %u numbers for them", count, numbers / 3);
    }
    for (uint32_t i = 0; result == SLV_OK && i < count; i++) {
        const int32_t point = ((const int32_t *)points)[i];
        if (point < 0 || (uint32_t)point >= point_count) {
            result =
                slv_fail(error, SLV_ERROR_CONTENT, "a blend shape moves a vertex that is missing");
        } else {
            memcpy(moved + 3 * (size_t)point, (const double *)moves + 3 * (size_t)i,
                   3 * sizeof *moved);
        }
    }
    free(points);
    free(moves);
    return result;
}

slv_result slv_fbx_read_full_weight(const slv_fbx_scene *scene, uint32_t channel, double *percent,
                                    slv_error *error) {
    const slv_fbx *file = &scene->file;
    void *values = NULL;
    uint32_t count = 0;
    const slv_result result =
        slv_fbx_read_array(file, slv_fbx_child(file, scene->objects[channel].node, "FullWeights"),
                           SLV_FBX_DOUBLE, &values, &count, error);
    *percent = count > 0 && *(const double *)values != 0.0 ? *(const double *)values : 100.0;
    free(values);
    return result;
}

// The weight is a property in most files, and a record of its own in some.
static double percent_of(const slv_fbx_scene *scene, uint32_t channel) {
    double percent =
        slv_fbx_child_number(&scene->file, scene->objects[channel].node, "DeformPercent", 0.0);
    (void)slv_fbx_property(scene, channel, "DeformPercent", &percent, 1);
    return percent;
}

static slv_result add_shape(const slv_fbx_scene *scene, uint32_t channel, slv_fbx_shape *shape,
                            slv_error *error) {
    char name[SLV_FBX_NAME_SIZE];
    uint32_t at = 0;
    const slv_fbx_link *link = slv_fbx_source(scene, channel, "Geometry", &at);
    *shape = (slv_fbx_shape){.channel = channel, .geometry = link ? link->from : SLV_FBX_NONE};
    if (link && slv_fbx_source(scene, channel, "Geometry", &at) != NULL) {
        slv_fbx_name(scene, channel, name, sizeof name);
        return slv_fail(
            error, SLV_ERROR_CONTENT,
            "blend shape '%.100s' has shapes in between, which are not supported; export "
            "each as a shape of its own",
            name);
    }
    const slv_result result = slv_fbx_read_full_weight(scene, channel, &shape->full_weight, error);
    shape->weight = percent_of(scene, channel) / shape->full_weight;
    return result;
}

bool slv_fbx_next_channel(const slv_fbx_scene *scene, uint32_t geometry, slv_fbx_channels *channels,
                          uint32_t *channel) {
    const slv_fbx_link *link = NULL;
    do {
        while (channels->deformer != SLV_FBX_SCENE_ROOT &&
               (link = slv_fbx_source(scene, channels->deformer, "Deformer",
                                      &channels->next_inside)) != NULL) {
            if (is_deformer(scene, link->from, "BlendShapeChannel")) {
                *channel = link->from;
                return true;
            }
        }
        link = slv_fbx_source(scene, geometry, "Deformer", &channels->next);
        channels->next_inside = 0;
        channels->deformer =
            link && is_deformer(scene, link->from, "BlendShape") ? link->from : SLV_FBX_SCENE_ROOT;
    } while (link);
    return false;
}

slv_result slv_fbx_read_shapes(const slv_fbx_scene *scene, uint32_t geometry,
                               slv_fbx_shape **shapes, uint32_t *count, slv_error *error) {
    *shapes = NULL;
    *count = 0;
    uint32_t room = 0;
    uint32_t channel = 0;
    slv_fbx_channels channels = {0};
    slv_result result = SLV_OK;
    while (result == SLV_OK && slv_fbx_next_channel(scene, geometry, &channels, &channel)) {
        void *grown = *shapes;
        if (!slv_grow(&grown, &room, (uint64_t)*count + 1, sizeof **shapes)) {
            result = slv_no_memory(error);
            break;
        }
        *shapes = grown;
        result = add_shape(scene, channel, &(*shapes)[(*count)++], error);
    }
    if (result != SLV_OK) {
        free(*shapes);
        *shapes = NULL;
        *count = 0;
    }
    return result;
}
