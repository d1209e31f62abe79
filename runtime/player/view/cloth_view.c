// SPDX-License-Identifier: MIT
#include "runtime/player/view/cloth_view.h"

#include "runtime/player/view/cloth_mesh.h"

#include <stdlib.h>
#include <string.h>

enum { INFLUENCES, OFFSETS, RING_SPANS, RINGS, SEGMENT_SPANS, SEGMENTS, TABLES };

static const float thread_metres = 0.0028f; // spacing of threads of the weave
static const float weave_threads = 16.0f;   // across the texture

const char *slv_view_mode_name(slv_view_mode mode) {
    static const char *const names[SLV_VIEW_MODES] = {"cloth",      "stretch",     "particles",
                                                      "partitions", "constraints", "colors"};
    return names[mode];
}

const char *slv_collider_look_name(slv_collider_look look) {
    static const char *const names[SLV_COLLIDER_LOOKS] = {"solid", "as particles", "hidden"};
    return names[look];
}

// --- Buffers -------------------------------------------------------------------------------------

static GLuint make_buffer(GLenum target, const void *bytes, size_t size, GLenum usage) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)(size ? size : 4), size ? bytes : NULL, usage);
    return buffer;
}

// A buffer texture: shaders read it by index.
static GLuint make_buffer_texture(GLuint buffer, GLenum format) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, format, buffer);
    return texture;
}

static void make_table(slv_cloth_view *view, int table, const void *bytes, size_t size,
                       GLenum format) {
    view->tables[table] = make_buffer(GL_TEXTURE_BUFFER, bytes, size, GL_STATIC_DRAW);
    view->textures[table] = make_buffer_texture(view->tables[table], format);
}

static void attribute(GLuint index, GLuint buffer, GLint components) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, 0, NULL);
}

