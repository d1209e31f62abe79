// SPDX-License-Identifier: MIT
#include "surfaces.h"
#include "tests/common/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static void *need(void *memory) {
    assert_non_null(memory);
    return memory;
}

// --- meshes --------------------------------------------------------------------------------------

slv_mesh make_mesh(const double (*points)[3], uint32_t point_count, const uint32_t (*triangles)[3],
                   uint32_t triangle_count) {
    slv_mesh mesh = {.point_count = point_count,
                     .vertex_count = point_count,
                     .file_vertex_count = point_count,
                     .triangle_count = triangle_count};
    mesh.points = need(malloc(3 * (size_t)point_count * sizeof *mesh.points));
    mesh.vertex_point = need(malloc(point_count * sizeof *mesh.vertex_point));
    mesh.vertex_source = need(malloc(point_count * sizeof *mesh.vertex_source));
    mesh.normals = need(calloc(3 * (size_t)point_count, sizeof *mesh.normals));
    mesh.triangles = need(malloc(3 * (size_t)triangle_count * sizeof *mesh.triangles));
    memcpy(mesh.points, points, 3 * (size_t)point_count * sizeof *mesh.points);
    memcpy(mesh.triangles, triangles, 3 * (size_t)triangle_count * sizeof *mesh.triangles);
    for (uint32_t v = 0; v < point_count; v++) {
        mesh.vertex_point[v] = v;
        mesh.vertex_source[v] = v;
    }
    return mesh;
}

slv_mesh make_box(double x0, double y0, double z0, double x1, double y1, double z1) {
    const double points[8][3] = {{x0, y0, z0}, {x1, y0, z0}, {x0, y1, z0}, {x1, y1, z0},
                                 {x0, y0, z1}, {x1, y0, z1}, {x0, y1, z1}, {x1, y1, z1}};
    const uint32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                       {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                       {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return make_mesh(points, 8, triangles, 12);
}

slv_mesh make_sphere(const double center[3], double radius, uint32_t rings) {
    const uint32_t around = 2 * rings;
    const uint32_t point_count = (rings - 1) * around + 2;
    double(*points)[3] = need(malloc(point_count * sizeof *points));
    uint32_t(*triangles)[3] = need(malloc(2 * (rings - 1) * around * sizeof *triangles));
    for (uint32_t r = 1; r < rings; r++) {
        for (uint32_t a = 0; a < around; a++) {
            const double down = pi * r / rings;
            const double turn = 2.0 * pi * a / around;
            double *p = points[(r - 1) * around + a];
            p[0] = center[0] + radius * sin(down) * cos(turn);
            p[1] = center[1] + radius * sin(down) * sin(turn);
            p[2] = center[2] + radius * cos(down);
        }
    }
    const uint32_t top = point_count - 2;
    const uint32_t bottom = point_count - 1;
    memcpy(points[top], (double[3]){center[0], center[1], center[2] + radius}, sizeof points[0]);
    memcpy(points[bottom], (double[3]){center[0], center[1], center[2] - radius}, sizeof points[0]);
    uint32_t count = 0;
    for (uint32_t a = 0; a < around; a++) {
        const uint32_t next = (a + 1) % around;
        const uint32_t last = (rings - 2) * around;
        memcpy(triangles[count++], (uint32_t[3]){top, a, next}, sizeof triangles[0]);
        memcpy(triangles[count++], (uint32_t[3]){bottom, last + next, last + a},
               sizeof triangles[0]);
        for (uint32_t r = 0; r + 2 < rings; r++) {
            const uint32_t p = r * around + a;
            const uint32_t q = r * around + next;
            memcpy(triangles[count++], (uint32_t[3]){p, p + around, q + around},
                   sizeof triangles[0]);
            memcpy(triangles[count++], (uint32_t[3]){p, q + around, q}, sizeof triangles[0]);
        }
    }
    slv_mesh mesh =
        make_mesh((const double(*)[3])points, point_count, (const uint32_t(*)[3])triangles, count);
    free(points);
    free(triangles);
    return mesh;
}

slv_mesh make_torus(double major, double minor, uint32_t steps) {
    double(*points)[3] = need(malloc((size_t)steps * steps * sizeof *points));
    uint32_t(*triangles)[3] = need(malloc(2 * (size_t)steps * steps * sizeof *triangles));
    uint32_t count = 0;
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t j = 0; j < steps; j++) {
            const double u = 2.0 * pi * i / steps;
            const double v = 2.0 * pi * j / steps;
            double *p = points[i * steps + j];
            p[0] = (major + minor * cos(v)) * cos(u);
            p[1] = (major + minor * cos(v)) * sin(u);
            p[2] = minor * sin(v);
            const uint32_t a = i * steps + j;
            const uint32_t b = (i + 1) % steps * steps + j;
            const uint32_t c = (i + 1) % steps * steps + (j + 1) % steps;
            const uint32_t d = i * steps + (j + 1) % steps;
            memcpy(triangles[count++], (uint32_t[3]){a, b, c}, sizeof triangles[0]);
            memcpy(triangles[count++], (uint32_t[3]){a, c, d}, sizeof triangles[0]);
        }
    }
    slv_mesh mesh = make_mesh((const double(*)[3])points, steps * steps,
                              (const uint32_t(*)[3])triangles, count);
    free(points);
    free(triangles);
    return mesh;
}

