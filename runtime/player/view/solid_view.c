// SPDX-License-Identifier: MIT
#include "runtime/player/view/solid_view.h"

void slv_solid_view_make(slv_solid_view *view, const float *vertices, uint32_t vertex_count,
                         const uint32_t *triangles, uint32_t triangle_count) {
    *view = (slv_solid_view){.vertices = (GLsizei)vertex_count,
                             .indices = (GLsizei)(3 * triangle_count),
                             .color = {0.36f, 0.37f, 0.39f, 0.5f}};
    for (size_t i = 0; i < vertex_count; i++) {
        const float *v = vertices + 6 * i;
        for (int d = 0; d < 3; d++) {
            view->low[d] = i == 0 ? v[d] : fminf(view->low[d], v[d]);
            view->high[d] = i == 0 ? v[d] : fmaxf(view->high[d], v[d]);
        }
    }
    glGenVertexArrays(1, &view->array);
    glGenBuffers(1, &view->vertex_buffer);
    glGenBuffers(1, &view->index_buffer);
    glBindVertexArray(view->array);
    glBindBuffer(GL_ARRAY_BUFFER, view->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(24 * (size_t)vertex_count), vertices,
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, view->index_buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(12 * (size_t)triangle_count), triangles,
                 GL_STATIC_DRAW);
    for (GLuint i = 0; i < 2; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 24,
                              (const void *)((uintptr_t)12 * i)) /* NOLINT */;
    }
    glBindVertexArray(0);
}

void slv_solid_view_move(slv_solid_view *view, const float *vertices) {
    glBindBuffer(GL_ARRAY_BUFFER, view->vertex_buffer);
    // All of it at once: the driver takes new memory where the old is still in use.
    glBufferData(GL_ARRAY_BUFFER, 24 * (GLsizeiptr)view->vertices, vertices, GL_STREAM_DRAW);
}

void slv_solid_view_free(slv_solid_view *view) {
    glDeleteVertexArrays(1, &view->array);
    glDeleteBuffers(1, &view->vertex_buffer);
    glDeleteBuffers(1, &view->index_buffer);
    *view = (slv_solid_view){.indices = 0};
}

static slv_mat4 pose_matrix(const float p[3], const float q[4]) {
    const float x = q[0];
    const float y = q[1];
    const float z = q[2];
    const float w = q[3];
    return (slv_mat4){{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
                       2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
                       2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, p[0],
                       p[1], p[2], 1}};
}

void slv_solid_view_extend(const slv_solid_view *view, const slv_solid_pose *pose, float low[3],
                           float high[3]) {
    const slv_mat4 matrix = pose_matrix(pose->position, pose->rotation);
    for (int d = 0; pose->shown && view->indices > 0 && d < 3; d++) {
        float middle = matrix.m[12 + d];
        float half = 0.0f;
        for (int n = 0; n < 3; n++) {
            middle += matrix.m[4 * n + d] * 0.5f * (view->low[n] + view->high[n]);
            half += fabsf(matrix.m[4 * n + d]) * 0.5f * (view->high[n] - view->low[n]);
        }
        low[d] = fminf(low[d], middle - half);
        high[d] = fmaxf(high[d], middle + half);
    }
}

void slv_solid_view_draw(const slv_solid_view *view, slv_cloth_programs *programs,
                         const slv_pass *pass, const slv_solid_pose *pose) {
    if (view->indices == 0 || !pose->shown) {
        return;
    }
    const slv_mat4 matrix = pose_matrix(pose->position, pose->rotation);
    const GLuint program =
        slv_cloth_program(programs, pass->shadow ? SLV_PROGRAM_SOLID_SHADOW : SLV_PROGRAM_SOLID);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "pose"), 1, GL_FALSE, matrix.m);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE,
                       pass->projection->m);
    glUniform4f(glGetUniformLocation(program, "color"), view->color[0], view->color[1],
                view->color[2], view->color[3]);
    glUniform1i(glGetUniformLocation(program, "inside_only"), view->inside_only);
    glBindVertexArray(view->array);
    glDrawElements(GL_TRIANGLES, view->indices, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}
