// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERIC_ORDER = 6 };

// --- Tree ---------------------------------------------------------------------------------------

// The first Model that a Model belongs to, the root, or SLV_FBX_NONE.
static uint32_t find_parent(const slv_fbx_scene *scene, uint32_t model) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_target(scene, model, NULL, &at)) != NULL) {
        if (slv_fbx_link_is(link, NULL) &&
            (link->to == SLV_FBX_SCENE_ROOT || slv_fbx_is(scene, link->to, "Model"))) {
            return link->to;
        }
    }
    return SLV_FBX_NONE;
}

typedef struct walker {
    slv_fbx_reader *reader;
    uint32_t *parents; // [object_count] of Models, else SLV_FBX_NONE
    uint32_t *stack;   // of Models, room for all
    uint32_t depth;
    uint32_t count; // of nodes
} walker;

// Puts the children of an object on the stack, the first one on top.
static void push_children(walker *w, uint32_t object) {
    const slv_fbx_scene *scene = w->reader->scene;
    const uint32_t first = w->depth;
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(scene, object, "Model", &at)) != NULL) {
        if (slv_fbx_link_is(link, NULL) && w->parents[link->from] == object &&
            w->reader->node_of[link->from] == SLV_NO_NODE) {
            w->reader->node_of[link->from] = 0; // pushed: a second link is ignored
            w->stack[w->depth++] = link->from;
        }
    }
    for (uint32_t low = first, high = w->depth; low + 1 < high; low++) {
        const uint32_t last = w->stack[--high];
        w->stack[high] = w->stack[low];
        w->stack[low] = last;
    }
}

static void walk(walker *w) {
    while (w->depth > 0) {
        const uint32_t model = w->stack[--w->depth];
        w->reader->node_of[model] = w->count;
        w->reader->model_of[w->count++] = model;
        push_children(w, model);
    }
}

// Numbers the nodes: the root, the tree below it in the order of connections, then Models that nothing holds.
static slv_result number_nodes(walker *w, uint32_t model_count, slv_error *error) {
    const slv_fbx_scene *scene = w->reader->scene;
    w->count = 1;
    push_children(w, SLV_FBX_SCENE_ROOT);
    walk(w);
    for (uint32_t o = 1; o < scene->object_count; o++) {
        if (slv_fbx_is(scene, o, "Model") && w->parents[o] == SLV_FBX_NONE) {
            w->reader->node_of[o] = 0;
            w->stack[w->depth++] = o;
            walk(w);
        }
    }
    return w->count == model_count + 1
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_CONTENT, "its nodes form no tree");
}

// --- Properties of nodes ------------------------------------------------------------------------

void slv_fbx_vector(const slv_fbx_scene *scene, uint32_t object, const char *name, double v[3]) {
    (void)slv_fbx_property(scene, object, name, v, 3);
}

slv_affine slv_fbx_geometric(const slv_fbx_scene *scene, uint32_t model) {
    double move[3] = {0.0, 0.0, 0.0};
    double turn[3] = {0.0, 0.0, 0.0};
    double scale[3] = {1.0, 1.0, 1.0};
    slv_fbx_vector(scene, model, "GeometricTranslation", move);
    slv_fbx_vector(scene, model, "GeometricRotation", turn);
    slv_fbx_vector(scene, model, "GeometricScaling", scale);
    double rows[3][3];
    slv_turn_axes(turn, 0, rows);
    slv_affine map;
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            map.m[r][k] = rows[r][k] * scale[k];
        }
        map.m[r][3] = move[r];
    }
    return map;
}

static bool layer_hides(const slv_fbx_scene *scene, uint32_t model) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_target(scene, model, "CollectionExclusive", &at)) != NULL) {
        if (slv_fbx_property_number(scene, link->to, "Show", 1.0) == 0.0) {
            return true; // a display layer
        }
    }
    return false;
}

static bool is_hidden(const slv_fbx_scene *scene, uint32_t model) {
    return slv_fbx_property_number(scene, model, "Show", 1.0) == 0.0 ||
           slv_fbx_property_number(scene, model, "Visibility", 1.0) == 0.0 ||
           layer_hides(scene, model);
}

