// SPDX-License-Identifier: MIT
#include "tests/formats/sample_garment.h"

#include "formats/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float spacing = 0.01f; // metres
static const char provenance[] = "{\"tool\": \"sample\", \"options\": {}}";

// Ends the program when memory is short.
static void *own(sample_garment *sample, size_t count, size_t size) {
    void *array = calloc(count + 1, size);
    if (!array) {
        (void)fprintf(stderr, "out of memory\n");
        exit(4);
    }
    sample->arrays[sample->array_count++] = array;
    return array;
}

void sample_free(sample_garment *sample) {
    for (unsigned i = 0; i < sample->array_count; i++) {
        free(sample->arrays[i]);
    }
    *sample = (sample_garment){0};
}

// --- what all samples have -------------------------------------------------------------------------

static void add_materials(sample_garment *sample) {
    slv_material *materials = own(sample, 2, sizeof *materials);
    materials[0] = slv_default_material();
    materials[1] = slv_default_material();
    memcpy(materials[1].name, "seide-\xC3\xBC", 9);
    sample->garment.materials = materials;
    sample->garment.material_count = 2;
    sample->garment.provenance = provenance;
    sample->garment.provenance_size = sizeof provenance - 1;
}

static void add_sets(sample_garment *sample) {
    static const char names[] = "firstall";
    uint32_t n = sample->garment.info.particle_count;
    slv_particle_set *sets = own(sample, 2, sizeof *sets);
    uint32_t *particles = own(sample, (size_t)n + 1, sizeof *particles);
    sets[0] = (slv_particle_set){.name_offset = 0, .name_length = 5, .first = 0, .count = 1};
    sets[1] = (slv_particle_set){.name_offset = 5, .name_length = 3, .first = 1, .count = n};
    particles[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        particles[1 + i] = i;
    }
    sample->garment.sets = sets;
    sample->garment.set_count = 2;
    sample->garment.set_particles = particles;
    sample->garment.set_names = names;
}

static void set_bounds(slv_garment *garment) {
    const float *axes[3] = {garment->x, garment->y, garment->z};
    for (int axis = 0; axis < 3; axis++) {
        float low = axes[axis][0];
        float high = axes[axis][0];
        for (uint32_t i = 1; i < garment->info.particle_count; i++) {
            low = fminf(low, axes[axis][i]);
            high = fmaxf(high, axes[axis][i]);
        }
        garment->info.bounds_min[axis] = low;
        garment->info.bounds_max[axis] = high;
    }
}

// --- grid ------------------------------------------------------------------------------------------

typedef struct grid {
    uint32_t size[3];
    uint32_t *stored_of_own;
} grid;

static uint32_t own_number(const grid *box, const uint32_t at[3]) {
    return at[0] + box->size[0] * (at[1] + box->size[1] * at[2]);
}

// The stored number of the sample `step` away along an axis, -1 outside the box.
static int32_t stored_at(const grid *box, const uint32_t at[3], unsigned axis, int step) {
    uint32_t there[3] = {at[0], at[1], at[2]};
    there[axis] += (uint32_t)step; // wraps to a huge number below zero
    return there[axis] < box->size[axis] ? (int32_t)box->stored_of_own[own_number(box, there)] : -1;
}

static void position_of(const grid *box, uint32_t number, uint32_t at[3]) {
    at[0] = number % box->size[0];
    at[1] = number / box->size[0] % box->size[1];
    at[2] = number / box->size[0] / box->size[1];
}

// Red particles (even i + j + k) first, both colors in own order.
static void add_order(sample_garment *sample, grid *box) {
    uint32_t n = sample->garment.info.particle_count;
    uint32_t *own_of_stored = own(sample, n, sizeof *own_of_stored);
    box->stored_of_own = own(sample, n, sizeof *box->stored_of_own);
    slv_color_range *colors = own(sample, 2, sizeof *colors);
    uint32_t next = 0;
    for (uint32_t parity = 0; parity < 2; parity++) {
        colors[parity].color = parity;
        colors[parity].first = next;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at[3];
            position_of(box, i, at);
            if ((at[0] + at[1] + at[2]) % 2 == parity) {
                own_of_stored[next] = i;
                box->stored_of_own[i] = next++;
            }
        }
        colors[parity].count = next - colors[parity].first;
    }
    sample->garment.own_of_stored = own_of_stored;
    sample->garment.stored_of_own = box->stored_of_own;
    sample->garment.colors = colors;
    sample->garment.color_count = 2;
}

