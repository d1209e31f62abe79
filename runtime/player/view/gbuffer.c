// SPDX-License-Identifier: MIT
#include "runtime/player/view/gbuffer.h"

#include <stdbool.h>

static int fewest(GLenum limit, int requested) {
    GLint most = 1;
    glGetIntegerv(limit, &most);
    return requested > most ? most : requested;
}

static GLuint attach(slv_gbuffer *gbuffer, GLenum attachment, GLenum format) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(gbuffer->kind, texture);
    if (gbuffer->kind == GL_TEXTURE_2D) { // drivers may round a multisample count of 1 up
        const bool depth = attachment == GL_DEPTH_ATTACHMENT;
        glTexImage2D(gbuffer->kind, 0, (GLint)format, gbuffer->width, gbuffer->height, 0,
                     depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_UNSIGNED_INT, NULL);
        glTexParameteri(gbuffer->kind, GL_TEXTURE_MAX_LEVEL, 0);
        glTexParameteri(gbuffer->kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(gbuffer->kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    } else {
        glTexImage2DMultisample(gbuffer->kind, gbuffer->samples, format, gbuffer->width,
                                gbuffer->height, GL_TRUE);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, gbuffer->kind, texture, 0);
    return texture;
}

// Reads the number and the positions of samples; a driver may give more than requested.
static void find_offsets(slv_gbuffer *gbuffer) {
    GLint samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    samples = samples > SLV_GBUFFER_SAMPLES ? SLV_GBUFFER_SAMPLES : samples;
    gbuffer->samples = samples > 1 ? samples : 1;
    for (int i = 0; i < samples; i++) {
        GLfloat position[2] = {0.5f, 0.5f};
        glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)i, position);
        gbuffer->sample_offsets[i][0] = (2.0f * position[0] - 1.0f) / (float)gbuffer->width;
        gbuffer->sample_offsets[i][1] = (2.0f * position[1] - 1.0f) / (float)gbuffer->height;
    }
}

slv_result slv_gbuffer_make(slv_gbuffer *gbuffer, int width, int height, int samples,
                            slv_error *error) {
    static const GLenum drawn[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    samples = fewest(GL_MAX_COLOR_TEXTURE_SAMPLES, samples);
    samples = fewest(GL_MAX_DEPTH_TEXTURE_SAMPLES, samples);
    *gbuffer = (slv_gbuffer){.width = width,
                             .height = height,
                             .samples = samples,
                             .kind = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D};
    if (width > largest || height > largest) {
        return slv_fail(
            error, SLV_ERROR_UNSUPPORTED,
            "a picture of %d x %d is too large; the OpenGL driver draws at most %d x %d", width,
            height, (int)largest, (int)largest);
    }
    glActiveTexture(GL_TEXTURE0);
    glGenFramebuffers(1, &gbuffer->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gbuffer->framebuffer);
    gbuffer->albedo = attach(gbuffer, GL_COLOR_ATTACHMENT0, GL_RGBA8);
    gbuffer->normals = attach(gbuffer, GL_COLOR_ATTACHMENT1, GL_RGBA16F);
    gbuffer->depth = attach(gbuffer, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24);
    glDrawBuffers(2, drawn);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    find_offsets(gbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete ? SLV_OK
                    : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                               "the OpenGL driver cannot draw %d x %d surfaces with %d samples",
                               width, height, samples);
}

void slv_gbuffer_free(slv_gbuffer *gbuffer) {
    const GLuint textures[] = {gbuffer->albedo, gbuffer->normals, gbuffer->depth};
    glDeleteFramebuffers(1, &gbuffer->framebuffer);
    glDeleteTextures(3, textures);
    *gbuffer = (slv_gbuffer){.width = 0};
}

void slv_gbuffer_begin(const slv_gbuffer *gbuffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, gbuffer->framebuffer);
    glViewport(0, 0, gbuffer->width, gbuffer->height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glClear(GL_DEPTH_BUFFER_BIT); // color and normals are read only where depth was written
}
