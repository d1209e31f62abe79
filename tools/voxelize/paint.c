// SPDX-License-Identifier: MIT
#include "tools/voxelize/paint.h"

#include "tools/common/parallel.h"
#include "tools/voxelize/bvh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTICLES_PER_TASK = 256 };

// --- On points -----------------------------------------------------------------------------------

slv_result slv_paint_points(const slv_mesh *mesh, slv_garment_builder *builder, slv_error *error) {
    if (mesh->paint == NULL) {
        return SLV_OK;
    }
    const size_t points = mesh->point_count;
    uint8_t *paint = slv_builder_array(builder, points, 4 * sizeof *paint, error);
    uint32_t *vertices = slv_builder_array(builder, points, sizeof *vertices, error);
    uint64_t *sums = slv_builder_array(builder, points, 4 * sizeof *sums, error);
    if (paint == NULL || vertices == NULL || sums == NULL) {
        return SLV_ERROR_MEMORY;
    }
    memset(vertices, 0, points * sizeof *vertices);
    memset(sums, 0, points * 4 * sizeof *sums);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const size_t point = mesh->vertex_point[v];
        vertices[point]++;
        for (size_t k = 0; k < 4; k++) {
            sums[4 * point + k] += mesh->paint[4 * v + k];
        }
    }
    for (size_t n = 0; n < 4 * points; n++) { // every point has at least one vertex
        paint[n] = (uint8_t)((sums[n] + vertices[n / 4] / 2) / vertices[n / 4]);
    }
    builder->garment.paint = paint;
    return SLV_OK;
}

// --- The nearest point of a triangle -------------------------------------------------------------

typedef struct nearest_point {
    double square; // squared distance, cells
    uint32_t triangle;
    double weight[3]; // barycentric
} nearest_point;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Barycentric weights of a point on the edge from corner `from` to corner `to`.
static void set_edge_weights(double weight[3], int from, int to, double along) {
    weight[from] = 1.0 - along;
    weight[to] = along;
    weight[3 - from - to] = 0.0;
}

// Barycentric weights of the nearest point of a triangle (Ericson, Real-Time Collision Detection,
// 5.1.5). p: the point relative to corner a; ab, ac: the other corners relative to a.
static void find_barycentric(const double p[3], const double ab[3], const double ac[3],
                             double weight[3]) {
    const double d1 = dot(ab, p);
    const double d2 = dot(ac, p);
    const double bb = dot(ab, ab);
    const double bc = dot(ab, ac);
    const double cc = dot(ac, ac);
    const double d3 = d1 - bb; // as d1 and d2, relative to b
    const double d4 = d2 - bc;
    const double d5 = d1 - bc; // relative to c
    const double d6 = d2 - cc;
    const double over_ab = d1 * d4 - d3 * d2; // barycentric weights times the area
    const double over_ac = d5 * d2 - d1 * d6;
    const double over_bc = d3 * d6 - d5 * d4;
    if (d1 <= 0.0 && d2 <= 0.0) {
        set_edge_weights(weight, 0, 1, 0.0);
    } else if (d3 >= 0.0 && d4 <= d3) {
        set_edge_weights(weight, 1, 0, 0.0);
    } else if (d6 >= 0.0 && d5 <= d6) {
        set_edge_weights(weight, 2, 0, 0.0);
    } else if (over_ab <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        set_edge_weights(weight, 0, 1, d1 / (d1 - d3));
    } else if (over_ac <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        set_edge_weights(weight, 0, 2, d2 / (d2 - d6));
    } else if (over_bc <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        set_edge_weights(weight, 1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    } else {
        // Clamped: for a nearly degenerate triangle only rounding errors are left.
        const double all = over_ab + over_ac + over_bc;
        weight[1] = all > 0.0 ? fmin(fmax(over_ac / all, 0.0), 1.0) : 0.0;
        weight[2] = all > 0.0 ? fmin(fmax(over_ab / all, 0.0), 1.0 - weight[1]) : 0.0;
        weight[0] = 1.0 - weight[1] - weight[2];
    }
}

static nearest_point nearest_of_triangle(const slv_snapped *snapped, uint32_t triangle,
                                         const double cell_position[3]) {
    const double unit = ldexp(1.0, -(int)snapped->fraction_bits);
    double corner[3][3];
    double p[3];
    for (int c = 0; c < 3; c++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[c][axis] = (double)slv_snapped_corner(snapped, triangle, c)[axis] * unit;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = cell_position[axis] - corner[0][axis];
        corner[1][axis] -= corner[0][axis];
        corner[2][axis] -= corner[0][axis];
    }
    nearest_point found = {.triangle = triangle};
    find_barycentric(p, corner[1], corner[2], found.weight);
    for (int axis = 0; axis < 3; axis++) {
        p[axis] -= found.weight[1] * corner[1][axis] + found.weight[2] * corner[2][axis];
    }
    found.square = dot(p, p);
    return found;
}

// --- The nearest of all triangles ----------------------------------------------------------------

typedef struct painter {
    const slv_mesh *mesh;
    const slv_garment *garment;
    const slv_lattice *lattice;
    slv_snapped snapped;
    slv_bvh bvh;
    uint8_t *paint;
} painter;

// Squared distance from a point to the box of a child; 0 inside. Boxes are rounded outwards, so
// this is a lower bound except for the rounding of this sum.
static double square_to_box(const slv_bvh_node *node, int child, const double cell_position[3]) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = (double)node->min[child][axis] - cell_position[axis];
        const double above = cell_position[axis] - (double)node->max[child][axis];
        const double gap = fmax(fmax(below, above), 0.0);
        square += gap * gap;
    }
    return square;
}

