// SPDX-License-Identifier: MIT
// A mesh or animated character in memory: a tree of nodes, meshes attached to nodes or skinned to joints,
// morph targets, and animation clips. All values are in units and axes of the file. Flat arrays
// with index ranges, so that it can be sent between processes.
#ifndef SLV_TOOLS_CHARACTER_H
#define SLV_TOOLS_CHARACTER_H

#include "formats/result.h"
#include "tools/common/affine.h"
#include "tools/common/import_space.h"
#include "tools/common/mesh_texture.h"

#include <stddef.h>
#include <stdint.h>

#define SLV_NO_NODE UINT32_MAX

typedef struct slv_character_name {
    uint32_t first, length; // into names; length 0: none
} slv_character_name;

// Local transform of a node: a matrix, or translation, rotation and scale where in_parts is set or
// a channel animates it.
typedef struct slv_character_node {
    uint32_t parent; // a lower number, or SLV_NO_NODE
    uint32_t in_parts;
    slv_character_name name;
    uint32_t hidden;       // 1: the file says that this node and those below it are not shown
    uint32_t lower_detail; // 1: the file has this node as a lower level of detail of another one
    double translation[3], rotation[4], scale[3];
    slv_affine matrix;
} slv_character_node;

enum { SLV_PART_UVS = 1, SLV_PART_NORMALS = 2, SLV_PART_PAINT = 4 };

// A mesh instance with vertices first_vertex … of the character. Its joints place it where it is
// skinned, its node otherwise.
typedef struct slv_character_part {
    uint32_t node;
    uint32_t first_vertex, vertex_count;
    uint32_t skinned;
    uint32_t first_target, target_count; // into target_weights; its deltas follow one another
    uint64_t first_delta;                // into deltas, in vectors: [target_count][vertex_count]
    uint32_t first_triangle, triangle_count;
    uint32_t attributes; // SLV_PART_… that the file has for its vertices
    slv_character_name mesh, material;
    uint32_t zero;
} slv_character_part;

typedef struct slv_character_joint {
    uint32_t node;
    uint32_t zero;
    slv_affine inverse_bind;
} slv_character_joint;

typedef struct slv_character_influence {
    uint32_t joint;
    uint32_t zero;
    double weight;
} slv_character_influence;

enum { // property that a channel animates
    SLV_CHANNEL_TRANSLATION = 0,
    SLV_CHANNEL_ROTATION = 1,
    SLV_CHANNEL_SCALE = 2,
    SLV_CHANNEL_WEIGHTS = 3, // morph target weights of the parts of the node
    SLV_CHANNEL_COUNT = 4
};

enum { SLV_KEYS_STEP = 0, SLV_KEYS_LINEAR = 1, SLV_KEYS_CUBIC = 2, SLV_KEYS_COUNT = 3 };

typedef struct slv_character_channel {
    uint32_t node;
    uint32_t kind;  // SLV_CHANNEL_…
    uint32_t keys;  // SLV_KEYS_…
    uint32_t width; // numbers per value: 3, 4, or the number of morph targets
    uint32_t first_time, time_count;
    uint64_t
        first_value; // [time_count][width]; cubic: [time_count][3][width]: tangent in, value, out
} slv_character_channel;

typedef struct slv_character_clip {
    uint32_t first_name, name_length; // into names
    uint32_t first_channel, channel_count;
    double start, end; // seconds
    uint32_t
        refused; // 1: it scales parents of nodes that do not inherit scale (FBX), which is not evaluated
    uint32_t zero;
} slv_character_clip;

typedef struct slv_character { // NOLINT(clang-analyzer-optin.performance.Padding)
    uint32_t node_count;
    slv_character_node *nodes;
    uint32_t part_count;
    slv_character_part *parts;
    uint32_t vertex_count;
    double *positions; // [vertex_count][3], before morphs and skin
    float *uvs;        // [vertex_count][2]; NULL without UVs; (0, 0) is the lower left of a texture
    float *normals;    // [vertex_count][3] before morphs and skin; NULL where none were asked for
    float *paint;      // [vertex_count][4] red, green, blue, alpha; NULL as above
    uint32_t *first_influence; // [vertex_count + 1]
    uint32_t triangle_count;
    uint32_t *triangles; // [triangle_count][3] of vertices
    uint32_t joint_count;
    slv_character_joint *joints;
    uint32_t influence_count;
    slv_character_influence *influences; // the weights of a vertex sum to 1
    uint32_t target_count;
    double *target_weights; // at rest
    uint32_t delta_count;
    float *deltas; // [delta_count][3]
    uint32_t clip_count;
    slv_character_clip *clips;
    uint32_t channel_count;
    slv_character_channel *channels;
    uint32_t time_count;
    double *times; // seconds, ascending within a channel
    uint32_t value_count;
    double *values;
    uint32_t name_bytes;
    char *names;
    uint32_t
        curves_unknown; // 1: keys are interpolated linearly because the curves of the file are unknown
    uint32_t polygon_count; // faces of more than three corners, split into triangles
    slv_mesh_texture texture;
    slv_import_space space; // what the file says about its unit and axes
    uint64_t input_hash;    // XXH3-64 of the bytes read
} slv_character;

void slv_character_free(slv_character *character); // zeroes it

// Checks the character: ranges within arrays, finite numbers, ascending times. All code that
// evaluates a character relies on it.
slv_result slv_character_check(const slv_character *character, slv_error *error);

// SLV_ERROR_CONTENT for a clip that is marked as refused.
slv_result slv_character_check_clip(const slv_character *character, uint32_t clip,
                                    slv_error *error);

// Copies a name into text of size bytes; "" where there is none.
void slv_character_copy_name(const slv_character *character, slv_character_name name, char *text,
                             size_t size);
// Writes the name of a clip, or "clip 3" where it has none, into text of size bytes.
void slv_character_clip_name(const slv_character *character, uint32_t clip, char *text,
                             size_t size);

#endif
