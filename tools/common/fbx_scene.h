// SPDX-License-Identifier: MIT
// Objects of an FBX file, the connections between them, and their properties with the defaults of their templates.
#ifndef SLV_TOOLS_FBX_SCENE_H
#define SLV_TOOLS_FBX_SCENE_H

#include "tools/common/fbx_file.h"

#define SLV_FBX_SCENE_ROOT 0u // object 0: the root of the scene, which is in no record

typedef struct slv_fbx_object {
    int64_t id;
    uint32_t node;     // of the file; SLV_FBX_NONE for the root
    uint32_t defaults; // Properties70 of its template, or SLV_FBX_NONE
} slv_fbx_object;

// `from` belongs to `to`, or to a property of it.
typedef struct slv_fbx_link {
    uint32_t from, to;
    const char *property; // NULL where it belongs to the object
    uint32_t property_length;
    uint32_t number; // in the file
} slv_fbx_link;

typedef struct slv_fbx_scene {
    slv_fbx file;
    uint32_t object_count;
    slv_fbx_object *objects;
    uint32_t *by_id; // [object_count] numbers of objects in the order of their ids
    uint32_t link_count;
    slv_fbx_link *links;    // ordered by `to`, then as in the file
    uint32_t *first_link;   // [object_count + 1] of an object as `to`
    uint32_t *targets;      // [link_count] numbers of links, ordered by `from`, then as in the file
    uint32_t *first_target; // [object_count + 1]
    double ticks;           // per second
} slv_fbx_scene;

slv_result slv_fbx_scene_open(const char *bytes, size_t size, slv_fbx_scene *scene,
                              slv_error *error);
void slv_fbx_scene_close(slv_fbx_scene *scene); // zeroes it

// "Model", "Geometry" … and the class within that: "Mesh", "LimbNode" …
bool slv_fbx_is(const slv_fbx_scene *scene, uint32_t object, const char *kind);
bool slv_fbx_is_class(const slv_fbx_scene *scene, uint32_t object, const char *name);
// The name without what the format adds to it, cut to size; "" where it has none.
void slv_fbx_name(const slv_fbx_scene *scene, uint32_t object, char *text, size_t size);

// The next link to an object from one of a kind (NULL: any); *at starts at 0. NULL: no more.
const slv_fbx_link *slv_fbx_source(const slv_fbx_scene *scene, uint32_t to, const char *kind,
                                   uint32_t *at);
// The next link from an object to one of a kind.
const slv_fbx_link *slv_fbx_target(const slv_fbx_scene *scene, uint32_t from, const char *kind,
                                   uint32_t *at);
// Whether a link belongs to that property; NULL: to the object.
bool slv_fbx_link_is(const slv_fbx_link *link, const char *property);

// Numbers of a property, of the object or its template. Values that are missing stay as they are; false where all are.
bool slv_fbx_property(const slv_fbx_scene *scene, uint32_t object, const char *name, double *values,
                      uint32_t count);
double slv_fbx_property_number(const slv_fbx_scene *scene, uint32_t object, const char *name,
                               double otherwise);
// The same in a record's own Properties70.
bool slv_fbx_record_property(const slv_fbx *file, uint32_t record, const char *name,
                             slv_fbx_value *value);

#endif
