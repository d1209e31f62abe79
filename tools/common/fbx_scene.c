// SPDX-License-Identifier: MIT
#include "tools/common/fbx_scene.h"

#include "tools/common/grow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TICKS_7 46186158000.0 // per second, in files up to 7.7
#define TICKS_8 141120000.0   // in those that say so
enum { TICKS_7_MARK = 127 };

// --- Objects ------------------------------------------------------------------------------------

typedef struct id_place {
    int64_t id;
    uint32_t object;
} id_place;

static int compare_ids(const void *left, const void *right) {
    const id_place *a = left;
    const id_place *b = right;
    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    return a->object < b->object ? -1 : a->object > b->object ? 1 : 0;
}

static uint32_t count_children(const slv_fbx *file, uint32_t node) {
    uint32_t count = 0;
    const uint32_t first = node == SLV_FBX_NONE ? SLV_FBX_NONE : file->nodes[node].child;
    for (uint32_t at = first; at != SLV_FBX_NONE; at = file->nodes[at].next) {
        count++;
    }
    return count;
}

// The Properties70 of the template for records of that name.
static uint32_t find_defaults(const slv_fbx *file, const slv_fbx_node *record) {
    const uint32_t all = slv_fbx_child(file, SLV_FBX_ROOT, "Definitions");
    for (uint32_t type = slv_fbx_child(file, all, "ObjectType"); type != SLV_FBX_NONE;
         type = slv_fbx_beside(file, type, "ObjectType")) {
        slv_fbx_value name;
        if (slv_fbx_value_at(file, type, 0, &name) && name.kind == SLV_FBX_TEXT &&
            name.length == record->name_length &&
            memcmp(name.text, record->name, name.length) == 0) {
            return slv_fbx_child(file, slv_fbx_child(file, type, "PropertyTemplate"),
                                 "Properties70");
        }
    }
    return SLV_FBX_NONE;
}

static slv_result read_objects(slv_fbx_scene *scene, slv_error *error) {
    const slv_fbx *file = &scene->file;
    const uint32_t list = slv_fbx_child(file, SLV_FBX_ROOT, "Objects");
    const size_t room = (size_t)count_children(file, list) + 1;
    scene->objects = calloc(room, sizeof *scene->objects);
    scene->by_id = calloc(room, sizeof *scene->by_id);
    id_place *places = calloc(room, sizeof *places);
    if (!scene->objects || !scene->by_id || !places) {
        free(places);
        return slv_no_memory(error);
    }
    scene->objects[scene->object_count++] = (slv_fbx_object){0, SLV_FBX_NONE, SLV_FBX_NONE};
    const uint32_t first = list == SLV_FBX_NONE ? SLV_FBX_NONE : file->nodes[list].child;
    for (uint32_t node = first; node != SLV_FBX_NONE; node = file->nodes[node].next) {
        slv_fbx_value id;
        if (slv_fbx_value_at(file, node, 0, &id) && id.kind == SLV_FBX_INTEGER && id.integer != 0) {
            scene->objects[scene->object_count++] =
                (slv_fbx_object){id.integer, node, find_defaults(file, &file->nodes[node])};
        }
    }
    for (uint32_t i = 0; i < scene->object_count; i++) {
        places[i] = (id_place){scene->objects[i].id, i};
    }
    qsort(places, scene->object_count, sizeof *places, compare_ids);
    bool twice = false;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        scene->by_id[i] = places[i].object;
        twice = twice || (i > 0 && places[i].id == places[i - 1].id);
    }
    free(places);
    return twice ? slv_fail(error, SLV_ERROR_CONTENT, "has two objects of one number") : SLV_OK;
}

