// SPDX-License-Identifier: MIT
#include "tools/common/gltf_compressed.h"

#include "tools/common/gltf_extensions.h"

#include <stdlib.h>
#include <string.h>

#ifdef SLV_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif
#ifdef SLV_DRACO
#include "tools/common/draco_mesh.h"
#endif

// --- Views --------------------------------------------------------------------------------------

#ifdef SLV_MESHOPTIMIZER

typedef struct compressed_view {
    const uint8_t *bytes;
    size_t size, count, stride;
    const char *mode, *filter;
} compressed_view;

static bool is_text(const char *text, const char *expected) {
    return text && !strcmp(text, expected);
}

// What the library requires, and no more bytes than the shortest code of a vertex allows: a quarter of a byte for
// sixteen bytes.
static bool is_possible(const compressed_view *v) {
    const bool indices = is_text(v->mode, "TRIANGLES") || is_text(v->mode, "INDICES");
    if (v->count == 0 || v->count * v->stride > 64 * v->size) {
        return false;
    }
    if (indices) {
        return (v->stride == 2 || v->stride == 4) && !v->filter &&
               (is_text(v->mode, "INDICES") || v->count % 3 == 0);
    }
    const bool fits = !v->filter                          ? true
                      : is_text(v->filter, "OCTAHEDRAL")  ? v->stride == 4 || v->stride == 8
                      : is_text(v->filter, "QUATERNION")  ? v->stride == 8
                      : is_text(v->filter, "EXPONENTIAL") ? true
                                                          : false;
    return fits && is_text(v->mode, "ATTRIBUTES") && v->stride % 4 == 0 && v->stride > 0 &&
           v->stride <= 256;
}

static bool decode_view(const compressed_view *v, uint8_t *out) {
    if (is_text(v->mode, "TRIANGLES")) {
        return meshopt_decodeIndexBuffer(out, v->count, v->stride, v->bytes, v->size) == 0;
    }
    if (is_text(v->mode, "INDICES")) {
        return meshopt_decodeIndexSequence(out, v->count, v->stride, v->bytes, v->size) == 0;
    }
    if (meshopt_decodeVertexBuffer(out, v->count, v->stride, v->bytes, v->size) != 0) {
        return false;
    }
    if (is_text(v->filter, "OCTAHEDRAL")) {
        meshopt_decodeFilterOct(out, v->count, v->stride);
    } else if (is_text(v->filter, "QUATERNION")) {
        meshopt_decodeFilterQuat(out, v->count, v->stride);
    } else if (is_text(v->filter, "EXPONENTIAL")) {
        meshopt_decodeFilterExp(out, v->count, v->stride);
    }
    return true;
}

static compressed_view find_view(const slv_gltf *gltf, const cJSON *item) {
    const uint32_t buffer = slv_gltf_index(item, "buffer", UINT32_MAX);
    const uint64_t start = slv_gltf_index(item, "byteOffset", 0);
    compressed_view v = {
        .size = slv_gltf_index(item, "byteLength", 0),
        .count = slv_gltf_index(item, "count", 0),
        .stride = slv_gltf_index(item, "byteStride", 0),
        .mode = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "mode")),
        .filter = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "filter"))};
    v.filter = is_text(v.filter, "NONE") ? NULL : v.filter;
    if (buffer < gltf->buffer_count && gltf->buffers[buffer].bytes &&
        start + v.size <= gltf->buffers[buffer].size) {
        v.bytes = gltf->buffers[buffer].bytes + start;
    }
    return v;
}

slv_result slv_gltf_decode_views(const slv_gltf *gltf, slv_error *error) {
    for (uint32_t v = 0; v < gltf->view_count; v++) {
        const cJSON *item = slv_gltf_item(gltf, "bufferViews", v);
        slv_gltf_buffer *view = &gltf->views[v];
        const cJSON *extension = slv_gltf_extension(item, SLV_GLTF_MESHOPT);
        if (!extension) {
            continue;
        }
        const compressed_view found = find_view(gltf, extension);
        if (found.bytes && is_possible(&found)) {
            view->size = found.count * found.stride;
            view->owned = malloc(view->size);
            if (!view->owned) {
                return slv_no_memory(error);
            }
            view->bytes = decode_view(&found, view->owned) ? view->owned : NULL;
        }
        if (!view->bytes) {
            return slv_fail(error, SLV_ERROR_CONTENT, "buffer view %u: its compression is damaged",
                            v);
        }
    }
    return SLV_OK;
}

