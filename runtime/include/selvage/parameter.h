// SPDX-License-Identifier: MIT
// Descriptions of all parameters, for user interfaces and files of a game. Included by selvage.h.
#ifndef SELVAGE_PARAMETER_H
#define SELVAGE_PARAMETER_H

#include <selvage/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// The structs whose fields are described.
typedef enum slv_parameter_group {
    SLV_GROUP_PARAMETERS = 0, // slv_parameters
    SLV_GROUP_WORLD = 1,      // slv_world_def
    SLV_GROUP_GARMENT = 2,    // slv_garment_def
    SLV_GROUP_PAINT = 3,      // slv_paint_def
    SLV_GROUP_COLLIDER = 4,   // slv_collider_def
    SLV_GROUP_CLIP = 5,       // slv_clip_def
    SLV_GROUP_SCENE = 6, // slv_scene_settings: the keys of a scene that are in none of the others
    SLV_GROUP_LOCK = 7,  // slv_lock_def
    SLV_GROUP_COUNT = 8
} slv_parameter_group;

typedef enum slv_parameter_type {
    SLV_TYPE_FLOAT = 0,  // float
    SLV_TYPE_DOUBLE = 1, // double
    SLV_TYPE_UINT32 = 2, // uint32_t
    SLV_TYPE_BOOL = 3,   // bool
    SLV_TYPE_ENUM = 4    // an enum of the size of an int
} slv_parameter_type;

typedef struct slv_parameter_info {
    const char *name;           // of the field, such as "relaxation"
    const char *key;            // in scene files; NULL: not in scene files
    const char *unit;           // "" where it has none
    const char *doc;            // sentences in which {name} stands for another field of the struct
    const char *const *choices; // of an enum: the names of its values from min to max; else NULL
    const char *option;         // of selvage-play; NULL: none. That of a bool changes its default
    const char *argument;       // word for the value of the option; NULL: it has none
    const char *option_doc; // help of the option where it is not slv_describe_parameter; else NULL
    double initial[4];      // default
    double min, max;        // range of each number, both ends included; of a bool 0 and 1
    double none;            // valid besides the range where has_none: 0 or SLV_UNSET
    size_t offset;          // bytes from the start of the struct
    slv_parameter_group group;
    slv_parameter_type type;
    uint32_t index; // in its group
    uint32_t count; // of numbers: 1, or of an array 3 or 4
    bool has_none;
    bool zero_is_off; // 0 is valid besides the range too
} slv_parameter_info;

// Describes a field of a group, index 0, 1, … in the order of the struct. Fields that are no numbers, such as paths, are
// left out. False, and nothing is written, after the last one. Texts are valid for ever.
SLV_API bool slv_get_parameter_info(slv_parameter_group group, uint32_t index,
                                    slv_parameter_info *info);
// The field of a name. False, and nothing is written, where the group has none.
SLV_API bool slv_find_parameter_info(slv_parameter_group group, const char *name,
                                     slv_parameter_info *info);

enum { SLV_PARAMETER_LINE = 512 }; // bytes: any description
// Writes a description of one line into text, which has room for size bytes: what the field is, its choices or its
// range and unit. "Length of a step. From 1e-6 to 1 s."
SLV_API void slv_describe_parameter(const slv_parameter_info *info, char *text, size_t size);

// The numbers of a field of record, which is a struct of the group. A double holds a number of each type exactly.
SLV_API slv_result slv_get_parameter_values(const slv_parameter_info *info, const void *record,
                                            double values[4]);
// Sets them. SLV_ERROR_ARGUMENT, and nothing is written, where one is not valid.
SLV_API slv_result slv_set_parameter_values(const slv_parameter_info *info, void *record,
                                            const double values[4]);

#ifdef __cplusplus
}
#endif

#endif