slv_mesh make_sheet(const double origin[3], const double u[3], const double v[3], uint32_t n) {
    double(*points)[3] = need(malloc((size_t)(n + 1) * (n + 1) * sizeof *points));
    uint32_t(*triangles)[3] = need(malloc(2 * (size_t)n * n * sizeof *triangles));
    uint32_t count = 0;
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t j = 0; j <= n; j++) {
            const uint32_t at = i * (n + 1) + j;
            for (int axis = 0; axis < 3; axis++) {
                points[at][axis] = origin[axis] + u[axis] * i / n + v[axis] * j / n;
            }
            if (i < n && j < n) {
                memcpy(triangles[count++], (uint32_t[3]){at, at + n + 1, at + n + 2},
                       sizeof triangles[0]);
                memcpy(triangles[count++], (uint32_t[3]){at, at + n + 2, at + 1},
                       sizeof triangles[0]);
            }
        }
    }
    slv_mesh mesh = make_mesh((const double(*)[3])points, (n + 1) * (n + 1),
                              (const uint32_t(*)[3])triangles, count);
    free(points);
    free(triangles);
    return mesh;
}

double random_fraction(uint32_t *seed) {
    return (double)next_fraction(seed);
}

slv_mesh make_soup(uint32_t seed, uint32_t triangle_count, double size, double spread) {
    double(*points)[3] = need(malloc(3 * (size_t)triangle_count * sizeof *points));
    uint32_t(*triangles)[3] = need(malloc(triangle_count * sizeof *triangles));
    for (uint32_t t = 0; t < triangle_count; t++) {
        double middle[3];
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] = spread * random_fraction(&seed);
        }
        for (uint32_t corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                points[3 * t + corner][axis] = middle[axis] + size * (random_fraction(&seed) - 0.5);
            }
            triangles[t][corner] = 3 * t + corner;
        }
    }
    slv_mesh mesh = make_mesh((const double(*)[3])points, 3 * triangle_count,
                              (const uint32_t(*)[3])triangles, triangle_count);
    free(points);
    free(triangles);
    return mesh;
}

// --- changes -------------------------------------------------------------------------------------

slv_mesh join_meshes(slv_mesh a, slv_mesh b) {
    const uint32_t point_count = a.point_count + b.point_count;
    const uint32_t triangle_count = a.triangle_count + b.triangle_count;
    double(*points)[3] = need(malloc(point_count * sizeof *points));
    uint32_t(*triangles)[3] = need(malloc(triangle_count * sizeof *triangles));
    memcpy(points, a.points, a.point_count * sizeof *points);
    memcpy(points + a.point_count, b.points, b.point_count * sizeof *points);
    memcpy(triangles, a.triangles, a.triangle_count * sizeof *triangles);
    memcpy(triangles + a.triangle_count, b.triangles, b.triangle_count * sizeof *triangles);
    for (uint32_t t = a.triangle_count; t < triangle_count; t++) {
        for (int corner = 0; corner < 3; corner++) {
            triangles[t][corner] += a.point_count;
        }
    }
    slv_mesh joined = make_mesh((const double(*)[3])points, point_count,
                                (const uint32_t(*)[3])triangles, triangle_count);
    free(points);
    free(triangles);
    slv_mesh_free(&a);
    slv_mesh_free(&b);
    return joined;
}

