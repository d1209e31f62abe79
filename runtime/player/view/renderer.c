// SPDX-License-Identifier: MIT
#include "runtime/player/view/renderer.h"

#include "runtime/player/view/collider_mesh.h"
#include "runtime/player/view/gl_interop.h"
#include "runtime/player/view/texture.h"
#include "runtime/player/view/weave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADOW_SIDE = 2048, SOFTWARE_SHADOW_SIDE = 1024 }; // pixels

// --- Making --------------------------------------------------------------------------------------

static void make_small_things(slv_renderer *r) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    glGenVertexArrays(1, &r->empty_array);
    glGenBuffers(1, &r->block_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, r->block_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(slv_frame_block), NULL, GL_STREAM_DRAW);
    glGenTextures(1, &r->white);
    glBindTexture(GL_TEXTURE_2D, r->white);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    r->weave = slv_weave_make();
    slv_contact_normals_make(&r->contact_normals);
}

static const slv_program_parts background_parts = {
    .name = "background",
    .defines = "#define SAMPLES 1\n", // this program reads no G-buffer
    .vertex = {"screen_vertex"},
    .fragment = {"frame", "view_ray", "background", "tone", "background_fragment"}};

// Programs that read a G-buffer with this many samples per pixel.
static slv_result make_light_programs(slv_renderer *r, int samples, slv_error *error) {
    static const slv_sampler_unit units[] = {
        {"shadow_depth_0", SLV_UNIT_SHADOW_DEPTH_0}, {"shadow_depth_1", SLV_UNIT_SHADOW_DEPTH_1},
        {"shadow_test_0", SLV_UNIT_SHADOW_TEST_0},   {"shadow_test_1", SLV_UNIT_SHADOW_TEST_1},
        {"albedo_texture", SLV_UNIT_ALBEDO},         {"normal_texture", SLV_UNIT_NORMALS},
        {"depth_texture", SLV_UNIT_DEPTH},           {"occlusion", SLV_UNIT_AMBIENT_OCCLUSION},
    };
    char defines[SLV_SAMPLES_DEFINE];
    const slv_program_parts parts = {.name = "pictures",
                                     .defines = slv_define_samples(defines, samples),
                                     .vertex = {"screen_vertex"},
                                     .fragment = {"frame", "view_ray", "material", "tone", "light",
                                                  "fabric", "background", "lighting_fragment"}};
    slv_ambient_occlusion_free(&r->occlusion);
    glDeleteProgram(r->lighting_program);
    r->lighting_program = 0;
    slv_result result = slv_ambient_occlusion_make(&r->occlusion, samples, error);
    if (result == SLV_OK) {
        result = slv_program_make(&parts, &r->lighting_program, error);
    }
    if (result == SLV_OK) {
        slv_program_samplers(r->lighting_program, units, sizeof units / sizeof *units);
    }
    return result;
}

slv_result slv_renderer_make(slv_renderer *r, const slv_gl_info *info, int samples,
                             slv_error *error) {
    *r = (slv_renderer){.info = *info, .samples = samples, .grid = true, .stale = true};
    r->programs.tessellation = info->tessellation;
    make_small_things(r);
    slv_result result = SLV_OK;
    if (info->software) {
        result = slv_program_make(&background_parts, &r->background_program, error);
    }
    if (result == SLV_OK) {
        result = slv_shadows_make(&r->shadows, info->software ? SOFTWARE_SHADOW_SIDE : SHADOW_SIDE,
                                  error);
    }
    return result;
}

static void free_solids(slv_renderer *r) {
    for (uint32_t i = 0; i < r->solid_count; i++) {
        slv_solid_view_free(&r->solids[i]);
    }
    for (uint32_t i = 0; i < r->model_count; i++) {
        slv_solid_view_free(&r->models[i]);
    }
    free(r->models);
    r->models = NULL;
    r->model_count = 0;
    free(r->solids);
    free(r->poses);
    r->solids = NULL;
    r->poses = NULL;
    r->solid_count = 0;
}

