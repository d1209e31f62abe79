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

typedef struct slv_gltf {
    cJSON *root;
    slv_gltf_buffer *buffers;
    uint32_t buffer_count;
} slv_gltf;

// Reads the file and its buffers through `files`, which must outlive it.
slv_result slv_gltf_open(const char *path, slv_assimp_files *files, slv_gltf *gltf,
                         slv_error *error);
void slv_gltf_close(slv_gltf *gltf); // zeroes it

// Fails with SLV_ERROR_CONTENT and the name of the extension.
slv_result slv_gltf_refuse_extension(const char *name, slv_error *error);

// Bytes of a buffer view; NULL where it is missing.
const uint8_t *slv_gltf_view(const slv_gltf *gltf, uint32_t view, size_t *size);

// Element of a top-level array ("nodes"), NULL where there is none; and the number of elements.
const cJSON *slv_gltf_item(const slv_gltf *gltf, const char *array, uint32_t index);
uint32_t slv_gltf_count(const slv_gltf *gltf, const char *array);

// An integer below 2^32 - 1 under a key; `otherwise` where it is missing or invalid.
uint32_t slv_gltf_index(const cJSON *object, const char *key, uint32_t otherwise);

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