static bool is_detail_group(const slv_fbx_scene *scene, uint32_t model) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(scene, model, "NodeAttribute", &at)) != NULL) {
        if (slv_fbx_is_class(scene, link->from, "LodGroup")) {
            return true;
        }
    }
    return false;
}

// The first node below a group of levels of detail shows the most.
static void mark_details(slv_fbx_reader *r) {
    slv_character *c = &r->build->character;
    for (uint32_t group = 1; group < c->node_count; group++) {
        if (is_detail_group(r->scene, r->model_of[group])) {
            bool first = true;
            for (uint32_t i = group + 1; i < c->node_count; i++) {
                if (c->nodes[i].parent == group) {
                    c->nodes[i].lower_detail = first ? 0 : 1;
                    first = false;
                }
            }
        }
    }
}

static slv_result set_rotation(const slv_fbx_reader *r, uint32_t model, slv_character_pivots *p,
                               slv_error *error) {
    const slv_fbx_scene *scene = r->scene;
    if (slv_fbx_property_number(scene, model, "RotationActive", 1.0) == 0.0 ||
        slv_fbx_property_number(scene, model, "RotationSpaceForLimitOnly", 0.0) != 0.0) {
        return SLV_OK; // order and rotations before and after apply to limits only
    }
    double before[3] = {0.0, 0.0, 0.0};
    double after[3] = {0.0, 0.0, 0.0};
    slv_fbx_vector(scene, model, "PreRotation", before);
    slv_fbx_vector(scene, model, "PostRotation", after);
    double turn[3][3];
    slv_turn_axes(before, 0, p->before);
    slv_turn_axes(after, 0, turn);
    for (int k = 0; k < 9; k++) {
        p->after[k / 3][k % 3] = turn[k % 3][k / 3]; // the inverse
    }
    const double order = slv_fbx_property_number(scene, model, "RotationOrder", 0.0);
    if (!(order >= 0.0 && order < SLV_TURN_ORDERS)) {
        char name[SLV_FBX_NAME_SIZE];
        slv_fbx_name(scene, model, name, sizeof name);
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "node '%.100s' has %s; export it with the order XYZ", name,
                        order == SPHERIC_ORDER ? "the rotation order SphericXYZ, which is not read"
                                               : "a rotation order that does not exist");
    }
    p->order = (uint32_t)order;
    return SLV_OK;
}

static slv_result set_node(slv_fbx_reader *r, uint32_t number, uint32_t parent, slv_error *error) {
    const slv_fbx_scene *scene = r->scene;
    const uint32_t model = r->model_of[number];
    uint32_t pivots = 0;
    slv_character_pivots *p = slv_build_pivots(r->build, &pivots);
    if (!p) {
        return slv_no_memory(error);
    }
    char name[SLV_FBX_NAME_SIZE];
    slv_fbx_name(scene, model, name, sizeof name);
    slv_character_node *node = &r->build->character.nodes[number];
    node->parent = parent;
    node->pivots = pivots;
    node->in_parts = 1;
    node->hidden = is_hidden(scene, model) ? 1 : 0;
    node->name = slv_build_name(r->build, name);
    memset(node->rotation, 0, sizeof node->rotation);
    slv_fbx_vector(scene, model, "Lcl Translation", node->translation);
    slv_fbx_vector(scene, model, "Lcl Rotation", node->rotation);
    slv_fbx_vector(scene, model, "Lcl Scaling", node->scale);
    slv_fbx_vector(scene, model, "RotationOffset", p->rotation_offset);
    slv_fbx_vector(scene, model, "RotationPivot", p->rotation_pivot);
    slv_fbx_vector(scene, model, "ScalingOffset", p->scale_offset);
    slv_fbx_vector(scene, model, "ScalingPivot", p->scale_pivot);
    const double type = slv_fbx_property_number(scene, model, "InheritType", SLV_INHERIT_ALL);
    p->inheritance = type >= 0.0 && type < SLV_INHERIT_COUNT ? (uint32_t)type : SLV_INHERIT_ALL;
    return set_rotation(r, model, p, error);
}

// --- Unit and axes ------------------------------------------------------------------------------

static int axis_of(const slv_fbx *file, uint32_t settings, const char *name, int otherwise) {
    slv_fbx_value value;
    return slv_fbx_record_property(file, settings, name, &value) && value.integer >= 0 &&
                   value.integer <= 2
               ? (int)value.integer
               : otherwise;
}

