// SPDX-License-Identifier: MIT
#include "tools/voxelize/surface_garment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One edge of a triangle, stored under the lower of its two points.
typedef struct triangle_side {
    uint32_t higher;
    uint32_t triangle;
    uint32_t opposite; // the triangle's third point
} triangle_side;

// Two points joined by a constraint, lower first.
typedef struct point_pair {
    uint32_t a, b;
} point_pair;

typedef struct edge_table {
    size_t *first;        // [point_count + 1]: sides of point p are first[p] … first[p + 1] - 1
    triangle_side *sides; // [3 * triangle_count], sorted by lower, higher, triangle
    point_pair *edges;    // unique edges
    uint64_t edge_count;
    point_pair *bends; // unique bending pairs
    uint64_t bend_count;
} edge_table;

static int compare_sides(const void *left, const void *right) {
    const triangle_side *a = left;
    const triangle_side *b = right;
    if (a->higher != b->higher) {
        return a->higher < b->higher ? -1 : 1;
    }
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int compare_pairs(const void *left, const void *right) {
    const point_pair *a = left;
    const point_pair *b = right;
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

static uint32_t lower_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t higher_of(uint32_t a, uint32_t b) {
    return a < b ? b : a;
}

// Counting sort by the lower point, then each point's few sides by the rest.
static void sort_sides(const slv_mesh *mesh, edge_table *table) {
    memset(table->first, 0, ((size_t)mesh->point_count + 1) * sizeof *table->first);
    uint32_t p[3];
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        slv_mesh_corner_points(mesh, t, p);
        for (size_t c = 0; c < 3; c++) {
            table->first[lower_of(p[c], p[(c + 1) % 3])]++;
        }
    }
    size_t end = 0;
    for (size_t n = 0; n <= mesh->point_count; n++) {
        end += table->first[n];
        table->first[n] = end; // decremented to the first index while sides are stored
    }
    for (uint32_t t = mesh->triangle_count; t-- > 0;) {
        slv_mesh_corner_points(mesh, t, p);
        for (size_t c = 0; c < 3; c++) {
            const uint32_t q = p[(c + 1) % 3];
            table->sides[--table->first[lower_of(p[c], q)]] =
                (triangle_side){higher_of(p[c], q), t, p[(c + 2) % 3]};
        }
    }
    for (uint32_t n = 0; n < mesh->point_count; n++) {
        qsort(table->sides + table->first[n], table->first[n + 1] - table->first[n],
              sizeof *table->sides, compare_sides);
    }
}

// Records one edge; sides begin … end - 1 are those of the triangles around it.
static void record_edge(edge_table *table, uint32_t lower, size_t begin, size_t end,
                        slv_surface_facts *facts) {
    const uint32_t higher = table->sides[begin].higher;
    table->edges[table->edge_count++] = (point_pair){lower, higher};
    if (end - begin == 1) {
        facts->boundary_edges++;
        facts->boundary[lower] = 1;
        facts->boundary[higher] = 1;
    }
    for (size_t s = begin; s + 1 < end; s++) {
        const uint32_t a = table->sides[s].opposite;
        const uint32_t b = table->sides[s + 1].opposite;
        if (a != b) {
            table->bends[table->bend_count++] = (point_pair){lower_of(a, b), higher_of(a, b)};
        }
    }
}

static void find_edges(const slv_mesh *mesh, edge_table *table, slv_surface_facts *facts) {
    for (uint32_t lower = 0; lower < mesh->point_count; lower++) {
        const size_t last = table->first[lower + 1];
        for (size_t begin = table->first[lower]; begin < last;) {
            size_t end = begin + 1;
            while (end < last && table->sides[end].higher == table->sides[begin].higher) {
                end++;
            }
            record_edge(table, lower, begin, end, facts);
            begin = end;
        }
    }
    qsort(table->bends, table->bend_count, sizeof *table->bends, compare_pairs);
    uint64_t kept = 0;
    for (uint64_t n = 0; n < table->bend_count; n++) {
        if (n == 0 || compare_pairs(&table->bends[n], &table->bends[kept - 1]) != 0) {
            table->bends[kept++] = table->bends[n];
        }
    }
    table->bend_count = kept;
}

static void measure_areas(const slv_mesh *mesh, slv_surface_facts *facts) {
    memset(facts->areas, 0, mesh->point_count * sizeof *facts->areas);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t p[3];
        slv_mesh_corner_points(mesh, t, p);
        const double *a = &mesh->points[3 * (size_t)p[0]];
        const double *b = &mesh->points[3 * (size_t)p[1]];
        const double *c = &mesh->points[3 * (size_t)p[2]];
        const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
        const double area = 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        facts->area += area;
        for (size_t corner = 0; corner < 3; corner++) {
            facts->areas[p[corner]] += area / 3;
        }
    }
}