static void free_garments(slv_renderer *r) {
    free_solids(r);
    for (uint32_t g = 0; g < r->garment_count; g++) {
        slv_cloth_view_free(&r->garments[g]);
    }
    free(r->garments);
    r->garments = NULL;
    r->garment_count = 0;
}

void slv_renderer_free(slv_renderer *r) {
    free_garments(r);
    slv_cloth_programs_free(&r->programs);
    slv_contact_normals_free(&r->contact_normals);
    slv_shadows_free(&r->shadows);
    slv_gbuffer_free(&r->gbuffer);
    slv_ambient_occlusion_free(&r->occlusion);
    glDeleteProgram(r->lighting_program);
    glDeleteProgram(r->background_program);
    glDeleteBuffers(1, &r->block_buffer);
    glDeleteTextures(1, &r->weave);
    glDeleteTextures(1, &r->white);
    glDeleteVertexArrays(1, &r->empty_array);
}

// --- Showing -------------------------------------------------------------------------------------

// Colors of packs, which have none of their own.
static const uint8_t pack_colors[][3] = {{178, 58, 72}, {42, 94, 120},  {214, 158, 76},
                                         {92, 124, 90}, {120, 88, 136}, {196, 118, 88}};

static void color_of(const slv_view_source *source, uint32_t garment, uint8_t color[3]) {
    slv_scene_object object;
    if (source->scene && slv_scene_get_object(source->scene, garment, &object) == SLV_OK) {
        memcpy(color, object.color, 3);
    } else {
        memcpy(color, pack_colors[garment % (sizeof pack_colors / sizeof *pack_colors)], 3);
    }
}

// Ropes and free particles are drawn with their collision radius.
static void thicken(const slv_view_source *source, uint32_t garment, slv_cloth_view *view) {
    slv_scene_object object;
    if (source->scene && slv_scene_get_object(source->scene, garment, &object) == SLV_OK) {
        view->rope = fmaxf(view->rope, object.garment.collision_radius);
        if (view->segments == 0) {
            view->ball = fmaxf(view->ball, object.garment.collision_radius);
        }
    }
}

// Loads the texture of the scene object, or that of the mesh. The color becomes white, so that it does not tint
// the texture.
static slv_result texture_of(const slv_view_source *source, uint32_t garment, slv_cloth_view *view,
                             slv_error *error) {
    const slv_garment_structure *structure = &view->structure;
    slv_scene_object object = {.texture_path = NULL};
    if (source->scene) {
        (void)slv_scene_get_object(source->scene, garment,
                                   &object); // the surface of a model is not an object
    }
    if (!object.texture_path && !structure->texture) {
        return SLV_OK;
    }
    for (int i = 0; i < 3; i++) {
        view->color[i] = 1.0f;
    }
    return object.texture_path ? slv_texture_load(object.texture_path, &view->picture, error)
                               : slv_texture_decode(structure->texture, structure->texture_size,
                                                    "the mesh's texture", &view->picture, error);
}

// What is drawn is relative to the origin of the world.
static slv_vec3 local_point(const slv_world *world, const double point[3]) {
    double origin[3];
    slv_world_get_origin(world, origin);
    return slv_v3((float)(point[0] - origin[0]), (float)(point[1] - origin[1]),
                  (float)(point[2] - origin[2]));
}

// A horizontal plane is drawn as the floor.
static bool is_floor(const slv_collider_def *c) {
    const float tilt = c->rotation[0] * c->rotation[0] + c->rotation[2] * c->rotation[2];
    return c->kind == SLV_COLLIDER_PLANE && tilt < 1e-6f;
}

static slv_collider_def solid_of(const slv_view_source *source, uint32_t index,
                                 uint32_t colliders) {
    slv_collider_def def = slv_default_collider_def();
    def.kind = SLV_COLLIDER_SPHERE; // a ball
    def.radius = SLV_BALL_RADIUS;
    if (index < colliders) {
        (void)slv_scene_get_collider(source->scene, index, &def);
    }
    return def;
}

