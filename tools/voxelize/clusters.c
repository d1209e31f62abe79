// SPDX-License-Identifier: MIT
#include "tools/voxelize/clusters.h"

#include "tools/voxelize/tetrahedra.h"

#include <stdlib.h>
#include <string.h>

static slv_result no_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for clusters");
}

// Nothing but clusters holds a body together.
static slv_result remove_constraints(slv_garment_builder *builder, slv_error *error) {
    slv_garment *garment = &builder->garment;
    const uint64_t count = SLV_SLOT_COUNT * (uint64_t)garment->info.particle_count;
    int32_t *neighbors = slv_builder_array(builder, count, sizeof *neighbors, error);
    if (neighbors == NULL) {
        return SLV_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        neighbors[i] = SLV_NO_NEIGHBOR;
    }
    garment->neighbors = neighbors;
    garment->group_count = 0;
    garment->constraints[SLV_CONSTRAINT_DISTANCE] = (slv_constraints){0};
    return SLV_OK;
}

static slv_result make_rigid(slv_garment_builder *builder, slv_error *error) {
    slv_garment *garment = &builder->garment;
    const uint32_t n = garment->info.particle_count;
    uint32_t *end = slv_builder_array(builder, 1, sizeof *end, error);
    uint32_t *members = slv_builder_array(builder, n, sizeof *members, error);
    if (end == NULL || members == NULL) {
        return SLV_ERROR_MEMORY;
    }
    *end = n;
    for (uint32_t s = 0; s < n; s++) {
        members[s] = s;
    }
    garment->clusters = (slv_clusters){1, n, end, members};
    return remove_constraints(builder, error);
}

// --- Soft bodies --------------------------------------------------------------------------------

typedef struct soft_work {
    const slv_grid_index *index;
    uint32_t side;
    int32_t
        *stored; // [side^3] of the present box; SLV_NO_NEIGHBOR where there is none or it is taken
    uint32_t *stack; // [side^3] cells of the box
    uint32_t *ends;  // NULL: only counts
    uint32_t *members;
    uint64_t cluster_count, member_count;
} soft_work;

static void number_box(const soft_work *work, const uint32_t origin[3]) {
    int32_t *next = work->stored;
    for (uint32_t k = 0; k < work->side; k++) {
        for (uint32_t j = 0; j < work->side; j++) {
            for (uint32_t i = 0; i < work->side; i++) {
                *next++ = slv_grid_index_find(work->index, (int64_t)origin[0] + i,
                                              (int64_t)origin[1] + j, (int64_t)origin[2] + k);
            }
        }
    }
}

// Takes the particle of a cell of the box.
static void take(soft_work *work, uint32_t cell, uint32_t *depth) {
    const int32_t stored = work->stored[cell];
    if (stored == SLV_NO_NEIGHBOR) {
        return;
    }
    if (work->members != NULL) {
        work->members[work->member_count] = (uint32_t)stored;
    }
    work->member_count++;
    work->stored[cell] = SLV_NO_NEIGHBOR;
    work->stack[(*depth)++] = cell;
}

// Takes all particles that neighbors connect to one within the box.
static void take_connected(soft_work *work, uint32_t cell) {
    const uint32_t side = work->side;
    uint32_t depth = 0;
    take(work, cell, &depth);
    while (depth > 0) {
        const uint32_t at = work->stack[--depth];
        const uint32_t coordinates[3] = {at % side, at / side % side, at / side / side};
        uint32_t step = 1;
        for (int axis = 0; axis < 3; axis++, step *= side) {
            if (coordinates[axis] > 0) {
                take(work, at - step, &depth);
            }
            if (coordinates[axis] + 1 < side) {
                take(work, at + step, &depth);
            }
        }
    }
}

static int compare_numbers(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void add_box(soft_work *work, const uint32_t origin[3]) {
    number_box(work, origin);
    for (uint32_t cell = 0; cell < work->side * work->side * work->side; cell++) {
        if (work->stored[cell] == SLV_NO_NEIGHBOR) {
            continue;
        }
        const uint64_t first = work->member_count;
        take_connected(work, cell);
        if (work->members != NULL) {
            qsort(work->members + first, (size_t)(work->member_count - first),
                  sizeof *work->members, compare_numbers);
            work->ends[work->cluster_count] = (uint32_t)work->member_count;
        }
        work->cluster_count++;
    }
}

static void add_boxes(soft_work *work) {
    const uint32_t *cells = work->index->lattice.cells;
    const uint32_t step = work->side / 2;
    uint32_t origin[3];
    work->cluster_count = 0;
    work->member_count = 0;
    for (origin[2] = 0; origin[2] < cells[2]; origin[2] += step) {
        for (origin[1] = 0; origin[1] < cells[1]; origin[1] += step) {
            for (origin[0] = 0; origin[0] < cells[0]; origin[0] += step) {
                add_box(work, origin);
            }
        }
    }
}

static slv_result add_clusters(soft_work *work, slv_garment_builder *builder, slv_error *error) {
    const size_t box = (size_t)work->side * work->side * work->side;
    work->stored = malloc(box * sizeof *work->stored);
    work->stack = malloc(box * sizeof *work->stack);
    if (work->stored == NULL || work->stack == NULL) {
        return no_memory(error);
    }
    add_boxes(work);
    if (work->member_count > INT32_MAX) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "clusters would have %llu members, more than 2147483647: choose a larger "
                        "spacing",
                        (unsigned long long)work->member_count);
    }
    work->ends = slv_builder_array(builder, work->cluster_count, sizeof *work->ends, error);
    work->members = slv_builder_array(builder, work->member_count, sizeof *work->members, error);
    if (work->ends == NULL || work->members == NULL) {
        return SLV_ERROR_MEMORY;
    }
    add_boxes(work);
    builder->garment.clusters = (slv_clusters){
        (uint32_t)work->cluster_count, (uint32_t)work->member_count, work->ends, work->members};
    return SLV_OK;
}

static slv_result make_soft(slv_garment_builder *builder, const slv_grid_index *index,
                            uint64_t side, slv_error *error) {
    soft_work work = {.index = index, .side = side > 0 ? (uint32_t)side : SLV_CLUSTER_SIDE};
    slv_result result = add_clusters(&work, builder, error);
    free(work.stored);
    free(work.stack);
    return result == SLV_OK ? remove_constraints(builder, error) : result;
}

slv_result slv_fill_solid(const slv_voxelize_options *options, const slv_grid_index *index,
                          slv_garment_builder *builder, slv_error *error) {
    switch (options->body) {
    case SLV_BODY_RIGID:
        return make_rigid(builder, error);
    case SLV_BODY_SOFT:
        return make_soft(builder, index, options->cluster_side, error);
    case SLV_BODY_NONE:
        break;
    }
    return options->tetrahedra ? slv_add_tetrahedra(builder, error) : SLV_OK;
}
