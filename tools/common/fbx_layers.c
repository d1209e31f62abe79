// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static slv_fbx_mapping mapping_of(const slv_fbx *file, uint32_t layer) {
    static const struct {
        const char *name;
        slv_fbx_mapping mapping;
    } names[] = {{"ByPolygonVertex", SLV_FBX_BY_CORNER}, {"ByVertex", SLV_FBX_BY_POINT},
                 {"ByVertice", SLV_FBX_BY_POINT},        {"ByControlPoint", SLV_FBX_BY_POINT},
                 {"ByPolygon", SLV_FBX_BY_POLYGON},      {"AllSame", SLV_FBX_ALL_SAME}};
    slv_fbx_value value;
    if (slv_fbx_child_text(file, layer, "MappingInformationType", &value)) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (slv_fbx_value_is(&value, names[i].name)) {
                return names[i].mapping;
            }
        }
    }
    return SLV_FBX_NOWHERE;
}

static uint32_t places_of(slv_fbx_mapping mapping, const slv_fbx_sizes *sizes) {
    switch (mapping) {
    case SLV_FBX_BY_CORNER:
        return sizes->corners;
    case SLV_FBX_BY_POINT:
        return sizes->points;
    case SLV_FBX_BY_POLYGON:
        return sizes->polygons;
    default:
        return 1;
    }
}

static slv_result check_layer(const slv_fbx_layer *layer, const slv_fbx_sizes *sizes,
                              const char *name, slv_error *error) {
    const uint32_t places = places_of(layer->mapping, sizes);
    if ((layer->index ? layer->index_count : layer->count) < places) {
        return slv_fail(error, SLV_ERROR_CONTENT, "a mesh has a %s that is too short for it", name);
    }
    for (size_t i = 0; layer->values && i < (size_t)layer->count * layer->width; i++) {
        if (!isfinite(layer->values[i])) {
            return slv_fail(error, SLV_ERROR_CONTENT, "a mesh has a %s that is not finite", name);
        }
    }
    return SLV_OK;
}

slv_result slv_fbx_read_layer(const slv_fbx *file, uint32_t geometry, const char *const names[3],
                              uint32_t width, const slv_fbx_sizes *sizes, slv_fbx_layer *layer,
                              slv_error *error) {
    *layer = (slv_fbx_layer){.mapping = SLV_FBX_NOWHERE, .width = width};
    const uint32_t record = slv_fbx_child(file, geometry, names[0]);
    const slv_fbx_mapping mapping = mapping_of(file, record);
    if (mapping == SLV_FBX_NOWHERE || sizes->corners == 0) {
        return SLV_OK;
    }
    slv_fbx_value reference;
    const bool direct = slv_fbx_child_text(file, record, "ReferenceInformationType", &reference) &&
                        slv_fbx_value_is(&reference, "Direct");
    void *values = NULL;
    void *index = NULL;
    slv_result result = SLV_OK;
    if (names[1]) {
        result = slv_fbx_read_array(file, slv_fbx_child(file, record, names[1]), SLV_FBX_FLOAT,
                                    &values, &layer->count, error);
        layer->count /= width;
    }
    if (result == SLV_OK && !(direct && names[1])) {
        result = slv_fbx_read_array(file, slv_fbx_child(file, record, names[2]), SLV_FBX_INT32,
                                    &index, &layer->index_count, error);
    }
    layer->values = values;
    layer->index = index;
    if (result == SLV_OK && (names[1] ? values != NULL : index != NULL)) {
        layer->mapping = mapping;
        result = check_layer(layer, sizes, names[0], error);
    }
    if (result != SLV_OK) {
        slv_fbx_layer_free(layer);
    }
    return result;
}

void slv_fbx_layer_free(slv_fbx_layer *layer) {
    free(layer->values);
    free(layer->index);
    *layer = (slv_fbx_layer){.mapping = SLV_FBX_NOWHERE};
}

uint32_t slv_fbx_layer_at(const slv_fbx_layer *layer, uint32_t corner, uint32_t point,
                          uint32_t polygon) {
    uint32_t place = 0;
    switch (layer->mapping) {
    case SLV_FBX_NOWHERE:
        return SLV_NO_VALUE;
    case SLV_FBX_BY_CORNER:
        place = corner;
        break;
    case SLV_FBX_BY_POINT:
        place = point;
        break;
    case SLV_FBX_BY_POLYGON:
        place = polygon;
        break;
    default:
        break;
    }
    if (!layer->index) {
        return place;
    }
    const int32_t number = layer->index[place];
    return number >= 0 && (!layer->values || (uint32_t)number < layer->count) ? (uint32_t)number
                                                                              : SLV_NO_VALUE;
}
