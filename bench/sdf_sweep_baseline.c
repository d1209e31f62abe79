// SPDX-License-Identifier: MIT
#include "bench/sdf_sweep_baseline.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BAND = 1, SWEEPS = 2 };

typedef struct vec {
    float x, y, z;
} vec;

typedef struct sweep {
    const slv_mesh *mesh;
    const slv_lattice *lattice;
    int n[3];
    vec *points;
    float *distance;
    int32_t *nearest;   // triangle, or -1
    int32_t *crossings; // within (i - 1, i] of the sample's row
} sweep;

static vec minus(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static float dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float segment_distance(vec p, vec a, vec b) {
    const vec edge = minus(b, a);
    const float square = dot(edge, edge);
    float t = square > 0.0f ? dot(minus(p, a), edge) / square : 0.0f;
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    const vec q = {a.x + t * edge.x - p.x, a.y + t * edge.y - p.y, a.z + t * edge.z - p.z};
    return sqrtf(dot(q, q));
}

// By barycentric coordinates of the projection; outside the triangle, by the two candidate edges.
static float triangle_distance(vec p, vec a, vec b, vec c) {
    const vec ac = minus(a, c);
    const vec bc = minus(b, c);
    const vec pc = minus(p, c);
    const float m11 = dot(ac, ac);
    const float m22 = dot(bc, bc);
    const float m12 = dot(ac, bc);
    const float inverse = 1.0f / fmaxf(m11 * m22 - m12 * m12, 1e-30f);
    const float da = dot(ac, pc);
    const float db = dot(bc, pc);
    const float u = inverse * (m22 * da - m12 * db);
    const float v = inverse * (m11 * db - m12 * da);
    const float w = 1.0f - u - v;
    if (u >= 0.0f && v >= 0.0f && w >= 0.0f) {
        const vec q = {u * a.x + v * b.x + w * c.x - p.x, u * a.y + v * b.y + w * c.y - p.y,
                       u * a.z + v * b.z + w * c.z - p.z};
        return sqrtf(dot(q, q));
    }
    if (u > 0.0f) {
        return fminf(segment_distance(p, a, b), segment_distance(p, a, c));
    }
    if (v > 0.0f) {
        return fminf(segment_distance(p, a, b), segment_distance(p, b, c));
    }
    return fminf(segment_distance(p, a, c), segment_distance(p, b, c));
}

static size_t at(const sweep *s, int i, int j, int k) {
    return (size_t)i + (size_t)s->n[0] * ((size_t)j + (size_t)s->n[1] * (size_t)k);
}

static vec position(const sweep *s, int i, int j, int k) {
    const slv_lattice *l = s->lattice;
    return (vec){(float)(l->origin[0] + i * l->spacing), (float)(l->origin[1] + j * l->spacing),
                 (float)(l->origin[2] + k * l->spacing)};
}

static float distance_to(const sweep *s, vec p, int32_t triangle) {
    uint32_t c[3];
    slv_mesh_corner_points(s->mesh, (uint32_t)triangle, c);
    return triangle_distance(p, s->points[c[0]], s->points[c[1]], s->points[c[2]]);
}

static int clamp(double value, int last) {
    return value < 0.0 ? 0 : (value > last ? last : (int)value);
}

static int side(double x1, double y1, double x2, double y2, double *twice_area) {
    *twice_area = y1 * x2 - x1 * y2;
    if (*twice_area != 0.0) {
        return *twice_area > 0.0 ? 1 : -1;
    }
    if (y2 != y1) {
        return y2 > y1 ? 1 : -1;
    }
    return (x1 > x2) - (x1 < x2);
}

// Barycentric weights of the point (y, z) in the triangle g; false outside.
static bool weights_at(double y, double z, double g[3][3], double w[3]) {
    double d[3][2];
    for (int c = 0; c < 3; c++) {
        d[c][0] = g[c][1] - y;
        d[c][1] = g[c][2] - z;
    }
    const int first = side(d[1][0], d[1][1], d[2][0], d[2][1], &w[0]);
    if (first == 0 || side(d[2][0], d[2][1], d[0][0], d[0][1], &w[1]) != first ||
        side(d[0][0], d[0][1], d[1][0], d[1][1], &w[2]) != first) {
        return false;
    }
    const double sum = w[0] + w[1] + w[2];
    for (int c = 0; c < 3; c++) {
        w[c] /= sum;
    }
    return true;
}

static void measure_band(sweep *s, int32_t triangle, const double low[3], const double high[3]) {
    int first[3];
    int last[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = clamp(trunc(low[axis]) - BAND, s->n[axis] - 1);
        last[axis] = clamp(trunc(high[axis]) + BAND + 1, s->n[axis] - 1);
    }
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            for (int i = first[0]; i <= last[0]; i++) {
                const float d = distance_to(s, position(s, i, j, k), triangle);
                const size_t here = at(s, i, j, k);
                if (d < s->distance[here]) {
                    s->distance[here] = d;
                    s->nearest[here] = triangle;
                }
            }
        }
    }
}

