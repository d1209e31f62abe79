// SPDX-License-Identifier: MIT
// Decodes compressed parts of a glTF file, where this was built with the libraries (gltf_extensions.h).
#ifndef SLV_TOOLS_GLTF_COMPRESSED_H
#define SLV_TOOLS_GLTF_COMPRESSED_H

#include "tools/common/gltf_file.h"

// Decodes all compressed views; reading a view gives what it decodes to from then on.
slv_result slv_gltf_decode_views(const slv_gltf *gltf, slv_error *error);

// Decodes a compressed mesh; its accessors, which have no views, give its numbers from then on.
slv_result slv_gltf_decode_primitive(const slv_gltf *gltf, const cJSON *primitive,
                                     slv_error *error);

#endif
