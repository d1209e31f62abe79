// SPDX-License-Identifier: MIT
#include "runtime/player/target.h"

static void make_sampled(slv_target *target) {
    glGenRenderbuffers(2, target->renderbuffers);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffers[0]);
    const GLenum formats[2] = {GL_RGBA16F, GL_DEPTH_COMPONENT24};
    const GLenum places[2] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, target->renderbuffers[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, target->samples, formats[i],
                                         target->width, target->height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[i], GL_RENDERBUFFER,
                                  target->renderbuffers[i]);
    }
}

static void make_resolved(slv_target *target) {
    glGenTextures(1, &target->light);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, target->light);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, target->width, target->height, 0, GL_RGBA, GL_FLOAT,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGenTextures(1, &target->depth);
    glBindTexture(GL_TEXTURE_2D, target->depth);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, target->width, target->height, 0,
                 GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffers[1]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->light, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
}

slv_result slv_target_make(slv_target *target, int width, int height, int samples,
                           slv_error *error) {
    GLint most = 1;
    GLint largest = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    *target =
        (slv_target){.width = width, .height = height, .samples = samples > most ? most : samples};
    if (width > largest || height > largest) {
        return slv_fail(
            error, SLV_ERROR_UNSUPPORTED,
            "a picture of %d x %d is too large; the OpenGL driver draws at most %d x %d", width,
            height, (int)largest, (int)largest);
    }
    glGenFramebuffers(2, target->framebuffers);
    make_sampled(target);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    make_resolved(target);
    complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete ? SLV_OK
                    : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                               "the OpenGL driver cannot draw %d x %d half floats with %d samples",
                               width, height, target->samples);
}

void slv_target_free(slv_target *target) {
    glDeleteFramebuffers(2, target->framebuffers);
    glDeleteRenderbuffers(2, target->renderbuffers);
    glDeleteTextures(1, &target->light);
    glDeleteTextures(1, &target->depth);
    *target = (slv_target){.width = 0};
}

void slv_target_begin(const slv_target *target) {
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffers[0]);
    glViewport(0, 0, target->width, target->height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glClear(GL_DEPTH_BUFFER_BIT); // the stage covers every pixel
}

void slv_target_resolve(const slv_target *target) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffers[0]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffers[1]);
    glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                      GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}
