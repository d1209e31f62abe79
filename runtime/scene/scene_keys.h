// SPDX-License-Identifier: MIT
// The keys of a scene file, one row each: what may stand there and where it goes. The same rows read
// the file, word the messages and are held against data/scene.schema.json by a test.
#ifndef SLV_RUNTIME_SCENE_SCENE_KEYS_H
#define SLV_RUNTIME_SCENE_SCENE_KEYS_H

#include "runtime/include/selvage/selvage.h"

typedef enum slv_key_kind {
    SLV_KEY_NUMBER,    // float
    SLV_KEY_SECONDS,   // double
    SLV_KEY_COUNT,     // uint32_t
    SLV_KEY_SWITCH,    // bool
    SLV_KEY_VECTOR,    // float[3]
    SLV_KEY_GRAVITY,   // float[3], from a vector or from one number that points down
    SLV_KEY_ROTATION,  // float[4], from three angles in degrees or from a quaternion
    SLV_KEY_COLOR,     // uint8_t[3]
    SLV_KEY_SOLVER,    // slv_solver
    SLV_KEY_PATH,      // const char *, relative to the scene file
    SLV_KEY_FIXED,     // slv_garment_def: fixed, fixed_count
    SLV_KEY_SETS,      // slv_garment_def: fixed_sets, fixed_set_count
    SLV_KEY_NAMES,     // slv_scene_names
    SLV_KEY_OBJECTS,   // the list of objects
    SLV_KEY_COLLIDERS, // the list of colliders
    SLV_KEY_SHAPE,     // slv_collider_kind, by name
    SLV_KEY_LIMITS,    // slv_garment_def: limits, limit_count
    SLV_KEY_PAINT,     // the object that says what is painted
    SLV_KEY_CHANNEL,   // slv_channel, by name
    SLV_KEY_REMARK,    // a string for people and editors, read and left alone
} slv_key_kind;

typedef struct slv_scene_key {
    const char *name;
    const char *warning; // accepted, and this is said about it; NULL for none
    size_t offset;       // of the field in slv_scene_values, slv_scene_object, …
    double min, max;     // of every number in it
    slv_key_kind kind;
    bool min_open, max_open; // the limit itself is out of range
    bool required;
} slv_scene_key;

// A collider as a file has it. Planes and boxes can be given in the world's own coordinates; NaN marks
// what is not given.
typedef struct slv_scene_collider {
    slv_collider_def def;
    float low[3], high[3]; // a box's corners
    float normal[3];       // a plane's
    float offset;          // metres along the normal
} slv_scene_collider;

// Where the scene's own keys go; what it says about garments is every object's default.
typedef struct slv_scene_values {
    slv_scene_settings settings;
    slv_garment_def garment;
} slv_scene_values;

const slv_scene_key *slv_scene_keys(size_t *count);          // at the top of the file
const slv_scene_key *slv_scene_object_keys(size_t *count);   // in softObjects
const slv_scene_key *slv_scene_collider_keys(size_t *count); // in colliders
const slv_scene_key *slv_scene_paint_keys(size_t *count); // in an object's paint; of slv_paint_def

// "sphere" and back; NULL and 0 where there is no such shape.
const char *slv_shape_name(slv_collider_kind kind);
slv_collider_kind slv_shape_from_name(const char *name);

// SLV_CHANNEL_NONE where there is no such channel.
slv_channel slv_channel_from_name(const char *name);

// The row of that name, or NULL.
const slv_scene_key *slv_find_scene_key(const slv_scene_key *keys, size_t count, const char *name);
// The row that name was probably meant to be, or NULL.
const slv_scene_key *slv_guess_scene_key(const slv_scene_key *keys, size_t count, const char *name);

#endif
