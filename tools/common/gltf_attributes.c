// SPDX-License-Identifier: MIT
#include "tools/common/gltf_character.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Texture coordinates, normals, colors and the material of a primitive.

// How the base color texture of a material is laid onto the surface: KHR_texture_transform.
typedef struct layout {
    uint32_t set; // TEXCOORD_…
    double offset[2], scale[2];
    double sine, cosine;
} layout;

static double number_in(const cJSON *object, const char *key, int index, double otherwise) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    const cJSON *item = cJSON_IsArray(array) ? cJSON_GetArrayItem(array, index) : array;
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

const cJSON *slv_gltf_base_color(const cJSON *material) {
    const cJSON *surface = cJSON_GetObjectItemCaseSensitive(material, "pbrMetallicRoughness");
    const cJSON *texture = cJSON_GetObjectItemCaseSensitive(surface, "baseColorTexture");
    if (texture) {
        return texture;
    }
    const cJSON *older =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(material, "extensions"),
                                         "KHR_materials_pbrSpecularGlossiness");
    return cJSON_GetObjectItemCaseSensitive(older, "diffuseTexture");
}

static layout layout_of(const cJSON *material) {
    const cJSON *texture = slv_gltf_base_color(material);
    const cJSON *transform = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(texture, "extensions"), "KHR_texture_transform");
    const double angle = number_in(transform, "rotation", 0, 0.0);
    return (layout){
        .set = slv_gltf_index(transform, "texCoord", slv_gltf_index(texture, "texCoord", 0)),
        .offset = {number_in(transform, "offset", 0, 0.0), number_in(transform, "offset", 1, 0.0)},
        .scale = {number_in(transform, "scale", 0, 1.0), number_in(transform, "scale", 1, 1.0)},
        .sine = angle != 0.0 ? sin(angle) : 0.0,
        .cosine = angle != 0.0 ? cos(angle) : 1.0};
}

// Numbers of an attribute that must have one element a vertex; values NULL where the primitive has none.
static slv_result read_attribute(const slv_gltf *gltf, const cJSON *primitive, const char *name,
                                 uint32_t width, uint32_t count, slv_gltf_numbers *numbers,
                                 slv_error *error) {
    *numbers = (slv_gltf_numbers){0};
    const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes");
    const uint32_t accessor = slv_gltf_index(attributes, name, UINT32_MAX);
    if (accessor == UINT32_MAX) {
        return SLV_OK;
    }
    slv_result result = slv_gltf_read(gltf, accessor, width, numbers, error);
    if (result == SLV_OK && numbers->count != count) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "a mesh of %u vertices has %u elements of %s",
                          count, numbers->count, name);
        free(numbers->values);
        *numbers = (slv_gltf_numbers){0};
    }
    return result;
}

// glTF has the origin of textures at their upper left corner, packs at the lower left. A rotation is counter-clockwise as
// seen, with v downwards.
static slv_result add_uvs(const slv_gltf *gltf, const cJSON *primitive, const layout *l,
                          slv_character_build *build, slv_error *error) {
    slv_character *c = &build->character;
    slv_character_part *part = &c->parts[c->part_count - 1];
    char name[24];
    slv_gltf_numbers uvs;
    (void)snprintf(name, sizeof name, "TEXCOORD_%u", l->set);
    slv_result result = read_attribute(gltf, primitive, name, 2, part->vertex_count, &uvs, error);
    if (result != SLV_OK || !uvs.values) {
        return result;
    }
    for (size_t v = 0; v < uvs.count; v++) {
        const double s = l->scale[0] * uvs.values[2 * v];
        const double t = l->scale[1] * uvs.values[2 * v + 1];
        float *uv = c->uvs + 2 * (part->first_vertex + v);
        uv[0] = (float)(l->cosine * s + l->sine * t + l->offset[0]);
        uv[1] = (float)(1.0 - (l->cosine * t - l->sine * s + l->offset[1]));
    }
    part->attributes |= SLV_PART_UVS;
    free(uvs.values);
    return SLV_OK;
}

static slv_result add_normals(const slv_gltf *gltf, const cJSON *primitive,
                              slv_character_build *build, slv_error *error) {
    slv_character *c = &build->character;
    slv_character_part *part = &c->parts[c->part_count - 1];
    slv_gltf_numbers normals;
    slv_result result =
        read_attribute(gltf, primitive, "NORMAL", 3, part->vertex_count, &normals, error);
    if (result != SLV_OK || !normals.values) {
        return result;
    }
    for (size_t k = 0; k < 3 * (size_t)normals.count; k++) {
        c->normals[3 * (size_t)part->first_vertex + k] = (float)normals.values[k];
    }
    part->attributes |= SLV_PART_NORMALS;
    free(normals.values);
    return SLV_OK;
}

// Three or four components; without the fourth alpha is 1.
static slv_result add_paint(const slv_gltf *gltf, const cJSON *primitive,
                            slv_character_build *build, slv_error *error) {
    slv_character *c = &build->character;
    slv_character_part *part = &c->parts[c->part_count - 1];
    slv_gltf_numbers colors;
    slv_result result =
        read_attribute(gltf, primitive, "COLOR_0", 0, part->vertex_count, &colors, error);
    if (result != SLV_OK || !colors.values) {
        return result;
    }
    if (colors.width == 3 || colors.width == 4) {
        for (size_t v = 0; v < colors.count; v++) {
            float *paint = c->paint + 4 * (part->first_vertex + v);
            for (uint32_t k = 0; k < 4; k++) {
                paint[k] = k < colors.width ? (float)colors.values[v * colors.width + k] : 1.0f;
            }
        }
        part->attributes |= SLV_PART_PAINT;
    } else {
        result =
            slv_fail(error, SLV_ERROR_CONTENT, "a mesh has colors of %u components", colors.width);
    }
    free(colors.values);
    return result;
}

slv_result slv_gltf_add_attributes(const slv_gltf *gltf, const cJSON *primitive,
                                   slv_character_build *build, slv_error *error) {
    const cJSON *material =
        slv_gltf_item(gltf, "materials", slv_gltf_index(primitive, "material", UINT32_MAX));
    const layout l = layout_of(material);
    slv_character *c = &build->character;
    c->parts[c->part_count - 1].material = slv_build_name(
        build, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(material, "name")));
    slv_result result = add_uvs(gltf, primitive, &l, build, error);
    if (result == SLV_OK && build->shaded) {
        result = add_normals(gltf, primitive, build, error);
    }
    return result == SLV_OK && build->shaded ? add_paint(gltf, primitive, build, error) : result;
}
