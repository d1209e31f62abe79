// SPDX-License-Identifier: MIT
#include "tools/voxelize/tetrahedral_garment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the mean mass of a particle, at least: extreme mass ratios slow down convergence.
static const double LEAST_MASS = 1e-3;

// Records to be sorted by their point numbers: an edge has two, a face three.
typedef struct face {
    uint32_t sorted[3];
    uint32_t wound[3]; // counterclockwise seen from outside
} face;

static int compare_edges(const void *left, const void *right) {
    const uint32_t *a = left;
    const uint32_t *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static int compare_faces(const void *left, const void *right) {
    const face *a = left;
    const face *b = right;
    for (int i = 0; i < 3; i++) {
        if (a->sorted[i] != b->sorted[i]) {
            return a->sorted[i] > b->sorted[i] ? 1 : -1;
        }
    }
    return 0;
}

static double six_volumes(const slv_tetrahedral_mesh *mesh, const uint32_t corners[4]) {
    double e[3][3];
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++) {
            e[c][d] = mesh->points[corners[c + 1]][d] - mesh->points[corners[0]][d];
        }
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

// --- Particles -----------------------------------------------------------------------------------

// Far from the origin float32 loses precision: coordinates are then relative to the center.
static void choose_frame(const slv_tetrahedral_mesh *mesh, double frame[3]) {
    double low[3];
    double high[3];
    double far = 0;
    double size = 0;
    for (int d = 0; d < 3; d++) {
        low[d] = high[d] = mesh->points[0][d];
        for (uint32_t p = 1; p < mesh->point_count; p++) {
            low[d] = fmin(low[d], mesh->points[p][d]);
            high[d] = fmax(high[d], mesh->points[p][d]);
        }
        far = fmax(far, fmax(fabs(low[d]), fabs(high[d])));
        size = fmax(size, high[d] - low[d]);
    }
    for (int d = 0; d < 3; d++) {
        frame[d] = far > 1000 * size ? 0.5 * (low[d] + high[d]) : 0;
    }
}

static slv_result add_particles(const slv_tetrahedral_mesh *mesh, slv_garment_builder *builder,
                                slv_error *error) {
    slv_garment *garment = &builder->garment;
    const uint32_t n = mesh->point_count;
    float *axis[3];
    for (int d = 0; d < 3; d++) {
        axis[d] = slv_builder_array(builder, n, sizeof *axis[d], error);
    }
    uint32_t *order = slv_builder_array(builder, n, sizeof *order, error);
    slv_color_range *colors = slv_builder_array(builder, 1, sizeof *colors, error);
    if (!axis[0] || !axis[1] || !axis[2] || !order || !colors) {
        return SLV_ERROR_MEMORY;
    }
    choose_frame(mesh, garment->info.frame);
    for (uint32_t p = 0; p < n; p++) {
        order[p] = p;
        for (int d = 0; d < 3; d++) {
            axis[d][p] = (float)(mesh->points[p][d] - garment->info.frame[d]);
        }
    }
    *colors = (slv_color_range){.color = SLV_UNCOLORED, .count = n};
    garment->info.particle_count = n;
    garment->info.mode = SLV_GARMENT_SURFACE;
    garment->x = axis[0];
    garment->y = axis[1];
    garment->z = axis[2];
    garment->own_of_stored = order;
    garment->stored_of_own = order;
    garment->colors = colors;
    garment->color_count = 1;
    slv_builder_measure_bounds(builder);
    return SLV_OK;
}

// --- Constraints ---------------------------------------------------------------------------------

static slv_result add_tetrahedra(const slv_tetrahedral_mesh *mesh, slv_garment_builder *builder,
                                 slv_tetrahedral_facts *facts, slv_error *error) {
    const uint32_t m = mesh->tetrahedron_count;
    uint32_t *ends[4];
    for (int c = 0; c < 4; c++) {
        ends[c] = slv_builder_array(builder, m, sizeof *ends[c], error);
    }
    float *rest = slv_builder_array(builder, m, sizeof *rest, error);
    facts->weights = calloc((size_t)mesh->point_count + 1, sizeof *facts->weights);
    if (!ends[0] || !ends[1] || !ends[2] || !ends[3] || !rest || !facts->weights) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for tetrahedra");
    }
    for (uint32_t t = 0; t < m; t++) {
        const double six = six_volumes(mesh, mesh->corners[t]);
        const bool turned = six < 0;
        for (int c = 0; c < 4; c++) {
            ends[c][t] = mesh->corners[t][turned && c > 1 ? 5 - c : c];
            facts->weights[ends[c][t]] += fabs(six) / 24;
        }
        rest[t] = (float)(fabs(six) / 6);
        facts->volume += fabs(six) / 6;
    }
    if (!(facts->volume > 0) || !isfinite(facts->volume)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "its tetrahedra have no volume");
    }
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        facts->weights[p] = fmax(facts->weights[p], LEAST_MASS * facts->volume / mesh->point_count);
    }
    builder->garment.constraints[SLV_CONSTRAINT_TETRAHEDRON] =
        (slv_constraints){m, {ends[0], ends[1], ends[2], ends[3]}, rest};
    return SLV_OK;
}

