// SPDX-License-Identifier: MIT
#include "tools/voxelize/shapes.h"

#include "kernels/types.h"

#include <stdlib.h>

// The surface of a shape consists of rectangles of samples in one layer of the lattice. Rectangles
// share no vertices, so that the edges of a box stay sharp.
typedef struct rectangle {
    int u, v, w;     // axes: u and v in the plane, w normal to it; u cross v = +w
    uint32_t layer;  // along w
    bool faces_plus; // outside is along +w
} rectangle;

typedef struct render_arrays {
    float *positions, *normals, *uvs, *weights;
    uint32_t *triangles, *particles;
    uint32_t vertex_count, triangle_count;
    uint32_t *vertex_of; // scratch, of one rectangle: vertex at (a, b), NO_VERTEX for none
} render_arrays;

#define NO_VERTEX UINT32_MAX

// Rectangles of the shape; at most six.
static size_t list_rectangles(const slv_shape *shape, rectangle rectangles[6]) {
    size_t count = 0;
    if (shape->kind == SLV_SHAPE_GRID || shape->kind == SLV_SHAPE_PONCHO) {
        rectangles[count++] = (rectangle){.u = 2, .v = 0, .w = 1, .layer = 0, .faces_plus = true};
    } else if (shape->kind == SLV_SHAPE_BOX) {
        for (int w = 0; w < 3; w++) {
            const int u = (w + 1) % 3;
            const int v = (w + 2) % 3;
            rectangles[count++] = (rectangle){u, v, w, 0, false};
            rectangles[count++] = (rectangle){u, v, w, shape->cells[w] - 1, true};
        }
    }
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) { // one sample wide: no area
        if (shape->cells[rectangles[n].u] > 1 && shape->cells[rectangles[n].v] > 1) {
            rectangles[kept++] = rectangles[n];
        }
    }
    return kept;
}

// UVs are 0 … 1 along x (then z, then y), so that the texture of a grid follows its indices.
static void set_uv(const slv_shape *shape, const rectangle *face, uint32_t a, uint32_t b,
                   float uv[2]) {
    const float along_u = (float)a / (float)(shape->cells[face->u] - 1);
    const float along_v = (float)b / (float)(shape->cells[face->v] - 1);
    uv[0] = along_v;
    uv[1] = along_u;
}

static void add_vertex(const slv_shape *shape, const slv_grid_index *index, const rectangle *face,
                       uint32_t a, uint32_t b, render_arrays *out) {
    uint32_t sample[3];
    sample[face->u] = a;
    sample[face->v] = b;
    sample[face->w] = face->layer;
    const int32_t stored = slv_grid_index_find(index, sample[0], sample[1], sample[2]);
    uint32_t *vertex = &out->vertex_of[(size_t)b * shape->cells[face->u] + a];
    if (stored == SLV_NO_NEIGHBOR) {
        *vertex = NO_VERTEX;
        return;
    }
    *vertex = out->vertex_count++;
    const size_t n = *vertex;
    for (int axis = 0; axis < 3; axis++) {
        out->positions[3 * n + (size_t)axis] = (float)(sample[axis] * index->lattice.spacing);
        out->normals[3 * n + (size_t)axis] = 0;
    }
    out->normals[3 * n + (size_t)face->w] = face->faces_plus ? 1 : -1;
    set_uv(shape, face, a, b, &out->uvs[2 * n]);
    out->particles[n] = (uint32_t)stored;
    out->weights[n] = 1;
}

static void add_triangle(const rectangle *face, uint32_t p, uint32_t q, uint32_t r,
                         render_arrays *out) {
    uint32_t *corners = &out->triangles[3 * (size_t)out->triangle_count++];
    corners[0] = p;
    corners[1] = face->faces_plus ? q : r;
    corners[2] = face->faces_plus ? r : q;
}