static slv_result show_solids(slv_renderer *r, const slv_view_source *source,
                              const slv_snapshot *snapshot, float *floor, slv_error *error) {
    const uint32_t colliders =
        source->scene ? slv_scene_get_settings(source->scene).collider_count : 0;
    slv_result result = SLV_OK;
    r->solids = calloc(snapshot->solid_count + 1, sizeof *r->solids);
    r->poses = calloc(snapshot->solid_count + 1, sizeof *r->poses);
    if (!r->solids || !r->poses) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < snapshot->solid_count && result == SLV_OK; i++) {
        const slv_collider_def def = solid_of(source, i, colliders);
        slv_solid_mesh mesh = {.failed = false};
        if (is_floor(&def)) {
            const float height = local_point(source->world, def.position).y;
            *floor = isnan(*floor) ? height : fmaxf(*floor, height);
        } else {
            mesh = slv_collider_mesh_make(&def);
        }
        r->solid_count++;
        slv_solid_view_make(&r->solids[i], mesh.vertices, mesh.vertex_count, mesh.triangles,
                            mesh.triangle_count);
        if (mesh.failed) {
            result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory for a solid");
        }
        r->solids[i].inside_only = def.kind == SLV_COLLIDER_FUNNEL;
        if (i >= colliders) {
            static const float iron[4] = {0.035f, 0.037f, 0.042f, 1.0f};
            memcpy(r->solids[i].color, iron, sizeof iron);
        }
        slv_solid_mesh_free(&mesh);
    }
    return result;
}

// The mesh of an animated model. Triangles are constant; every snapshot has new vertices.
static slv_result show_model(slv_renderer *r, const slv_view_source *source,
                             const slv_snapshot *snapshot, uint32_t index, slv_error *error) {
    static const float plaster[4] = {0.50f, 0.46f, 0.42f, 0.2f};
    slv_surface_view surface = {.vertex_count = 0};
    if (slv_clip_get_surface(source->world, slv_world_get_clip(source->world, index), &surface) !=
        SLV_OK) {
        return slv_fail(error, SLV_ERROR_CONTENT, "%s", slv_world_get_message(source->world));
    }
    slv_solid_view_make(&r->models[index], snapshot->models[index].vertices, surface.vertex_count,
                        surface.triangles, surface.triangle_count);
    memcpy(r->models[index].color, plaster, sizeof plaster);
    r->model_count++;
    return SLV_OK;
}

static slv_result show_models(slv_renderer *r, const slv_view_source *source,
                              const slv_snapshot *snapshot, slv_error *error) {
    slv_result result = SLV_OK;
    r->models = calloc(snapshot->model_count + 1, sizeof *r->models);
    if (!r->models) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < snapshot->model_count && result == SLV_OK; i++) {
        slv_clip_report report = {.particle_count = 0};
        result = show_model(r, source, snapshot, i, error);
        (void)slv_clip_get_report(source->world, slv_world_get_clip(source->world, i), &report);
        const uint32_t g = slv_garment_get_index(source->world, report.surface);
        if (g != SLV_NO_INDEX) {
            slv_cloth_view_set_model_surface(&r->garments[g], report.radius);
        }
    }
    return result;
}