// position: x[count], then y, then z.
static void set_particles(slv_garment *garment, const float *position, const float *inverse_mass,
                          uint32_t count) {
    garment->x = position;
    garment->y = position + count;
    garment->z = position + 2 * (size_t)count;
    garment->inverse_mass = inverse_mass;
}

static void add_grid_particles(sample_garment *sample, const grid *box) {
    uint32_t n = sample->garment.info.particle_count;
    float *position = own(sample, 3 * (size_t)n, sizeof *position);
    float *inverse_mass = own(sample, n, sizeof *inverse_mass);
    uint8_t *paint = own(sample, 4 * (size_t)n, sizeof *paint);
    uint32_t *cell = own(sample, n, sizeof *cell);
    int32_t *neighbors = own(sample, (size_t)n * SLV_SLOT_COUNT, sizeof *neighbors);
    for (uint32_t s = 0; s < n; s++) {
        uint32_t at[3];
        cell[s] = sample->garment.own_of_stored[s];
        position_of(box, cell[s], at);
        inverse_mass[s] = s == 0 ? 0.0f : 1000.0f;
        const uint8_t color[4] = {(uint8_t)cell[s], 255, 0, (uint8_t)s};
        memcpy(paint + 4 * (size_t)s, color, sizeof color);
        for (unsigned axis = 0; axis < 3; axis++) {
            position[(size_t)axis * n + s] = spacing * (float)at[axis];
            neighbors[(2 * (size_t)axis) * n + s] = stored_at(box, at, axis, -1);
            neighbors[(2 * (size_t)axis + 1) * n + s] = stored_at(box, at, axis, 1);
        }
    }
    set_particles(&sample->garment, position, inverse_mass, n);
    sample->garment.paint = paint;
    sample->garment.cell = cell;
    sample->garment.neighbors = neighbors;
}

typedef struct pair_list {
    uint64_t count;
    uint32_t *a, *b;
    float *rest;
} pair_list;

static pair_list new_pairs(sample_garment *sample, size_t room) {
    return (pair_list){0, own(sample, room, 4), own(sample, room, 4), own(sample, room, 4)};
}

static void add_pair(pair_list *list, uint32_t a, uint32_t b, float rest) {
    list->a[list->count] = a;
    list->b[list->count] = b;
    list->rest[list->count++] = rest;
}

static slv_constraints view_pairs(const pair_list *list) {
    return (slv_constraints){list->count, {list->a, list->b}, list->rest};
}

// Joins every sample whose coordinate along the axis has the parity to the one `step` further.
static void join(const slv_garment *garment, const grid *box, pair_list *list, unsigned axis,
                 uint32_t parity, int step) {
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        uint32_t at[3];
        position_of(box, garment->own_of_stored[s], at);
        int32_t other = stored_at(box, at, axis, step);
        if (at[axis] % 2 == parity && other >= 0) {
            add_pair(list, s, (uint32_t)other, (float)step * spacing);
        }
    }
}

