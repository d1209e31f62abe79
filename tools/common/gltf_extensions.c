// SPDX-License-Identifier: MIT
#include "tools/common/gltf_extensions.h"

#include <string.h>

const cJSON *slv_gltf_extension(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "extensions"),
                                            name);
}

slv_result slv_gltf_refuse_extension(const char *name, slv_error *error) {
    return slv_fail(error, SLV_ERROR_CONTENT,
                    "needs the extension '%.64s', which is not supported; export without it", name);
}

static bool decodes(const char *extension) {
    static const char *const names[] = {
#ifdef SLV_MESHOPTIMIZER
        SLV_GLTF_MESHOPT,
#endif
#ifdef SLV_DRACO
        SLV_GLTF_DRACO,
#endif
        NULL};
    for (size_t i = 0; names[i]; i++) {
        if (!strcmp(extension, names[i])) {
            return true;
        }
    }
    return false;
}

// Required extensions are accepted only where they affect neither shape nor motion.
static bool is_supported_extension(const char *extension) {
    static const char *const supported[] = {"KHR_mesh_quantization",
                                            "KHR_lights_punctual",
                                            "KHR_node_visibility",
                                            "KHR_animation_pointer",
                                            "MSFT_lod",
                                            "EXT_texture_webp",
                                            "MSFT_texture_dds",
                                            "KHR_xmp_json_ld"};
    bool found =
        !strncmp(extension, "KHR_materials_", 14) || !strncmp(extension, "KHR_texture_", 12);
    for (size_t i = 0; i < sizeof supported / sizeof *supported; i++) {
        found = found || !strcmp(extension, supported[i]);
    }
    return found || decodes(extension);
}

slv_result slv_gltf_check_required(const cJSON *names, slv_error *error) {
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, names) {
        const char *name = cJSON_GetStringValue(item);
        if (!name || !is_supported_extension(name)) {
            return slv_gltf_refuse_extension(name ? name : "?", error);
        }
    }
    return SLV_OK;
}

slv_result slv_gltf_check_buffer(const cJSON *buffer, bool *empty, slv_error *error) {
    static const char *const names[] = {SLV_GLTF_MESHOPT, "KHR_meshopt_compression"};
    *empty = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const bool here = slv_gltf_extension(buffer, names[i]) != NULL;
        if (here && !decodes(names[i])) {
            return slv_gltf_refuse_extension(names[i], error);
        }
        *empty = *empty || (here && !cJSON_GetObjectItemCaseSensitive(buffer, "uri"));
    }
    return SLV_OK;
}
