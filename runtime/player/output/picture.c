// SPDX-License-Identifier: MIT
#include "runtime/player/output/picture.h"

#include "tools/common/png_file.h"

#include <stdlib.h>
#include <string.h>

static slv_result make_framebuffer(slv_picture *picture, slv_error *error) {
    glGenTextures(1, &picture->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, picture->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture->width, picture->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glGenFramebuffers(1, &picture->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture->texture,
                           0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                          "the OpenGL driver cannot draw a picture of %d x %d", picture->width,
                          picture->height);
}

slv_result slv_picture_make(slv_picture *picture, int width, int height, bool own,
                            slv_error *error) {
    *picture = (slv_picture){.width = width, .height = height};
    picture->pixels = malloc((size_t)width * (size_t)height * 3);
    if (picture->pixels == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for a picture");
    }
    return own ? make_framebuffer(picture, error) : SLV_OK;
}

void slv_picture_free(slv_picture *picture) {
    if (picture->framebuffer) {
        glDeleteFramebuffers(1, &picture->framebuffer);
        glDeleteTextures(1, &picture->texture);
    }
    free(picture->pixels);
    *picture = (slv_picture){.width = 0};
}

// OpenGL returns rows from the bottom up.
static void flip_rows(slv_picture *picture) {
    const size_t row = 3 * (size_t)picture->width;
    for (int y = 0; y < picture->height / 2; y++) {
        uint8_t *top = picture->pixels + row * (size_t)y;
        uint8_t *bottom = picture->pixels + row * (size_t)(picture->height - 1 - y);
        for (size_t i = 0; i < row; i++) {
            const uint8_t kept = top[i];
            top[i] = bottom[i];
            bottom[i] = kept;
        }
    }
}

void slv_picture_read(slv_picture *picture) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, picture->width, picture->height, GL_RGB, GL_UNSIGNED_BYTE, picture->pixels);
    flip_rows(picture);
}

slv_result slv_picture_save(const slv_picture *picture, const char *path, slv_error *error) {
    slv_atomic_file *file = NULL;
    slv_error cause = {0};
    slv_result result = slv_atomic_open(path, &file, &cause);
    if (result == SLV_OK) {
        result = slv_png_write(file, picture->pixels, (uint32_t)picture->width,
                               (uint32_t)picture->height, &cause);
        if (result == SLV_OK) {
            result = slv_atomic_commit(file, &cause);
        } else {
            slv_atomic_abandon(file);
        }
    }
    return result == SLV_OK ? SLV_OK : slv_fail(error, result, "%.300s: %s", path, cause.text);
}