static float linear_of(uint8_t value) {
    const float x = (float)value / 255.0f;
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

// --- Making --------------------------------------------------------------------------------------

static slv_result make_cloth(slv_cloth_view *view, const float *positions, slv_error *error) {
    const slv_garment_structure *a = &view->structure;
    const size_t v = a->vertex_count;
    slv_cloth_mesh mesh;
    if (!slv_cloth_mesh_make(&mesh, a, positions)) {
        slv_cloth_mesh_free(&mesh);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the mesh");
    }
    view->direct = mesh.direct;
    for (size_t i = 0; a->offsets && i < v; i++) {
        const float *o = a->offsets + 3 * i;
        view->overhang = fmaxf(view->overhang, slv_v3_length(slv_v3(o[0], o[1], o[2])));
    }
    view->weave_repeats = mesh.uv_metres / (weave_threads * thread_metres);
    make_table(view, INFLUENCES, mesh.influences, mesh.direct ? 0 : 8 * v * a->influence_count,
               GL_R32UI);
    make_table(view, OFFSETS, a->offsets, a->offsets ? 12 * v : 0, GL_R32F);
    make_table(view, RING_SPANS, mesh.ring_spans, 8 * v, GL_R32UI);
    make_table(view, RINGS, mesh.rings, 24 * (size_t)a->triangle_count, GL_R32UI);
    view->uv_buffer = make_buffer(GL_ARRAY_BUFFER, mesh.uvs, 8 * v, GL_STATIC_DRAW);
    view->normal_buffer = make_buffer(GL_ARRAY_BUFFER, NULL, 16 * v, GL_DYNAMIC_COPY);
    if (!view->direct) {
        view->vertex_buffer = make_buffer(GL_ARRAY_BUFFER, NULL, 12 * v, GL_DYNAMIC_COPY);
        view->vertex_texture = make_buffer_texture(view->vertex_buffer, GL_R32F);
    }
    slv_cloth_mesh_free(&mesh);

    glGenVertexArrays(1, &view->cloth_array);
    glBindVertexArray(view->cloth_array);
    attribute(0, view->direct ? view->particle_buffer : view->vertex_buffer, 3);
    attribute(1, view->normal_buffer, 4);
    attribute(2, view->uv_buffer, 2);
    view->index_buffer = make_buffer(GL_ELEMENT_ARRAY_BUFFER, a->triangles,
                                     12 * (size_t)a->triangle_count, GL_STATIC_DRAW);
    return SLV_OK;
}

// Index buffer of the particles that have phantoms, for the bound vertex array.
static slv_result make_phantoms(slv_cloth_view *view, slv_error *error) {
    const slv_garment_structure *a = &view->structure;
    uint32_t *particles = malloc(((size_t)a->phantom_count + 1) * sizeof *particles);
    if (particles == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for particles");
    }
    for (size_t i = 0; i < a->phantom_count; i++) {
        particles[i] = a->phantoms[3 * i];
    }
    view->phantoms = (GLsizei)a->phantom_count;
    view->phantom_buffer = make_buffer(GL_ELEMENT_ARRAY_BUFFER, particles,
                                       4 * (size_t)a->phantom_count, GL_STATIC_DRAW);
    free(particles);
    return SLV_OK;
}

// Writes the color of each distance constraint, the number of its group, to values[2 * constraint + 1]; -1 where the
// group is averaged.
static void fill_colors(const slv_garment_structure *a, float *values) {
    for (uint32_t g = 0; g < a->group_count; g++) {
        const slv_structure_group *group = &a->groups[g];
        for (uint32_t c = group->first; c < group->first + group->count; c++) {
            if (c < a->distance_count) {
                values[2 * (size_t)c + 1] = group->averaged ? -1.0f : (float)g;
            }
        }
    }
}

static slv_result make_particles(slv_cloth_view *view, slv_error *error) {
    const slv_garment_structure *a = &view->structure;
    float *marks = malloc(((size_t)a->particle_count + 1) * 2 * sizeof *marks);
    if (marks == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for particles");
    }
    for (size_t p = 0; p < a->particle_count; p++) {
        marks[2 * p] = a->colors ? (float)a->colors[p] : 0.0f;
        marks[2 * p + 1] = a->fixed[p] ? 1.0f : 0.0f;
    }
    glGenVertexArrays(1, &view->particle_array);
    glBindVertexArray(view->particle_array);
    view->mark_buffer =
        make_buffer(GL_ARRAY_BUFFER, marks, 8 * (size_t)a->particle_count, GL_STATIC_DRAW);
    attribute(0, view->particle_buffer, 3);
    attribute(1, view->mark_buffer, 2);
    free(marks);
    return make_phantoms(view, error);
}

static slv_result make_segments(slv_cloth_view *view, slv_error *error) {
    const slv_garment_structure *a = &view->structure;
    const size_t count = a->distance_count;
    uint32_t *ends = malloc((count + 1) * 2 * sizeof *ends);
    float *rests = malloc((count + 1) * 2 * sizeof *rests);
    if (!ends || !rests) {
        free(ends);
        free(rests);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for constraints");
    }
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        ends[2 * i] = a->constraints[i].a;
        ends[2 * i + 1] = a->constraints[i].b;
        rests[2 * i] = a->constraints[i].rest;
        rests[2 * i + 1] = 0.0f;
        sum += (double)a->constraints[i].rest;
    }
    fill_colors(a, rests);
    view->spacing = count > 0 ? (float)(sum / (double)count) : 0.01f;
    view->ball = 0.36f * view->spacing;
    view->rope = 0.4f * view->spacing;
    glGenVertexArrays(1, &view->segment_array);
    glBindVertexArray(view->segment_array);
    attribute(0, view->particle_buffer, 3);
    view->segment_buffer = make_buffer(GL_ELEMENT_ARRAY_BUFFER, ends, 8 * count, GL_STATIC_DRAW);
    view->rest_buffer = make_buffer(GL_TEXTURE_BUFFER, rests, 8 * count, GL_STATIC_DRAW);
    view->rest_texture = make_buffer_texture(view->rest_buffer, GL_R32F);
    free(ends);
    free(rests);
    return SLV_OK;
}

static slv_result check_limits(const slv_garment_structure *a, slv_error *error) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    const size_t links = 2 * (size_t)a->vertex_count * a->influence_count;
    const size_t rings = 6 * (size_t)a->triangle_count;
    size_t largest = 3 * (size_t)a->particle_count;
    largest = links > largest ? links : largest;
    largest = rings > largest ? rings : largest;
    if (largest > (size_t)most) {
        return slv_fail(
            error, SLV_ERROR_UNSUPPORTED,
            "a garment needs tables of %zu entries, and the OpenGL driver has at most %d", largest,
            (int)most);
    }
    return SLV_OK;
}

