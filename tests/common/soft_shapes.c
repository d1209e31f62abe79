// SPDX-License-Identifier: MIT
#include "tests/common/soft_shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *array, uint32_t *room, uint32_t needed, size_t size) {
    if (needed > *room) {
        *room = 2 * needed + 64;
        array = realloc(array, *room * size);
    }
    if (!array) {
        (void)fprintf(stderr, "out of memory\n");
        exit(4);
    }
    return array;
}

static uint32_t add_particle(soft_shape *shape, double x, double y, double z) {
    shape->positions = grow(shape->positions, &shape->particle_room, shape->particle_count + 1,
                            sizeof *shape->positions);
    float *position = shape->positions[shape->particle_count];
    position[0] = (float)x;
    position[1] = (float)y;
    position[2] = (float)z;
    return shape->particle_count++;
}

static void add_spring(soft_shape *shape, uint32_t a, uint32_t b) {
    shape->springs =
        grow(shape->springs, &shape->spring_room, shape->spring_count + 1, sizeof *shape->springs);
    shape->springs[shape->spring_count][0] = a < b ? a : b;
    shape->springs[shape->spring_count++][1] = a < b ? b : a;
}

// Six times the volume.
static double six_volumes(const soft_shape *shape, const uint32_t corners[4]) {
    double e[3][3];
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++) {
            e[c][d] = (double)shape->positions[corners[c + 1]][d] -
                      (double)shape->positions[corners[0]][d];
        }
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

// Turned so that the volume is not negative.
static void add_tetrahedron(soft_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint32_t corners[4] = {a, b, c, d};
    if (six_volumes(shape, corners) < 0) {
        corners[2] = d;
        corners[3] = c;
    }
    shape->corners = grow(shape->corners, &shape->tetrahedron_room, shape->tetrahedron_count + 1,
                          sizeof *shape->corners);
    memcpy(shape->corners[shape->tetrahedron_count++], corners, sizeof corners);
}

