// SPDX-License-Identifier: MIT
#include "tools/common/gltf_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct component {
    uint32_t size;
    bool is_float, is_signed;
    double unit; // integer that represents 1.0 in normalized accessors
} component;

static bool find_component(uint32_t code, component *found) {
    switch (code) {
    case 5120:
        *found = (component){1, false, true, 127.0};
        return true;
    case 5121:
        *found = (component){1, false, false, 255.0};
        return true;
    case 5122:
        *found = (component){2, false, true, 32767.0};
        return true;
    case 5123:
        *found = (component){2, false, false, 65535.0};
        return true;
    case 5125:
        *found = (component){4, false, false, 4294967295.0};
        return true;
    case 5126:
        *found = (component){4, true, true, 1.0};
        return true;
    default:
        return false;
    }
}

static uint32_t width_of(const char *type) {
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        if (!strcmp(type, types[i].name)) {
            return types[i].width;
        }
    }
    return 0;
}

bool slv_gltf_find_element(const cJSON *accessor, slv_gltf_element *element) {
    component kind;
    *element = (slv_gltf_element){.code = slv_gltf_index(accessor, "componentType", 0),
                                  .width = width_of(cJSON_GetStringValue(
                                      cJSON_GetObjectItemCaseSensitive(accessor, "type")))};
    if (!find_component(element->code, &kind) || element->width == 0) {
        return false;
    }
    element->size = kind.size;
    element->is_float = kind.is_float;
    return true;
}