// The quad between (a, b) and (a + 1, b + 1). Diagonals alternate to avoid a preferred direction.
static void add_quad(const slv_shape *shape, const rectangle *face, uint32_t a, uint32_t b,
                     render_arrays *out) {
    const size_t width = shape->cells[face->u];
    const uint32_t *row = &out->vertex_of[(size_t)b * width + a];
    const uint32_t p = row[0];
    const uint32_t q = row[1];
    const uint32_t r = row[width + 1];
    const uint32_t s = row[width];
    if (p == NO_VERTEX || q == NO_VERTEX || r == NO_VERTEX || s == NO_VERTEX) {
        return;
    }
    if (((a + b) & 1u) == 0) {
        add_triangle(face, p, q, r, out);
        add_triangle(face, p, r, s, out);
    } else {
        add_triangle(face, p, q, s, out);
        add_triangle(face, q, r, s, out);
    }
}

static void add_rectangle(const slv_shape *shape, const slv_grid_index *index,
                          const rectangle *face, render_arrays *out) {
    for (uint32_t a = 0; a < shape->cells[face->u]; a++) {
        for (uint32_t b = 0; b < shape->cells[face->v]; b++) { // a grid's own order: x fastest
            add_vertex(shape, index, face, a, b, out);
        }
    }
    for (uint32_t b = 0; b + 1 < shape->cells[face->v]; b++) {
        for (uint32_t a = 0; a + 1 < shape->cells[face->u]; a++) {
            add_quad(shape, face, a, b, out);
        }
    }
}

static bool allocate(slv_garment_builder *builder, uint64_t vertices, render_arrays *out,
                     slv_error *error) {
    return (out->positions = slv_builder_array(builder, vertices, 3 * sizeof(float), error)) !=
               NULL &&
           (out->normals = slv_builder_array(builder, vertices, 3 * sizeof(float), error)) !=
               NULL &&
           (out->uvs = slv_builder_array(builder, vertices, 2 * sizeof(float), error)) != NULL &&
           (out->weights = slv_builder_array(builder, vertices, sizeof(float), error)) != NULL &&
           (out->particles = slv_builder_array(builder, vertices, sizeof(uint32_t), error)) !=
               NULL &&
           (out->triangles =
                slv_builder_array(builder, 2 * vertices, 3 * sizeof(uint32_t), error)) != NULL;
}

slv_result slv_add_shape_render_mesh(const slv_shape *shape, const slv_grid_index *index,
                                     slv_garment_builder *builder, slv_error *error) {
    rectangle rectangles[6];
    const size_t rectangle_count = list_rectangles(shape, rectangles);
    if (rectangle_count == 0) {
        return SLV_OK;
    }
    uint64_t vertices = 0;
    uint64_t largest = 1;
    for (size_t n = 0; n < rectangle_count; n++) {
        const uint64_t samples =
            (uint64_t)shape->cells[rectangles[n].u] * shape->cells[rectangles[n].v];
        vertices += samples;
        largest = samples > largest ? samples : largest;
    }
    render_arrays out = {0};
    if (vertices > UINT32_MAX / 2) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "the shape's surface has more than 2^31 vertices");
    }
    out.vertex_of = malloc((size_t)largest * sizeof *out.vertex_of);
    if (out.vertex_of == NULL || !allocate(builder, vertices, &out, error)) {
        free(out.vertex_of);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the mesh of the shape");
    }
    for (size_t n = 0; n < rectangle_count; n++) {
        add_rectangle(shape, index, &rectangles[n], &out);
    }
    free(out.vertex_of);
    builder->garment.render = (slv_render_mesh){.vertex_count = out.vertex_count,
                                                .triangle_count = out.triangle_count,
                                                .positions = out.positions,
                                                .normals = out.normals,
                                                .uvs = out.uvs,
                                                .triangles = out.triangles,
                                                .influences = 1,
                                                .particles = out.particles,
                                                .weights = out.weights};
    return SLV_OK;
}