slv_result slv_renderer_show(slv_renderer *r, const slv_view_source *source,
                             const slv_snapshot *snapshot, slv_error *error) {
    free_garments(r);
    r->garments = calloc(snapshot->garment_count + 1, sizeof *r->garments);
    if (r->garments == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_result result = SLV_OK;
    for (uint32_t g = 0; g < snapshot->garment_count && result == SLV_OK; g++) {
        slv_garment_structure structure;
        uint8_t color[3];
        color_of(source, g, color);
        const slv_result status = slv_garment_get_structure(
            source->world, slv_world_get_garment(source->world, g), &structure);
        if (status != SLV_OK) {
            result = slv_fail(error, status, "%s", slv_world_get_message(source->world));
        } else {
            r->garment_count++;
            result = slv_cloth_view_make(&r->garments[g], &structure,
                                         snapshot->positions + 3 * (size_t)snapshot->first[g],
                                         color, error);
            thicken(source, g, &r->garments[g]);
        }
        if (result == SLV_OK) {
            result = texture_of(source, g, &r->garments[g], error);
        }
    }
    float floor = NAN;
    if (result == SLV_OK) {
        result = show_solids(r, source, snapshot, &floor, error);
    }
    if (result == SLV_OK) {
        result = show_models(r, source, snapshot, error);
    }
    if (result != SLV_OK) {
        free_garments(r);
        return result;
    }
    r->environment = slv_environment_make(snapshot->low, snapshot->high, floor);
    r->stale = true;
    return SLV_OK;
}

// Copies positions to the views, from host memory or from the OpenGL buffers of the snapshot.
static void copy_positions(slv_renderer *r, const slv_snapshot *snapshot) {
    if (!snapshot->in_gl_buffers) {
        for (uint32_t g = 0; g < r->garment_count; g++) {
            slv_cloth_view_upload(&r->garments[g],
                                  snapshot->positions + 3 * (size_t)snapshot->first[g]);
        }
        return;
    }
    slv_gl_interop_begin_reading(snapshot);
    for (uint32_t g = 0; g < r->garment_count; g++) {
        slv_cloth_view_copy(&r->garments[g], slv_gl_interop_buffer(snapshot, g));
    }
    slv_gl_interop_end_reading(snapshot);
}

// Exact bounds: the lighting pass draws nothing outside them.
static void find_bounds(slv_renderer *r, const slv_snapshot *snapshot) {
    r->bounds = slv_bounds_none();
    slv_bounds_add(&r->bounds, snapshot->positions, snapshot->first[snapshot->garment_count], 3);
    for (uint32_t m = 0; m < snapshot->model_count; m++) {
        slv_bounds_add(&r->bounds, snapshot->models[m].vertices, snapshot->models[m].count, 6);
    }
    for (uint32_t i = 0; i < r->solid_count; i++) {
        slv_solid_view_extend(&r->solids[i], &r->poses[i], r->bounds.low, r->bounds.high);
    }
}

void slv_renderer_update(slv_renderer *r, const slv_snapshot *snapshot) {
    copy_positions(r, snapshot);
    for (uint32_t g = 0; g < r->garment_count; g++) {
        slv_cloth_view_cut(&r->garments[g], &snapshot->intact[g]);
        slv_cloth_view_update(&r->garments[g], &r->programs, r->mode);
    }
    float low[3];
    float high[3];
    memcpy(low, snapshot->low, sizeof low);
    memcpy(high, snapshot->high, sizeof high);
    for (uint32_t i = 0; i < r->model_count; i++) {
        slv_solid_view_move(&r->models[i], snapshot->models[i].vertices);
    }
    for (uint32_t i = 0; i < r->solid_count; i++) {
        r->poses[i] = snapshot->solids[i];
        slv_solid_view_extend(&r->solids[i], &r->poses[i], low, high);
    }
    slv_environment_fit(&r->environment, low, high);
    r->bounded = r->info.software && !snapshot->in_gl_buffers;
    if (r->bounded) {
        find_bounds(r, snapshot);
    }
    slv_contact_normals_update(&r->contact_normals, snapshot->contacts, snapshot->contact_count);
    r->stale = false;
}

slv_camera slv_renderer_camera(const slv_view_source *source, const slv_snapshot *snapshot) {
    const slv_vec3 low = slv_v3(snapshot->low[0], snapshot->low[1], snapshot->low[2]);
    const slv_vec3 high = slv_v3(snapshot->high[0], snapshot->high[1], snapshot->high[2]);
    if (source->camera) {
        return slv_camera_look(local_point(source->world, source->camera),
                               local_point(source->world, source->camera + 3));
    }
    if (source->scene == NULL) {
        return slv_camera_frame(low, high);
    }
    const slv_scene_settings settings = slv_scene_get_settings(source->scene);
    const slv_vec3 eye = local_point(source->world, settings.camera_position);
    if (settings.has_camera_target) {
        return slv_camera_look(eye, local_point(source->world, settings.camera_target));
    }
    // A horizontal garment will hang down: aim below its start, by about its length.
    const float size = fmaxf(high.x - low.x, high.z - low.z);
    const float fall = high.y - low.y < 0.2f * size ? 0.42f * size : 0.0f;
    const slv_vec3 target = slv_v3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y) - fall,
                                   0.5f * (low.z + high.z) - (fall > 0.0f ? 0.25f * size : 0.0f));
    return slv_camera_look(eye, target);
}

