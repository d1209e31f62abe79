// SPDX-License-Identifier: MIT
#include "runtime/player/view/ambient_occlusion.h"

#include "runtime/player/view/gl_program.h"

slv_result slv_ambient_occlusion_make(slv_ambient_occlusion *occlusion, int samples,
                                      slv_error *error) {
    char defines[SLV_SAMPLES_DEFINE];
    const slv_program_parts parts[2] = {
        {.name = "occlusion",
         .defines = slv_define_samples(defines, samples),
         .vertex = {"screen_vertex"},
         .fragment = {"frame", "view_ray", "ambient_occlusion_fragment"}},
        {.name = "smooth occlusion",
         .vertex = {"screen_vertex"},
         .fragment = {"ambient_occlusion_smooth_fragment"}},
    };
    *occlusion = (slv_ambient_occlusion){.width = 0, .samples = samples};
    slv_result result = slv_program_make(&parts[0], &occlusion->programs[0], error);
    if (result == SLV_OK) {
        result = slv_program_make(&parts[1], &occlusion->programs[1], error);
    }
    if (result == SLV_OK) {
        slv_program_sampler(occlusion->programs[0], "depth_texture", 0);
        slv_program_sampler(occlusion->programs[1], "occlusion", 0);
    }
    return result;
}

static void free_textures(slv_ambient_occlusion *occlusion) {
    glDeleteFramebuffers(2, occlusion->framebuffers);
    glDeleteTextures(2, occlusion->textures);
}

void slv_ambient_occlusion_free(slv_ambient_occlusion *occlusion) {
    free_textures(occlusion);
    glDeleteProgram(occlusion->programs[0]);
    glDeleteProgram(occlusion->programs[1]);
    *occlusion = (slv_ambient_occlusion){.width = 0};
}

static slv_result fit(slv_ambient_occlusion *occlusion, int width, int height, slv_error *error) {
    if (occlusion->width == width && occlusion->height == height) {
        return SLV_OK;
    }
    free_textures(occlusion);
    occlusion->width = width;
    occlusion->height = height;
    glGenFramebuffers(2, occlusion->framebuffers);
    glGenTextures(2, occlusion->textures);
    bool complete = true;
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, occlusion->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RG16F, width, height, 0, GL_RG, GL_FLOAT, NULL);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, occlusion->framebuffers[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               occlusion->textures[i], 0);
        complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    return complete ? SLV_OK
                    : slv_fail(error, SLV_ERROR_UNSUPPORTED,
                               "the OpenGL driver cannot draw two half floats a pixel");
}

slv_result slv_ambient_occlusion_draw(slv_ambient_occlusion *occlusion, GLuint depth, int width,
                                      int height, const slv_scissor *scissor, float reach,
                                      slv_error *error) {
    glActiveTexture(GL_TEXTURE0);
    const slv_result result = fit(occlusion, (width + 1) / 2, (height + 1) / 2, error);
    glDisable(GL_DEPTH_TEST);
    glViewport(0, 0, occlusion->width, occlusion->height);
    // Enlarged, because this pass and the lighting pass read neighboring texels.
    glEnable(GL_SCISSOR_TEST);
    glScissor(scissor->left / 2 - 4, scissor->bottom / 2 - 4,
              (scissor->right - scissor->left) / 2 + 9, (scissor->top - scissor->bottom) / 2 + 9);
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, occlusion->framebuffers[i]);
        glBindTexture(i == 0 && occlusion->samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D,
                      i == 0 ? depth : occlusion->textures[0]);
        glUseProgram(occlusion->programs[i]);
        glUniform1f(glGetUniformLocation(occlusion->programs[i], "reach"), reach);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glDisable(GL_SCISSOR_TEST);
    return result;
}
