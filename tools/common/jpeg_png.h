// SPDX-License-Identifier: MIT
// JPEG textures: packs hold PNG files, so they are decoded and encoded anew, without further loss.
#ifndef SLV_TOOLS_JPEG_PNG_H
#define SLV_TOOLS_JPEG_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool slv_is_jpeg(const void *bytes, size_t size); // by its first bytes

typedef struct slv_jpeg_png {
    uint8_t *bytes; // of a PNG, to be freed; NULL where there is a reason
    uint32_t size;
    char reason[160]; // why the texture is left out, after its name: "is …"
} slv_jpeg_png;

// False where memory is short. Decodes bytes of others in this process: only the importer's, which is confined, may call
// it.
bool slv_jpeg_to_png(const void *bytes, size_t size, slv_jpeg_png *png);

// The same in a confined process of its own.
bool slv_jpeg_to_png_confined(const void *bytes, size_t size, slv_jpeg_png *png);

#endif
