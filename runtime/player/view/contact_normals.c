// SPDX-License-Identifier: MIT
#include "runtime/player/view/contact_normals.h"

#include <stdlib.h>

static const float normal_length = 0.02f; // metres

void slv_contact_normals_make(slv_contact_normals *view) {
    static const float nothing[2] = {0.0f, 0.0f};
    *view = (slv_contact_normals){.points = 0};
    glGenVertexArrays(1, &view->array);
    glGenBuffers(1, &view->buffer);
    glGenBuffers(1, &view->rest_buffer);
    glBindVertexArray(view->array);
    glBindBuffer(GL_ARRAY_BUFFER, view->buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
    glBindBuffer(GL_TEXTURE_BUFFER, view->rest_buffer);
    glBufferData(GL_TEXTURE_BUFFER, sizeof nothing, nothing, GL_STATIC_DRAW);
    glGenTextures(1, &view->rest_texture);
    glBindTexture(GL_TEXTURE_BUFFER, view->rest_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, view->rest_buffer);
}

void slv_contact_normals_free(slv_contact_normals *view) {
    glDeleteVertexArrays(1, &view->array);
    glDeleteBuffers(1, &view->buffer);
    glDeleteTextures(1, &view->rest_texture);
    glDeleteBuffers(1, &view->rest_buffer);
}

// Without memory no normals are drawn.
void slv_contact_normals_update(slv_contact_normals *view, const slv_contact_point *contacts,
                                uint32_t count) {
    float(*ends)[2][3] = malloc(((size_t)count + 1) * sizeof *ends);
    for (size_t i = 0; ends && i < count; i++) {
        for (int d = 0; d < 3; d++) {
            ends[i][0][d] = contacts[i].position[d];
            ends[i][1][d] = contacts[i].position[d] + normal_length * contacts[i].normal[d];
        }
    }
    view->points = ends ? (GLsizei)(2 * count) : 0;
    glBindBuffer(GL_ARRAY_BUFFER, view->buffer);
    glBufferData(GL_ARRAY_BUFFER, 12 * (GLsizeiptr)view->points, ends, GL_STREAM_DRAW);
    free(ends);
}

void slv_contact_normals_draw(const slv_contact_normals *view, slv_cloth_programs *programs,
                              const slv_pass *pass) {
    if (view->points == 0 || pass->shadow) {
        return;
    }
    const GLuint program = slv_cloth_program(programs, SLV_PROGRAM_SEGMENTS);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE,
                       pass->projection->m);
    glUniform4f(glGetUniformLocation(program, "viewer"), pass->viewer[0], pass->viewer[1],
                pass->viewer[2], pass->viewer[3]);
    glUniform4f(glGetUniformLocation(program, "color"), 0.02f, 0.75f, 0.3f, 0.1f);
    glUniform1f(glGetUniformLocation(program, "radius"), 0.0f);
    glUniform1i(glGetUniformLocation(program, "color_mode"), 0);
    glActiveTexture(GL_TEXTURE0 + SLV_UNIT_TABLES);
    glBindTexture(GL_TEXTURE_BUFFER, view->rest_texture);
    glBindVertexArray(view->array);
    glDrawArrays(GL_LINES, 0, view->points);
    glBindVertexArray(0);
}
