// SPDX-License-Identifier: MIT
// A garment on the GPU. Particle positions are uploaded once per simulated frame, or are already there; vertices
// and normals are computed on the GPU, and all passes of a picture draw from the same buffers.
#ifndef SLV_PLAYER_CLOTH_VIEW_H
#define SLV_PLAYER_CLOTH_VIEW_H

#include "runtime/include/selvage/selvage.h"
#include "runtime/player/view/cloth_programs.h"
#include "runtime/player/view/snapshot.h"

// How garments are drawn.
typedef enum slv_view_mode {
    SLV_VIEW_CLOTH,       // the render mesh; without triangles, thick segments (ropes)
    SLV_VIEW_STRETCH,     // the same, colored by the stretch of constraints
    SLV_VIEW_PARTICLES,   // balls
    SLV_VIEW_PARTITIONS,  // balls, colored by particle color
    SLV_VIEW_CONSTRAINTS, // segments, colored by stretch
    SLV_VIEW_COLORS, // segments, colored by constraint color; particles with phantoms are balls
    SLV_VIEW_MODES
} slv_view_mode;

const char *slv_view_mode_name(slv_view_mode mode); // "cloth", …

// How colliders are drawn.
typedef enum slv_collider_look {
    SLV_COLLIDERS_SOLID,     // shapes, and models as their meshes
    SLV_COLLIDERS_PARTICLES, // models as their collision particles
    SLV_COLLIDERS_HIDDEN,
    SLV_COLLIDER_LOOKS
} slv_collider_look;

const char *slv_collider_look_name(slv_collider_look look); // "solid", …

// A pass: the camera or a light, and the view mode.
typedef struct slv_pass {
    const slv_mat4 *projection;
    float viewer[4]; // position of the camera, w = 1; direction towards a light, w = 0
    float pixels;    // per radian for the camera, per metre for a light
    bool shadow;     // depth only
    slv_view_mode mode;
    bool smooth; // point-normal triangles
    bool tessellation;
    GLuint white; // texture of garments that have none
} slv_pass;

typedef struct slv_cloth_view {
    slv_garment_structure structure; // its arrays belong to the world and outlive this
    bool direct;
    bool model_surface; // collision surface of a model: drawn as balls or not at all
    bool stretch_ready;
    float ball;
    uint32_t torn;       // number of torn constraints at the last upload of triangles
    float spacing;       // metres: mean rest length
    float overhang;      // metres: largest offset of a vertex from its particles
    float rope;          // metres: radius of segments of a garment without triangles
    float weave_repeats; // per unit of uv
    float color[3];      // linear
    float gloss;
    GLsizei particles, vertices, indices, segments, phantoms;
    GLuint particle_buffer, vertex_buffer, normal_buffer, uv_buffer, index_buffer;
    GLuint mark_buffer, segment_buffer, phantom_buffer;
    GLuint tables[6];   // buffers: influences, offsets, ring spans, rings, segment spans, segments
    GLuint textures[6]; // buffer textures of these
    GLuint particle_texture, vertex_texture;
    GLuint rest_buffer, rest_texture;
    GLuint picture; // texture of the garment; 0: none
    GLuint cloth_array, particle_array, segment_array, empty_array;
} slv_cloth_view;

// `positions` is [particle_count][3], near rest; `color` is sRGB.
slv_result slv_cloth_view_make(slv_cloth_view *view, const slv_garment_structure *structure,
                               const float *positions, const uint8_t color[3], slv_error *error);
// Marks the garment as the collision surface of a model, with particles of this radius in metres.
void slv_cloth_view_set_model_surface(slv_cloth_view *view, float radius);
// Largest distance of a drawn point from the particles, metres.
float slv_cloth_view_overhang(const slv_cloth_view *view);
void slv_cloth_view_free(slv_cloth_view *view);

// Removes torn triangles and segments.
void slv_cloth_view_cut(slv_cloth_view *view, const slv_intact_mesh *intact);
// New particle positions, from host memory or from another OpenGL buffer.
void slv_cloth_view_upload(slv_cloth_view *view, const float *positions);
void slv_cloth_view_copy(slv_cloth_view *view, GLuint buffer);
// Computes vertices and normals from the positions.
void slv_cloth_view_update(slv_cloth_view *view, slv_cloth_programs *programs, slv_view_mode mode);
void slv_cloth_view_draw(const slv_cloth_view *view, slv_cloth_programs *programs,
                         const slv_pass *pass);

#endif
