// SPDX-License-Identifier: MIT
// Draws a snapshot of a world into a framebuffer: shadow maps, G-buffer, ambient occlusion, lighting.
#ifndef SLV_PLAYER_RENDERER_H
#define SLV_PLAYER_RENDERER_H

#include "runtime/player/view/ambient_occlusion.h"
#include "runtime/player/view/camera.h"
#include "runtime/player/view/cloth_view.h"
#include "runtime/player/view/contact_normals.h"
#include "runtime/player/view/environment.h"
#include "runtime/player/view/gbuffer.h"
#include "runtime/player/view/gl_context.h"
#include "runtime/player/view/scissor.h"
#include "runtime/player/view/shadow.h"
#include "runtime/player/view/snapshot.h"
#include "runtime/player/view/solid_view.h"

typedef struct slv_renderer {
    slv_gl_info info;
    slv_cloth_programs programs;
    GLuint lighting_program, background_program;
    slv_shadows shadows;
    slv_gbuffer gbuffer;
    slv_ambient_occlusion occlusion;
    GLuint block_buffer, weave, white, empty_array;
    slv_environment environment;
    slv_bounds bounds; // of everything drawn
    bool bounded;      // the bounds are known
    slv_cloth_view *garments;
    uint32_t garment_count;
    slv_solid_view *solids;
    slv_solid_pose *poses;
    uint32_t solid_count;
    slv_solid_view *models;
    uint32_t model_count;
    slv_contact_normals contact_normals;
    int samples;
    slv_view_mode mode;
    slv_collider_look colliders;
    bool smooth;   // point-normal triangles
    bool grid;     // on the floor
    bool contacts; // draw contact normals
    bool stale;    // slv_renderer_update must run before the next picture
} slv_renderer;

// The OpenGL context is current. Nothing is shown yet.
slv_result slv_renderer_make(slv_renderer *renderer, const slv_gl_info *info, int samples,
                             slv_error *error);
void slv_renderer_free(slv_renderer *renderer);

// What is drawn: a world, and the scene that gives its colors, textures and colliders.
typedef struct slv_view_source {
    slv_scene *scene; // NULL for packs
    slv_world *world;
    const double *camera; // eye and target, metres in the world; NULL: the scene's camera
} slv_view_source;

// Makes the meshes of all garments, colliders and models; slv_renderer_update then sets their positions.
// On failure the renderer shows nothing. The world must exist until the next call or slv_renderer_free.
slv_result slv_renderer_show(slv_renderer *renderer, const slv_view_source *source,
                             const slv_snapshot *snapshot, slv_error *error);

// Uploads the positions of a snapshot.
void slv_renderer_update(slv_renderer *renderer, const slv_snapshot *snapshot);

// Draws into a framebuffer of this size.
slv_result slv_renderer_draw(slv_renderer *renderer, const slv_camera *camera, GLuint framebuffer,
                             int width, int height, slv_error *error);

// The camera of the scene, or one that shows all packs.
slv_camera slv_renderer_camera(const slv_view_source *source, const slv_snapshot *snapshot);

#endif
