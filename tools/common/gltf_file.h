// SPDX-License-Identifier: MIT
// A glTF 2.0 file: its JSON, its buffers, and numbers out of them. Read by ourselves for characters,
// since Assimp 5.2 drops what poses need: splines and steps become lines, weights beyond four are lost.
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
    void *owned; // where it was decoded from text
} slv_gltf_buffer;

typedef struct slv_gltf {
    cJSON *root;
    slv_gltf_buffer *buffers;
    uint32_t buffer_count;
} slv_gltf;

// Reads the file and what it names, through `files`, which must outlive it.
slv_result slv_gltf_open(const char *path, slv_assimp_files *files, slv_gltf *gltf,
                         slv_error *error);
void slv_gltf_close(slv_gltf *gltf); // zeroes it

// Element i of a top-level array ("nodes"), NULL where there is none; and how many there are.
const cJSON *slv_gltf_item(const slv_gltf *gltf, const char *array, uint32_t index);
uint32_t slv_gltf_count(const slv_gltf *gltf, const char *array);

// A whole number below 2^32 - 1 under a key; `otherwise` where there is none or something else.
uint32_t slv_gltf_index(const cJSON *object, const char *key, uint32_t otherwise);

// All numbers of an accessor, [count][width], normalised where it says so, for free(). width 0 takes any.
typedef struct slv_gltf_numbers {
    double *values;
    uint32_t count;
    uint32_t width;
} slv_gltf_numbers;
slv_result slv_gltf_read(const slv_gltf *gltf, uint32_t accessor, uint32_t width,
                         slv_gltf_numbers *numbers, slv_error *error);

#endif
