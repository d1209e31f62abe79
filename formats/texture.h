// SPDX-License-Identifier: MIT
// The texture of a render mesh (RTEX): the bytes of a PNG file. This module checks its signature, header and
// chunks against the limits below; pixels are decoded where the mesh is drawn.
#ifndef SLV_FORMATS_TEXTURE_H
#define SLV_FORMATS_TEXTURE_H

#include "formats/result.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLV_TEXTURE_SIDE 8192u               // pixels per side, at most
#define SLV_TEXTURE_BYTES ((size_t)64 << 20) // of the file, at most

typedef struct slv_texture_info {
    uint32_t width, height; // pixels
    uint8_t bit_depth;      // of a channel or a palette's index
    uint8_t color_type;     // 0 grey, 2 RGB, 3 palette, 4 grey and opacity, 6 RGB and opacity
} slv_texture_info;

// A PNG file within the limits: signature, header, chunks that fill it exactly, IDAT among them, IEND last.
// The message does not name the file.
slv_result slv_texture_check(const void *bytes, size_t size, slv_texture_info *info,
                             slv_error *error);

#ifdef __cplusplus
}
#endif

#endif
