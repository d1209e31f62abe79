// SPDX-License-Identifier: MIT
#include "runtime/player/view/texture.h"

#include "tools/common/png_file.h"

#include <stdlib.h>

enum { LARGEST_SIDE = 8192 }; // pixels; 256 MiB as RGBA

static uint32_t largest_side(void) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return (uint32_t)(most < LARGEST_SIDE ? most : LARGEST_SIDE);
}

static void upload(slv_png *png, GLuint *texture) {
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)png->width, (GLsizei)png->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, png->pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    free(png->pixels);
}

slv_result slv_texture_load(const char *path, GLuint *texture, slv_error *error) {
    slv_png png;
    const slv_result result = slv_png_read(path, largest_side(), &png, error);
    if (result == SLV_OK) {
        upload(&png, texture);
    }
    return result;
}

slv_result slv_texture_decode(const void *bytes, size_t size, const char *name, GLuint *texture,
                              slv_error *error) {
    slv_png png;
    const slv_result result = slv_png_decode(bytes, size, name, largest_side(), &png, error);
    if (result == SLV_OK) {
        upload(&png, texture);
    }
    return result;
}
