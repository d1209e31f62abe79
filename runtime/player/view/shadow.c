// SPDX-License-Identifier: MIT
#include "runtime/player/view/shadow.h"

#include "runtime/player/view/cloth_programs.h"

static void make_samplers(slv_shadows *shadows) {
    glGenSamplers(2, shadows->samplers);
    for (int i = 0; i < 2; i++) {
        const GLint filter = i == 0 ? GL_NEAREST : GL_LINEAR;
        glSamplerParameteri(shadows->samplers[i], GL_TEXTURE_MIN_FILTER, filter);
        glSamplerParameteri(shadows->samplers[i], GL_TEXTURE_MAG_FILTER, filter);
        glSamplerParameteri(shadows->samplers[i], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glSamplerParameteri(shadows->samplers[i], GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    glSamplerParameteri(shadows->samplers[1], GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(shadows->samplers[1], GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

slv_result slv_shadows_make(slv_shadows *shadows, int side, slv_error *error) {
    *shadows = (slv_shadows){.side = side};
    make_samplers(shadows);
    glGenTextures(2, shadows->textures);
    glGenFramebuffers(2, shadows->framebuffers);
    slv_result result = SLV_OK;
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        glBindTexture(GL_TEXTURE_2D, shadows->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, side, side, 0, GL_DEPTH_COMPONENT,
                     GL_FLOAT, NULL);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        glBindFramebuffer(GL_FRAMEBUFFER, shadows->framebuffers[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                               shadows->textures[i], 0);
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            result = slv_fail(error, SLV_ERROR_UNSUPPORTED,
                              "the OpenGL driver cannot draw a shadow map of %d x %d", side, side);
        }
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return result;
}

void slv_shadows_free(slv_shadows *shadows) {
    glDeleteFramebuffers(2, shadows->framebuffers);
    glDeleteTextures(2, shadows->textures);
    glDeleteSamplers(2, shadows->samplers);
}

void slv_shadows_begin(const slv_shadows *shadows, int light) {
    glBindFramebuffer(GL_FRAMEBUFFER, shadows->framebuffers[light]);
    glViewport(0, 0, shadows->side, shadows->side);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glEnable(GL_POLYGON_OFFSET_FILL); // avoids self-shadowing
    glPolygonOffset(1.5f, 2.0f);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void slv_shadows_end(void) {
    glDisable(GL_POLYGON_OFFSET_FILL);
}

void slv_shadows_bind(const slv_shadows *shadows) {
    for (GLuint unit = SLV_UNIT_SHADOW_DEPTH_0; unit <= SLV_UNIT_SHADOW_TEST_1; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, shadows->textures[unit % 2]);
        glBindSampler(unit, shadows->samplers[unit >= SLV_UNIT_SHADOW_TEST_0]);
    }
}
