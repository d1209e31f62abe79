// SPDX-License-Identifier: MIT
// Draws a snapshot of a world into a framebuffer: shadows, stage, garments, then tones.
#ifndef SLV_PLAYER_RENDERER_H
#define SLV_PLAYER_RENDERER_H

#include "runtime/player/area.h"
#include "runtime/player/camera.h"
#include "runtime/player/cloth_view.h"
#include "runtime/player/hollow.h"
#include "runtime/player/needle_view.h"
#include "runtime/player/shadow.h"
#include "runtime/player/snapshot.h"
#include "runtime/player/solid_view.h"
#include "runtime/player/stage.h"
#include "runtime/player/subject.h"
#include "runtime/player/target.h"

typedef struct slv_renderer {
    slv_gl_info info;
    slv_cloth_programs programs;
    GLuint picture_program, stage_program;
    slv_shadows shadows;
    slv_target target;
    slv_hollow hollow;
    GLuint block_buffer, weave, white, empty_array;
    slv_stage stage;
    slv_bounds bounds; // of all that is drawn
    bool bounded;      // they are known
    slv_cloth_view *garments;
    uint32_t garment_count;
    slv_solid_view *solids;
    slv_solid_pose *poses;
    uint32_t solid_count;
    slv_solid_view *models;
    uint32_t model_count;
    slv_needle_view needles;
    int samples;
    slv_view_mode mode;
    slv_collider_look colliders;
    bool smooth;   // tessellate by normals
    bool grid;     // on the floor
    bool contacts; // their normals
    bool stale;    // nothing was uploaded yet, or for another mode
} slv_renderer;

// A context is current. Nothing is shown yet.
slv_result slv_renderer_make(slv_renderer *renderer, const slv_gl_info *info, int samples,
                             slv_error *error);
void slv_renderer_free(slv_renderer *renderer);

// Takes up the garments of a subject; slv_renderer_update then says where they are. On failure the renderer shows none. The world must outlive it or
// be replaced by another call.
slv_result slv_renderer_show(slv_renderer *renderer, const slv_play_subject *subject,
                             const slv_snapshot *snapshot, slv_error *error);

// Takes over new positions.
void slv_renderer_update(slv_renderer *renderer, const slv_snapshot *snapshot);

// Draws into a framebuffer of this size.
slv_result slv_renderer_draw(slv_renderer *renderer, const slv_camera *camera, GLuint framebuffer,
                             int width, int height, slv_error *error);

// Where a scene's camera stands, or one that sees all of what packs hold.
slv_camera slv_renderer_camera(const slv_play_subject *subject, const slv_snapshot *snapshot);

#endif
