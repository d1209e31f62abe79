// SPDX-License-Identifier: MIT
// libpng encodes into memory, so that a failure there never meets a half-written file.
#include "tools/common/png_file.h"

#include <png.h>
#include <stdlib.h>

// *bytes is to be freed, whatever the result.
static slv_result encode(png_image *image, const uint8_t *pixels, uint8_t **bytes, size_t *size,
                         slv_error *error) {
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(*image);
    *bytes = malloc(room);
    if (!*bytes) {
        return slv_fail(error, SLV_ERROR_INTERNAL, "out of memory for the PNG");
    }
    if (!png_image_write_to_memory(image, *bytes, &room, 0, pixels, 0, NULL)) {
        return slv_fail(error, SLV_ERROR_INTERNAL, "libpng: %s", image->message);
    }
    *size = room;
    return SLV_OK;
}

slv_result slv_png_write(slv_atomic_file *file, const uint8_t *pixels, uint32_t width,
                         uint32_t height, slv_error *error) {
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    uint8_t *bytes = NULL;
    size_t size = 0;
    slv_result result = encode(&image, pixels, &bytes, &size, error);
    if (!result) {
        result = slv_atomic_write(file, bytes, size, error);
    }
    free(bytes);
    return result;
}