static slv_result add_springs(const slv_tetrahedral_mesh *mesh, slv_garment_builder *builder,
                              slv_error *error) {
    const size_t room = 6 * (size_t)mesh->tetrahedron_count;
    uint32_t(*edges)[2] = malloc(room * sizeof *edges);
    size_t count = 0;
    if (!edges) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for springs");
    }
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        for (int i = 0; i < 4; i++) {
            for (int j = i + 1; j < 4; j++, count++) {
                const uint32_t a = mesh->corners[t][i];
                const uint32_t b = mesh->corners[t][j];
                edges[count][0] = a < b ? a : b;
                edges[count][1] = a < b ? b : a;
            }
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_edges(edges[kept - 1], edges[i]) != 0) {
            memmove(edges[kept++], edges[i], sizeof *edges);
        }
    }
    uint32_t *a = slv_builder_array(builder, kept, sizeof *a, error);
    uint32_t *b = slv_builder_array(builder, kept, sizeof *b, error);
    float *rest = slv_builder_array(builder, kept, sizeof *rest, error);
    double sum = 0;
    for (size_t i = 0; a && b && rest && i < kept; i++) {
        const double *p = mesh->points[edges[i][0]];
        const double *q = mesh->points[edges[i][1]];
        a[i] = edges[i][0];
        b[i] = edges[i][1];
        const double length = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                   (p[2] - q[2]) * (p[2] - q[2]));
        rest[i] = (float)length;
        sum += length;
    }
    free(edges);
    builder->garment.constraints[SLV_CONSTRAINT_DISTANCE] = (slv_constraints){kept, {a, b}, rest};
    builder->garment.info.spacing = (float)(sum / (double)kept);
    return a && b && rest ? SLV_OK : SLV_ERROR_MEMORY;
}

static slv_result add_groups(slv_garment_builder *builder, slv_error *error) {
    slv_constraint_group *groups = slv_builder_array(builder, 2, sizeof *groups, error);
    if (!groups) {
        return SLV_ERROR_MEMORY;
    }
    groups[0] = (slv_constraint_group){
        .kind = SLV_CONSTRAINT_DISTANCE,
        .color = SLV_UNCOLORED,
        .count = builder->garment.constraints[SLV_CONSTRAINT_DISTANCE].count};
    groups[1] = (slv_constraint_group){
        .kind = SLV_CONSTRAINT_TETRAHEDRON,
        .color = SLV_UNCOLORED,
        .count = builder->garment.constraints[SLV_CONSTRAINT_TETRAHEDRON].count};
    builder->garment.groups = groups;
    builder->garment.group_count = 2;
    return SLV_OK;
}

// --- Boundary surface ----------------------------------------------------------------------------

static void sort_three(uint32_t v[3]) {
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (v[j] > v[j + 1]) {
                const uint32_t kept = v[j];
                v[j] = v[j + 1];
                v[j + 1] = kept;
            }
        }
    }
}

// Moves the faces that belong to only one tetrahedron to the front; returns their number.
static size_t find_boundary_faces(const slv_garment *garment, face *faces) {
    static const int sides[4][3] = {
        {0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}; // counterclockwise seen from outside
    const slv_constraints *tetrahedra = &garment->constraints[SLV_CONSTRAINT_TETRAHEDRON];
    size_t count = 0;
    for (uint64_t t = 0; t < tetrahedra->count; t++) {
        for (int s = 0; s < 4; s++, count++) {
            for (int i = 0; i < 3; i++) {
                faces[count].wound[i] = tetrahedra->ends[sides[s][i]][t];
            }
            memcpy(faces[count].sorted, faces[count].wound, sizeof faces[count].wound);
            sort_three(faces[count].sorted);
        }
    }
    qsort(faces, count, sizeof *faces, compare_faces);
    size_t kept = 0;
    for (size_t i = 0, end = 0; i < count; i = end) {
        end = i + 1;
        while (end < count && compare_faces(&faces[i], &faces[end]) == 0) {
            end++;
        }
        if (end == i + 1) {
            faces[kept++] = faces[i];
        }
    }
    return kept;
}

typedef struct boundary_surface {
    float *positions, *normals, *weights;
    uint32_t *triangles, *source;
    uint32_t *number; // [particles] number of the render vertex plus one; 0: none
    double *sums;     // [particles][3] area-weighted normals
} boundary_surface;

static void add_normal(const slv_garment *garment, const uint32_t v[3], double *sums) {
    const float *axis[3] = {garment->x, garment->y, garment->z};
    double e[2][3];
    for (int d = 0; d < 3; d++) {
        e[0][d] = (double)axis[d][v[1]] - (double)axis[d][v[0]];
        e[1][d] = (double)axis[d][v[2]] - (double)axis[d][v[0]];
    }
    const double normal[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1],
                              e[0][2] * e[1][0] - e[0][0] * e[1][2],
                              e[0][0] * e[1][1] - e[0][1] * e[1][0]};
    for (int i = 0; i < 3; i++) {
        for (int d = 0; d < 3; d++) {
            sums[3 * (size_t)v[i] + (size_t)d] += normal[d];
        }
    }
}

