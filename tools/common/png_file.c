// SPDX-License-Identifier: MIT
// libpng encodes into memory, so that its failures leave no partial file.
#include "tools/common/png_file.h"

#include "formats/file_bytes.h"
#include "formats/texture.h"

#include <png.h>
#include <stdlib.h>

slv_result slv_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes,
                          size_t *size, slv_error *error) {
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    *bytes = malloc(room);
    if (!*bytes) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the PNG");
    }
    if (!png_image_write_to_memory(&image, *bytes, &room, 0, pixels, 0, NULL)) {
        free(*bytes);
        *bytes = NULL;
        return slv_fail(error, SLV_ERROR_MEMORY, "libpng: %s", image.message);
    }
    *size = room;
    return SLV_OK;
}

slv_result slv_png_write(slv_atomic_file *file, const uint8_t *pixels, uint32_t width,
                         uint32_t height, slv_error *error) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    slv_result result = slv_png_encode(pixels, width, height, &bytes, &size, error);
    if (!result) {
        result = slv_atomic_write(file, bytes, size, error);
    }
    free(bytes);
    return result;
}

// The header has been read. libpng frees it on failure, this function otherwise.
static slv_result decode(png_image *image, const char *path, uint32_t side, slv_png *png,
                         slv_error *error) {
    if (image->width > side || image->height > side) {
        const slv_result result =
            slv_fail(error, SLV_ERROR_CONTENT, "%.300s: %u x %u pixels, at most %u per side", path,
                     (unsigned)image->width, (unsigned)image->height, (unsigned)side);
        png_image_free(image);
        return result;
    }
    image->format = PNG_FORMAT_RGBA;
    const size_t row = (size_t)image->width * 4;
    png->width = image->width;
    png->height = image->height;
    png->pixels = malloc(row * image->height);
    if (!png->pixels) {
        png_image_free(image);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %.300s", path);
    }
    if (!png_image_finish_read(image, NULL, png->pixels, -(png_int_32)row, NULL)) {
        free(png->pixels);
        png->pixels = NULL;
        return slv_fail(error, SLV_ERROR_CONTENT, "%.300s: %s", path, image->message);
    }
    return SLV_OK;
}

// The size is checked before memory is allocated for the file.
static slv_result copy_file(const char *path, slv_file_bytes *file, slv_error *error) {
    char first;
    size_t size = 0;
    slv_result result = slv_file_bytes_head(path, &first, sizeof first, &size, error);
    if (result == SLV_OK && size > SLV_TEXTURE_BYTES) {
        return slv_fail(error, SLV_ERROR_CONTENT, "has %zu bytes, a texture has at most %zu", size,
                        SLV_TEXTURE_BYTES);
    }
    return result == SLV_OK ? slv_file_bytes_copy(path, file, error) : result;
}

slv_result slv_png_read(const char *path, uint32_t side, slv_png *png, slv_error *error) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    *png = (slv_png){.pixels = NULL};
    slv_file_bytes file = {0};
    slv_error cause = {0};
    slv_result result = copy_file(path, &file, &cause);
    if (result != SLV_OK) {
        return slv_fail(error, result, "%.300s: %s", path, cause.text);
    }
    if (png_image_begin_read_from_memory(&image, file.bytes, file.size)) {
        result = decode(&image, path, side, png, error);
    } else {
        result = slv_fail(error, SLV_ERROR_FILE, "%.300s: cannot be read as a PNG: %s", path,
                          image.message);
    }
    slv_file_bytes_free(&file);
    return result;
}

slv_result slv_png_decode(const void *bytes, size_t size, const char *name, uint32_t side,
                          slv_png *png, slv_error *error) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    *png = (slv_png){.pixels = NULL};
    if (!png_image_begin_read_from_memory(&image, bytes, size)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%.300s: cannot be read as a PNG: %s", name,
                        image.message);
    }
    return decode(&image, name, side, png, error);
}
