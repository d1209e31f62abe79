// SPDX-License-Identifier: MIT
// A glTF 2.0 file: its JSON, buffers and accessors. Assimp is not used because its version 5.2
// loses data: splines and steps become linear, only four influences and no normalized UVs are kept.
#ifndef SLV_TOOLS_GLTF_FILE_H
#define SLV_TOOLS_GLTF_FILE_H

#include "formats/result.h"
#include "tools/common/assimp_files.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct slv_gltf_buffer {
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned; // decoded data URI, to be freed; NULL otherwise
} slv_gltf_buffer;

// The elements of an array by their numbers: those of cJSON are linked lists.
typedef struct slv_gltf_list_item {
    const cJSON *json;
} slv_gltf_list_item;

typedef struct slv_gltf_list {
    slv_gltf_list_item *items;
    uint32_t count;
} slv_gltf_list;

enum { SLV_GLTF_LISTS = 6 };

typedef struct slv_gltf {
    cJSON *root;
    slv_gltf_list lists[SLV_GLTF_LISTS]; // of top-level arrays
    slv_gltf_buffer *buffers;
    uint32_t buffer_count;
    slv_gltf_buffer *views; // [view_count] what compressed views decode to; bytes NULL: the file's
    uint32_t view_count;
    slv_gltf_buffer *accessors; // [accessor_count] the same for accessors of compressed meshes
    uint32_t accessor_count;
} slv_gltf;

// Reads the file and its buffers through `files`, which must outlive it.
slv_result slv_gltf_open(const char *path, slv_assimp_files *files, slv_gltf *gltf,
                         slv_error *error);
void slv_gltf_close(slv_gltf *gltf); // zeroes it

// Bytes of a buffer view; NULL where it is missing.
const uint8_t *slv_gltf_view(const slv_gltf *gltf, uint32_t view, size_t *size);

// Element of a top-level array ("nodes"), NULL where there is none; and the number of elements.
const cJSON *slv_gltf_item(const slv_gltf *gltf, const char *array, uint32_t index);
uint32_t slv_gltf_count(const slv_gltf *gltf, const char *array);

// All elements of an array; items are to be freed, for every result.
slv_result slv_gltf_list_items(const cJSON *array, slv_gltf_list *list, slv_error *error);

// An integer below 2^32 - 1 under a key; `otherwise` where it is missing or invalid.
uint32_t slv_gltf_index(const cJSON *object, const char *key, uint32_t otherwise);

// What an accessor consists of. False where there is no such accessor or it is of no known type.
typedef struct slv_gltf_element {
    uint32_t code; // component type, 5120 … 5126
    uint32_t size; // bytes of a component
    uint32_t width;
    bool is_float;
} slv_gltf_element;
bool slv_gltf_find_element(const cJSON *accessor, slv_gltf_element *element);

// All numbers of an accessor, [count][width], normalized if the accessor is, to be freed. width 0
// accepts any.
typedef struct slv_gltf_numbers {
    double *values;
    uint32_t count;
    uint32_t width;
} slv_gltf_numbers;
slv_result slv_gltf_read(const slv_gltf *gltf, uint32_t accessor, uint32_t width,
                         slv_gltf_numbers *numbers, slv_error *error);

#endif
