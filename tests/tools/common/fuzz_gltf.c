// SPDX-License-Identifier: MIT
// Fuzzes the reader of glTF: what is read passes the check that the parent process makes, or is refused by it.
#include "tests/common/memory_file.h"
#include "tools/common/gltf_character.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_character(const char *path, slv_assimp_files *files) {
    slv_gltf gltf;
    slv_error error = {.code = SLV_OK};
    slv_character_build build = {.shaded = true};
    if (slv_gltf_open(path, files, &gltf, &error) != SLV_OK) {
        return;
    }
    if (slv_gltf_character(&gltf, &build, &error) == SLV_OK &&
        slv_gltf_find_texture(&gltf, path, files, &build.character.texture, &error) == SLV_OK) {
        (void)slv_character_check(&build.character, &error);
    }
    slv_gltf_close(&gltf);
    slv_character_free(&build.character);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = memory_file(data, size);
    slv_assimp_files *files = path ? slv_assimp_files_create(path, false) : NULL;
    if (files) {
        read_character(path, files);
        slv_assimp_files_destroy(files);
    }
    return 0;
}
