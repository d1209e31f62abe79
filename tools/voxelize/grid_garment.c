// SPDX-License-Identifier: MIT
#include "tools/voxelize/grid_garment.h"

#include "tools/common/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUP_COUNT = 6,    // axis * 2 + parity of the lower end
    LAYERS_PER_TASK = 8 // z layers per task; it also numbers the two adjacent layers
};

// --- Counting: where each layer's constraints begin ---------------------------------------------

// Constraints before a layer, by group. A constraint belongs to the layer of its red end.
typedef struct layer_start {
    uint64_t group[GROUP_COUNT];
} layer_start;

static const uint64_t *row_or_empty(const slv_grid_index *index, int64_t j, int64_t k,
                                    const uint64_t *empty) {
    const bool outside =
        j < 0 || k < 0 || j >= index->lattice.cells[1] || k >= index->lattice.cells[2];
    return outside ? empty : slv_grid_index_row(index, (uint32_t)j, (uint32_t)k);
}

static void count_row(const slv_grid_index *index, uint32_t j, uint32_t k, const uint64_t *empty,
                      layer_start *counts) {
    const uint64_t *row = slv_grid_index_row(index, j, k);
    const uint64_t *below = row_or_empty(index, (int64_t)j - 1, k, empty);
    const uint64_t *above = row_or_empty(index, (int64_t)j + 1, k, empty);
    const uint64_t *behind = row_or_empty(index, j, (int64_t)k - 1, empty);
    const uint64_t *before = row_or_empty(index, j, (int64_t)k + 1, empty);
    const uint64_t red_columns = slv_red_columns(j, k);
    const size_t i_parity = (j + k) & 1u; // of the red columns
    const size_t j_parity = j & 1u;
    const size_t k_parity = k & 1u;
    uint64_t *group = counts->group;
    for (size_t w = 0; w < index->row_words; w++) {
        const uint64_t red = row[w] & red_columns;
        const uint64_t carry_left = w > 0 ? row[w - 1] >> 63 : 0;
        const uint64_t carry_right = w + 1 < index->row_words ? row[w + 1] << 63 : 0;
        group[1 - i_parity] += slv_count_bits(red & (row[w] << 1 | carry_left));
        group[i_parity] += slv_count_bits(red & (row[w] >> 1 | carry_right));
        group[2 + (1 - j_parity)] += slv_count_bits(red & below[w]);
        group[2 + j_parity] += slv_count_bits(red & above[w]);
        group[4 + (1 - k_parity)] += slv_count_bits(red & behind[w]);
        group[4 + k_parity] += slv_count_bits(red & before[w]);
    }
}

static void count_constraints(const slv_grid_index *index, const uint64_t *empty,
                              layer_start *starts, layer_start *totals) {
    *totals = (layer_start){{0}};
    for (uint32_t k = 0; k < index->lattice.cells[2]; k++) {
        starts[k] = *totals;
        for (uint32_t j = 0; j < index->lattice.cells[1]; j++) {
            count_row(index, j, k, empty, totals);
        }
    }
}

// --- Filling ------------------------------------------------------------------------------------

typedef struct grid_arrays {
    float *x, *y, *z;
    uint32_t *cell, *own_of_stored, *stored_of_own;
    int32_t *neighbors;
    uint32_t *a, *b;
    float *rest;
} grid_arrays;

typedef struct fill_work {
    const slv_grid_index *index;
    const layer_start *starts;
    uint64_t group_first[GROUP_COUNT];
    grid_arrays arrays;
    size_t table_width; // row length of a table: samples along x and a border on both sides
    size_t table_size;  // numbers in one layer's table
    int32_t *tables;    // [worker][3][table_size]
} fill_work;

// Stored numbers of the samples of a layer, SLV_NO_NEIGHBOR where there is none and on the border.
static void number_layer(const fill_work *work, int64_t k, int32_t *table) {
    const slv_grid_index *index = work->index;
    memset(table, 0xFF, work->table_size * sizeof *table); // SLV_NO_NEIGHBOR everywhere
    if (k < 0 || k >= index->lattice.cells[2]) {
        return;
    }
    for (uint32_t j = 0; j < index->lattice.cells[1]; j++) {
        const size_t row = (size_t)k * index->lattice.cells[1] + j;
        const uint64_t *words = slv_grid_index_row(index, j, (uint32_t)k);
        uint32_t next[2] = {index->row_first[2 * row],
                            index->color_count[0] + index->row_first[2 * row + 1]};
        int32_t *numbers = table + (j + 1) * work->table_width + 1;
        for (size_t w = 0; w < index->row_words; w++) {
            for (uint64_t left = words[w]; left != 0; left &= left - 1) {
                const size_t i = 64 * w + (size_t)__builtin_ctzll(left);
                numbers[i] = (int32_t)next[(i + j + (size_t)k) & 1]++;
            }
        }
    }
}