static uint32_t number_vertices(const face *faces, size_t count, uint32_t particles,
                                boundary_surface *s) {
    uint32_t vertices = 0;
    for (size_t f = 0; f < count; f++) {
        for (int i = 0; i < 3; i++) {
            s->number[faces[f].wound[i]] = 1;
        }
    }
    for (uint32_t p = 0; p < particles; p++) {
        s->number[p] = s->number[p] ? ++vertices : 0;
    }
    return vertices;
}

static void fill_surface(const slv_garment *garment, const face *faces, size_t count,
                         boundary_surface *s) {
    for (size_t f = 0; f < count; f++) {
        add_normal(garment, faces[f].wound, s->sums);
        for (size_t i = 0; i < 3; i++) {
            s->triangles[3 * f + i] = s->number[faces[f].wound[i]] - 1;
        }
    }
    for (uint32_t p = 0; p < garment->info.particle_count; p++) {
        if (s->number[p] == 0) {
            continue;
        }
        const size_t v = s->number[p] - 1;
        const double *sum = s->sums + 3 * (size_t)p;
        const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        const float position[3] = {garment->x[p], garment->y[p], garment->z[p]};
        for (size_t d = 0; d < 3; d++) {
            s->positions[3 * v + d] = position[d];
            s->normals[3 * v + d] = length > 0 ? (float)(sum[d] / length) : 0.0f;
        }
        s->weights[v] = 1.0f;
        s->source[v] = p;
    }
}

static slv_result add_surface(slv_garment_builder *builder, uint32_t *triangles, slv_error *error) {
    slv_garment *garment = &builder->garment;
    const uint32_t n = garment->info.particle_count;
    face *faces =
        malloc(4 * (size_t)garment->constraints[SLV_CONSTRAINT_TETRAHEDRON].count * sizeof *faces);
    boundary_surface s = {.number = calloc((size_t)n + 1, sizeof *s.number),
                          .sums = calloc(3 * (size_t)n + 1, sizeof *s.sums)};
    slv_result result = SLV_ERROR_MEMORY;
    if (faces && s.number && s.sums) {
        const size_t count = find_boundary_faces(garment, faces);
        const uint32_t v = number_vertices(faces, count, n, &s);
        s.positions = slv_builder_array(builder, 3 * (uint64_t)v, sizeof *s.positions, error);
        s.normals = slv_builder_array(builder, 3 * (uint64_t)v, sizeof *s.normals, error);
        s.weights = slv_builder_array(builder, v, sizeof *s.weights, error);
        s.source = slv_builder_array(builder, v, sizeof *s.source, error);
        s.triangles = slv_builder_array(builder, 3 * count, sizeof *s.triangles, error);
        if (s.positions && s.normals && s.weights && s.source && s.triangles) {
            fill_surface(garment, faces, count, &s);
            garment->render = (slv_render_mesh){.vertex_count = v,
                                                .triangle_count = (uint32_t)count,
                                                .positions = s.positions,
                                                .normals = s.normals,
                                                .triangles = s.triangles,
                                                .source = s.source,
                                                .influences = 1,
                                                .particles = s.source,
                                                .weights = s.weights};
            *triangles = (uint32_t)count;
            result = SLV_OK;
        }
    } else {
        (void)slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the boundary surface");
    }
    free(faces);
    free(s.number);
    free(s.sums);
    return result;
}

slv_result slv_make_tetrahedral_garment(const slv_tetrahedral_mesh *mesh,
                                        slv_garment_builder *builder, slv_tetrahedral_facts *facts,
                                        slv_error *error) {
    *facts = (slv_tetrahedral_facts){0};
    slv_result result = add_particles(mesh, builder, error);
    if (result == SLV_OK) {
        result = add_tetrahedra(mesh, builder, facts, error);
    }
    if (result == SLV_OK) {
        result = add_springs(mesh, builder, error);
    }
    if (result == SLV_OK) {
        result = add_groups(builder, error);
    }
    return result == SLV_OK ? add_surface(builder, &facts->surface_triangles, error) : result;
}