static uint32_t find_object(const slv_fbx_scene *scene, int64_t id) {
    uint32_t low = 0;
    uint32_t high = scene->object_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (scene->objects[scene->by_id[middle]].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < scene->object_count && scene->objects[scene->by_id[low]].id == id
               ? scene->by_id[low]
               : SLV_FBX_NONE;
}

// --- Links --------------------------------------------------------------------------------------

static int compare_links(const void *left, const void *right) {
    const slv_fbx_link *a = left;
    const slv_fbx_link *b = right;
    if (a->to != b->to) {
        return a->to < b->to ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

// False for a connection that leads to no object, which is ignored.
static bool read_link(const slv_fbx_scene *scene, uint32_t node, slv_fbx_link *link) {
    slv_fbx_value kind;
    slv_fbx_value from;
    slv_fbx_value to;
    slv_fbx_value property;
    if (!slv_fbx_value_at(&scene->file, node, 0, &kind) ||
        !slv_fbx_value_at(&scene->file, node, 1, &from) || from.kind != SLV_FBX_INTEGER ||
        !slv_fbx_value_at(&scene->file, node, 2, &to) || to.kind != SLV_FBX_INTEGER) {
        return false;
    }
    link->from = find_object(scene, from.integer);
    link->to = find_object(scene, to.integer);
    if (slv_fbx_value_is(&kind, "OP") && slv_fbx_value_at(&scene->file, node, 3, &property) &&
        property.kind == SLV_FBX_TEXT && property.length < UINT32_MAX) {
        link->property = property.text;
        link->property_length = (uint32_t)property.length;
    } else if (!slv_fbx_value_is(&kind, "OO")) {
        return false;
    }
    return link->from != SLV_FBX_NONE && link->to != SLV_FBX_NONE &&
           link->from != SLV_FBX_SCENE_ROOT;
}

static int compare_properties(const slv_fbx_link *a, const slv_fbx_link *b) {
    const int64_t length = a->property ? (int64_t)a->property_length : -1;
    const int64_t other = b->property ? (int64_t)b->property_length : -1;
    if (length != other) {
        return length < other ? -1 : 1;
    }
    return length > 0 ? memcmp(a->property, b->property, (size_t)length) : 0;
}

// 0 for links of the same ends and property.
static int compare_ends(const slv_fbx_link *a, const slv_fbx_link *b) {
    return a->to != b->to       ? (a->to < b->to ? -1 : 1)
           : a->from != b->from ? (a->from < b->from ? -1 : 1)
                                : compare_properties(a, b);
}

static int compare_repeated(const void *left, const void *right) {
    const slv_fbx_link *a = left;
    const slv_fbx_link *b = right;
    const int ends = compare_ends(a, b);
    return ends != 0 ? ends : a->number < b->number ? -1 : 1;
}

// A link that is there several times counts once, or it would move vertices several times. Materials keep theirs: polygons
// have numbers of a node's links to materials.
static void drop_repeated_links(slv_fbx_scene *scene) {
    slv_fbx_link *links = scene->links;
    uint32_t kept = 0;
    qsort(links, scene->link_count, sizeof *links, compare_repeated);
    for (uint32_t i = 0; i < scene->link_count; i++) {
        if (kept == 0 || compare_ends(&links[kept - 1], &links[i]) != 0 ||
            slv_fbx_is(scene, links[i].from, "Material")) {
            links[kept++] = links[i];
        }
    }
    scene->link_count = kept;
}

// Ranges of links by object, as `to` and as `from`. by_number: scratch memory for number_count, the links of the file.
static void order_links(slv_fbx_scene *scene, uint32_t *by_number, uint32_t number_count) {
    for (uint32_t n = 0; n < number_count; n++) {
        by_number[n] = SLV_FBX_NONE;
    }
    qsort(scene->links, scene->link_count, sizeof *scene->links, compare_links);
    for (uint32_t i = 0; i < scene->link_count; i++) {
        by_number[scene->links[i].number] = i;
        scene->first_link[scene->links[i].to + 1]++;
        scene->first_target[scene->links[i].from + 1]++;
    }
    for (uint32_t o = 0; o < scene->object_count; o++) {
        scene->first_link[o + 1] += scene->first_link[o];
        scene->first_target[o + 1] += scene->first_target[o];
    }
    for (uint32_t n = 0; n < number_count; n++) { // moves each first target to its end
        if (by_number[n] != SLV_FBX_NONE) {
            scene->targets[scene->first_target[scene->links[by_number[n]].from]++] = by_number[n];
        }
    }
    for (uint32_t o = scene->object_count; o > 0; o--) {
        scene->first_target[o] = scene->first_target[o - 1];
    }
    scene->first_target[0] = 0;
}

static slv_result read_links(slv_fbx_scene *scene, slv_error *error) {
    const slv_fbx *file = &scene->file;
    const uint32_t list = slv_fbx_child(file, SLV_FBX_ROOT, "Connections");
    const size_t room = (size_t)count_children(file, list) + 1;
    scene->links = calloc(room, sizeof *scene->links);
    scene->targets = calloc(room, sizeof *scene->targets);
    scene->first_link = calloc((size_t)scene->object_count + 1, sizeof *scene->first_link);
    scene->first_target = calloc((size_t)scene->object_count + 1, sizeof *scene->first_target);
    uint32_t *by_number = calloc(room, sizeof *by_number);
    if (!scene->links || !scene->targets || !scene->first_link || !scene->first_target ||
        !by_number) {
        free(by_number);
        return slv_no_memory(error);
    }
    for (uint32_t node = slv_fbx_child(file, list, "C"); node != SLV_FBX_NONE;
         node = slv_fbx_beside(file, node, "C")) {
        slv_fbx_link link = {.number = scene->link_count};
        if (read_link(scene, node, &link)) {
            scene->links[scene->link_count++] = link;
        }
    }
    const uint32_t number_count = scene->link_count;
    drop_repeated_links(scene);
    order_links(scene, by_number, number_count);
    free(by_number);
    return SLV_OK;
}

static double ticks_of(const slv_fbx *file) {
    const uint32_t header = slv_fbx_child(file, SLV_FBX_ROOT, "FBXHeaderExtension");
    const uint32_t flags = slv_fbx_child(file, header, "OtherFlags");
    return slv_fbx_child_number(file, header, "FBXHeaderVersion", 0.0) >= 1004.0 &&
                   slv_fbx_child_number(file, flags, "TCDefinition", TICKS_7_MARK) != TICKS_7_MARK
               ? TICKS_8
               : TICKS_7;
}

slv_result slv_fbx_scene_open(const char *bytes, size_t size, slv_fbx_scene *scene,
                              slv_error *error) {
    *scene = (slv_fbx_scene){.objects = NULL};
    slv_result result = slv_fbx_open(bytes, size, &scene->file, error);
    if (result == SLV_OK) {
        scene->ticks = ticks_of(&scene->file);
        result = read_objects(scene, error);
    }
    if (result == SLV_OK) {
        result = read_links(scene, error);
    }
    if (result != SLV_OK) {
        slv_fbx_scene_close(scene);
    }
    return result;
}

void slv_fbx_scene_close(slv_fbx_scene *scene) {
    slv_fbx_close(&scene->file);
    free(scene->objects);
    free(scene->by_id);
    free(scene->links);
    free(scene->first_link);
    free(scene->targets);
    free(scene->first_target);
    *scene = (slv_fbx_scene){.objects = NULL};
}

bool slv_fbx_link_is(const slv_fbx_link *link, const char *property) {
    return property ? link->property && link->property_length == strlen(property) &&
                          memcmp(link->property, property, link->property_length) == 0
                    : link->property == NULL;
}

const slv_fbx_link *slv_fbx_source(const slv_fbx_scene *scene, uint32_t to, const char *kind,
                                   uint32_t *at) {
    while (scene->first_link[to] + *at < scene->first_link[to + 1]) {
        const slv_fbx_link *link = &scene->links[scene->first_link[to] + (*at)++];
        if (!kind || slv_fbx_is(scene, link->from, kind)) {
            return link;
        }
    }
    return NULL;
}

const slv_fbx_link *slv_fbx_target(const slv_fbx_scene *scene, uint32_t from, const char *kind,
                                   uint32_t *at) {
    while (scene->first_target[from] + *at < scene->first_target[from + 1]) {
        const slv_fbx_link *link =
            &scene->links[scene->targets[scene->first_target[from] + (*at)++]];
        if (!kind || slv_fbx_is(scene, link->to, kind)) {
            return link;
        }
    }
    return NULL;
}

// --- What objects are ---------------------------------------------------------------------------

bool slv_fbx_is(const slv_fbx_scene *scene, uint32_t object, const char *kind) {
    const uint32_t node = scene->objects[object].node;
    const size_t length = strlen(kind);
    return node != SLV_FBX_NONE && scene->file.nodes[node].name_length == length &&
           memcmp(scene->file.nodes[node].name, kind, length) == 0;
}

bool slv_fbx_is_class(const slv_fbx_scene *scene, uint32_t object, const char *name) {
    slv_fbx_value value;
    return slv_fbx_value_at(&scene->file, scene->objects[object].node, 2, &value) &&
           slv_fbx_value_is(&value, name);
}

// Copies a text of the file; text files spell a quote as &quot;.
static void copy_text(const slv_fbx_value *from, bool is_text, char *text, size_t size) {
    static const char quote[] = "&quot;";
    size_t length = 0;
    for (size_t i = 0; i < from->length && length + 1 < size; i++) {
        const bool quoted = is_text && from->length - i >= sizeof quote - 1 &&
                            memcmp(from->text + i, quote, sizeof quote - 1) == 0;
        text[length++] = quoted ? '"' : from->text[i];
        i += quoted ? sizeof quote - 2 : 0;
    }
    text[length] = '\0';
}

// "Model::arm" in text files, "arm\0\1Model" in binary ones.
void slv_fbx_name(const slv_fbx_scene *scene, uint32_t object, char *text, size_t size) {
    slv_fbx_value name;
    text[0] = '\0';
    if (!slv_fbx_value_at(&scene->file, scene->objects[object].node, 1, &name) ||
        name.kind != SLV_FBX_TEXT) {
        return;
    }
    if (scene->file.is_text) {
        for (size_t i = 0; i + 1 < name.length; i++) {
            if (name.text[i] == ':' && name.text[i + 1] == ':') {
                name.text += i + 2;
                name.length -= i + 2;
                break;
            }
        }
    } else {
        const char *zero = memchr(name.text, '\0', name.length);
        name.length = zero ? (size_t)(zero - name.text) : name.length;
    }
    copy_text(&name, scene->file.is_text, text, size);
}

// --- Properties ---------------------------------------------------------------------------------

// The record "P" of a property in a Properties70; its values begin at number 4.
static uint32_t find_property(const slv_fbx *file, uint32_t list, const char *name) {
    slv_fbx_value found;
    uint32_t p = slv_fbx_child(file, list, "P");
    while (p != SLV_FBX_NONE &&
           !(slv_fbx_value_at(file, p, 0, &found) && slv_fbx_value_is(&found, name))) {
        p = slv_fbx_beside(file, p, "P");
    }
    return p;
}

bool slv_fbx_record_property(const slv_fbx *file, uint32_t record, const char *name,
                             slv_fbx_value *value) {
    return slv_fbx_value_at(
        file, find_property(file, slv_fbx_child(file, record, "Properties70"), name), 4, value);
}

bool slv_fbx_property(const slv_fbx_scene *scene, uint32_t object, const char *name, double *values,
                      uint32_t count) {
    const slv_fbx *file = &scene->file;
    const slv_fbx_object *o = &scene->objects[object];
    uint32_t p = find_property(file, slv_fbx_child(file, o->node, "Properties70"), name);
    p = p == SLV_FBX_NONE ? find_property(file, o->defaults, name) : p;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        slv_fbx_value value;
        if (slv_fbx_value_at(file, p, 4 + i, &value) &&
            (value.kind == SLV_FBX_INTEGER || value.kind == SLV_FBX_NUMBER)) {
            values[i] = value.number;
            any = true;
        }
    }
    return any;
}

double slv_fbx_property_number(const slv_fbx_scene *scene, uint32_t object, const char *name,
                               double otherwise) {
    double value = otherwise;
    (void)slv_fbx_property(scene, object, name, &value, 1);
    return value;
}