// Adds the constraints of a red particle. position: its (i, j, k).
static void add_constraints(const fill_work *work, uint32_t red, const int32_t neighbors[6],
                            const uint32_t position[3], uint64_t cursor[GROUP_COUNT]) {
    for (uint32_t slot = 0; slot < SLV_SLOT_COUNT; slot++) {
        if (neighbors[slot] == SLV_NO_NEIGHBOR) {
            continue;
        }
        const uint32_t axis = slot / 2;
        const uint32_t towards_plus = slot & 1u;
        const uint32_t lower_parity = (position[axis] + 1u + towards_plus) & 1u;
        const uint64_t constraint = cursor[2 * axis + lower_parity]++;
        work->arrays.a[constraint] = red;
        work->arrays.b[constraint] = (uint32_t)neighbors[slot];
        work->arrays.rest[constraint] = (float)work->index->lattice.spacing;
    }
}

// table_index: the particle's number in its layer's table; tables: layers k-1, k, k+1.
static void add_particle(const fill_work *work, const uint32_t position[3], uint32_t own,
                         int32_t *const tables[3], size_t table_index,
                         uint64_t cursor[GROUP_COUNT]) {
    const slv_lattice *lattice = &work->index->lattice;
    const grid_arrays *out = &work->arrays;
    const size_t count = slv_grid_index_count(work->index);
    const uint32_t stored = (uint32_t)tables[1][table_index];
    const int32_t neighbors[SLV_SLOT_COUNT] = {
        tables[1][table_index - 1],
        tables[1][table_index + 1],
        tables[1][table_index - work->table_width],
        tables[1][table_index + work->table_width],
        tables[0][table_index],
        tables[2][table_index],
    };
    out->x[stored] = (float)(lattice->origin[0] + position[0] * lattice->spacing);
    out->y[stored] = (float)(lattice->origin[1] + position[1] * lattice->spacing);
    out->z[stored] = (float)(lattice->origin[2] + position[2] * lattice->spacing);
    out->cell[stored] =
        position[0] + lattice->cells[0] * (position[1] + lattice->cells[1] * position[2]);
    out->own_of_stored[stored] = own;
    out->stored_of_own[own] = stored;
    for (size_t slot = 0; slot < SLV_SLOT_COUNT; slot++) {
        out->neighbors[slot * count + stored] = neighbors[slot];
    }
    if (stored < work->index->color_count[0]) {
        add_constraints(work, stored, neighbors, position, cursor);
    }
}

static void fill_layer(const fill_work *work, uint32_t k, int32_t *const tables[3]) {
    const slv_grid_index *index = work->index;
    const size_t first_row = (size_t)k * index->lattice.cells[1];
    uint32_t own = index->row_first[2 * first_row] + index->row_first[2 * first_row + 1];
    uint64_t cursor[GROUP_COUNT];
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        cursor[g] = work->group_first[g] + work->starts[k].group[g];
    }
    for (uint32_t j = 0; j < index->lattice.cells[1]; j++) {
        const uint64_t *words = slv_grid_index_row(index, j, k);
        for (size_t w = 0; w < index->row_words; w++) {
            for (uint64_t left = words[w]; left != 0; left &= left - 1) {
                const uint32_t i = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
                const uint32_t position[3] = {i, j, k};
                add_particle(work, position, own++, tables, (j + 1) * work->table_width + i + 1,
                             cursor);
            }
        }
    }
}

static void fill_layers(void *context, size_t task, unsigned worker) {
    const fill_work *work = context;
    const uint32_t layers = work->index->lattice.cells[2];
    const size_t first = task * LAYERS_PER_TASK;
    const size_t end = first + LAYERS_PER_TASK < layers ? first + LAYERS_PER_TASK : layers;
    int32_t *tables[3];
    for (size_t t = 0; t < 3; t++) {
        tables[t] = work->tables + (worker * (size_t)3 + t) * work->table_size;
    }
    number_layer(work, (int64_t)first - 1, tables[0]);
    number_layer(work, (int64_t)first, tables[1]);
    for (size_t k = first; k < end; k++) {
        number_layer(work, (int64_t)k + 1, tables[2]);
        fill_layer(work, (uint32_t)k, tables);
        int32_t *oldest = tables[0];
        tables[0] = tables[1];
        tables[1] = tables[2];
        tables[2] = oldest;
    }
}

// --- The builder ---------------------------------------------------------------------------------

static bool allocate_arrays(slv_garment_builder *builder, uint64_t particles, uint64_t constraints,
                            grid_arrays *out, slv_error *error) {
    return (out->x = slv_builder_array(builder, particles, sizeof *out->x, error)) != NULL &&
           (out->y = slv_builder_array(builder, particles, sizeof *out->y, error)) != NULL &&
           (out->z = slv_builder_array(builder, particles, sizeof *out->z, error)) != NULL &&
           (out->cell = slv_builder_array(builder, particles, sizeof *out->cell, error)) != NULL &&
           (out->own_of_stored =
                slv_builder_array(builder, particles, sizeof *out->own_of_stored, error)) != NULL &&
           (out->stored_of_own =
                slv_builder_array(builder, particles, sizeof *out->stored_of_own, error)) != NULL &&
           (out->neighbors = slv_builder_array(builder, SLV_SLOT_COUNT * particles,
                                               sizeof *out->neighbors, error)) != NULL &&
           (out->a = slv_builder_array(builder, constraints, sizeof *out->a, error)) != NULL &&
           (out->b = slv_builder_array(builder, constraints, sizeof *out->b, error)) != NULL &&
           (out->rest = slv_builder_array(builder, constraints, sizeof *out->rest, error)) != NULL;
}

