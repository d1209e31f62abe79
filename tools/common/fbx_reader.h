// SPDX-License-Identifier: MIT
// What the parts of the FBX reader share.
#ifndef SLV_TOOLS_FBX_READER_H
#define SLV_TOOLS_FBX_READER_H

#include "tools/common/character_build.h"
#include "tools/common/fbx_scene.h"
#include "tools/common/polygon.h"

typedef struct slv_fbx_reader {
    const slv_fbx_scene *scene;
    slv_character_build *build;
    uint32_t *node_of;  // [object_count] node of a Model in the character, or SLV_NO_NODE
    uint32_t *model_of; // [node_count] the other way round; node 0 is the root
    slv_polygon_scratch scratch;
} slv_fbx_reader;

// Adds all nodes, parents before children.
slv_result slv_fbx_add_nodes(slv_fbx_reader *reader, slv_error *error);

// Three numbers of a property; those that are missing stay as they are.
void slv_fbx_vector(const slv_fbx_scene *scene, uint32_t object, const char *name, double v[3]);

// The geometric transform of a Model: of its own surface, not of nodes below.
slv_affine slv_fbx_geometric(const slv_fbx_scene *scene, uint32_t model);

// Adds a part for each material of each surface.
slv_result slv_fbx_add_meshes(slv_fbx_reader *reader, slv_error *error);

// --- Values of a mesh by corner, point, polygon or all the same ----------------------------------

typedef enum slv_fbx_mapping { // what a value belongs to
    SLV_FBX_NOWHERE,
    SLV_FBX_BY_CORNER,
    SLV_FBX_BY_POINT,
    SLV_FBX_BY_POLYGON,
    SLV_FBX_ALL_SAME
} slv_fbx_mapping;

typedef struct slv_fbx_layer {
    slv_fbx_mapping mapping;
    uint32_t width; // numbers of a value
    float *values;  // [count][width]; NULL for materials
    int32_t *index; // numbers of values, or of materials; NULL: direct
    uint32_t count, index_count;
} slv_fbx_layer;

typedef struct slv_fbx_sizes {
    uint32_t corners, points, polygons;
} slv_fbx_sizes;

// The first layer of a geometry with that record name, as "LayerElementUV", "UV" and "UVIndex"; values NULL: only an index.
// Mappings that are not known are as if there were no layer.
slv_result slv_fbx_read_layer(const slv_fbx *file, uint32_t geometry, const char *const names[3],
                              uint32_t width, const slv_fbx_sizes *sizes, slv_fbx_layer *layer,
                              slv_error *error);
void slv_fbx_layer_free(slv_fbx_layer *layer);

// The number of a value; SLV_NO_VALUE where there is none.
#define SLV_NO_VALUE UINT32_MAX
uint32_t slv_fbx_layer_at(const slv_fbx_layer *layer, uint32_t corner, uint32_t point,
                          uint32_t polygon);

// --- Deformers of a geometry ---------------------------------------------------------------------

// Influences of the control points of a mesh, with the joints that they name in the character.
typedef struct slv_fbx_skin {
    uint32_t *first; // [point_count + 1]; NULL: no skin
    slv_character_influence *influences;
} slv_fbx_skin;

slv_result slv_fbx_read_skin(slv_fbx_reader *reader, uint32_t geometry, uint32_t node,
                             uint32_t point_count, slv_fbx_skin *skin, slv_error *error);
void slv_fbx_skin_free(slv_fbx_skin *skin);

typedef struct slv_fbx_shape {
    uint32_t channel;   // the object of its weight
    uint32_t geometry;  // that moves it, or SLV_FBX_NONE
    double full_weight; // percent at which the shape is reached
    double weight;      // at rest, as a fraction of that
} slv_fbx_shape;

// Blend shapes of a geometry in the order of the file; to be freed.
slv_result slv_fbx_read_shapes(const slv_fbx_scene *scene, uint32_t geometry,
                               slv_fbx_shape **shapes, uint32_t *count, slv_error *error);
// Goes through the channels of the same shapes; zeroed before the first call. False where there are no more.
typedef struct slv_fbx_channels {
    uint32_t next, next_inside; // links
    uint32_t deformer;          // SLV_FBX_SCENE_ROOT: none
} slv_fbx_channels;
bool slv_fbx_next_channel(const slv_fbx_scene *scene, uint32_t geometry, slv_fbx_channels *channels,
                          uint32_t *channel);
// The percent at which the shape of a channel is reached; 100 where the file says nothing.
slv_result slv_fbx_read_full_weight(const slv_fbx_scene *scene, uint32_t channel, double *percent,
                                    slv_error *error);
// Sets what a shape moves of moved[point_count][3].
slv_result slv_fbx_read_moves(const slv_fbx_scene *scene, uint32_t shape, uint32_t point_count,
                              double *moved, slv_error *error);

// --- Animation -----------------------------------------------------------------------------------

slv_result slv_fbx_add_clips(slv_fbx_reader *reader, slv_error *error);

// Whether the clip moves a node that has an active constraint but no keys of its own: what moves it is in no key.
bool slv_fbx_is_constrained(const slv_fbx_reader *reader, const slv_character_clip *clip,
                            char *reason, size_t size);

// The curve of an AnimationCurve object as fields of keys, times factor, to be freed. *refused: the reason why it
// cannot be evaluated, or NULL.
typedef struct slv_fbx_curve {
    uint32_t count;
    double *times;  // [count] seconds
    double *fields; // [count][SLV_KEY_FIELDS]
    const char *refused;
    bool held_before, held_after; // outside the keys the value of the first or last one holds
} slv_fbx_curve;

slv_result slv_fbx_read_curve(const slv_fbx_scene *scene, uint32_t object, double factor,
                              slv_fbx_curve *curve, slv_error *error);
void slv_fbx_curve_free(slv_fbx_curve *curve);

#endif