static void add_grid_constraints(sample_garment *sample, const grid *box) {
    slv_garment *garment = &sample->garment;
    size_t n = garment->info.particle_count;
    slv_constraint_group *groups = own(sample, 8, sizeof *groups);
    pair_list distance = new_pairs(sample, 3 * n);
    pair_list bending = new_pairs(sample, n);
    for (uint32_t g = 0; g < 6; g++) {
        groups[g] = (slv_constraint_group){
            .kind = SLV_CONSTRAINT_DISTANCE, .color = g, .first = distance.count};
        join(garment, box, &distance, g / 2, g % 2, 1);
        groups[g].count = distance.count - groups[g].first;
    }
    join(garment, box, &bending, 0, 0, 2);
    groups[6] = (slv_constraint_group){.kind = SLV_CONSTRAINT_BENDING,
                                       .color = SLV_UNCOLORED,
                                       .material = 1,
                                       .count = bending.count};
    garment->groups = groups;
    garment->group_count = 7;
    garment->constraints[SLV_CONSTRAINT_DISTANCE] = view_pairs(&distance);
    garment->constraints[SLV_CONSTRAINT_BENDING] = view_pairs(&bending);
}

static const float offset_size[3] = {0.001f, 0.002f, 0.003f}; // metres, along the three frame axes

// A red and a blue pixel.
const uint8_t sample_picture[SAMPLE_PICTURE_SIZE] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7B,
    0x40, 0xE8, 0xDD, 0x00, 0x00, 0x00, 0x0F, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8,
    0xCF, 0xC0, 0xC0, 0xF0, 0x9F, 0x01, 0x00, 0x07, 0xFF, 0x01, 0xFF, 0xB8, 0x04, 0x35, 0xE0,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

// One vertex near the middle of each cell of the lowest layer, hanging on the cell's eight corners.
// The second corner lies along y, the third along x: the frame's axes are y, x and -z.
static void add_grid_render(sample_garment *sample, const grid *box) {
    slv_render_mesh *mesh = &sample->garment.render;
    uint32_t columns = box->size[0] - 1;
    uint32_t rows = box->size[1] - 1;
    size_t v = (size_t)columns * rows;
    float *positions = own(sample, 3 * v, sizeof *positions);
    float *normals = own(sample, 3 * v, sizeof *normals);
    float *uvs = own(sample, 2 * v, sizeof *uvs);
    uint32_t *source = own(sample, v, sizeof *source);
    uint32_t *particles = own(sample, 8 * v, sizeof *particles);
    float *weights = own(sample, 8 * v, sizeof *weights);
    float *offsets = own(sample, 3 * v, sizeof *offsets);
    for (uint32_t i = 0; i < v; i++) {
        uint32_t low[2] = {i % columns, i / columns};
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t at[3] = {low[0] + k / 2 % 2, low[1] + k % 2, box->size[2] > 1 ? k / 4 : 0};
            particles[8 * (size_t)i + k] = box->stored_of_own[own_number(box, at)];
            weights[8 * (size_t)i + k] = 0.125f;
        }
        float depth = box->size[2] > 1 ? 0.5f : 0.0f;
        positions[3 * (size_t)i] = spacing * ((float)low[0] + 0.5f) + offset_size[1];
        positions[3 * (size_t)i + 1] = spacing * ((float)low[1] + 0.5f) + offset_size[0];
        positions[3 * (size_t)i + 2] = spacing * depth - offset_size[2];
        memcpy(offsets + 3 * (size_t)i, offset_size, sizeof offset_size);
        normals[3 * (size_t)i + 2] = 1.0f;
        uvs[2 * (size_t)i] = (float)low[0] / (float)columns;
        source[i] = i;
    }
    mesh->vertex_count = (uint32_t)v;
    mesh->positions = positions;
    mesh->normals = normals;
    mesh->uvs = uvs;
    mesh->texture = sample_picture;
    mesh->texture_size = sizeof sample_picture;
    mesh->source = source;
    mesh->influences = 8;
    mesh->particles = particles;
    mesh->weights = weights;
    mesh->offsets = offsets;
}

static void add_grid_triangles(sample_garment *sample, const grid *box) {
    uint32_t columns = box->size[0] - 1;
    uint32_t rows = box->size[1] - 1;
    uint32_t *triangles = own(sample, 6 * (size_t)columns * rows, sizeof *triangles);
    uint32_t *next = triangles;
    for (uint32_t j = 0; j + 1 < rows; j++) {
        for (uint32_t i = 0; i + 1 < columns; i++) {
            uint32_t corner = i + j * columns;
            const uint32_t two[6] = {corner,     corner + 1,           corner + columns,
                                     corner + 1, corner + columns + 1, corner + columns};
            memcpy(next, two, sizeof two);
            next += 6;
        }
    }
    sample->garment.render.triangles = triangles;
    sample->garment.render.triangle_count = (uint32_t)((next - triangles) / 3);
}