uint64_t slv_grid_garment_bytes(uint64_t particles, uint64_t constraints) {
    const uint64_t particle = 4 * sizeof(float) + 3 * sizeof(uint32_t) + 6 * sizeof(int32_t);
    const uint64_t constraint = 2 * sizeof(uint32_t) + sizeof(float);
    return particles * particle + constraints * constraint;
}

// Empty colors and groups are omitted; the others are numbered without gaps.
static slv_result describe_groups(const slv_grid_index *index, const layer_start *totals,
                                  slv_garment_builder *builder, slv_error *error) {
    slv_garment *garment = &builder->garment;
    slv_color_range *colors = slv_builder_array(builder, 2, sizeof *colors, error);
    slv_constraint_group *groups = slv_builder_array(builder, GROUP_COUNT, sizeof *groups, error);
    slv_grid_info *grid = slv_builder_array(builder, 1, sizeof *grid, error);
    if (colors == NULL || groups == NULL || grid == NULL) {
        return SLV_ERROR_MEMORY;
    }
    uint32_t first_particle = 0;
    for (size_t c = 0; c < 2; c++) {
        const uint32_t count = index->color_count[c];
        if (count > 0) {
            const uint32_t color = garment->color_count++;
            colors[color] =
                (slv_color_range){.color = color, .first = first_particle, .count = count};
            first_particle += count;
        }
    }
    uint64_t first = 0;
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        const uint64_t count = totals->group[g];
        if (count > 0) {
            const uint32_t color = garment->group_count++;
            groups[color] = (slv_constraint_group){
                .kind = SLV_CONSTRAINT_DISTANCE, .color = color, .first = first, .count = count};
            first += count;
        }
    }
    *grid = (slv_grid_info){.spacing = index->lattice.spacing};
    memcpy(grid->cells, index->lattice.cells, sizeof grid->cells);
    memcpy(grid->origin, index->lattice.origin, sizeof grid->origin);
    garment->colors = colors;
    garment->groups = groups;
    garment->grid = grid;
    return SLV_OK;
}

static void set_garment_arrays(slv_garment *garment, const grid_arrays *arrays,
                               uint64_t constraints) {
    garment->x = arrays->x;
    garment->y = arrays->y;
    garment->z = arrays->z;
    garment->cell = arrays->cell;
    garment->own_of_stored = arrays->own_of_stored;
    garment->stored_of_own = arrays->stored_of_own;
    garment->neighbors = arrays->neighbors;
    garment->constraints[SLV_CONSTRAINT_DISTANCE] =
        (slv_constraints){constraints, {arrays->a, arrays->b}, arrays->rest};
}

static slv_result fill_all(const slv_grid_index *index, const layer_start *starts,
                           const layer_start *totals, unsigned threads,
                           slv_garment_builder *builder, slv_error *error) {
    const uint32_t *cells = index->lattice.cells;
    const size_t tasks = ((size_t)cells[2] + LAYERS_PER_TASK - 1) / LAYERS_PER_TASK;
    fill_work work = {.index = index, .starts = starts};
    uint64_t constraints = 0;
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        work.group_first[g] = constraints;
        constraints += totals->group[g];
    }
    if (!allocate_arrays(builder, slv_grid_index_count(index), constraints, &work.arrays, error)) {
        return SLV_ERROR_MEMORY;
    }
    work.table_width = (size_t)cells[0] + 2;
    work.table_size = work.table_width * ((size_t)cells[1] + 2);
    threads = tasks < threads ? (unsigned)tasks : threads;
    work.tables = malloc(threads * 3 * work.table_size * sizeof *work.tables);
    if (work.tables == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for three layers of samples");
    }
    slv_parallel_for(threads, tasks, fill_layers, &work);
    free(work.tables);
    set_garment_arrays(&builder->garment, &work.arrays, constraints);
    return SLV_OK;
}

slv_result slv_make_grid_garment(const slv_grid_index *index, unsigned threads,
                                 slv_garment_builder *builder, slv_error *error) {
    layer_start totals = {{0}};
    layer_start *starts = malloc(index->lattice.cells[2] * sizeof *starts);
    uint64_t *empty = calloc(index->row_words, sizeof *empty);
    slv_result result = SLV_OK;
    if (starts == NULL || empty == NULL) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u layers of samples",
                          index->lattice.cells[2]);
    } else {
        count_constraints(index, empty, starts, &totals);
        result = fill_all(index, starts, &totals, threads, builder, error);
    }
    free(starts);
    free(empty);
    if (result != SLV_OK) {
        return result;
    }
    builder->garment.info.particle_count = slv_grid_index_count(index);
    builder->garment.info.spacing = (float)index->lattice.spacing;
    slv_builder_measure_bounds(builder);
    return describe_groups(index, &totals, builder, error);
}
