// SPDX-License-Identifier: MIT
// The keys that each object of a scene file may have. They are rows of the parameter tables
// (runtime/base/parameter.h), grouped by the record that is read: a key list is some tables and where the
// struct of each lies in the record.
#ifndef SLV_RUNTIME_SCENE_SCENE_KEYS_H
#define SLV_RUNTIME_SCENE_SCENE_KEYS_H

#include "runtime/base/parameter.h"

// A collider as a file has it. Planes and boxes can be given in the world's coordinates. NaN: not given.
typedef struct slv_scene_collider {
    slv_collider_def def;
    double low[3], high[3]; // corners of a box
    float normal[3];        // of a plane
    double offset;          // metres along the normal
} slv_scene_collider;

// What the keys at the top of the file set. garment holds the defaults of all objects.
typedef struct slv_scene_values {
    slv_scene_settings settings;
    slv_world_def world;
    slv_garment_def garment;
    slv_clip_def model;
} slv_scene_values;

extern const slv_parameter_table slv_settings_table; // slv_scene_settings

typedef struct slv_key_group {
    const slv_parameter_table *table;
    size_t offset;  // of the table's struct in the record
    bool inherited; // without the rows that are object_only
} slv_key_group;

typedef struct slv_key_list {
    const slv_key_group *groups;
    size_t count;
} slv_key_list;

extern const slv_key_list slv_scene_keys;    // at the top of the file: slv_scene_values
extern const slv_key_list slv_object_keys;   // in softObjects: slv_scene_object
extern const slv_key_list slv_collider_keys; // in colliders: slv_scene_collider
extern const slv_key_list slv_lock_keys;     // in locks: slv_scene_lock
extern const slv_key_list slv_paint_keys;    // in an object's paint: slv_paint_def

typedef struct slv_key {
    const slv_parameter *row; // NULL: there is no such key
    size_t offset;            // of the value in the record
} slv_key;

// The keys one after another, index 0 …; row is NULL beyond the last.
slv_key slv_key_at(const slv_key_list *list, size_t index);
slv_key slv_find_key(const slv_key_list *list, const char *name);
// The key with the smallest edit distance to a name that does not exist; row is NULL where none is similar.
slv_key slv_guess_key(const slv_key_list *list, const char *name);

// Writes the defaults of all fields of the list's structs into record.
void slv_fill_record(const slv_key_list *list, void *record);

#endif