static int compare_springs(const void *left, const void *right) {
    const uint32_t *a = left;
    const uint32_t *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

// A spring along every edge of a tetrahedron, once, beside those there are.
static void add_edges(soft_shape *shape) {
    for (uint32_t t = 0; t < shape->tetrahedron_count; t++) {
        for (int i = 0; i < 4; i++) {
            for (int j = i + 1; j < 4; j++) {
                add_spring(shape, shape->corners[t][i], shape->corners[t][j]);
            }
        }
    }
    if (shape->spring_count == 0) {
        return;
    }
    qsort(shape->springs, shape->spring_count, sizeof *shape->springs, compare_springs);
    uint32_t kept = 0;
    for (uint32_t s = 0; s < shape->spring_count; s++) {
        if (kept == 0 || compare_springs(shape->springs[kept - 1], shape->springs[s]) != 0) {
            memcpy(shape->springs[kept++], shape->springs[s], sizeof *shape->springs);
        }
    }
    shape->spring_count = kept;
}

// Six tetrahedra around the long diagonal of a cube; corner n is at (n & 1, n >> 1 & 1, n >> 2).
static void add_cube(soft_shape *shape, const uint32_t corner[8]) {
    static const int middle_corners[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    for (int w = 0; w < 6; w++) {
        add_tetrahedron(shape, corner[0], corner[middle_corners[w][0]],
                        corner[middle_corners[w][1]], corner[7]);
    }
}

// --- Shapes -----------------------------------------------------------------------------------------

static bool cube_is_inside(soft_inside *inside, const uint32_t n[3], const uint32_t at[3]) {
    for (uint32_t c = 0; inside && c < 8; c++) {
        if (!inside(at[0] + (c & 1) - 0.5 * (n[0] - 1), at[1] + (c >> 1 & 1) - 0.5 * (n[1] - 1),
                    at[2] + (c >> 2) - 0.5 * (n[2] - 1))) {
            return false;
        }
    }
    return true;
}

soft_shape soft_lattice(uint32_t nx, uint32_t ny, uint32_t nz, float spacing, soft_inside *inside) {
    soft_shape shape = {0};
    const uint32_t n[3] = {nx, ny, nz};
    uint32_t *number = calloc((size_t)nx * ny * nz, sizeof *number); // plus one
    for (uint32_t cell = 0; number && cell < nx * ny * nz; cell++) {
        const uint32_t at[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
        if (at[0] + 1 == nx || at[1] + 1 == ny || at[2] + 1 == nz ||
            !cube_is_inside(inside, n, at)) {
            continue;
        }
        uint32_t corner[8];
        for (uint32_t c = 0; c < 8; c++) {
            const uint32_t i = at[0] + (c & 1);
            const uint32_t j = at[1] + (c >> 1 & 1);
            const uint32_t k = at[2] + (c >> 2);
            uint32_t *known = &number[i + nx * (j + ny * k)];
            if (*known == 0) {
                *known = 1 + add_particle(&shape, (double)spacing * i, (double)spacing * j,
                                          (double)spacing * k);
            }
            corner[c] = *known - 1;
        }
        add_cube(&shape, corner);
    }
    free(number);
    add_edges(&shape);
    return shape;
}

// A prism between triangles v[0 … 2] and v[3 … 5]: the diagonal of each side goes through its corner of
// the smallest number, so prisms that share a side agree.
static void add_prism(soft_shape *shape, const uint32_t given[6]) {
    uint32_t v[6];
    int least = 0;
    for (int i = 1; i < 6; i++) {
        least = given[i] < given[least] ? i : least;
    }
    for (int i = 0; i < 3; i++) {
        v[i] = given[least / 3 * 3 + (least % 3 + i) % 3];
        v[3 + i] = given[3 - least / 3 * 3 + (least % 3 + i) % 3];
    }
    const uint32_t one = v[1] < v[5] ? v[1] : v[5];
    const uint32_t other = v[2] < v[4] ? v[2] : v[4];
    if (one < other) {
        add_tetrahedron(shape, v[0], v[1], v[2], v[5]);
        add_tetrahedron(shape, v[0], v[1], v[5], v[4]);
    } else {
        add_tetrahedron(shape, v[0], v[1], v[2], v[4]);
        add_tetrahedron(shape, v[0], v[4], v[2], v[5]);
    }
    add_tetrahedron(shape, v[0], v[4], v[5], v[3]);
}

// The ball's skin is that of a cube of 4 k cells a side, projected to a sphere; each square of 4 x 4 cells has a
// spike, whose foot is the square's rim of 16 points around its middle.
enum { RIM = 16 };

typedef struct ball {
    soft_shape shape;
    uint32_t side;   // cells along an edge of the cube
    uint32_t levels; // of the wall, one more than its layers
    uint32_t *known; // [levels][(side + 1)³]: number of a point of the rims plus one
} ball;

static void direction(const ball *b, const int at[3], double unit[3]) {
    double length = 0;
    for (int d = 0; d < 3; d++) {
        unit[d] = 2.0 * at[d] / b->side - 1.0;
        length += unit[d] * unit[d];
    }
    for (int d = 0; d < 3; d++) {
        unit[d] /= sqrt(length);
    }
}

static double radius_of(uint32_t level) {
    return 0.2 + 0.012 * level; // metres
}

static uint32_t wall_point(ball *b, const int at[3], uint32_t level) {
    const uint32_t n = b->side + 1;
    uint32_t *known =
        &b->known[((size_t)level * n * n + (uint32_t)at[2] * n + (uint32_t)at[1]) * n +
                  (uint32_t)at[0]];
    if (*known == 0) {
        double unit[3];
        const double r = radius_of(level);
        direction(b, at, unit);
        *known = 1 + add_particle(&b->shape, r * unit[0], r * unit[1], r * unit[2]);
    }
    return *known - 1;
}

// Point (u, v) of a face: the face's axis is at its low or high end.
static void face_point(const ball *b, uint32_t face, uint32_t u, uint32_t v, int at[3]) {
    const uint32_t axis = face / 2;
    at[axis] = face % 2 == 0 ? 0 : (int)b->side;
    at[(axis + 1) % 3] = (int)u;
    at[(axis + 2) % 3] = (int)v;
}

static void rim_point(uint32_t n, uint32_t *u, uint32_t *v) {
    const uint32_t along = n % 4;
    switch (n / 4) {
    case 0:
        *u += along;
        break;
    case 1:
        *u += 4;
        *v += along;
        break;
    case 2:
        *u += 4 - along;
        *v += 4;
        break;
    default:
        *v += 4 - along;
        break;
    }
}

typedef struct spike {
    uint32_t axis[64];
    uint32_t rim[64][RIM];
} spike;

static void lay_out_spike(ball *b, uint32_t face, uint32_t u, uint32_t v, uint32_t layers, spike *s,
                          const uint32_t *axis) {
    double middle[3];
    int at[3];
    face_point(b, face, u + 2, v + 2, at);
    direction(b, at, middle);
    for (uint32_t level = 0; level <= layers; level++) {
        s->axis[level] = axis[level];
        for (uint32_t n = 0; n < RIM; n++) {
            uint32_t ru = u;
            uint32_t rv = v;
            double unit[3];
            rim_point(n, &ru, &rv);
            face_point(b, face, ru, rv, at);
            if (level < b->levels) {
                s->rim[level][n] = wall_point(b, at, level);
                continue;
            }
            const double share = 0.9 * (layers + 1 - level) / (layers + 2 - b->levels);
            const double r = radius_of(level);
            direction(b, at, unit);
            s->rim[level][n] =
                add_particle(&b->shape, r * (middle[0] + share * (unit[0] - middle[0])),
                             r * (middle[1] + share * (unit[1] - middle[1])),
                             r * (middle[2] + share * (unit[2] - middle[2])));
        }
    }
}

static void add_spike(ball *b, const spike *s, uint32_t layers, uint32_t tip) {
    for (uint32_t level = 0; level < layers; level++) {
        for (uint32_t n = 0; n < RIM; n++) {
            const uint32_t m = (n + 1) % RIM;
            const uint32_t prism[6] = {s->axis[level],       s->rim[level][n],
                                       s->rim[level][m],     s->axis[level + 1],
                                       s->rim[level + 1][n], s->rim[level + 1][m]};
            add_prism(&b->shape, prism);
        }
    }
    for (uint32_t n = 0; n < RIM; n++) {
        add_tetrahedron(&b->shape, s->axis[layers], s->rim[layers][n],
                        s->rim[layers][(n + 1) % RIM], tip);
    }
}

// A chain of springs that goes on outwards.
static void add_hair(soft_shape *shape, uint32_t root, uint32_t springs) {
    const double x = (double)shape->positions[root][0];
    const double y = (double)shape->positions[root][1];
    const double z = (double)shape->positions[root][2];
    const double r = sqrt(x * x + y * y + z * z);
    for (uint32_t h = 1; h <= springs; h++) {
        const double far = 1 + 0.004 * h / r;
        const uint32_t next = add_particle(shape, far * x, far * y, far * z);
        add_spring(shape, root, next);
        root = next;
    }
}

// Axes are numbered before everything else, from the inside out.
soft_shape soft_ball(uint32_t k, uint32_t wall, uint32_t spike_layers, uint32_t hair) {
    const uint32_t layers = wall + spike_layers;
    const uint32_t along = layers + 2;
    ball b = {.side = 4 * k, .levels = wall + 1};
    const size_t points = (size_t)(b.side + 1) * (b.side + 1) * (b.side + 1);
    b.known = calloc(points * b.levels, sizeof *b.known);
    uint32_t *axis = calloc((size_t)6 * k * k * along, sizeof *axis);
    spike *s = calloc(1, sizeof *s);
    if (!b.known || !axis || !s || layers + 1 >= 64) {
        exit(4);
    }
    for (uint32_t n = 0; n < 6 * k * k * along; n++) {
        const uint32_t patch = n / along;
        const uint32_t level = n % along;
        int at[3];
        double unit[3];
        face_point(&b, patch / (k * k), patch % k * 4 + 2, patch / k % k * 4 + 2, at);
        direction(&b, at, unit);
        const double r = radius_of(level);
        axis[n] = add_particle(&b.shape, r * unit[0], r * unit[1], r * unit[2]);
    }
    for (uint32_t patch = 0; patch < 6 * k * k; patch++) {
        const uint32_t *own = axis + (size_t)patch * along;
        lay_out_spike(&b, patch / (k * k), patch % k * 4, patch / k % k * 4, layers, s, own);
        add_spike(&b, s, layers, own[layers + 1]);
        add_hair(&b.shape, own[layers + 1], hair);
        for (uint32_t n = 0; n < RIM; n++) {
            add_hair(&b.shape, s->rim[layers][n], hair);
        }
    }
    free(b.known);
    free(axis);
    free(s);
    add_edges(&b.shape);
    return b.shape;
}

soft_shape soft_tori(uint32_t count, uint32_t around) {
    enum { WIDE = 3, HIGH = 4 }; // particles
    soft_shape shape = {0};
    for (uint32_t torus = 0; torus < count; torus++) {
        const uint32_t first = shape.particle_count;
        for (uint32_t i = 0; i < around; i++) {
            const double angle = 6.283185307179586 * i / around;
            for (uint32_t j = 0; j < WIDE * HIGH; j++) {
                const double r = 0.08 + 0.015 * (j % WIDE);
                const uint32_t layer = j / WIDE;
                const uint32_t storey = torus / 20 % 5;
                const uint32_t row = torus / 100;
                (void)add_particle(&shape, 0.3 * (torus % 20) + r * cos(angle),
                                   0.015 * layer + 0.06 * storey, 0.3 * row + r * sin(angle));
            }
        }
        for (uint32_t i = 0; i < around; i++) {
            for (uint32_t j = 0; j < (WIDE - 1) * (HIGH - 1); j++) {
                const uint32_t at = j % (WIDE - 1) + j / (WIDE - 1) * WIDE;
                uint32_t corner[8];
                for (uint32_t c = 0; c < 8; c++) {
                    corner[c] = first + (i + (c & 1)) % around * WIDE * HIGH + at + (c >> 1 & 1) +
                                (c >> 2) * WIDE;
                }
                add_cube(&shape, corner);
            }
        }
    }
    add_edges(&shape);
    return shape;
}

soft_shape soft_cloth(uint32_t side, float spacing) {
    soft_shape shape = {0};
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t row = i / side;
        (void)add_particle(&shape, (double)spacing * (i % side), 0, (double)spacing * row);
    }
    for (uint32_t j = 0; j < side; j++) {
        for (uint32_t i = 0; i < side; i++) {
            const uint32_t at = i + j * side;
            if (i + 1 < side) {
                add_spring(&shape, at, at + 1);
            }
            if (j + 1 < side) {
                add_spring(&shape, at, at + side);
            }
            if (i + 1 < side && j + 1 < side) {
                const bool even = j % 2 == 0;
                add_spring(&shape, even ? at : at + 1, even ? at + side + 1 : at + side);
            }
        }
    }
    return shape;
}

void soft_free(soft_shape *shape) {
    free(shape->positions);
    free(shape->springs);
    free(shape->corners);
    *shape = (soft_shape){0};
}

// --- Writing ----------------------------------------------------------------------------------------

typedef struct soft_arrays {
    float *axis[3], *inverse_mass, *rest, *volume;
    uint32_t *order, *end[2], *corner[4];
} soft_arrays;

static void *fresh(uint32_t count) {
    uint32_t room = 0;
    void *array = grow(NULL, &room, count + 1, 4);
    memset(array, 0, 4 * (size_t)room);
    return array;
}

static void fill(const soft_shape *shape, float kilograms, soft_arrays *a, slv_garment_info *info) {
    double length = 0;
    for (uint32_t p = 0; p < shape->particle_count; p++) {
        a->order[p] = p;
        a->inverse_mass[p] = (float)shape->particle_count / kilograms;
        for (int d = 0; d < 3; d++) {
            const float value = shape->positions[p][d];
            a->axis[d][p] = value;
            info->bounds_min[d] = p == 0 ? value : fminf(value, info->bounds_min[d]);
            info->bounds_max[d] = p == 0 ? value : fmaxf(value, info->bounds_max[d]);
        }
    }
    for (uint32_t s = 0; s < shape->spring_count; s++) {
        const float *one = shape->positions[shape->springs[s][0]];
        const float *two = shape->positions[shape->springs[s][1]];
        const double x = (double)one[0] - (double)two[0];
        const double y = (double)one[1] - (double)two[1];
        const double z = (double)one[2] - (double)two[2];
        a->end[0][s] = shape->springs[s][0];
        a->end[1][s] = shape->springs[s][1];
        a->rest[s] = (float)sqrt(x * x + y * y + z * z);
        length += (double)a->rest[s];
    }
    for (uint32_t t = 0; t < shape->tetrahedron_count; t++) {
        for (int c = 0; c < 4; c++) {
            a->corner[c][t] = shape->corners[t][c];
        }
        a->volume[t] = (float)(six_volumes(shape, shape->corners[t]) / 6);
    }
    info->spacing = (float)(length / (shape->spring_count > 0 ? shape->spring_count : 1));
    info->mass = kilograms;
}

void soft_write(const soft_shape *shape, float kilograms, const char *path) {
    const uint32_t n = shape->particle_count;
    soft_arrays a = {{fresh(n), fresh(n), fresh(n)},
                     fresh(n),
                     fresh(shape->spring_count),
                     fresh(shape->tetrahedron_count),
                     fresh(n),
                     {fresh(shape->spring_count), fresh(shape->spring_count)},
                     {fresh(shape->tetrahedron_count), fresh(shape->tetrahedron_count),
                      fresh(shape->tetrahedron_count), fresh(shape->tetrahedron_count)}};
    const slv_material material = slv_default_material();
    const slv_color_range colors = {.color = SLV_UNCOLORED, .count = n};
    const slv_constraint_group groups[2] = {
        {.kind = SLV_CONSTRAINT_DISTANCE, .color = SLV_UNCOLORED, .count = shape->spring_count},
        {.kind = SLV_CONSTRAINT_TETRAHEDRON,
         .color = SLV_UNCOLORED,
         .count = shape->tetrahedron_count}};
    slv_garment garment = {
        .info = {.particle_count = n, .mode = SLV_GARMENT_SURFACE},
        .x = a.axis[0],
        .y = a.axis[1],
        .z = a.axis[2],
        .inverse_mass = a.inverse_mass,
        .own_of_stored = a.order,
        .stored_of_own = a.order,
        .color_count = 1,
        .colors = &colors,
        .group_count = shape->tetrahedron_count > 0 ? 2 : 1,
        .groups = groups,
        .constraints =
            {[SLV_CONSTRAINT_DISTANCE] = {shape->spring_count, {a.end[0], a.end[1]}, a.rest},
             [SLV_CONSTRAINT_TETRAHEDRON] = {shape->tetrahedron_count,
                                             {a.corner[0], a.corner[1], a.corner[2], a.corner[3]},
                                             a.volume}},
        .material_count = 1,
        .materials = &material,
    };
    fill(shape, kilograms, &a, &garment.info);
    slv_writer *writer = NULL;
    slv_error error = {0};
    if (slv_writer_open(path, SLV_CONTENTS_GARMENT, slv_garment_get_section_count(&garment),
                        &writer, &error) != SLV_OK ||
        slv_garment_write(&garment, writer, &error) != SLV_OK ||
        slv_writer_commit(writer, &error) != SLV_OK) {
        (void)fprintf(stderr, "%s: %s\n", path, error.text);
        exit(2);
    }
    void *const arrays[] = {a.axis[0],   a.axis[1],   a.axis[2],  a.inverse_mass, a.rest,
                            a.volume,    a.order,     a.end[0],   a.end[1],       a.corner[0],
                            a.corner[1], a.corner[2], a.corner[3]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}