static void count_crossings(sweep *s, double g[3][3], const double low[3], const double high[3]) {
    for (int k = clamp(ceil(low[2]), s->n[2] - 1); k <= clamp(floor(high[2]), s->n[2] - 1); k++) {
        for (int j = clamp(ceil(low[1]), s->n[1] - 1); j <= clamp(floor(high[1]), s->n[1] - 1);
             j++) {
            double w[3];
            if (weights_at(j, k, g, w)) {
                const double x = ceil(w[0] * g[0][0] + w[1] * g[1][0] + w[2] * g[2][0]);
                if (x < s->n[0]) {
                    s->crossings[at(s, x < 0.0 ? 0 : (int)x, j, k)]++;
                }
            }
        }
    }
}

static void add_triangle(sweep *s, uint32_t triangle) {
    uint32_t c[3];
    double g[3][3]; // corners in cells
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    slv_mesh_corner_points(s->mesh, triangle, c);
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            g[corner][axis] =
                (s->mesh->points[3 * (size_t)c[corner] + (size_t)axis] - s->lattice->origin[axis]) /
                s->lattice->spacing;
            low[axis] = fmin(low[axis], g[corner][axis]);
            high[axis] = fmax(high[axis], g[corner][axis]);
        }
    }
    measure_band(s, (int32_t)triangle, low, high);
    count_crossings(s, g, low, high);
}

static void ask_neighbor(sweep *s, vec p, size_t here, size_t neighbor) {
    if (s->nearest[neighbor] >= 0) {
        const float d = distance_to(s, p, s->nearest[neighbor]);
        if (d < s->distance[here]) {
            s->distance[here] = d;
            s->nearest[here] = s->nearest[neighbor];
        }
    }
}

static void run_sweep(sweep *s, const int step[3]) {
    int first[3];
    int end[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = step[axis] > 0 ? 1 : s->n[axis] - 2;
        end[axis] = step[axis] > 0 ? s->n[axis] : -1;
    }
    for (int k = first[2]; k != end[2]; k += step[2]) {
        for (int j = first[1]; j != end[1]; j += step[1]) {
            for (int i = first[0]; i != end[0]; i += step[0]) {
                const vec p = position(s, i, j, k);
                for (int back = 1; back < 8; back++) {
                    ask_neighbor(s, p, at(s, i, j, k),
                                 at(s, i - (back & 1) * step[0], j - (back >> 1 & 1) * step[1],
                                    k - (back >> 2) * step[2]));
                }
            }
        }
    }
}

static void apply_parity(sweep *s) {
    for (int k = 0; k < s->n[2]; k++) {
        for (int j = 0; j < s->n[1]; j++) {
            int count = 0;
            for (int i = 0; i < s->n[0]; i++) {
                count += s->crossings[at(s, i, j, k)];
                if (count % 2 != 0) {
                    s->distance[at(s, i, j, k)] = -s->distance[at(s, i, j, k)];
                }
            }
        }
    }
}

static void run(sweep *s) {
    const size_t count = slv_lattice_count(s->lattice);
    const float far = (float)((s->n[0] + s->n[1] + s->n[2]) * s->lattice->spacing);
    for (size_t i = 0; i < count; i++) {
        s->distance[i] = far;
        s->nearest[i] = -1;
    }
    for (uint32_t p = 0; p < s->mesh->point_count; p++) {
        const double *point = s->mesh->points + 3 * (size_t)p;
        s->points[p] = (vec){(float)point[0], (float)point[1], (float)point[2]};
    }
    for (uint32_t t = 0; t < s->mesh->triangle_count; t++) {
        add_triangle(s, t);
    }
    static const int steps[8][3] = {{1, 1, 1},  {-1, -1, -1}, {1, 1, -1},  {-1, -1, 1},
                                    {1, -1, 1}, {-1, 1, -1},  {1, -1, -1}, {-1, 1, 1}};
    for (int pass = 0; pass < SWEEPS; pass++) {
        for (int direction = 0; direction < 8; direction++) {
            run_sweep(s, steps[direction]);
        }
    }
    apply_parity(s);
}

slv_result slv_sdf_sweep_baseline(const slv_mesh *mesh, const slv_lattice *lattice, float *values,
                                  slv_error *error) {
    const size_t count = slv_lattice_count(lattice);
    sweep s = {.mesh = mesh,
               .lattice = lattice,
               .n = {(int)lattice->cells[0], (int)lattice->cells[1], (int)lattice->cells[2]},
               .points = malloc(mesh->point_count * sizeof *s.points),
               .nearest = malloc(count * sizeof *s.nearest),
               .crossings = calloc(count, sizeof *s.crossings)};
    s.distance = values;
    const bool enough = s.points != NULL && s.nearest != NULL && s.crossings != NULL;
    if (enough) {
        run(&s);
    }
    free(s.points);
    free(s.nearest);
    free(s.crossings);
    return enough ? SLV_OK : slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the baseline");
}
