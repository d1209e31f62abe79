// SPDX-License-Identifier: MIT
// The one description of every parameter: fields of the definitions in selvage/world.h and keys of scene files.
// The rows are in runtime/base/parameters/*.def, one file a struct. From them come
//   the default functions     slv_fill_defaults
//   the range checks          slv_check_fields
//   comparisons               slv_fields_equal
//   descriptions for games    selvage/parameter.h
//   recordings of the player  runtime/player/app/input.c
//   options of the player     runtime/player/app/scene_options.c
//   the reader of scenes      runtime/scene/scene_keys.c
// and, written by the generator (runtime/scene/generate),
//   the structs in selvage/world.h, data/scene.schema.json, the tables in docs/SCENES.md
// A new parameter is a new row and the code that uses it; then cmake --build BUILD --target selvage_parameters.
#ifndef SLV_RUNTIME_BASE_PARAMETER_H
#define SLV_RUNTIME_BASE_PARAMETER_H

#include "runtime/base/check.h"
#include "runtime/include/selvage/selvage.h"

typedef enum slv_value_kind {
    SLV_VALUE_OTHER,     // no parameter: 0 or NULL by default, not checked
    SLV_VALUE_FLOAT,     // float
    SLV_VALUE_DOUBLE,    // double
    SLV_VALUE_COUNT,     // uint32_t
    SLV_VALUE_SWITCH,    // bool
    SLV_VALUE_VECTOR,    // float[3]
    SLV_VALUE_POSITION,  // double[3], metres in the world; in scenes a vector
    SLV_VALUE_GRAVITY,   // float[3]; in scenes a vector, or one number that points down
    SLV_VALUE_ROTATION,  // float[4], a unit quaternion; in scenes three angles or a quaternion
    SLV_VALUE_CHOICE,    // an enum; in scenes one of the names in choices
    SLV_VALUE_COLOR,     // uint8_t[3]
    SLV_VALUE_TEXT,      // const char *, not in scenes
    SLV_VALUE_PATH,      // const char *; in scenes relative to the scene file
    SLV_VALUE_FIXED,     // slv_garment_def: fixed, fixed_count
    SLV_VALUE_SETS,      // slv_garment_def: fixed_sets, fixed_set_count
    SLV_VALUE_LIMITS,    // slv_garment_def: limits, limit_count
    SLV_VALUE_PAINT,     // slv_paint_def
    SLV_VALUE_NAMES,     // slv_scene_names
    SLV_VALUE_INSTANCES, // copies of an object of a scene
    SLV_VALUE_OBJECTS,   // the list of objects of a scene
    SLV_VALUE_COLLIDERS, // the list of colliders of a scene
    SLV_VALUE_LOCKS,     // the list of locks of a scene
    SLV_VALUE_REMARK,    // a string in scenes that is not evaluated
} slv_value_kind;

// Bits of slv_parameter.shapes.
enum {
    SLV_FOR_PLANE = 1 << SLV_COLLIDER_PLANE,
    SLV_FOR_SPHERE = 1 << SLV_COLLIDER_SPHERE,
    SLV_FOR_CAPSULE = 1 << SLV_COLLIDER_CAPSULE,
    SLV_FOR_BOX = 1 << SLV_COLLIDER_BOX,
    SLV_FOR_WEDGE = 1 << SLV_COLLIDER_WEDGE,
    SLV_FOR_FUNNEL = 1 << SLV_COLLIDER_FUNNEL,
    SLV_FOR_FIELD = 1 << SLV_COLLIDER_FIELD,
};

typedef struct slv_parameter {
    const char *type, *field, *extent; // "float", "gravity", "[3]"; NULL for keys without a field
    const char *key;                   // in scene files; NULL: not in scene files
    const char *doc; // sentences; {field} names another field of the struct, {SLV_UNSET} the number
    const char *header;         // comment in selvage/world.h before this field and those after it
    const char *unit;           // NULL: none
    const char *text;           // default of TEXT
    const char *missing;        // what counts where no value is given; NULL: the default
    const char *zero_means;     // ZERO: what 0 stands for
    const char *const *choices; // names of CHOICE, ended by NULL
    const char *
        option; // of selvage-play, such as "--damping"; NULL: none. Of a switch: changes the default
    const char *argument;   // "RATE": what the help calls the option's value
    const char *option_doc; // help of the option in place of the first sentence of doc
    double initial[4];      // default
    double min, max;        // range, both ends included, of every number in it
    double none;            // valid besides the range, where has_none
    size_t offset;          // of the field in its struct
    int first_choice;       // value of the first name
    int shapes, needed;     // colliders: shapes that have this key, and that need it; 0: all, none
    slv_value_kind kind;
    bool has_none;
    bool none_in_scene; // none may be written in a scene file
    bool also_zero;     // 0 is valid too in the struct: switched off
    bool zero_in_scene; // and in a scene file
    bool object_only;   // garment fields: not a key of the scene that all objects inherit
    bool required;      // in scene files
    bool material;      // garment fields: in slv_garment_material too, which only has floats
} slv_parameter;

typedef struct slv_parameter_table {
    const slv_parameter *rows;
    size_t count;
} slv_parameter_table;

// Names of enum values, ended by NULL; the first is that of the row's first_choice.
extern const char *const slv_solver_names[]; // from SLV_SOLVER_AUTO on
extern const char *const slv_shape_names[];
extern const char *const slv_contact_names[];
extern const char *const slv_channel_names[];
// The index of a name, -1 where there is no such name.
int slv_find_name(const char *const *names, const char *name);

extern const slv_parameter_table slv_parameters_table;
extern const slv_parameter_table slv_world_table;
extern const slv_parameter_table slv_garment_table;
extern const slv_parameter_table slv_paint_table;
extern const slv_parameter_table slv_collider_table;
extern const slv_parameter_table slv_clip_table;
extern const slv_parameter_table slv_lock_table;

// Fields as numbers: floats, counts, switches (0 or 1), choices, vectors, colors and rotations. How many numbers a field
// has; 0 for paths, lists and the rest. A double holds each of them exactly.
uint32_t slv_count_numbers(slv_value_kind kind);
void slv_read_numbers(const slv_parameter *row, const void *record, double numbers[4]);
// The numbers must be valid (slv_check_numbers).
void slv_write_numbers(const slv_parameter *row, void *record, const double numbers[4]);
slv_result slv_check_numbers(slv_error *error, const slv_parameter *row, const double numbers[4]);
// One number of a field, under the given name.
slv_result slv_check_number(slv_error *error, const slv_parameter *row, const char *name,
                            double value);

int slv_count_choices(const slv_parameter *row);

// Writes the defaults of all fields into record, a struct of the table.
void slv_fill_defaults(const slv_parameter_table *table, void *record);

// Refuses the first field out of range: "friction is -3, should be from 0 to 1000".
slv_result slv_check_fields(slv_error *error, const slv_parameter_table *table, const void *record);

// Compares numbers, switches, vectors and choices one by one. Padding, pointers and texts do not count.
bool slv_fields_equal(const slv_parameter_table *table, const void *a, const void *b);

// The row of a field of the table. The field must exist.
const slv_parameter *slv_find_field(const slv_parameter_table *table, const char *field);

#endif
