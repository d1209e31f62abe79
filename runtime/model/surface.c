// SPDX-License-Identifier: MIT
#include "runtime/model/surface.h"

#include <math.h>
#include <string.h>

// --- Making -----------------------------------------------------------------------------------------

static bool copy_array(slv_memory *memory, const void *source, size_t count, size_t size,
                       void *copy) {
    void *room = slv_memory_take(memory, count, size);
    if (room && count > 0) {
        memcpy(room, source, count * size);
    }
    memcpy(copy, &room, sizeof room); // copy is the address of a pointer of whatever type
    return room != NULL;
}

bool slv_surface_create(slv_surface *surface, const slv_garment *garment, double scale,
                        slv_memory *memory) {
    const slv_render_mesh *mesh = &garment->render;
    size_t v = mesh->vertex_count;
    size_t links = v * mesh->influences;
    *surface = (slv_surface){.vertex_count = mesh->vertex_count,
                             .triangle_count = mesh->triangle_count,
                             .influences = mesh->influences};
    surface->positions = slv_memory_take(memory, 3 * v, sizeof *surface->positions);
    surface->normals = slv_memory_take(memory, 3 * v, sizeof *surface->normals);
    bool done =
        surface->positions && surface->normals &&
        copy_array(memory, mesh->triangles, 3 * (size_t)mesh->triangle_count,
                   sizeof *mesh->triangles, &surface->triangles) &&
        copy_array(memory, mesh->particles, links, sizeof *mesh->particles, &surface->particles) &&
        copy_array(memory, mesh->weights, links, sizeof *mesh->weights, &surface->weights);
    if (done && mesh->uvs) {
        done = copy_array(memory, mesh->uvs, 2 * v, sizeof *mesh->uvs, &surface->uvs);
    }
    if (done && mesh->texture) {
        surface->texture_size = mesh->texture_size;
        done = copy_array(memory, mesh->texture, mesh->texture_size, 1, &surface->texture);
    }
    if (done && mesh->offsets) {
        done = copy_array(memory, mesh->offsets, 3 * v, sizeof *mesh->offsets, &surface->offsets);
    }
    for (size_t i = 0; done && i < links; i++) {
        surface->particles[i] = garment->own_of_stored[surface->particles[i]];
    }
    for (size_t i = 0; done && surface->offsets && i < 3 * v; i++) {
        surface->offsets[i] = (float)((double)surface->offsets[i] * scale);
    }
    return done;
}

// --- Following --------------------------------------------------------------------------------------

// Particles between two states.
typedef struct moment {
    const slv_particle_view *now, *before;
    float fraction;
} moment;

static float mix(const moment *shown, float before, float now) {
    return shown->fraction < 1.0f ? before + shown->fraction * (now - before) : now;
}

static void position_of(const moment *shown, uint32_t particle, float position[3]) {
    const slv_particle_view *now = shown->now;
    const slv_particle_view *before = shown->before;
    size_t at = (size_t)now->slot[particle] * now->stride;
    position[0] = mix(shown, before->x[at], now->x[at]);
    position[1] = mix(shown, before->y[at], now->y[at]);
    position[2] = mix(shown, before->z[at], now->z[at]);
}

static void cross(const float a[3], const float b[3], float product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalize(float v[3]) {
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0.0f)) {
        return false;
    }
    for (int d = 0; d < 3; d++) {
        v[d] /= length;
    }
    return true;
}

// The frame of a vertex's first three particles: x towards the second, z across the third. The axes of
// the world where these lie on one line.
static void find_frame(const moment *particles, const uint32_t *first, float axes[3][3]) {
    float origin[3];
    float side[3];
    position_of(particles, first[0], origin);
    position_of(particles, first[1], axes[0]);
    position_of(particles, first[2], side);
    for (int d = 0; d < 3; d++) {
        axes[0][d] -= origin[d];
        side[d] -= origin[d];
    }
    if (normalize(axes[0])) {
        cross(axes[0], side, axes[2]);
        if (normalize(axes[2])) {
            cross(axes[2], axes[0], axes[1]);
            return;
        }
    }
    static const float world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(axes, world, sizeof world);
}

static void follow(const slv_surface *surface, const moment *particles, size_t vertex) {
    const uint32_t *influence = surface->particles + vertex * surface->influences;
    const float *weight = surface->weights + vertex * surface->influences;
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t n = 0; n < surface->influences; n++) {
        float position[3];
        position_of(particles, influence[n], position);
        for (int d = 0; d < 3; d++) {
            sum[d] += weight[n] * position[d];
        }
    }
    if (surface->offsets && surface->influences >= 3) {
        const float *offset = surface->offsets + 3 * vertex;
        float axes[3][3];
        find_frame(particles, influence, axes);
        for (int d = 0; d < 3; d++) {
            sum[d] += offset[0] * axes[0][d] + offset[1] * axes[1][d] + offset[2] * axes[2][d];
        }
    }
    memcpy(surface->positions + 3 * vertex, sum, sizeof sum);
}

// Each triangle's cross product, twice its area long, goes to its corners: large ones count for more.
static void find_normals(const slv_surface *surface) {
    size_t v = surface->vertex_count;
    memset(surface->normals, 0, 3 * v * sizeof *surface->normals);
    const uint32_t *triangles = surface->whole ? surface->whole : surface->triangles;
    size_t count = surface->whole ? surface->whole_count : surface->triangle_count;
    for (size_t t = 0; t < count; t++) {
        const uint32_t *corner = triangles + 3 * t;
        const float *p = surface->positions + 3 * (size_t)corner[0];
        const float *q = surface->positions + 3 * (size_t)corner[1];
        const float *r = surface->positions + 3 * (size_t)corner[2];
        const float a[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        const float b[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
        float area[3];
        cross(a, b, area);
        for (int n = 0; n < 3; n++) {
            for (size_t d = 0; d < 3; d++) {
                surface->normals[3 * (size_t)corner[n] + d] += area[d];
            }
        }
    }
    for (size_t i = 0; i < v; i++) {
        float *normal = surface->normals + 3 * i;
        if (!normalize(normal)) { // a vertex of no area: any unit vector will do
            normal[1] = 1.0f;
        }
    }
}

void slv_surface_update(slv_surface *surface, const slv_particle_view *now,
                        const slv_particle_view *before, float fraction) {
    if (surface->current && !(surface->fraction < fraction) && !(surface->fraction > fraction)) {
        return;
    }
    const moment shown = {now, before, fraction};
    for (size_t i = 0; i < surface->vertex_count; i++) {
        follow(surface, &shown, i);
    }
    find_normals(surface);
    surface->current = true;
    surface->fraction = fraction;
}

slv_surface_view slv_surface_get_view(const slv_surface *surface) {
    return (slv_surface_view){
        .vertex_count = surface->vertex_count,
        .triangle_count = surface->whole ? surface->whole_count : surface->triangle_count,
        .positions = surface->positions,
        .normals = surface->normals,
        .uvs = surface->uvs,
        .triangles = surface->whole ? surface->whole : surface->triangles,
    };
}
