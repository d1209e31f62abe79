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
// a channel animates it. With pivots, rotation has the degrees about x, y and z.
typedef struct slv_character_node {
    uint32_t parent; // a lower number, or SLV_NO_NODE
    uint32_t in_parts;
    slv_character_name name;
    uint32_t hidden;       // 1: the file says that this node and those below it are not shown
    uint32_t lower_detail; // 1: the file has this node as a lower level of detail of another one
    uint32_t pivots;       // number in pivots, or SLV_NO_PIVOTS
    uint32_t zero;
    double translation[3], rotation[4], scale[3];
    slv_affine matrix;
} slv_character_node;

#define SLV_NO_PIVOTS UINT32_MAX

enum { // how a node inherits the scale of its parent; L is the rotation of the node, S its scale
    SLV_INHERIT_ROTATION_FIRST = 0, // RrSs: the scale of parents applies before L
    SLV_INHERIT_ALL = 1,            // RSrs: matrices multiply
    SLV_INHERIT_NOT_PARENT =
        2, // Rrs: as 0 without the parent's own scale (segment scale compensation)
    SLV_INHERIT_COUNT = 3
};

enum { SLV_TURN_ORDERS = 6 }; // XYZ (about x first), XZY, YZX, YXZ, ZXY, ZYX

// Rotations and centers of a node in an FBX file:
// local transform = T · offset · pivot · before · rotation · after · pivot⁻¹ · scale offset · scale pivot · S · scale pivot⁻¹.
// A node with pivots is below the root or another node with pivots.
typedef struct slv_character_pivots {
    double before[3][3], after[3][3]; // rows of orthogonal matrices
    double rotation_offset[3], rotation_pivot[3];
    double scale_offset[3], scale_pivot[3];
    uint32_t order; // of the rotation about the axes
    uint32_t inheritance;
} slv_character_pivots;

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

enum {
    SLV_KEYS_STEP = 0,
    SLV_KEYS_LINEAR = 1,
    SLV_KEYS_CUBIC = 2,
    SLV_KEYS_EACH = 3, // a curve of one component, interpolated as each key says: see slv_key_field
    SLV_KEYS_COUNT = 4
};

typedef enum slv_key_field { // numbers of a key of SLV_KEYS_EACH; all but the value apply up to the next key
    SLV_KEY_VALUE = 0,
    SLV_KEY_SHAPE = 1,    // SLV_SHAPE_…
    SLV_KEY_SLOPE = 2,    // behind the key, per second
    SLV_KEY_SLOPE_IN = 3, // before the next key
    SLV_KEY_WEIGHT =
        4, // length of the tangent behind the key as a fraction of the time between them, 0 … 1
    SLV_KEY_WEIGHT_IN = 5, // the same before the next key
    SLV_KEY_FIELDS = 6
} slv_key_field;

enum {
    SLV_SHAPE_HOLD = 0, // this key's value
    SLV_SHAPE_NEXT = 1, // the next key's value
    SLV_SHAPE_LINE = 2,
    SLV_SHAPE_CUBIC = 3,    // Hermite: weights of one third
    SLV_SHAPE_WEIGHTED = 4, // a Bézier curve in time and value
    SLV_SHAPES = 5
};

typedef struct slv_character_channel {
    uint32_t node;
    uint32_t kind;  // SLV_CHANNEL_…
    uint32_t keys;  // SLV_KEYS_…
    uint32_t width; // numbers per value: 3, 4, or the number of morph targets; 1 with SLV_KEYS_EACH
    uint32_t component; // with SLV_KEYS_EACH: the axis or morph target
    uint32_t zero;
    uint32_t first_time, time_count;
    uint64_t
        first_value; // [time_count][width]; cubic: [time_count][3][width]: tangent in, value, out;
                     // each: [time_count][SLV_KEY_FIELDS]
} slv_character_channel;

typedef struct slv_character_clip {
    uint32_t first_name, name_length; // into names
    uint32_t first_channel, channel_count;
    double start, end;          // seconds
    slv_character_name refused; // reason why it cannot be evaluated; length 0: it can be
} slv_character_clip;

typedef struct slv_character { // NOLINT(clang-analyzer-optin.performance.Padding)
    uint32_t node_count;
    slv_character_node *nodes;
    uint32_t pivot_count;
    slv_character_pivots *pivots;
    uint32_t part_count;
    slv_character_part *parts;
    uint32_t point_count; // vertices of the file; 0: each vertex is one
    uint32_t vertex_count;
    uint32_t *points;  // [vertex_count] vertex of the file, below point_count; NULL where that is 0
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

// SLV_ERROR_CONTENT and the reason for a clip that is refused.
slv_result slv_character_check_clip(const slv_character *character, uint32_t clip,
                                    slv_error *error);

// Copies a name into text of size bytes; "" where there is none.
void slv_character_copy_name(const slv_character *character, slv_character_name name, char *text,
                             size_t size);
// Writes the name of a clip, or "clip 3" where it has none, into text of size bytes.
void slv_character_clip_name(const slv_character *character, uint32_t clip, char *text,
                             size_t size);

#endif