#else

slv_result slv_gltf_decode_views(const slv_gltf *gltf, slv_error *error) {
    (void)gltf;
    (void)error;
    return SLV_OK; // slv_gltf_check_buffer refuses files that need it
}

#endif

// --- Meshes -------------------------------------------------------------------------------------

#ifdef SLV_DRACO

static slv_result damaged(slv_error *error) {
    return slv_fail(error, SLV_ERROR_CONTENT, "the compression of a mesh is damaged");
}

// Room for the numbers of an accessor, which must have this many; *there where an earlier mesh gave them.
static slv_result make_room(const slv_gltf *gltf, uint32_t accessor, uint64_t count,
                            slv_gltf_element *element, slv_gltf_buffer **room, slv_error *error) {
    const cJSON *item = slv_gltf_item(gltf, "accessors", accessor);
    *room = NULL;
    if (!slv_gltf_find_element(item, element) || accessor >= gltf->accessor_count ||
        slv_gltf_index(item, "count", 0) != count) {
        return damaged(error);
    }
    slv_gltf_buffer *buffer = &gltf->accessors[accessor];
    if (buffer->bytes || cJSON_GetObjectItemCaseSensitive(item, "bufferView")) {
        return SLV_OK;
    }
    const size_t size = (size_t)element->size * element->width;
    buffer->owned = calloc((size_t)count + 1, size);
    if (!buffer->owned) {
        return slv_no_memory(error);
    }
    buffer->bytes = buffer->owned;
    buffer->size = (size_t)count * size;
    *room = buffer;
    return SLV_OK;
}

static slv_result take_mesh(const slv_gltf *gltf, const cJSON *primitive, const cJSON *extension,
                            const slv_draco_mesh *mesh, slv_error *error) {
    slv_gltf_element element;
    slv_gltf_buffer *room = NULL;
    const uint32_t indices = slv_gltf_index(primitive, "indices", UINT32_MAX);
    slv_result result =
        make_room(gltf, indices, 3 * (uint64_t)slv_draco_face_count(mesh), &element, &room, error);
    if (result == SLV_OK && room &&
        (element.width != 1 || element.is_float ||
         !slv_draco_read_faces(mesh, element.size, room->owned))) {
        return damaged(error);
    }
    const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes");
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(extension, "attributes");
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, names) {
        const uint32_t accessor = slv_gltf_index(attributes, name->string, UINT32_MAX);
        if (result == SLV_OK) {
            result = make_room(gltf, accessor, slv_draco_point_count(mesh), &element, &room, error);
        }
        if (result == SLV_OK && room &&
            !slv_draco_read_attribute(mesh, slv_gltf_index(names, name->string, UINT32_MAX),
                                      element.code, element.width, room->owned)) {
            return damaged(error);
        }
    }
    return result;
}

static slv_result decode_mesh(const slv_gltf *gltf, const cJSON *primitive, const cJSON *extension,
                              slv_error *error) {
    size_t size = 0;
    bool no_memory = false;
    const uint8_t *bytes =
        slv_gltf_view(gltf, slv_gltf_index(extension, "bufferView", UINT32_MAX), &size);
    slv_draco_mesh *mesh = bytes ? slv_draco_decode(bytes, size, &no_memory) : NULL;
    if (!mesh) {
        return no_memory ? slv_no_memory(error) : damaged(error);
    }
    const slv_result result = take_mesh(gltf, primitive, extension, mesh, error);
    slv_draco_free(mesh);
    return result;
}

#else

static slv_result decode_mesh(const slv_gltf *gltf, const cJSON *primitive, const cJSON *extension,
                              slv_error *error) {
    (void)gltf;
    (void)primitive;
    (void)extension;
    return slv_gltf_refuse_extension(SLV_GLTF_DRACO, error);
}

#endif

slv_result slv_gltf_decode_primitive(const slv_gltf *gltf, const cJSON *primitive,
                                     slv_error *error) {
    const cJSON *extension = slv_gltf_extension(primitive, SLV_GLTF_DRACO);
    const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes");
    const cJSON *positions =
        slv_gltf_item(gltf, "accessors", slv_gltf_index(attributes, "POSITION", UINT32_MAX));
    if (!extension || cJSON_GetObjectItemCaseSensitive(positions, "bufferView")) {
        return SLV_OK; // not compressed, or there for readers without Draco as well
    }
    return decode_mesh(gltf, primitive, extension, error);
}
