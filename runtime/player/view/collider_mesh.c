// SPDX-License-Identifier: MIT
#include "runtime/player/view/collider_mesh.h"

#include "runtime/player/view/field_mesh.h"

#include <math.h>

enum { ROUND = 48, ARC = 12 }; // segments of a circle, and of a quarter circle from pole to equator

static const float whole_turn = 6.28318531f;
static const float plane_half =
    4.0f; // metres: half the side of the drawn part of an infinite plane

// --- Surfaces of revolution around y -------------------------------------------------------------

// A point of the profile: distance from the axis, height, and the radial and upward part of its normal.
typedef struct profile_point {
    float radius, height, radial, up;
} profile_point;

static void add_revolution(slv_solid_mesh *m, const profile_point *line, int count) {
    const uint32_t first = m->vertex_count;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= ROUND; j++) {
            const float angle = whole_turn * (float)j / (float)ROUND;
            const float c = cosf(angle);
            const float s = sinf(angle);
            const float position[3] = {line[i].radius * c, line[i].height, line[i].radius * s};
            const float normal[3] = {line[i].radial * c, line[i].up, line[i].radial * s};
            (void)slv_solid_mesh_add_vertex(m, position, normal);
        }
    }
    for (int i = 0; i + 1 < count; i++) {
        for (int j = 0; j < ROUND; j++) {
            const uint32_t a = first + (uint32_t)(i * (ROUND + 1) + j);
            const uint32_t b = a + ROUND + 1;
            slv_solid_mesh_add_triangle(m, a, b, a + 1);
            slv_solid_mesh_add_triangle(m, a + 1, b, b + 1);
        }
    }
}

// Two hemispheres with a cylinder between them; a sphere where length is 0.
static void add_capsule(slv_solid_mesh *m, float radius, float length) {
    profile_point line[2 * ARC + 2];
    int count = 0;
    for (int i = 0; i <= 2 * ARC + 1; i++) {
        const int step = i <= ARC ? i : i - 1;
        const float angle = 0.5f * whole_turn * ((float)step / (float)(2 * ARC) - 0.5f);
        const float lift = (i <= ARC ? -0.5f : 0.5f) * length;
        line[count++] = (profile_point){radius * cosf(angle), radius * sinf(angle) + lift,
                                        cosf(angle), sinf(angle)};
    }
    add_revolution(m, line, count);
}

static void add_funnel(slv_solid_mesh *m, float steepness, float low, float high) {
    profile_point line[4 * ARC + 1];
    for (int i = 0; i <= 4 * ARC; i++) {
        const float y = low + (high - low) * (float)i / (float)(4 * ARC);
        const float r = expf(y / steepness);
        const float slant = r / steepness; // dr / dy
        const float size = 1.0f / sqrtf(1.0f + slant * slant);
        line[i] = (profile_point){r, y, size, -slant * size};
    }
    add_revolution(m, line, 4 * ARC + 1);
}

// --- Polyhedra -----------------------------------------------------------------------------------

static void add_polygon(slv_solid_mesh *m, const float (*corners)[3], int count) {
    float u[3];
    float v[3];
    for (int d = 0; d < 3; d++) {
        u[d] = corners[1][d] - corners[0][d];
        v[d] = corners[2][d] - corners[0][d];
    }
    float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int d = 0; length > 0.0f && d < 3; d++) {
        n[d] /= length;
    }
    const uint32_t first = m->vertex_count;
    for (int i = 0; i < count; i++) {
        (void)slv_solid_mesh_add_vertex(m, corners[i], n);
    }
    for (int i = 2; i < count; i++) {
        slv_solid_mesh_add_triangle(m, first, first + (uint32_t)i - 1, first + (uint32_t)i);
    }
}

static void add_box(slv_solid_mesh *m, const float size[3]) {
    // A face is perpendicular to `axis`; its corners go around in the plane of the other two axes.
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            static const float around[4][2] = {
                {-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
            float corners[4][3];
            for (int n = 0; n < 4; n++) {
                const int at = side > 0 ? n : 3 - n;
                corners[n][axis] = 0.5f * (float)side * size[axis];
                corners[n][(axis + 1) % 3] = around[at][0] * size[(axis + 1) % 3];
                corners[n][(axis + 2) % 3] = around[at][1] * size[(axis + 2) % 3];
            }
            add_polygon(m, (const float(*)[3])corners, 4);
        }
    }
}

// The sharp edge is at y = 0 along z, the top face at y = size[1].
static void add_wedge(slv_solid_mesh *m, const float size[3]) {
    const float w = 0.5f * size[0];
    const float h = size[1];
    const float l = 0.5f * size[2];
    const float left[4][3] = {{0, 0, -l}, {0, 0, l}, {-w, h, l}, {-w, h, -l}};
    const float right[4][3] = {{0, 0, l}, {0, 0, -l}, {w, h, -l}, {w, h, l}};
    const float top[4][3] = {{-w, h, -l}, {-w, h, l}, {w, h, l}, {w, h, -l}};
    const float front[3][3] = {{0, 0, l}, {w, h, l}, {-w, h, l}};
    const float back[3][3] = {{0, 0, -l}, {-w, h, -l}, {w, h, -l}};
    add_polygon(m, left, 4);
    add_polygon(m, right, 4);
    add_polygon(m, top, 4);
    add_polygon(m, front, 3);
    add_polygon(m, back, 3);
}

static void add_plane(slv_solid_mesh *m) {
    const float p = plane_half;
    const float corners[4][3] = {{-p, 0, -p}, {-p, 0, p}, {p, 0, p}, {p, 0, -p}};
    add_polygon(m, corners, 4);
}

// --- Choosing ------------------------------------------------------------------------------------

slv_solid_mesh slv_collider_mesh_make(const slv_collider_def *shape) {
    slv_solid_mesh mesh = {.failed = false};
    switch (shape->kind) {
    case SLV_COLLIDER_PLANE:
        add_plane(&mesh);
        break;
    case SLV_COLLIDER_SPHERE:
        add_capsule(&mesh, shape->radius, 0.0f);
        break;
    case SLV_COLLIDER_CAPSULE:
        add_capsule(&mesh, shape->radius, shape->length);
        break;
    case SLV_COLLIDER_BOX:
        add_box(&mesh, shape->size);
        break;
    case SLV_COLLIDER_WEDGE:
        add_wedge(&mesh, shape->size);
        break;
    case SLV_COLLIDER_FUNNEL:
        add_funnel(&mesh, shape->steepness, shape->low, shape->high);
        break;
    case SLV_COLLIDER_FIELD:
        return slv_field_mesh_make(shape->pack_path);
    }
    return mesh;
}