// --- Drawing -------------------------------------------------------------------------------------

// Draws models as meshes if all have one and SLV_COLLIDERS_SOLID is set, else as particles.
static void draw_colliders(slv_renderer *r, const slv_pass *pass) {
    static const slv_solid_pose still = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .shown = true};
    bool meshes = r->colliders == SLV_COLLIDERS_SOLID && r->model_count > 0;
    for (uint32_t i = 0; i < r->model_count && meshes; i++) {
        meshes = r->models[i].indices > 0;
    }
    for (uint32_t i = 0; i < r->model_count && meshes; i++) {
        slv_solid_view_draw(&r->models[i], &r->programs, pass, &still);
    }
    for (uint32_t g = 0; g < r->garment_count && !meshes; g++) {
        if (r->garments[g].model_surface) {
            slv_cloth_view_draw(&r->garments[g], &r->programs, pass);
        }
    }
    for (uint32_t i = 0; i < r->solid_count; i++) {
        slv_solid_view_draw(&r->solids[i], &r->programs, pass, &r->poses[i]);
    }
}

static void draw_garments(slv_renderer *r, slv_pass *pass) {
    pass->mode = r->mode;
    pass->smooth = r->smooth;
    pass->tessellation = r->info.tessellation;
    pass->white = r->white;
    for (uint32_t g = 0; g < r->garment_count; g++) {
        if (!r->garments[g].model_surface) {
            slv_cloth_view_draw(&r->garments[g], &r->programs, pass);
        }
    }
    if (r->colliders != SLV_COLLIDERS_HIDDEN) {
        draw_colliders(r, pass);
    }
}

static void draw_shadows(slv_renderer *r, const slv_frame_block *block) {
    for (int n = 0; n < 2; n++) {
        slv_pass pass = {.projection = &block->light_matrix[n],
                         .pixels = 1.0f / block->light_depth[2 + n],
                         .shadow = true};
        memcpy(pass.viewer, block->light_direction[n], 3 * sizeof(float));
        slv_shadows_begin(&r->shadows, n);
        draw_garments(r, &pass);
        slv_shadows_end();
    }
}

static void bind_texture(GLenum target, int unit, GLuint texture) {
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
    glBindTexture(target, texture);
}

static void unbind_samplers(void) {
    for (GLuint unit = SLV_UNIT_SHADOW_DEPTH_0; unit <= SLV_UNIT_SHADOW_TEST_1; unit++) {
        glBindSampler(unit, 0);
    }
}

static void draw_surfaces(slv_renderer *r, const slv_frame_block *block) {
    slv_pass pass = {.projection = &block->view_projection, .pixels = block->eye[3]};
    memcpy(pass.viewer, block->eye, 3 * sizeof(float));
    pass.viewer[3] = 1.0f;
    slv_gbuffer_begin(&r->gbuffer);
    bind_texture(GL_TEXTURE_2D, SLV_UNIT_WEAVE, r->weave);
    draw_garments(r, &pass);
    if (r->contacts) {
        slv_contact_normals_draw(&r->contact_normals, &r->programs, &pass);
    }
}

static void bind_lighting_textures(const slv_renderer *r) {
    slv_shadows_bind(&r->shadows);
    bind_texture(r->gbuffer.kind, SLV_UNIT_ALBEDO, r->gbuffer.albedo);
    bind_texture(r->gbuffer.kind, SLV_UNIT_NORMALS, r->gbuffer.normals);
    bind_texture(r->gbuffer.kind, SLV_UNIT_DEPTH, r->gbuffer.depth);
    bind_texture(GL_TEXTURE_2D, SLV_UNIT_AMBIENT_OCCLUSION, r->occlusion.textures[1]);
}

// Largest distance from the particles of a point that is drawn or occludes light.
static float margin_of(const slv_renderer *r, float reach) {
    float margin = 0.02f;
    for (uint32_t g = 0; g < r->garment_count; g++) {
        margin = fmaxf(margin, slv_cloth_view_overhang(&r->garments[g]));
    }
    return margin + reach;
}