static double decode(const uint8_t *bytes, const component *kind, bool normalized) {
    uint32_t bits = 0;
    for (uint32_t b = 0; b < kind->size; b++) {
        bits |= (uint32_t)bytes[b] << (8 * b);
    }
    if (kind->is_float) {
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    double value = bits;
    const uint32_t top = 8 * kind->size - 1;
    if (kind->is_signed && (bits >> top) & 1) {
        value -= 2.0 * (double)(UINT32_C(1) << top);
    }
    if (!normalized) {
        return value;
    }
    value /= kind->unit;
    return value < -1.0 ? -1.0 : value;
}

// Pointer to `count` elements of `size` bytes from `offset` of a view; NULL where they do not fit.
static const uint8_t *find_elements(const slv_gltf *gltf, uint32_t view, uint32_t offset,
                                    uint32_t count, uint32_t size, uint32_t *stride) {
    const cJSON *item = slv_gltf_item(gltf, "bufferViews", view);
    const uint32_t buffer = slv_gltf_index(item, "buffer", UINT32_MAX);
    const uint64_t start = slv_gltf_index(item, "byteOffset", 0);
    const uint64_t length = slv_gltf_index(item, "byteLength", 0);
    *stride = slv_gltf_index(item, "byteStride", size);
    if (view < gltf->view_count && gltf->views[view].bytes) {
        const slv_gltf_buffer *decoded = &gltf->views[view];
        return *stride >= size && count > 0 &&
                       (uint64_t)offset + (uint64_t)(count - 1) * *stride + size <= decoded->size
                   ? decoded->bytes + offset
                   : NULL;
    }
    if (!item || buffer >= gltf->buffer_count || *stride < size || count == 0 ||
        start + length > gltf->buffers[buffer].size ||
        (uint64_t)offset + (uint64_t)(count - 1) * *stride + size > length) {
        return NULL;
    }
    return gltf->buffers[buffer].bytes + start + offset;
}

const uint8_t *slv_gltf_view(const slv_gltf *gltf, uint32_t view, size_t *size) {
    const cJSON *item = slv_gltf_item(gltf, "bufferViews", view);
    uint32_t stride = 0;
    *size = slv_gltf_index(item, "byteLength", 0);
    return find_elements(gltf, view, 0, (uint32_t)*size, 1, &stride);
}

static slv_result missing(slv_error *error, uint32_t accessor) {
    return slv_fail(error, SLV_ERROR_CONTENT, "accessor %u: its numbers are not all there",
                    accessor);
}

static slv_result read_sparse(const slv_gltf *gltf, uint32_t accessor, const cJSON *sparse,
                              const component *kind, bool normalized, slv_gltf_numbers *numbers,
                              slv_error *error) {
    const cJSON *indices = cJSON_GetObjectItemCaseSensitive(sparse, "indices");
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(sparse, "values");
    const uint32_t count = slv_gltf_index(sparse, "count", 0);
    component index_kind;
    uint32_t index_stride = 0;
    uint32_t stride = 0;
    if (!find_component(slv_gltf_index(indices, "componentType", 0), &index_kind) ||
        index_kind.is_float || index_kind.is_signed) {
        return missing(error, accessor);
    }
    const uint8_t *index = find_elements(gltf, slv_gltf_index(indices, "bufferView", UINT32_MAX),
                                         slv_gltf_index(indices, "byteOffset", 0), count,
                                         index_kind.size, &index_stride);
    const uint8_t *bytes = find_elements(gltf, slv_gltf_index(values, "bufferView", UINT32_MAX),
                                         slv_gltf_index(values, "byteOffset", 0), count,
                                         kind->size * numbers->width, &stride);
    if (!index || !bytes) {
        return missing(error, accessor);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double at = decode(index + (size_t)i * index_stride, &index_kind, false);
        if (at >= numbers->count) {
            return missing(error, accessor);
        }
        for (uint32_t k = 0; k < numbers->width; k++) {
            numbers->values[(size_t)at * numbers->width + k] =
                decode(bytes + (size_t)i * stride + (size_t)k * kind->size, kind, normalized);
        }
    }
    return SLV_OK;
}

// The first element and the stride of an accessor that has a view.
static slv_result find_dense(const slv_gltf *gltf, uint32_t accessor, const cJSON *item,
                             const component *kind, const slv_gltf_numbers *numbers,
                             const uint8_t **bytes, uint32_t *stride, slv_error *error) {
    const uint32_t view = slv_gltf_index(item, "bufferView", UINT32_MAX);
    *bytes = NULL;
    if (accessor < gltf->accessor_count && gltf->accessors[accessor].bytes) {
        *stride = kind->size * numbers->width;
        *bytes = gltf->accessors[accessor].bytes; // made for the numbers of this accessor
        return SLV_OK;
    }
    if (view == UINT32_MAX) {
        return SLV_OK; // zeros, except for sparse elements
    }
    *bytes = find_elements(gltf, view, slv_gltf_index(item, "byteOffset", 0), numbers->count,
                           kind->size * numbers->width, stride);
    return *bytes ? SLV_OK : missing(error, accessor);
}

static void read_dense(const uint8_t *bytes, uint32_t stride, const component *kind,
                       bool normalized, const slv_gltf_numbers *numbers) {
    for (uint32_t i = 0; bytes && i < numbers->count; i++) {
        for (uint32_t k = 0; k < numbers->width; k++) {
            numbers->values[(size_t)i * numbers->width + k] =
                decode(bytes + (size_t)i * stride + (size_t)k * kind->size, kind, normalized);
        }
    }
}

slv_result slv_gltf_read(const slv_gltf *gltf, uint32_t accessor, uint32_t width,
                         slv_gltf_numbers *numbers, slv_error *error) {
    const cJSON *item = slv_gltf_item(gltf, "accessors", accessor);
    component kind;
    *numbers = (slv_gltf_numbers){
        .count = slv_gltf_index(item, "count", 0),
        .width = width_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "type")))};
    if (!find_component(slv_gltf_index(item, "componentType", 0), &kind) || numbers->width == 0 ||
        numbers->count == 0 || (width != 0 && numbers->width != width)) {
        return missing(error, accessor);
    }
    const bool normalized =
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "normalized")) && !kind.is_float;
    const uint8_t *bytes = NULL;
    uint32_t stride = 0;
    slv_result result = find_dense(gltf, accessor, item, &kind, numbers, &bytes, &stride, error);
    if (result != SLV_OK) {
        return result;
    }
    numbers->values = calloc((size_t)numbers->count * numbers->width, sizeof *numbers->values);
    if (!numbers->values) {
        return slv_no_memory(error);
    }
    read_dense(bytes, stride, &kind, normalized, numbers);
    const cJSON *sparse = cJSON_GetObjectItemCaseSensitive(item, "sparse");
    if (result == SLV_OK && sparse) {
        result = read_sparse(gltf, accessor, sparse, &kind, normalized, numbers, error);
    }
    if (result != SLV_OK) {
        free(numbers->values);
        numbers->values = NULL;
    }
    return result;
}
