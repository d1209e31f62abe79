// SPDX-License-Identifier: MIT
// An FBX file as a tree of nodes with values: binary 7.0 to 7.7 and text 7.x. The tree refers to the bytes of the file, which
// must outlive it. Opening checks every size; arrays are decoded only where they are read.
#ifndef SLV_TOOLS_FBX_FILE_H
#define SLV_TOOLS_FBX_FILE_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_FBX_NONE UINT32_MAX // in place of a node
#define SLV_FBX_ROOT 0u         // its children are the nodes at the top of the file
#define SLV_FBX_NAME_SIZE 1025  // bytes of a name or path with its terminating zero, at most

typedef struct slv_fbx_node {
    const char *name; // without a terminating zero
    const char *values;
    size_t values_size;
    uint32_t name_length;
    uint32_t value_count; // 0 in a text file, where values are counted when read
    uint32_t child, next; // SLV_FBX_NONE: none
} slv_fbx_node;

typedef struct slv_fbx {
    const char *bytes;
    size_t size;
    bool is_text;
    uint32_t version; // 7400: FBX 7.4
    uint32_t node_count, node_room;
    slv_fbx_node *nodes;
} slv_fbx;

// Whether the bytes begin like an FBX file, of any version.
bool slv_fbx_is_binary(const char *bytes, size_t size);
bool slv_fbx_is_text(const char *bytes, size_t size);

// Refuses other versions and encrypted files.
slv_result slv_fbx_open(const char *bytes, size_t size, slv_fbx *fbx, slv_error *error);
void slv_fbx_close(slv_fbx *fbx); // zeroes it

// The first child of that name, and the next node of that name beside a node; SLV_FBX_NONE also for children of none.
uint32_t slv_fbx_child(const slv_fbx *fbx, uint32_t node, const char *name);
uint32_t slv_fbx_beside(const slv_fbx *fbx, uint32_t node, const char *name);

enum { SLV_FBX_INTEGER = 1, SLV_FBX_NUMBER, SLV_FBX_TEXT, SLV_FBX_ARRAY };

typedef struct slv_fbx_value {
    int kind;
    int64_t integer;  // of a number too: rounded towards zero
    double number;    // of an integer too
    const char *text; // without a terminating zero
    size_t length;
} slv_fbx_value;

// Value number `index` of a node; false where there is none.
bool slv_fbx_value_at(const slv_fbx *fbx, uint32_t node, uint32_t index, slv_fbx_value *value);
bool slv_fbx_value_is(const slv_fbx_value *value, const char *text);

// The first value of a child, where it is an integer or number; `otherwise` where there is none.
double slv_fbx_child_number(const slv_fbx *fbx, uint32_t node, const char *name, double otherwise);
// The first value of a child, where it is a text; false where there is none.
bool slv_fbx_child_text(const slv_fbx *fbx, uint32_t node, const char *name, slv_fbx_value *text);

// The array of a node as int32_t, int64_t, float or double, to be freed; NULL and 0 where there is none. Integers that are too
// large and doubles that are not finite are refused. SLV_FBX_BITS: floats that hold any bits, which text files from version 7.2
// on spell as integers.
enum { SLV_FBX_INT32, SLV_FBX_INT64, SLV_FBX_FLOAT, SLV_FBX_BITS, SLV_FBX_DOUBLE };
slv_result slv_fbx_read_array(const slv_fbx *fbx, uint32_t node, int type, void **values,
                              uint32_t *count, slv_error *error);

// --- For the two parsers -------------------------------------------------------------------------

enum { SLV_FBX_DEPTH = 64 }; // nodes within nodes

// Appends a node; SLV_FBX_NONE where memory is short.
uint32_t slv_fbx_add(slv_fbx *fbx, const char *name, size_t name_length);
// Appends it to the children of a parent whose last child is *last.
void slv_fbx_append(slv_fbx *fbx, uint32_t parent, uint32_t *last, uint32_t node);

slv_result slv_fbx_parse_binary(slv_fbx *fbx, slv_error *error);
slv_result slv_fbx_parse_text(slv_fbx *fbx, slv_error *error);
bool slv_fbx_binary_value(const slv_fbx *fbx, uint32_t node, uint32_t index, slv_fbx_value *value);
bool slv_fbx_text_value(const slv_fbx *fbx, uint32_t node, uint32_t index, slv_fbx_value *value);

// An array of a text file; see slv_fbx_read_array.
slv_result slv_fbx_text_array(const slv_fbx *fbx, uint32_t node, int type, void **values,
                              uint32_t *count, slv_error *error);
// Bytes of an element of the array types above.
size_t slv_fbx_type_size(int type);

#endif
