// SPDX-License-Identifier: MIT
#include "bench/bench_mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The surface of a cube of unit cells, projected to a sphere, then displaced by Chebyshev
// polynomials, which need no sine.

typedef struct cube {
    uint32_t divisions;
    uint32_t *numbers; // [(divisions + 1)^3] point numbers; UINT32_MAX inside the cube
    slv_mesh *mesh;
} cube;

static double chebyshev(int degree, double x) {
    double before = 1.0;
    double now = x;
    for (int k = 2; k <= degree; k++) {
        const double next = 2.0 * x * now - before;
        before = now;
        now = next;
    }
    return now;
}

static void compute_point(const cube *c, const uint32_t at[3], double point[3]) {
    double direction[3];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] = 2.0 * at[axis] / c->divisions - 1.0;
        square += direction[axis] * direction[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] /= sqrt(square);
    }
    const double radius = 1.0 + 0.07 * chebyshev(6, direction[0]) +
                          0.07 * chebyshev(7, direction[1]) + 0.07 * chebyshev(5, direction[2]);
    static const double size[3] = {0.561, 0.588, 0.467};
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = size[axis] * radius * direction[axis];
    }
}

static uint32_t point_at(cube *c, const uint32_t at[3]) {
    const size_t side = (size_t)c->divisions + 1;
    uint32_t *number = &c->numbers[at[0] + side * (at[1] + side * at[2])];
    if (*number == UINT32_MAX) {
        *number = c->mesh->point_count++;
        compute_point(c, at, c->mesh->points + 3 * (size_t)*number);
    }
    return *number;
}

// One square of the side where coordinate `axis` is 0 or `divisions`.
static void add_square(cube *c, int axis, bool far, uint32_t i, uint32_t j) {
    static const uint32_t steps[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    uint32_t corners[4];
    for (int k = 0; k < 4; k++) {
        uint32_t at[3];
        at[axis] = far ? c->divisions : 0;
        at[(axis + 1) % 3] = i + steps[k][0];
        at[(axis + 2) % 3] = j + steps[k][1];
        corners[far ? k : 3 - k] = point_at(c, at);
    }
    uint32_t *triangle = c->mesh->triangles + 3 * (size_t)c->mesh->triangle_count;
    const uint32_t made[6] = {corners[0], corners[1], corners[2],
                              corners[0], corners[2], corners[3]};
    memcpy(triangle, made, sizeof made);
    c->mesh->triangle_count += 2;
}

static slv_result reserve(cube *c, slv_error *error) {
    const size_t n = c->divisions;
    const size_t side = n + 1;
    slv_mesh *mesh = c->mesh;
    const size_t points = 6 * n * n + 2;
    c->numbers = malloc(side * side * side * sizeof *c->numbers);
    mesh->points = malloc(3 * points * sizeof *mesh->points);
    mesh->vertex_point = malloc(points * sizeof *mesh->vertex_point);
    mesh->vertex_source = malloc(points * sizeof *mesh->vertex_source);
    mesh->normals = calloc(3 * points, sizeof *mesh->normals);
    mesh->triangles = malloc(36 * n * n * sizeof *mesh->triangles);
    if (c->numbers == NULL || mesh->points == NULL || mesh->vertex_point == NULL ||
        mesh->vertex_source == NULL || mesh->normals == NULL || mesh->triangles == NULL) {
        free(c->numbers);
        slv_mesh_free(mesh);
        (void)slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the benchmark's mesh");
        return SLV_ERROR_MEMORY;
    }
    memset(c->numbers, 0xFF, side * side * side * sizeof *c->numbers);
    return SLV_OK;
}

slv_result slv_bench_mesh_create(uint32_t divisions, slv_mesh *mesh, slv_error *error) {
    *mesh = (slv_mesh){0};
    cube c = {.divisions = divisions, .mesh = mesh};
    const slv_result result = reserve(&c, error);
    if (result != SLV_OK) {
        return result;
    }
    for (int side = 0; side < 6; side++) {
        for (uint32_t i = 0; i < divisions; i++) {
            for (uint32_t j = 0; j < divisions; j++) {
                add_square(&c, side / 2, side % 2 == 1, i, j);
            }
        }
    }
    free(c.numbers);
    mesh->vertex_count = mesh->point_count;
    mesh->file_vertex_count = mesh->point_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        mesh->vertex_point[v] = v;
        mesh->vertex_source[v] = v;
    }
    return SLV_OK;
}

slv_result slv_bench_mesh_write_obj(const slv_mesh *mesh, const char *path, slv_error *error) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return slv_fail(error, SLV_ERROR_FILE, "cannot write %s", path);
    }
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        const double *at = mesh->points + 3 * (size_t)p;
        fprintf(file, "v %.9g %.9g %.9g\n", at[0], at[1], at[2]);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t points[3];
        slv_mesh_corner_points(mesh, t, points);
        fprintf(file, "f %u %u %u\n", points[0] + 1, points[1] + 1, points[2] + 1);
    }
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        return slv_fail(error, SLV_ERROR_FILE, "cannot write %s", path);
    }
    return SLV_OK;
}