void weld_points(slv_mesh *mesh) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t p = 0; p <= v; p++) {
            const double *a = mesh->points + 3 * (size_t)p;
            const double *b = mesh->points + 3 * (size_t)v;
            if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) {
                mesh->vertex_point[v] = p;
                break;
            }
        }
    }
}

void flip_triangle(slv_mesh *mesh, uint32_t triangle) {
    uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const uint32_t kept = corners[1];
    corners[1] = corners[2];
    corners[2] = kept;
}

void flip_at_random(slv_mesh *mesh, uint32_t seed, double share) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (random_fraction(&seed) < share) {
            flip_triangle(mesh, t);
        }
    }
}

void remove_triangle(slv_mesh *mesh, uint32_t triangle) {
    mesh->triangle_count--;
    memmove(mesh->triangles + 3 * (size_t)triangle,
            mesh->triangles + 3 * (size_t)mesh->triangle_count, 3 * sizeof *mesh->triangles);
}

void move_points(slv_mesh *mesh, double scale, double x, double y, double z) {
    const double by[3] = {x, y, z};
    for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
        mesh->points[i] = scale * mesh->points[i] + by[i % 3];
    }
}

// --- lattices and fields -------------------------------------------------------------------------

slv_lattice lattice_round(const slv_mesh *mesh, uint32_t samples) {
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double longest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
        min[i % 3] = fmin(min[i % 3], mesh->points[i]);
        max[i % 3] = fmax(max[i % 3], mesh->points[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        longest = fmax(longest, max[axis] - min[axis]);
    }
    slv_lattice lattice = {.spacing = longest / (samples - 3.0)};
    for (int axis = 0; axis < 3; axis++) {
        lattice.origin[axis] = min[axis] - lattice.spacing;
        lattice.cells[axis] = (uint32_t)((max[axis] - min[axis]) / lattice.spacing + 3.0);
    }
    return lattice;
}

slv_lattice lattice_of(uint32_t nx, uint32_t ny, uint32_t nz, double origin, double spacing) {
    return (slv_lattice){{nx, ny, nz}, {origin, origin, origin}, spacing};
}

typedef struct collector {
    field *into;
    uint32_t next_layer;
} collector;

static slv_result collect(void *context, uint32_t first_layer, uint32_t layers, const float *values,
                          unsigned slot, slv_error *error) {
    (void)slot;
    (void)error;
    collector *c = context;
    const size_t layer = (size_t)c->into->lattice.cells[0] * c->into->lattice.cells[1];
    assert_int_equal(first_layer, c->next_layer);
    memcpy(c->into->values + layer * first_layer, values, layer * layers * sizeof *values);
    c->next_layer += layers;
    return SLV_OK;
}

field measure_field(const slv_mesh *mesh, const slv_lattice *lattice, unsigned threads) {
    slv_error error = {SLV_OK, ""};
    slv_field_source *source = NULL;
    const slv_result made = slv_field_source_create(mesh, lattice, threads, &source, &error);
    if (made != SLV_OK) {
        fail_msg("%s", error.text);
    }
    const size_t words = slv_row_words(lattice) * lattice->cells[1] * lattice->cells[2];
    field f = {.lattice = *lattice, .facts = slv_field_source_facts(source)};
    f.values = need(malloc(slv_lattice_count(lattice) * sizeof *f.values));
    f.inside = need(malloc(words * sizeof *f.inside));
    f.cover = need(malloc(words * sizeof *f.cover));
    memset(f.inside, 0xA5, words * sizeof *f.inside);
    memset(f.cover, 0xA5, words * sizeof *f.cover);
    collector c = {.into = &f};
    const slv_field_sink sink = {.emit = collect, .context = &c};
    assert_int_equal(slv_field_source_distances(source, threads, &sink, &error), SLV_OK);
    assert_int_equal(c.next_layer, lattice->cells[2]);
    assert_int_equal(slv_field_source_inside(source, threads, f.inside, &error), SLV_OK);
    assert_int_equal(slv_field_source_cover(source, threads, f.cover, &error), SLV_OK);
    slv_field_source_destroy(source);
    return f;
}

void free_field(field *f) {
    free(f->values);
    free(f->inside);
    free(f->cover);
}

bool bit_at(const field *f, const uint64_t *bits, uint32_t i, uint32_t j, uint32_t k) {
    const size_t row = (size_t)k * f->lattice.cells[1] + j;
    return (bits[row * slv_row_words(&f->lattice) + i / 64] >> (i % 64) & 1) != 0;
}

float value_at(const field *f, uint32_t i, uint32_t j, uint32_t k) {
    return f->values[i + f->lattice.cells[0] * (j + (size_t)f->lattice.cells[1] * k)];
}

void sample_position(const slv_lattice *lattice, uint32_t i, uint32_t j, uint32_t k,
                     double out[3]) {
    out[0] = lattice->origin[0] + i * lattice->spacing;
    out[1] = lattice->origin[1] + j * lattice->spacing;
    out[2] = lattice->origin[2] + k * lattice->spacing;
}

// --- references ------------------------------------------------------------------------------

typedef long double real;

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const real a[3], const real b[3], real out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Squared distance from the origin to the segment from p to q.
static real segment_square(const real p[3], const real q[3]) {
    const real d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const real length = dot(d, d);
    real t = length > 0.0L ? -dot(p, d) / length : 0.0L;
    t = t < 0.0L ? 0.0L : (t > 1.0L ? 1.0L : t);
    const real at[3] = {p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]};
    return dot(at, at);
}