slv_result slv_cloth_view_make(slv_cloth_view *view, const slv_garment_structure *structure,
                               const float *positions, const uint8_t color[3], slv_error *error) {
    *view = (slv_cloth_view){.structure = *structure, .gloss = 0.25f};
    for (int i = 0; i < 3; i++) {
        view->color[i] = linear_of(color[i]);
    }
    view->particles = (GLsizei)structure->particle_count;
    view->vertices = (GLsizei)structure->vertex_count;
    view->indices = (GLsizei)(3 * structure->triangle_count);
    view->segments = (GLsizei)(2 * structure->distance_count);
    slv_result result = check_limits(structure, error);
    if (result != SLV_OK) {
        return result;
    }
    view->particle_buffer = make_buffer(GL_ARRAY_BUFFER, positions,
                                        12 * (size_t)structure->particle_count, GL_STREAM_DRAW);
    view->particle_texture = make_buffer_texture(view->particle_buffer, GL_R32F);
    glGenVertexArrays(1, &view->empty_array);
    result = make_particles(view, error);
    if (result == SLV_OK) {
        result = make_segments(view, error);
    }
    if (result == SLV_OK && view->indices > 0) {
        result = make_cloth(view, positions, error);
    }
    glBindVertexArray(0);
    return result;
}

void slv_cloth_view_set_model_surface(slv_cloth_view *view, float radius) {
    static const float chalk[3] = {0.42f, 0.40f, 0.37f};
    view->model_surface = true;
    view->ball = radius;
    memcpy(view->color, chalk, sizeof chalk);
}

float slv_cloth_view_overhang(const slv_cloth_view *view) {
    return fmaxf(view->overhang, fmaxf(1.6f * view->ball, view->rope)) + view->spacing;
}

void slv_cloth_view_free(slv_cloth_view *view) {
    const GLuint buffers[] = {view->particle_buffer, view->vertex_buffer, view->normal_buffer,
                              view->uv_buffer,       view->index_buffer,  view->mark_buffer,
                              view->segment_buffer,  view->rest_buffer,   view->phantom_buffer};
    const GLuint textures[] = {view->particle_texture, view->vertex_texture, view->rest_texture,
                               view->picture};
    const GLuint arrays[] = {view->cloth_array, view->particle_array, view->segment_array,
                             view->empty_array};
    glDeleteVertexArrays(4, arrays);
    glDeleteTextures(4, textures);
    glDeleteTextures(TABLES, view->textures);
    glDeleteBuffers(9, buffers);
    glDeleteBuffers(TABLES, view->tables);
    *view = (slv_cloth_view){.direct = false};
}

// --- Moving --------------------------------------------------------------------------------------

static void set_int(GLuint program, const char *name, int value) {
    glUniform1i(glGetUniformLocation(program, name), value);
}

static void set_float(GLuint program, const char *name, float value) {
    glUniform1f(glGetUniformLocation(program, name), value);
}

static void bind_table(int unit, GLuint texture) {
    glActiveTexture((GLenum)(GL_TEXTURE0 + SLV_UNIT_TABLES + unit));
    glBindTexture(GL_TEXTURE_BUFFER, texture);
}

// Runs a vertex shader over all vertices and stores its outputs in a buffer.
static void transform(GLuint program, GLuint target, GLsizei count, GLuint array) {
    glUseProgram(program);
    glBindVertexArray(array);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, target);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, count);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}

// These tables are large and needed only in the stretch view: made at its first use.
static void prepare_stretch(slv_cloth_view *view) {
    uint32_t *spans = NULL;
    uint32_t *segments = NULL;
    size_t count = 0;
    if (slv_cloth_mesh_segments(&view->structure, &spans, &segments, &count)) {
        make_table(view, SEGMENT_SPANS, spans, 4 * ((size_t)view->vertices + 1), GL_R32UI);
        make_table(view, SEGMENTS, segments, 12 * count, GL_R32UI);
        view->stretch_ready = true;
    }
    free(spans);
    free(segments);
}

static void skin_vertices(slv_cloth_view *view, slv_cloth_programs *programs) {
    bind_table(0, view->particle_texture);
    bind_table(2, view->textures[INFLUENCES]);
    bind_table(3, view->textures[OFFSETS]);
    const GLuint program = slv_cloth_program(programs, SLV_PROGRAM_SKIN);
    glUseProgram(program);
    set_int(program, "influence_count", (int)view->structure.influence_count);
    set_int(program, "has_offsets", view->structure.offsets != NULL);
    transform(program, view->vertex_buffer, view->vertices, view->empty_array);
}