static int sign_of(const slv_fbx *file, uint32_t settings, const char *name) {
    slv_fbx_value value;
    return slv_fbx_record_property(file, settings, name, &value) && value.number < 0.0 ? -1 : 1;
}

// Reads the space. True where the axes are left-handed: the scene is its mirror image along the third axis.
static bool read_space(const slv_fbx *file, slv_import_space *space, uint32_t *mirrored) {
    const uint32_t settings = slv_fbx_child(file, SLV_FBX_ROOT, "GlobalSettings");
    slv_fbx_value value;
    const bool stated = slv_fbx_record_property(file, settings, "UnitScaleFactor", &value);
    const double unit = stated ? value.number : 1.0; // centimetres
    space->scale = unit > 0.0 && unit < 1e9 ? unit / 100.0 : 0.01;
    space->scale_source = SLV_SPACE_STATED;
    space->turn_source = SLV_SPACE_STATED; // stays as it is where the axes are parallel
    const int up = axis_of(file, settings, "UpAxis", 1);
    const int front = axis_of(file, settings, "FrontAxis", 2);
    if (!slv_import_space_set_axes(space, up, sign_of(file, settings, "UpAxisSign"), front,
                                   sign_of(file, settings, "FrontAxisSign"))) {
        return false;
    }
    *mirrored = (uint32_t)(3 - up - front);
    slv_fbx_value sign;
    return slv_fbx_record_property(file, settings, "CoordAxisSign", &sign) &&
           space->turn[0][*mirrored] * sign.number < 0.0;
}

static slv_result set_root(slv_fbx_reader *r, slv_error *error) {
    uint32_t pivots = 0;
    slv_character_pivots *p = slv_build_pivots(r->build, &pivots);
    if (!p) {
        return slv_no_memory(error);
    }
    slv_character *c = &r->build->character;
    uint32_t mirrored = 0;
    if (read_space(&r->scene->file, &c->space, &mirrored)) {
        p->before[mirrored][mirrored] = -1.0;
    }
    p->inheritance = SLV_INHERIT_ALL;
    c->nodes[0].pivots = pivots;
    c->nodes[0].in_parts = 1;
    memset(c->nodes[0].rotation, 0, sizeof c->nodes[0].rotation);
    c->nodes[0].name = slv_build_name(r->build, "RootNode");
    return SLV_OK;
}

// --- All ----------------------------------------------------------------------------------------

static slv_result add_all(walker *w, slv_error *error) {
    slv_fbx_reader *r = w->reader;
    const slv_fbx_scene *scene = r->scene;
    uint32_t models = 0;
    for (uint32_t o = 0; o < scene->object_count; o++) {
        r->node_of[o] = SLV_NO_NODE;
        const bool model = slv_fbx_is(scene, o, "Model");
        w->parents[o] = model ? find_parent(scene, o) : SLV_FBX_NONE;
        models += model ? 1 : 0;
    }
    slv_result result = number_nodes(w, models, error);
    if (result == SLV_OK && !slv_build_nodes(r->build, models + 1)) {
        result = slv_no_memory(error);
    }
    if (result == SLV_OK) {
        result = set_root(r, error);
    }
    for (uint32_t i = 1; result == SLV_OK && i <= models; i++) {
        const uint32_t above = w->parents[r->model_of[i]];
        const bool held = above != SLV_FBX_NONE && above != SLV_FBX_SCENE_ROOT;
        result = set_node(r, i, held ? r->node_of[above] : 0, error);
    }
    return result;
}

slv_result slv_fbx_add_nodes(slv_fbx_reader *r, slv_error *error) {
    const size_t count = r->scene->object_count;
    r->node_of = calloc(count, sizeof *r->node_of);
    r->model_of = calloc(count, sizeof *r->model_of);
    walker w = {.reader = r,
                .parents = calloc(count, sizeof *w.parents),
                .stack = calloc(count, sizeof *w.stack)};
    const slv_result result = r->node_of && r->model_of && w.parents && w.stack
                                  ? add_all(&w, error)
                                  : slv_no_memory(error);
    free(w.parents);
    free(w.stack);
    if (result == SLV_OK) {
        mark_details(r);
    }
    return result;
}