static void relative_corners(const slv_mesh *mesh, uint32_t triangle, const double point[3],
                             real v[3][3]) {
    uint32_t points[3];
    slv_mesh_corner_points(mesh, triangle, points);
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            v[corner][axis] =
                (real)mesh->points[3 * (size_t)points[corner] + (size_t)axis] - (real)point[axis];
        }
    }
}

static real triangle_square(real v[3][3]) {
    const real ab[3] = {v[1][0] - v[0][0], v[1][1] - v[0][1], v[1][2] - v[0][2]};
    const real ac[3] = {v[2][0] - v[0][0], v[2][1] - v[0][1], v[2][2] - v[0][2]};
    real normal[3];
    cross(ab, ac, normal);
    const real square = dot(normal, normal);
    bool inside = square > 0.0L;
    for (int corner = 0; corner < 3; corner++) { // projection of the origin against each edge
        const real *p = v[corner];
        const real *q = v[(corner + 1) % 3];
        const real edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        const real to[3] = {-p[0], -p[1], -p[2]};
        real side[3];
        cross(edge, to, side);
        inside = inside && dot(side, normal) >= 0.0L;
    }
    if (inside) {
        const real height = dot(v[0], normal);
        return height * height / square;
    }
    return fminl(segment_square(v[0], v[1]),
                 fminl(segment_square(v[1], v[2]), segment_square(v[2], v[0])));
}

long double plain_distance(const slv_mesh *mesh, const double point[3]) {
    real best = HUGE_VALL;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        real v[3][3];
        relative_corners(mesh, t, point, v);
        best = fminl(best, triangle_square(v));
    }
    return sqrtl(best);
}

double plain_winding(const slv_mesh *mesh, const double point[3]) {
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        real v[3][3];
        real normal[3];
        relative_corners(mesh, t, point, v);
        cross(v[1], v[2], normal);
        const real a = sqrtl(dot(v[0], v[0]));
        const real b = sqrtl(dot(v[1], v[1]));
        const real c = sqrtl(dot(v[2], v[2]));
        sum += 2.0 * atan2((double)dot(v[0], normal),
                           (double)(a * b * c + dot(v[0], v[1]) * c + dot(v[1], v[2]) * a +
                                    dot(v[2], v[0]) * b));
    }
    return sum / (4.0 * pi);
}