static slv_scissor find_scissor(const slv_renderer *r, const slv_frame_block *block, float reach) {
    const int width = r->gbuffer.width;
    const int height = r->gbuffer.height;
    return r->bounded ? slv_scissor_find(block, &r->bounds, margin_of(r, reach), width, height)
                      : slv_scissor_whole(width, height);
}

static void draw_rectangle(int left, int bottom, int right, int top) {
    if (left < right && bottom < top) {
        glScissor(left, bottom, right - left, top - bottom);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

static void set_floor(const slv_renderer *r, GLuint program) {
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "floor_style"), r->grid ? 1.0f : 0.0f, 0.06f, 0.0f,
                0.0f);
}

// Outside the scissor rectangle there are only floor and background.
static void draw_background(const slv_renderer *r, const slv_scissor *scissor) {
    set_floor(r, r->background_program);
    draw_rectangle(0, 0, r->gbuffer.width, scissor->bottom);
    draw_rectangle(0, scissor->bottom, scissor->left, scissor->top);
    draw_rectangle(scissor->right, scissor->bottom, r->gbuffer.width, scissor->top);
    draw_rectangle(0, scissor->top, r->gbuffer.width, r->gbuffer.height);
}

static void draw_lighting(const slv_renderer *r, const slv_scissor *scissor, float reach) {
    const GLuint program = r->lighting_program;
    // Ambient occlusion would distort colors that encode values.
    const bool colormap = r->mode == SLV_VIEW_STRETCH || r->mode == SLV_VIEW_CONSTRAINTS ||
                          r->mode == SLV_VIEW_COLORS;
    set_floor(r, program);
    glUniform2fv(glGetUniformLocation(program, "sample_offsets"), r->gbuffer.samples,
                 &r->gbuffer.sample_offsets[0][0]);
    glUniform1f(glGetUniformLocation(program, "reach"), reach);
    glUniform1f(glGetUniformLocation(program, "strength"), colormap ? 0.0f : 1.0f);
    bind_lighting_textures(r);
    draw_rectangle(scissor->left, scissor->bottom, scissor->right, scissor->top);
    unbind_samplers();
}

// The lighting pass: from the G-buffer into a framebuffer.
static slv_result light_surfaces(slv_renderer *r, const slv_frame_block *block, GLuint framebuffer,
                                 slv_error *error) {
    // 15 cm, less in small scenes.
    const float reach = fminf(0.12f * r->environment.radius, 0.15f);
    const slv_scissor scissor = find_scissor(r, block, reach);
    glBindVertexArray(r->empty_array);
    const slv_result result =
        slv_ambient_occlusion_draw(&r->occlusion, r->gbuffer.depth, r->gbuffer.width,
                                   r->gbuffer.height, &scissor, reach, error);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, r->gbuffer.width, r->gbuffer.height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    if (r->bounded) {
        draw_background(r, &scissor);
    }
    draw_lighting(r, &scissor, reach);
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    return result;
}

slv_result slv_renderer_draw(slv_renderer *r, const slv_camera *camera, GLuint framebuffer,
                             int width, int height, slv_error *error) {
    if (r->gbuffer.width != width || r->gbuffer.height != height) {
        slv_gbuffer_free(&r->gbuffer);
        slv_result result = slv_gbuffer_make(&r->gbuffer, width, height, r->samples, error);
        if (result == SLV_OK && r->gbuffer.samples != r->occlusion.samples) {
            result = make_light_programs(r, r->gbuffer.samples, error);
        }
        if (result != SLV_OK) {
            return result;
        }
    }
    slv_frame_block block;
    slv_environment_fill(&r->environment, camera, width, height, r->shadows.side, &block);
    glBindBuffer(GL_UNIFORM_BUFFER, r->block_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->block_buffer);
    glEnable(GL_PROGRAM_POINT_SIZE);
    draw_shadows(r, &block);
    draw_surfaces(r, &block);
    const slv_result result = light_surfaces(r, &block, framebuffer, error);
    if (r->programs.error.code != SLV_OK) {
        *error = r->programs.error;
    }
    return r->programs.error.code != SLV_OK ? r->programs.error.code : result;
}
