// SPDX-License-Identifier: MIT
// A collider on the GPU, or an animated model, whose vertices are uploaded every frame.
#ifndef SLV_PLAYER_SOLID_VIEW_H
#define SLV_PLAYER_SOLID_VIEW_H

#include "runtime/player/view/cloth_view.h"
#include "runtime/player/view/solid_mesh.h"

typedef struct slv_solid_view {
    GLuint vertex_buffer, index_buffer, array;
    GLsizei vertices, indices;
    float color[4];        // linear; w: gloss
    bool inside_only;      // back faces only, so that the inside of a funnel is visible
    float low[3], high[3]; // bounds in its own frame, metres
} slv_solid_view;

// `vertices` is [vertex_count][6]: position, normal; `triangles` is [triangle_count][3].
void slv_solid_view_make(slv_solid_view *view, const float *vertices, uint32_t vertex_count,
                         const uint32_t *triangles, uint32_t triangle_count);
// New vertices, as many as before.
void slv_solid_view_move(slv_solid_view *view, const float *vertices);
void slv_solid_view_free(slv_solid_view *view);
void slv_solid_view_draw(const slv_solid_view *view, slv_cloth_programs *programs,
                         const slv_pass *pass, const slv_solid_pose *pose);
// Extends bounds by the solid in its pose.
void slv_solid_view_extend(const slv_solid_view *view, const slv_solid_pose *pose, float low[3],
                           float high[3]);

#endif