// Rest lengths are computed from the double precision points. Adds all lengths to *sum.
static slv_result make_constraints(const slv_mesh *mesh, const point_pair *pairs, uint64_t count,
                                   slv_garment_builder *builder, slv_constraints *made, double *sum,
                                   slv_error *error) {
    uint32_t *a = slv_builder_array(builder, count, sizeof *a, error);
    uint32_t *b = slv_builder_array(builder, count, sizeof *b, error);
    float *rest = slv_builder_array(builder, count, sizeof *rest, error);
    if (a == NULL || b == NULL || rest == NULL) {
        return SLV_ERROR_MEMORY;
    }
    for (uint64_t n = 0; n < count; n++) {
        const double *p = &mesh->points[3 * (size_t)pairs[n].a];
        const double *q = &mesh->points[3 * (size_t)pairs[n].b];
        const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        a[n] = pairs[n].a;
        b[n] = pairs[n].b;
        rest[n] = (float)length;
        *sum += length;
    }
    *made = (slv_constraints){count, {a, b}, rest};
    return SLV_OK;
}

static slv_result make_groups(slv_garment_builder *builder, slv_error *error) {
    slv_garment *garment = &builder->garment;
    const uint32_t kinds[2] = {SLV_CONSTRAINT_DISTANCE, SLV_CONSTRAINT_BENDING};
    const uint64_t counts[2] = {garment->constraints[SLV_CONSTRAINT_DISTANCE].count,
                                garment->constraints[SLV_CONSTRAINT_BENDING].count};
    slv_constraint_group *groups = slv_builder_array(builder, 2, sizeof *groups, error);
    slv_color_range *colors = slv_builder_array(builder, 1, sizeof *colors, error);
    if (groups == NULL || colors == NULL) {
        return SLV_ERROR_MEMORY;
    }
    for (size_t n = 0; n < 2; n++) {
        if (counts[n] > 0) {
            groups[garment->group_count++] = (slv_constraint_group){
                .kind = kinds[n], .color = SLV_UNCOLORED, .count = counts[n]};
        }
    }
    colors[0] = (slv_color_range){.color = SLV_UNCOLORED, .count = garment->info.particle_count};
    garment->groups = groups;
    garment->colors = colors;
    garment->color_count = 1;
    return SLV_OK;
}

static slv_result make_particles(const slv_mesh *mesh, slv_garment_builder *builder,
                                 slv_error *error) {
    const uint32_t count = mesh->point_count;
    float *axes[3];
    for (int axis = 0; axis < 3; axis++) {
        axes[axis] = slv_builder_array(builder, count, sizeof(float), error);
        if (axes[axis] == NULL) {
            return SLV_ERROR_MEMORY;
        }
    }
    uint32_t *order = slv_builder_array(builder, count, sizeof *order, error);
    if (order == NULL) {
        return SLV_ERROR_MEMORY;
    }
    for (uint32_t n = 0; n < count; n++) {
        for (int axis = 0; axis < 3; axis++) {
            axes[axis][n] = (float)mesh->points[3 * (size_t)n + (size_t)axis];
        }
        order[n] = n;
    }
    slv_garment *garment = &builder->garment;
    garment->x = axes[0];
    garment->y = axes[1];
    garment->z = axes[2];
    garment->own_of_stored = order;
    garment->stored_of_own = order;
    garment->info.particle_count = count;
    slv_builder_measure_bounds(builder);
    return SLV_OK;
}

static slv_result make_all(const slv_mesh *mesh, edge_table *table, slv_garment_builder *builder,
                           slv_surface_facts *facts, slv_error *error) {
    slv_garment *garment = &builder->garment;
    double length = 0;
    double unused = 0;
    sort_sides(mesh, table);
    find_edges(mesh, table, facts);
    measure_areas(mesh, facts);
    slv_result result = make_particles(mesh, builder, error);
    if (result == SLV_OK) {
        result = make_constraints(mesh, table->edges, table->edge_count, builder,
                                  &garment->constraints[SLV_CONSTRAINT_DISTANCE], &length, error);
    }
    if (result == SLV_OK) {
        result = make_constraints(mesh, table->bends, table->bend_count, builder,
                                  &garment->constraints[SLV_CONSTRAINT_BENDING], &unused, error);
    }
    if (result == SLV_OK) {
        garment->info.spacing = (float)(length / (double)table->edge_count);
        result = make_groups(builder, error);
    }
    return result;
}

slv_result slv_make_surface_garment(const slv_mesh *mesh, slv_garment_builder *builder,
                                    slv_surface_facts *facts, slv_error *error) {
    const size_t side_count = 3 * (size_t)mesh->triangle_count;
    edge_table table = {.first = malloc(((size_t)mesh->point_count + 1) * sizeof *table.first),
                        .sides = malloc(side_count * sizeof *table.sides),
                        .edges = malloc(side_count * sizeof *table.edges),
                        .bends = malloc(side_count * sizeof *table.bends)};
    *facts = (slv_surface_facts){
        .boundary = slv_builder_array(builder, mesh->point_count, sizeof *facts->boundary, error),
        .areas = slv_builder_array(builder, mesh->point_count, sizeof *facts->areas, error)};
    slv_result result = SLV_OK;
    if (table.first == NULL || table.sides == NULL || table.edges == NULL || table.bends == NULL ||
        facts->boundary == NULL || facts->areas == NULL) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the edges of %u triangles",
                          mesh->triangle_count);
    } else {
        memset(facts->boundary, 0, mesh->point_count);
        result = make_all(mesh, &table, builder, facts, error);
    }
    free(table.first);
    free(table.sides);
    free(table.edges);
    free(table.bends);
    return result;
}
