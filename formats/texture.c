// SPDX-License-Identifier: MIT
#include "formats/texture.h"

#include <stdbool.h>
#include <string.h>

enum { SIGNATURE = 8, FRAME = 12, HEADER = 13 }; // bytes: length, type and checksum frame a chunk

static uint32_t read_big(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool is_kind(const uint8_t *chunk, const char *kind) {
    return memcmp(chunk + 4, kind, 4) == 0;
}

// Which depths a color type has: bit d of the entry is set for depth d.
static bool is_pixel(uint8_t type, uint8_t depth) {
    static const uint32_t depths[7] = {
        [0] = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 16,
        [2] = 1u << 8 | 1u << 16,
        [3] = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8,
        [4] = 1u << 8 | 1u << 16,
        [6] = 1u << 8 | 1u << 16,
    };
    return type < 7 && depth <= 16 && (depths[type] >> depth & 1) != 0;
}

static slv_result check_header(const uint8_t *chunk, size_t left, slv_texture_info *info,
                               slv_error *error) {
    if (left < FRAME + HEADER || read_big(chunk) != HEADER || !is_kind(chunk, "IHDR")) {
        return slv_fail(error, SLV_ERROR_CONTENT, "a PNG without a header");
    }
    const uint8_t *h = chunk + 8;
    *info = (slv_texture_info){
        .width = read_big(h), .height = read_big(h + 4), .bit_depth = h[8], .color_type = h[9]};
    if (info->width < 1 || info->height < 1 || info->width > SLV_TEXTURE_SIDE ||
        info->height > SLV_TEXTURE_SIDE) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%u x %u pixels, should be 1 to %u per side",
                        info->width, info->height, SLV_TEXTURE_SIDE);
    }
    if (!is_pixel(info->color_type, info->bit_depth) || h[10] != 0 || h[11] != 0 || h[12] > 1) {
        return slv_fail(error, SLV_ERROR_CONTENT, "a PNG of an unknown kind");
    }
    return SLV_OK;
}

slv_result slv_texture_check(const void *bytes, size_t size, slv_texture_info *info,
                             slv_error *error) {
    static const uint8_t signature[SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    const uint8_t *at = bytes;
    if (size < SIGNATURE || memcmp(at, signature, SIGNATURE) != 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "not a PNG");
    }
    if (size > SLV_TEXTURE_BYTES) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%zu bytes, at most %zu", size,
                        SLV_TEXTURE_BYTES);
    }
    const slv_result result = check_header(at + SIGNATURE, size - SIGNATURE, info, error);
    bool pixels = false;
    for (size_t next = SIGNATURE; result == SLV_OK && size - next >= FRAME;) {
        const uint8_t *chunk = at + next;
        const size_t length = read_big(chunk);
        if (length > size - next - FRAME) {
            break;
        }
        pixels = pixels || is_kind(chunk, "IDAT");
        next += FRAME + length;
        if (next == size && length == 0 && is_kind(chunk, "IEND") && pixels) {
            return SLV_OK;
        }
    }
    return result != SLV_OK ? result
                            : slv_fail(error, SLV_ERROR_CONTENT,
                                       "a PNG that is truncated or followed by other bytes");
}