static void find_normals(slv_cloth_view *view, slv_cloth_programs *programs, bool stretch) {
    bind_table(0, view->particle_texture);
    bind_table(1, view->direct ? view->particle_texture : view->vertex_texture);
    bind_table(4, view->textures[RING_SPANS]);
    bind_table(5, view->textures[RINGS]);
    if (stretch) {
        bind_table(6, view->textures[SEGMENT_SPANS]);
        bind_table(7, view->textures[SEGMENTS]);
    }
    const GLuint program = slv_cloth_program(programs, SLV_PROGRAM_NORMALS);
    glUseProgram(program);
    set_int(program, "want_stretch", stretch);
    transform(program, view->normal_buffer, view->vertices, view->empty_array);
}

void slv_cloth_view_upload(slv_cloth_view *view, const float *positions) {
    glBindBuffer(GL_ARRAY_BUFFER, view->particle_buffer);
    // All of it at once: the driver takes new memory where the old is still in use.
    glBufferData(GL_ARRAY_BUFFER, 12 * (GLsizeiptr)view->particles, positions, GL_STREAM_DRAW);
}

void slv_cloth_view_copy(slv_cloth_view *view, GLuint buffer) {
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, view->particle_buffer);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                        12 * (GLsizeiptr)view->particles);
}

void slv_cloth_view_update(slv_cloth_view *view, slv_cloth_programs *programs, slv_view_mode mode) {
    if (view->cloth_array == 0 || (mode != SLV_VIEW_CLOTH && mode != SLV_VIEW_STRETCH)) {
        return;
    }
    if (mode == SLV_VIEW_STRETCH && !view->stretch_ready) {
        prepare_stretch(view);
    }
    if (!view->direct) {
        skin_vertices(view, programs);
    }
    find_normals(view, programs, mode == SLV_VIEW_STRETCH && view->stretch_ready);
}

// A torn segment keeps its index, with both ends at one particle: it has no length and is not drawn.
static void cut_segments(slv_cloth_view *view, const uint8_t *is_torn) {
    const slv_garment_structure *a = &view->structure;
    uint32_t *ends = malloc(((size_t)a->distance_count + 1) * 2 * sizeof *ends);
    for (size_t i = 0; ends && i < a->distance_count; i++) {
        ends[2 * i] = a->constraints[i].a;
        ends[2 * i + 1] = is_torn && is_torn[i] ? a->constraints[i].a : a->constraints[i].b;
    }
    if (ends) {
        glBindVertexArray(view->segment_array); // its index buffer is bound with it
        glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 8 * (GLsizeiptr)a->distance_count, ends);
        glBindVertexArray(0);
    }
    free(ends);
}

void slv_cloth_view_cut(slv_cloth_view *view, const slv_intact_mesh *intact) {
    const slv_garment_structure *a = &view->structure;
    const bool cut = intact->torn > 0;
    if (intact->torn == view->torn) {
        return;
    }
    view->torn = intact->torn;
    cut_segments(view, cut ? intact->is_torn : NULL);
    if (view->cloth_array == 0) {
        return;
    }
    const uint32_t count = cut ? intact->count : a->triangle_count;
    view->indices = (GLsizei)(3 * count);
    glBindVertexArray(view->cloth_array); // its index buffer is bound with it
    glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 12 * (GLsizeiptr)count,
                    cut ? intact->triangles : a->triangles);
    glBindVertexArray(0);
}

// --- Drawing -------------------------------------------------------------------------------------

static void set_pass(GLuint program, const slv_cloth_view *view, const slv_pass *pass) {
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "projection"), 1, GL_FALSE,
                       pass->projection->m);
    glUniform4f(glGetUniformLocation(program, "viewer"), pass->viewer[0], pass->viewer[1],
                pass->viewer[2], pass->viewer[3]);
    glUniform4f(glGetUniformLocation(program, "color"), view->color[0], view->color[1],
                view->color[2], view->gloss);
    set_float(program, "pixels", pass->pixels);
}

// The program of the camera pass, or the next one, of the shadow pass.
static GLuint program_for(slv_cloth_programs *programs, slv_program_kind kind,
                          const slv_pass *pass) {
    return slv_cloth_program(programs, (slv_program_kind)((int)kind + pass->shadow));
}

