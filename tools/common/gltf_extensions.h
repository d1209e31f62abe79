// SPDX-License-Identifier: MIT
// Extensions of glTF that are read, and refusals of the others by name.
#ifndef SLV_TOOLS_GLTF_EXTENSIONS_H
#define SLV_TOOLS_GLTF_EXTENSIONS_H

#include "formats/result.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

#define SLV_GLTF_MESHOPT "EXT_meshopt_compression"
#define SLV_GLTF_DRACO "KHR_draco_mesh_compression"

// The extension of an object; NULL where it has none of this name.
const cJSON *slv_gltf_extension(const cJSON *object, const char *name);

// Fails with SLV_ERROR_CONTENT and the name of the extension.
slv_result slv_gltf_refuse_extension(const char *name, slv_error *error);

// Fails where the list has an extension that is not read. Those that need a library are where this was built with it.
slv_result slv_gltf_check_required(const cJSON *names, slv_error *error);

// Whether a buffer has no bytes because all its views are compressed. Fails where they cannot be decoded.
slv_result slv_gltf_check_buffer(const cJSON *buffer, bool *empty, slv_error *error);

#endif
