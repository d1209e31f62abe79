// SPDX-License-Identifier: MIT
#include "runtime/player/hollow.h"

#include "runtime/player/gl_program.h"

slv_result slv_hollow_make(slv_hollow *hollow, int samples, slv_error *error) {
    char defines[SLV_SAMPLES_DEFINE];
    const slv_program_parts parts[2] = {
        {.name = "hollows",
         .defines = slv_define_samples(defines, samples),
         .vertex = {"screen_vertex"},
         .fragment = {"frame", "seen", "hollow_fragment"}},
        {.name = "smooth hollows",
         .vertex = {"screen_vertex"},
         .fragment = {"hollow_smooth_fragment"}},
    };
    *hollow = (slv_hollow){.width = 0, .samples = samples};
    slv_result result = slv_program_make(&parts[0], &hollow->programs[0], error);
    if (result == SLV_OK) {
        result = slv_program_make(&parts[1], &hollow->programs[1], error);
    }
    if (result == SLV_OK) {
        slv_program_sampler(hollow->programs[0], "depths", 0);
        slv_program_sampler(hollow->programs[1], "hollows", 0);
    }
    return result;
}

static void free_textures(slv_hollow *hollow) {
    glDeleteFramebuffers(2, hollow->framebuffers);
    glDeleteTextures(2, hollow->textures);
}

void slv_hollow_free(slv_hollow *hollow) {
    free_textures(hollow);
    glDeleteProgram(hollow->programs[0]);
    glDeleteProgram(hollow->programs[1]);
    *hollow = (slv_hollow){.width = 0};
}

static slv_result fit(slv_hollow *hollow, int width, int height, slv_error *error) {
    if (hollow->width == width && hollow->height == height) {
        return SLV_OK;
    }
    free_textures(hollow);
    hollow->width = width;
    hollow->height = height;
    glGenFramebuffers(2, hollow->framebuffers);
    glGenTextures(2, hollow->textures);
    bool complete = true;
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, hollow->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RG16F, width, height, 0, GL_RG, GL_FLOAT, NULL);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, hollow->framebuffers[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               hollow->textures[i], 0);
        complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    return complete ? SLV_OK
                    : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                               "the OpenGL driver cannot draw two half floats a pixel");
}

slv_result slv_hollow_draw(slv_hollow *hollow, GLuint depth, int width, int height,
                           const slv_area *area, float reach, slv_error *error) {
    glActiveTexture(GL_TEXTURE0);
    const slv_result result = fit(hollow, (width + 1) / 2, (height + 1) / 2, error);
    glDisable(GL_DEPTH_TEST);
    glViewport(0, 0, hollow->width, hollow->height);
    // A little more: neighbors are looked at, here and when the picture is made.
    glEnable(GL_SCISSOR_TEST);
    glScissor(area->left / 2 - 4, area->bottom / 2 - 4, (area->right - area->left) / 2 + 9,
              (area->top - area->bottom) / 2 + 9);
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, hollow->framebuffers[i]);
        glBindTexture(i == 0 && hollow->samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D,
                      i == 0 ? depth : hollow->textures[0]);
        glUseProgram(hollow->programs[i]);
        glUniform1f(glGetUniformLocation(hollow->programs[i], "reach"), reach);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glDisable(GL_SCISSOR_TEST);
    return result;
}