static void draw_cloth(const slv_cloth_view *view, slv_cloth_programs *programs,
                       const slv_pass *pass) {
    const GLuint program =
        program_for(programs, pass->smooth ? SLV_PROGRAM_SMOOTH : SLV_PROGRAM_CLOTH, pass);
    set_pass(program, view, pass);
    glUniform4f(glGetUniformLocation(program, "fabric"), view->weave_repeats, 0.8f,
                pass->mode == SLV_VIEW_STRETCH ? 1.0f : 0.0f, 0.6f);
    if (!pass->shadow) {
        glActiveTexture(GL_TEXTURE0 + SLV_UNIT_PICTURE);
        glBindTexture(GL_TEXTURE_2D, view->picture ? view->picture : pass->white);
    }
    glBindVertexArray(view->cloth_array);
    GLenum shape = GL_TRIANGLES;
    if (pass->smooth && pass->tessellation) {
        set_float(program, "piece_pixels", 6.0f);
        set_float(program, "most_pieces", 8.0f);
        glPatchParameteri(GL_PATCH_VERTICES, 3);
        shape = GL_PATCHES;
    }
    glDrawElements(shape, view->indices, GL_UNSIGNED_INT, NULL);
}

static void draw_segments(const slv_cloth_view *view, slv_cloth_programs *programs,
                          const slv_pass *pass, float radius, int color_mode) {
    const GLuint program = program_for(programs, SLV_PROGRAM_SEGMENTS, pass);
    set_pass(program, view, pass);
    bind_table(0, view->rest_texture);
    set_float(program, "radius", radius);
    set_int(program, "color_mode", color_mode);
    glBindVertexArray(view->segment_array);
    glDrawElements(GL_LINES, view->segments, GL_UNSIGNED_INT, NULL);
}

static GLuint set_balls(const slv_cloth_view *view, slv_cloth_programs *programs,
                        const slv_pass *pass, int color_mode) {
    const GLuint program = program_for(programs, SLV_PROGRAM_PARTICLES, pass);
    set_pass(program, view, pass);
    set_float(program, "radius", view->ball);
    set_float(program, "fixed_scale", view->model_surface ? 1.0f : 1.6f);
    set_int(program, "color_mode", color_mode);
    glBindVertexArray(view->particle_array);
    return program;
}

static void draw_particles(const slv_cloth_view *view, slv_cloth_programs *programs,
                           const slv_pass *pass, int color_mode) {
    (void)set_balls(view, programs, pass, color_mode);
    glDrawArrays(GL_POINTS, 0, view->particles);
}

static void draw_phantoms(const slv_cloth_view *view, slv_cloth_programs *programs,
                          const slv_pass *pass) {
    const GLuint program = set_balls(view, programs, pass, 2);
    glUniform4f(glGetUniformLocation(program, "color"), 0.85f, 0.85f, 0.85f, 0.5f);
    glDrawElements(GL_POINTS, view->phantoms, GL_UNSIGNED_INT, NULL);
}

void slv_cloth_view_draw(const slv_cloth_view *view, slv_cloth_programs *programs,
                         const slv_pass *pass) {
    if (view->model_surface) {
        draw_particles(view, programs, pass, 2);
        glBindVertexArray(0);
        return;
    }
    switch (pass->mode) {
    case SLV_VIEW_CLOTH:
    case SLV_VIEW_STRETCH:
        if (view->cloth_array) {
            draw_cloth(view, programs, pass);
        } else if (view->segments == 0) {
            draw_particles(view, programs, pass, 0);
        } else {
            draw_segments(view, programs, pass, view->rope, pass->mode == SLV_VIEW_STRETCH ? 2 : 0);
        }
        break;
    case SLV_VIEW_PARTICLES:
    case SLV_VIEW_PARTITIONS:
        draw_particles(view, programs, pass, pass->mode == SLV_VIEW_PARTITIONS);
        break;
    case SLV_VIEW_COLORS:
        draw_segments(view, programs, pass, 0.0f, 1);
        draw_phantoms(view, programs, pass);
        break;
    case SLV_VIEW_CONSTRAINTS:
    case SLV_VIEW_MODES:
        draw_segments(view, programs, pass, 0.0f, 2);
        break;
    }
    glBindVertexArray(0);
}