void sample_grid(sample_garment *sample, uint32_t nx, uint32_t ny, uint32_t nz) {
    *sample = (sample_garment){0};
    grid box = {{nx, ny, nz}, NULL};
    slv_grid_info *info = own(sample, 1, sizeof *info);
    *info = (slv_grid_info){.cells = {nx, ny, nz}, .spacing = (double)spacing};
    sample->garment.grid = info;
    sample->garment.info = (slv_garment_info){
        .particle_count = nx * ny * nz,
        .mode = SLV_GARMENT_SOLID,
        .frame = {1, 2, 3},
        .spacing = spacing,
        .mass = 0.001f * (float)(nx * ny * nz - 1),
    };
    add_order(sample, &box);
    add_grid_particles(sample, &box);
    set_bounds(&sample->garment);
    add_grid_constraints(sample, &box);
    add_grid_render(sample, &box);
    add_grid_triangles(sample, &box);
    add_sets(sample);
    add_materials(sample);
}

// --- surface ---------------------------------------------------------------------------------------

static void add_surface_particles(sample_garment *sample, uint32_t n) {
    float *position = own(sample, 3 * (size_t)n, sizeof *position);
    float *inverse_mass = own(sample, n, sizeof *inverse_mass);
    uint32_t *order = own(sample, n, sizeof *order);
    slv_color_range *colors = own(sample, 1, sizeof *colors);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t column = i / 2;
        uint32_t row = i % 2;
        position[i] = spacing * (float)column;
        position[n + i] = spacing * (float)row;
        inverse_mass[i] = 500.0f;
        order[i] = i;
    }
    colors[0] = (slv_color_range){.color = SLV_UNCOLORED, .count = n};
    set_particles(&sample->garment, position, inverse_mass, n);
    sample->garment.own_of_stored = order;
    sample->garment.stored_of_own = order;
    sample->garment.colors = colors;
    sample->garment.color_count = 1;
}

static void add_surface_constraints(sample_garment *sample, uint32_t n) {
    slv_constraint_group *groups = own(sample, 2, sizeof *groups);
    pair_list distance = new_pairs(sample, 2 * (size_t)n);
    pair_list bending = new_pairs(sample, n);
    for (uint32_t i = 0; i + 1 < n; i++) {
        add_pair(&distance, i, i + 1, spacing);
        if (i + 2 < n) {
            add_pair(&distance, i, i + 2, spacing);
        }
        if (i + 3 < n) {
            add_pair(&bending, i, i + 3, 2 * spacing);
        }
    }
    for (uint32_t g = 0; g < 2; g++) {
        groups[g] = (slv_constraint_group){.kind = SLV_CONSTRAINT_DISTANCE + g,
                                           .color = SLV_UNCOLORED,
                                           .count = g ? bending.count : distance.count};
    }
    sample->garment.groups = groups;
    sample->garment.group_count = 2;
    sample->garment.constraints[SLV_CONSTRAINT_DISTANCE] = view_pairs(&distance);
    sample->garment.constraints[SLV_CONSTRAINT_BENDING] = view_pairs(&bending);
}

