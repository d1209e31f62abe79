// SPDX-License-Identifier: MIT
#include "runtime/player/view/cloth_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// --- Vertices at one position --------------------------------------------------------------------

static bool same_floats(const float *a, const float *b, size_t count) {
    size_t i = 0;
    while (i < count && a[i] == b[i]) {
        i++;
    }
    return i == count;
}

static bool same_binding(const slv_garment_structure *a, uint32_t u, uint32_t v) {
    const size_t n = a->influence_count;
    return memcmp(a->influences + u * n, a->influences + v * n, n * sizeof *a->influences) == 0 &&
           same_floats(a->weights + u * n, a->weights + v * n, n) &&
           (!a->offsets || same_floats(a->offsets + 3 * (size_t)u, a->offsets + 3 * (size_t)v, 3));
}

static uint32_t hash_binding(const slv_garment_structure *a, uint32_t vertex) {
    uint32_t hash = 2166136261u;
    for (size_t n = 0; n < a->influence_count; n++) {
        hash = (hash ^ a->influences[vertex * (size_t)a->influence_count + n]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

// For each vertex the first vertex at the same position, by open addressing. NULL without memory.
static uint32_t *find_twins(const slv_garment_structure *a) {
    size_t room = 16;
    while (room < 2 * (size_t)a->vertex_count) {
        room *= 2;
    }
    uint32_t *twin = malloc((a->vertex_count + 1) * sizeof *twin);
    uint32_t *table = malloc(room * sizeof *table);
    if (table) {
        memset(table, 0xFF, room * sizeof *table);
    }
    for (uint32_t v = 0; twin && table && v < a->vertex_count; v++) {
        size_t at = hash_binding(a, v) & (room - 1);
        while (table[at] != UINT32_MAX && !same_binding(a, table[at], v)) {
            at = (at + 1) & (room - 1);
        }
        table[at] = table[at] == UINT32_MAX ? v : table[at];
        twin[v] = table[at];
    }
    if (table == NULL) {
        free(twin);
        twin = NULL;
    }
    free(table);
    return twin;
}

// --- Rings ---------------------------------------------------------------------------------------

// Counting sort of triangle corners by the first vertex at their position.
static void fill_rings(slv_cloth_mesh *mesh, const slv_garment_structure *a, const uint32_t *twin) {
    const size_t corners = 3 * (size_t)a->triangle_count;
    uint32_t *span = mesh->ring_spans;
    for (size_t c = 0; c < corners; c++) {
        span[2 * (size_t)twin[a->triangles[c]] + 1]++;
    }
    uint32_t next = 0;
    for (size_t v = 0; v < a->vertex_count; v++) {
        const uint32_t count = span[2 * v + 1];
        span[2 * v] = span[2 * v + 1] = next;
        next += count;
    }
    for (size_t c = 0; c < corners; c++) {
        const size_t first = c - c % 3;
        const uint32_t at = span[2 * (size_t)twin[a->triangles[c]] + 1]++;
        mesh->rings[2 * (size_t)at] = a->triangles[first + (c + 1) % 3];
        mesh->rings[2 * (size_t)at + 1] = a->triangles[first + (c + 2) % 3];
    }
    for (size_t v = 0; v < a->vertex_count; v++) {
        memcpy(span + 2 * v, span + 2 * (size_t)twin[v], 2 * sizeof *span);
    }
}

// --- Texture coordinates -------------------------------------------------------------------------

static void find_position(const slv_garment_structure *a, const float *positions, size_t vertex,
                          float position[3]) {
    memset(position, 0, 3 * sizeof *position);
    for (size_t n = 0; n < a->influence_count; n++) {
        const size_t at = vertex * a->influence_count + n;
        for (size_t d = 0; d < 3; d++) {
            position[d] += a->weights[at] * positions[3 * (size_t)a->influences[at] + d];
        }
    }
}

// Twice the area of a triangle in space and in the texture.
static void find_areas(const slv_garment_structure *a, const slv_cloth_mesh *mesh,
                       const float *positions, const uint32_t *corner, double *space,
                       double *texture) {
    float p[3][3];
    for (int n = 0; n < 3; n++) {
        find_position(a, positions, corner[n], p[n]);
    }
    const double u[3] = {(double)(p[1][0] - p[0][0]), (double)(p[1][1] - p[0][1]),
                         (double)(p[1][2] - p[0][2])};
    const double v[3] = {(double)(p[2][0] - p[0][0]), (double)(p[2][1] - p[0][1]),
                         (double)(p[2][2] - p[0][2])};
    const double x = u[1] * v[2] - u[2] * v[1];
    const double y = u[2] * v[0] - u[0] * v[2];
    const double z = u[0] * v[1] - u[1] * v[0];
    const float *s = mesh->uvs + 2 * (size_t)corner[0];
    const float *t = mesh->uvs + 2 * (size_t)corner[1];
    const float *r = mesh->uvs + 2 * (size_t)corner[2];
    *space = sqrt(x * x + y * y + z * z);
    *texture = fabs((double)((t[0] - s[0]) * (r[1] - s[1]) - (t[1] - s[1]) * (r[0] - s[0])));
}

// Without UVs: a projection along two axes at once, so that no orientation degenerates.
static void fill_uvs(slv_cloth_mesh *mesh, const slv_garment_structure *a, const float *positions) {
    for (size_t v = 0; v < a->vertex_count; v++) {
        float p[3];
        find_position(a, positions, v, p);
        mesh->uvs[2 * v] = a->uvs ? a->uvs[2 * v] : p[0] + 0.618f * p[2];
        mesh->uvs[2 * v + 1] = a->uvs ? a->uvs[2 * v + 1] : p[1] - 0.618f * p[2];
    }
    double space = 0.0;
    double texture = 0.0;
    const size_t stride = a->triangle_count / 1000 + 1; // about 1000 triangles suffice for a mean
    for (size_t t = 0; t < a->triangle_count; t += stride) {
        double one = 0.0;
        double other = 0.0;
        find_areas(a, mesh, positions, a->triangles + 3 * t, &one, &other);
        space += one;
        texture += other;
    }
    mesh->uv_metres = space > 0.0 && texture > 0.0 ? (float)sqrt(space / texture) : 1.0f;
}

// --- All together --------------------------------------------------------------------------------

static bool is_direct(const slv_garment_structure *a) {
    bool direct = a->influence_count == 1 && !a->offsets && a->vertex_count <= a->particle_count;
    for (uint32_t v = 0; direct && v < a->vertex_count; v++) {
        direct = a->influences[v] == v && a->weights[v] == 1.0f;
    }
    return direct;
}

bool slv_cloth_mesh_make(slv_cloth_mesh *mesh, const slv_garment_structure *a,
                         const float *positions) {
    const size_t v = a->vertex_count;
    const size_t links = v * a->influence_count;
    *mesh = (slv_cloth_mesh){.direct = is_direct(a)};
    mesh->influences = malloc((links + 1) * 2 * sizeof *mesh->influences);
    mesh->ring_spans = calloc(v + 1, 2 * sizeof *mesh->ring_spans);
    mesh->rings = malloc((3 * (size_t)a->triangle_count + 1) * 2 * sizeof *mesh->rings);
    mesh->uvs = malloc((v + 1) * 2 * sizeof *mesh->uvs);
    uint32_t *twin = find_twins(a);
    const bool made = mesh->influences && mesh->ring_spans && mesh->rings && mesh->uvs && twin;
    for (size_t i = 0; made && i < links; i++) {
        mesh->influences[2 * i] = a->influences[i];
        mesh->influences[2 * i + 1] = bits_of(a->weights[i]);
    }
    if (made) {
        fill_rings(mesh, a, twin);
        fill_uvs(mesh, a, positions);
    }
    free(twin);
    return made;
}

void slv_cloth_mesh_free(slv_cloth_mesh *mesh) {
    free(mesh->influences);
    free(mesh->ring_spans);
    free(mesh->rings);
    free(mesh->uvs);
    *mesh = (slv_cloth_mesh){.direct = false};
}

// --- Constraints at vertices ---------------------------------------------------------------------

// Counting sort: starts[p] is the first entry of particle p in list, which holds constraint indices.
static void list_constraints(const slv_garment_structure *a, uint32_t *starts, uint32_t *list) {
    for (uint32_t c = 0; c < a->distance_count; c++) {
        starts[a->constraints[c].a + 1]++;
        starts[a->constraints[c].b + 1]++;
    }
    for (uint32_t p = 0; p < a->particle_count; p++) {
        starts[p + 1] += starts[p];
    }
    for (uint32_t c = a->distance_count;
         c-- > 0;) { // backwards, so that starts ends at the first entries
        list[--starts[a->constraints[c].a + 1]] = c;
        list[--starts[a->constraints[c].b + 1]] = c;
    }
}

bool slv_cloth_mesh_segments(const slv_garment_structure *a, uint32_t **spans, uint32_t **segments,
                             size_t *count) {
    const size_t ends = 2 * (size_t)a->distance_count;
    uint32_t *starts = calloc((size_t)a->particle_count + 2, sizeof *starts);
    uint32_t *list = malloc((ends + 1) * sizeof *list);
    *spans = malloc(((size_t)a->vertex_count + 1) * sizeof **spans);
    *segments = NULL;
    *count = 0;
    if (starts && list && *spans) {
        list_constraints(a, starts, list);
        starts[a->particle_count + 1] = (uint32_t)ends;
        for (uint32_t v = 0; v < a->vertex_count; v++) {
            const uint32_t p = a->influences[v * (size_t)a->influence_count];
            *count += starts[p + 2] - starts[p + 1];
        }
        *segments = malloc((*count + 1) * 3 * sizeof **segments);
    }
    size_t at = 0;
    for (uint32_t v = 0; *segments && v < a->vertex_count; v++) {
        const uint32_t p = a->influences[v * (size_t)a->influence_count];
        (*spans)[v] = (uint32_t)at;
        for (uint32_t n = starts[p + 1]; n < starts[p + 2]; n++, at++) {
            const slv_constraint *c = &a->constraints[list[n]];
            (*segments)[3 * at] = c->a;
            (*segments)[3 * at + 1] = c->b;
            (*segments)[3 * at + 2] = bits_of(c->rest);
        }
    }
    if (*segments) {
        (*spans)[a->vertex_count] = (uint32_t)at;
    }
    free(starts);
    free(list);
    return *segments != NULL;
}
