// SPDX-License-Identifier: MIT
#include "tools/common/assimp_import.h"

slv_result slv_assimp_import(const char *path, slv_raw_mesh *raw, slv_file_list *files,
                             uint64_t *hash, slv_error *error) {
    (void)path;
    (void)raw;
    (void)files;
    (void)hash;
    return slv_fail(error, SLV_ERROR_UNSUPPORTED, "only OBJ files can be read");
}