static void add_surface_render(sample_garment *sample, uint32_t n) {
    slv_render_mesh *mesh = &sample->garment.render;
    float *positions = own(sample, 3 * (size_t)n, sizeof *positions);
    float *normals = own(sample, 3 * (size_t)n, sizeof *normals);
    float *weights = own(sample, n, sizeof *weights);
    uint32_t *triangles = own(sample, 3 * (size_t)n, sizeof *triangles);
    for (uint32_t i = 0; i < n; i++) {
        positions[3 * (size_t)i] = sample->garment.x[i];
        positions[3 * (size_t)i + 1] = sample->garment.y[i];
        normals[3 * (size_t)i + 2] = 1.0f;
        weights[i] = 1.0f;
        for (uint32_t k = 0; i + 2 < n && k < 3; k++) {
            triangles[3 * (size_t)i + k] = i + k;
        }
    }
    *mesh = (slv_render_mesh){.vertex_count = n,
                              .triangle_count = n - 2,
                              .positions = positions,
                              .normals = normals,
                              .triangles = triangles,
                              .influences = 1,
                              .particles = sample->garment.own_of_stored,
                              .weights = weights};
}

void sample_surface(sample_garment *sample, uint32_t steps) {
    *sample = (sample_garment){0};
    uint32_t n = 2 * steps + 2;
    sample->garment.info = (slv_garment_info){.particle_count = n,
                                              .mode = SLV_GARMENT_SURFACE,
                                              .spacing = spacing,
                                              .mass = 0.002f * (float)n};
    add_surface_particles(sample, n);
    set_bounds(&sample->garment);
    add_surface_constraints(sample, n);
    add_surface_render(sample, n);
    add_materials(sample);
}

void sample_empty(sample_garment *sample) {
    *sample = (sample_garment){0};
    sample->garment.info.mode = SLV_GARMENT_SHAPE;
    add_materials(sample);
}

// --- writing ---------------------------------------------------------------------------------------

float *sample_sphere(uint32_t nx, uint32_t ny, uint32_t nz) {
    float *values = malloc((size_t)nx * ny * nz * sizeof *values);
    float *next = values;
    for (uint32_t k = 0; values && k < nz; k++) {
        for (uint32_t j = 0; j < ny; j++) {
            for (uint32_t i = 0; i < nx; i++) {
                double x = (double)i - 0.5 * nx + 0.317;
                double y = (double)j - 0.5 * ny + 0.171;
                double z = (double)k - 0.5 * nz + 0.093;
                *next++ = (float)((sqrt(x * x + y * y + z * z) - 0.4 * nx) * (double)spacing);
            }
        }
    }
    return values;
}

static slv_result write_field(slv_writer *writer, const sample_field *field, slv_error *error) {
    const uint32_t *cells = field->cells;
    slv_field_info info = {.cells = {cells[0], cells[1], cells[2]},
                           .slab = SLV_FIELD_SLAB,
                           .spacing = (double)spacing};
    size_t plane = (size_t)cells[0] * cells[1];
    float *values = sample_sphere(cells[0], cells[1], cells[2]);
    uint8_t *coded = malloc(plane * SLV_FIELD_SLAB * 4);
    slv_result result = values && coded
                            ? slv_writer_begin(writer, SLV_SECTION_FIELD, field->codec, 0, error)
                            : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    if (result == SLV_OK) {
        result = slv_writer_append(writer, &info, sizeof info, error);
    }
    for (uint32_t z = 0; result == SLV_OK && z < cells[2]; z += SLV_FIELD_SLAB) {
        uint32_t layers = cells[2] - z < SLV_FIELD_SLAB ? cells[2] - z : SLV_FIELD_SLAB;
        slv_field_encode_slab(values + plane * z, cells[0], cells[1], layers, coded);
        result = slv_writer_append(writer, coded, plane * layers * 4, error);
    }
    free(coded);
    free(values);
    return result == SLV_OK ? slv_writer_end(writer, error) : result;
}

slv_result sample_write(const slv_garment *garment, const sample_field *field, const char *path,
                        slv_error *error) {
    slv_writer *writer = NULL;
    uint32_t count = slv_garment_get_section_count(garment) + (field ? 1 : 0);
    slv_result result = slv_writer_open(path, SLV_CONTENTS_GARMENT, count, &writer, error);
    if (result != SLV_OK) {
        return result;
    }
    result = slv_garment_write(garment, writer, error);
    if (result == SLV_OK && field) {
        result = write_field(writer, field, error);
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        return result;
    }
    return slv_writer_commit(writer, error);
}
