// SPDX-License-Identifier: MIT
// Fuzzes the scene reader: any bytes are read or refused with a message, without a crash or a leak.
#include "runtime/scene/scene_data.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    slv_error error = {0};
    slv_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        return 0;
    }
    scene->path = "scene.json";
    slv_result result = slv_json_parse((const char *)bytes, size, &scene->json, &error);
    if (result == SLV_OK) {
        result = slv_scene_read(scene, &error);
    }
    if (result != SLV_OK && (error.code != result || error.text[0] == '\0')) {
        abort(); // refused without a reason
    }
    slv_scene_destroy(scene);
    return 0;
}
