// SPDX-License-Identifier: MIT
#include "runtime/player/view/target.h"

#include <stdbool.h>

static int fewest(GLenum limit, int wanted) {
    GLint most = 1;
    glGetIntegerv(limit, &most);
    return wanted > most ? most : wanted;
}

static GLuint attach(slv_target *target, GLenum place, GLenum format) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target->kind, texture);
    if (target->kind ==
        GL_TEXTURE_2D) { // of one sample: drivers round up where samples are asked for
        const bool depth = place == GL_DEPTH_ATTACHMENT;
        glTexImage2D(target->kind, 0, (GLint)format, target->width, target->height, 0,
                     depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_UNSIGNED_INT, NULL);
        glTexParameteri(target->kind, GL_TEXTURE_MAX_LEVEL, 0);
        glTexParameteri(target->kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(target->kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    } else {
        glTexImage2DMultisample(target->kind, target->samples, format, target->width,
                                target->height, GL_TRUE);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, place, target->kind, texture, 0);
    return texture;
}

// A driver may give more samples than were asked for.
static void find_places(slv_target *target) {
    GLint samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    samples = samples > SLV_TARGET_SAMPLES ? SLV_TARGET_SAMPLES : samples;
    target->samples = samples > 1 ? samples : 1;
    for (int i = 0; i < samples; i++) {
        GLfloat place[2] = {0.5f, 0.5f};
        glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)i, place);
        target->places[i][0] = (2.0f * place[0] - 1.0f) / (float)target->width;
        target->places[i][1] = (2.0f * place[1] - 1.0f) / (float)target->height;
    }
}

slv_result slv_target_make(slv_target *target, int width, int height, int samples,
                           slv_error *error) {
    static const GLenum drawn[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    samples = fewest(GL_MAX_COLOR_TEXTURE_SAMPLES, samples);
    samples = fewest(GL_MAX_DEPTH_TEXTURE_SAMPLES, samples);
    *target = (slv_target){.width = width,
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
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    target->paint = attach(target, GL_COLOR_ATTACHMENT0, GL_RGBA8);
    target->bent = attach(target, GL_COLOR_ATTACHMENT1, GL_RGBA16F);
    target->depth = attach(target, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24);
    glDrawBuffers(2, drawn);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    find_places(target);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete ? SLV_OK
                    : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                               "the OpenGL driver cannot draw %d x %d surfaces with %d samples",
                               width, height, samples);
}

void slv_target_free(slv_target *target) {
    const GLuint textures[] = {target->paint, target->bent, target->depth};
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(3, textures);
    *target = (slv_target){.width = 0};
}

void slv_target_begin(const slv_target *target) {
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glClear(GL_DEPTH_BUFFER_BIT); // where nothing is drawn nothing else is looked at
}