static void search_leaf(const painter *work, int32_t leaf, const double cell_position[3],
                        nearest_point *best) {
    for (uint32_t n = work->bvh.starts[leaf]; n < work->bvh.starts[leaf + 1]; n++) {
        const nearest_point found =
            nearest_of_triangle(&work->snapped, work->bvh.order[n], cell_position);
        if (found.square < best->square ||
            (found.square == best->square && found.triangle < best->triangle)) {
            *best = found;
        }
    }
}

// Nearest child first; subtrees farther than the best point so far are skipped.
static nearest_point find_nearest(const painter *work, const double cell_position[3]) {
    const double rounding = 1.0 + 1e-12;
    nearest_point best = {.square = HUGE_VAL, .triangle = UINT32_MAX};
    struct {
        int32_t node;
        double square;
    } stack[SLV_BVH_DEPTH + 2] = {{0, 0.0}};
    unsigned depth = 1;
    while (depth > 0) {
        depth--;
        const int32_t at = stack[depth].node;
        if (stack[depth].square > best.square * rounding) {
            continue;
        }
        if (at < 0) {
            search_leaf(work, ~at, cell_position, &best);
            continue;
        }
        const slv_bvh_node *node = &work->bvh.nodes[at];
        const double square[2] = {square_to_box(node, 0, cell_position),
                                  square_to_box(node, 1, cell_position)};
        const int nearer = square[1] < square[0] ? 1 : 0;
        for (int turn = 0; turn < 2; turn++) {
            const int child = turn == 0 ? 1 - nearer : nearer; // the nearer one is pushed last
            if (node->count[child] > 0) {
                stack[depth].node = node->child[child];
                stack[depth++].square = square[child];
            }
        }
    }
    return best;
}

static void paint_particle(const painter *work, size_t stored) {
    const slv_garment *garment = work->garment;
    const float at[3] = {garment->x[stored], garment->y[stored], garment->z[stored]};
    double cell_position[3];
    for (int axis = 0; axis < 3; axis++) {
        cell_position[axis] =
            ((double)at[axis] - work->lattice->origin[axis]) / work->lattice->spacing;
    }
    const nearest_point nearest = find_nearest(work, cell_position);
    const uint32_t *corners = &work->mesh->triangles[3 * (size_t)nearest.triangle];
    for (size_t k = 0; k < 4; k++) {
        double value = 0.0;
        for (size_t c = 0; c < 3; c++) {
            value += nearest.weight[c] * (double)work->mesh->paint[4 * (size_t)corners[c] + k];
        }
        work->paint[4 * stored + k] = (uint8_t)(fmin(fmax(value, 0.0), 255.0) + 0.5);
    }
}

static void paint_particles(void *context, size_t task, unsigned worker) {
    (void)worker;
    const painter *work = context;
    const size_t count = work->garment->info.particle_count;
    const size_t first = task * PARTICLES_PER_TASK;
    const size_t end = first + PARTICLES_PER_TASK < count ? first + PARTICLES_PER_TASK : count;
    for (size_t stored = first; stored < end; stored++) {
        paint_particle(work, stored);
    }
}

slv_result slv_paint_grid(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads,
                          slv_garment_builder *builder, slv_error *error) {
    if (mesh->paint == NULL) {
        return SLV_OK;
    }
    const size_t count = builder->garment.info.particle_count;
    painter work = {.mesh = mesh, .garment = &builder->garment, .lattice = lattice};
    work.paint = slv_builder_array(builder, count, 4 * sizeof *work.paint, error);
    if (work.paint == NULL) {
        return SLV_ERROR_MEMORY;
    }
    slv_result result = slv_snapped_create(mesh, lattice, &work.snapped, error);
    if (result == SLV_OK) {
        result = slv_bvh_create(&work.snapped, threads, &work.bvh, error);
    }
    if (result == SLV_OK) {
        slv_parallel_for(threads, (count + PARTICLES_PER_TASK - 1) / PARTICLES_PER_TASK,
                         paint_particles, &work);
        builder->garment.paint = work.paint;
    }
    slv_bvh_free(&work.bvh);
    slv_snapped_free(&work.snapped);
    return result;
}
