// SPDX-License-Identifier: MIT
// A garment on the graphics card. Particles go up once a simulated frame, as they are, or are there
// already; vertices and
// normals are made there, and every pass of the picture draws from the same buffers.
#ifndef SLV_PLAYER_CLOTH_VIEW_H
#define SLV_PLAYER_CLOTH_VIEW_H

#include "runtime/include/selvage/selvage.h"
#include "runtime/player/view/cloth_programs.h"
#include "runtime/player/view/snapshot.h"

// What of a garment is drawn.
typedef enum slv_view_mode {
    SLV_VIEW_CLOTH,       // the render mesh, or ropes where there is none
    SLV_VIEW_STRETCH,     // the same, colored by how far constraints are stretched
    SLV_VIEW_PARTICLES,   // balls
    SLV_VIEW_PARTITIONS,  // balls in the colors of the partition
    SLV_VIEW_CONSTRAINTS, // threads, colored by stretch
    SLV_VIEW_COLORS,      // threads in the colors of constraints; particles with copies are balls
    SLV_VIEW_MODES
} slv_view_mode;

const char *slv_view_mode_name(slv_view_mode mode); // "cloth", …

// What of colliders is drawn.
typedef enum slv_collider_look {
    SLV_COLLIDERS_SOLID,     // shapes, and models as their meshes
    SLV_COLLIDERS_PARTICLES, // models as the particles that cloth meets
    SLV_COLLIDERS_HIDDEN,
    SLV_COLLIDER_LOOKS
} slv_collider_look;

const char *slv_collider_look_name(slv_collider_look look); // "solid", …

// A pass of the picture: who looks, and how.
typedef struct slv_pass {
    const slv_mat4 *projection;
    float viewer[4]; // place of the eye; w = 0: direction towards the light
    float pixels;    // per radian for an eye, per metre for a light
    bool shadow;     // only depth
    slv_view_mode mode;
    bool smooth; // tessellated by normals
    bool tessellation;
    GLuint white; // in place of a garment's texture
} slv_pass;

typedef struct slv_cloth_view {
    slv_garment_structure structure; // of the world; its arrays outlive this
    bool direct;
    bool body; // stands for a model's surface: drawn as balls of `ball` metres or not at all
    bool stretch_ready;
    float ball;
    uint32_t torn;       // constraints, when the triangles were last uploaded
    float spacing;       // metres between particles, about
    float overhang;      // metres that vertices may lie outside all particles
    float rope;          // metres: radius of what has constraints and no triangles
    float weave_repeats; // per unit of uv
    float color[3];      // linear
    float gloss;
    GLsizei particles, vertices, indices, segments, phantoms;
    GLuint particle_buffer, vertex_buffer, normal_buffer, uv_buffer, index_buffer;
    GLuint mark_buffer, segment_buffer, phantom_buffer;
    GLuint tables[6];   // buffers: influences, offsets, ring spans, rings, segment spans, segments
    GLuint textures[6]; // the same for shaders
    GLuint particle_texture, vertex_texture;
    GLuint rest_buffer, rest_texture;
    GLuint picture; // the garment's own texture; 0 = none
    GLuint cloth_array, particle_array, segment_array, empty_array;
} slv_cloth_view;

// positions is [particle_count][3], at rest or thereabouts; color is sRGB.
slv_result slv_cloth_view_make(slv_cloth_view *view, const slv_garment_structure *structure,
                               const float *positions, const uint8_t color[3], slv_error *error);
// Makes it a model's surface, of particles of this radius in metres.
void slv_cloth_view_set_model_surface(slv_cloth_view *view, float radius);
// How far beyond its particles it may be seen, metres.
float slv_cloth_view_overhang(const slv_cloth_view *view);
void slv_cloth_view_free(slv_cloth_view *view);

// Leaves out the triangles that tears have opened, and the segments that are torn.
void slv_cloth_view_cut(slv_cloth_view *view, const slv_intact_mesh *intact);
// New positions of the particles, from the host's memory or from another buffer of OpenGL.
void slv_cloth_view_upload(slv_cloth_view *view, const float *positions);
void slv_cloth_view_copy(slv_cloth_view *view, GLuint buffer);
// Then lets the card find vertices and normals.
void slv_cloth_view_update(slv_cloth_view *view, slv_cloth_programs *programs, slv_view_mode mode);
void slv_cloth_view_draw(const slv_cloth_view *view, slv_cloth_programs *programs,
                         const slv_pass *pass);

#endif
