// SPDX-License-Identifier: MIT
#include "tools/colorize/factor_matrix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct spring {
    uint32_t a, b; // own numbers
    double stiffness;
} spring;

typedef struct spring_list {
    const slv_garment *garment;
    spring *springs;
    uint64_t count, room;
    bool failed; // out of memory
} spring_list;

static void add_spring(spring_list *list, uint32_t a, uint32_t b, double stiffness) {
    if (list->count == list->room) {
        const uint64_t room = 2 * list->room + 1024;
        spring *springs = realloc(list->springs, room * sizeof *springs);
        list->failed = list->failed || !springs;
        list->springs = springs ? springs : list->springs;
        list->room = springs ? room : list->room;
    }
    if (list->count < list->room) {
        list->springs[list->count++] = (spring){a, b, stiffness};
    }
}

// --- The springs that the runtime makes (runtime/model/springs.c) -----------------------------------------

static void add_pack_springs(spring_list *list, const slv_factor_options *options) {
    const slv_garment *garment = list->garment;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        const slv_constraints *pairs = &garment->constraints[group->kind];
        const double own = (double)garment->materials[group->material].stretch_stiffness;
        const double stiffness = group->kind == SLV_CONSTRAINT_BENDING ? options->bending
                                 : options->stretch > 0.0              ? options->stretch
                                                                       : own;
        if ((group->kind == SLV_CONSTRAINT_DISTANCE || group->kind == SLV_CONSTRAINT_BENDING) &&
            stiffness > 0.0) {
            for (uint64_t i = group->first; i < group->first + group->count; i++) {
                add_spring(
                    list,
                    garment->own_of_stored[slv_garment_get_original(garment, pairs->ends[0][i])],
                    garment->own_of_stored[slv_garment_get_original(garment, pairs->ends[1][i])],
                    stiffness);
            }
        }
    }
}

// Own number of each sample's particle, plus one; 0 where there is none.
typedef struct sample_index {
    const slv_grid_info *grid;
    uint32_t *number;
} sample_index;

static uint32_t find_sample(const sample_index *index, const int64_t at[3]) {
    uint64_t sample = 0;
    for (int d = 2; d >= 0; d--) {
        if (at[d] < 0 || at[d] >= (int64_t)index->grid->cells[d]) {
            return 0;
        }
        sample = sample * index->grid->cells[d] + (uint64_t)at[d];
    }
    return index->number[sample];
}

// A spring from a sample to the one at an offset, over one of those between.
static void join_samples(spring_list *list, const sample_index *index, uint32_t sample,
                         const int offset[3], const int between[2][3], double stiffness) {
    int64_t at[3];
    int64_t ends[3][3];
    const uint32_t *cells = index->grid->cells;
    at[0] = sample % cells[0];
    at[1] = sample / cells[0] % cells[1];
    at[2] = sample / cells[0] / cells[1];
    for (int d = 0; d < 3; d++) {
        ends[0][d] = at[d] + offset[d];
        ends[1][d] = at[d] + between[0][d];
        ends[2][d] = at[d] + between[1][d];
    }
    const uint32_t other = find_sample(index, ends[0]);
    if (other > 0 && (find_sample(index, ends[1]) > 0 || find_sample(index, ends[2]) > 0)) {
        add_spring(list, index->number[sample] - 1, other - 1, stiffness);
    }
}

static void add_diagonals(spring_list *list, const sample_index *index, double stiffness) {
    const slv_garment *garment = list->garment;
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        for (int plane = 0; plane < 3; plane++) {
            const int u = plane == 2 ? 1 : 0;
            const int v = plane == 0 ? 1 : 2;
            for (int sign = 1; sign >= -1; sign -= 2) {
                int offset[3] = {0, 0, 0};
                int between[2][3] = {{0, 0, 0}, {0, 0, 0}};
                offset[u] = between[0][u] = sign;
                offset[v] = between[1][v] = 1;
                join_samples(list, index, garment->cell[s], (const int *)offset,
                             (const int(*)[3])between, stiffness);
            }
        }
    }
}

static void add_bends(spring_list *list, const sample_index *index, double stiffness) {
    const slv_garment *garment = list->garment;
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        for (int d = 0; d < 3; d++) {
            int offset[3] = {0, 0, 0};
            int between[2][3] = {{0, 0, 0}, {0, 0, 0}};
            offset[d] = 2;
            between[0][d] = between[1][d] = 1;
            join_samples(list, index, garment->cell[s], (const int *)offset,
                         (const int(*)[3])between, stiffness);
        }
    }
}

static void add_grid_springs(spring_list *list, const slv_factor_options *options) {
    const slv_garment *garment = list->garment;
    const uint32_t *cells = garment->grid->cells;
    sample_index index = {garment->grid,
                          calloc((size_t)cells[0] * cells[1] * cells[2], sizeof *index.number)};
    if (!index.number) {
        list->failed = true;
        return;
    }
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        index.number[garment->cell[s]] = garment->own_of_stored[s] + 1;
    }
    if (options->shear > 0.0) {
        add_diagonals(list, &index, options->shear);
    }
    if (options->bending > 0.0 && garment->constraints[SLV_CONSTRAINT_BENDING].count == 0) {
        add_bends(list, &index, options->bending);
    }
    free(index.number);
}

// --- Fixed particles --------------------------------------------------------------------------------

// A set by its name, or a particle by its own number. False where it is neither.
static bool fix_named(const slv_garment *garment, const char *name, size_t length, float *mass) {
    for (uint32_t s = 0; s < garment->set_count; s++) {
        const slv_named_set set = slv_garment_get_set(garment, s);
        if (set.name_length == length && memcmp(set.name, name, length) == 0) {
            for (uint32_t i = 0; i < set.count; i++) {
                mass[garment->own_of_stored[set.particles[i]]] = 0.0f;
            }
            return true;
        }
    }
    char *end = NULL;
    errno = 0;
    const unsigned long number = strtoul(name, &end, 10);
    const bool found = errno == 0 && name[0] >= '0' && name[0] <= '9' &&
                       (size_t)(end - name) == length && number < garment->info.particle_count;
    if (found) {
        mass[number] = 0.0f;
    }
    return found;
}

static slv_result fix_particles(const slv_garment *garment, const char *names, float *mass,
                                slv_error *error) {
    slv_result result = SLV_OK;
    while (names && *names && result == SLV_OK) {
        const size_t length = strcspn(names, ",");
        if (!fix_named(garment, names, length, mass)) {
            result =
                slv_fail(error, SLV_ERROR_ARGUMENT,
                         "--factor-fixed: '%.*s' is neither a set of the pack nor the number of "
                         "one of its %u particles",
                         (int)length, names, garment->info.particle_count);
        }
        names += length + (names[length] == ',' ? 1 : 0);
    }
    return result;
}

static slv_result find_masses(const slv_garment *garment, const slv_factor_options *options,
                              float *mass, slv_error *error) {
    for (uint32_t s = 0; s < garment->info.particle_count; s++) {
        const float inverse = garment->inverse_mass[s];
        const float own = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        mass[garment->own_of_stored[s]] =
            own > 0.0f && options->particle_mass > 0.0 ? (float)options->particle_mass : own;
    }
    return fix_particles(garment, options->fixed, mass, error);
}

// --- The matrix -------------------------------------------------------------------------------------

static bool allocate(slv_factor_matrix *matrix, uint64_t springs) {
    const size_t n = matrix->count;
    matrix->mass = calloc(n + 1, sizeof *matrix->mass);
    matrix->diagonal = calloc(n + 1, sizeof *matrix->diagonal);
    matrix->entry_end = calloc(n + 1, sizeof *matrix->entry_end);
    matrix->column = calloc((size_t)(2 * springs) + 1, sizeof *matrix->column);
    matrix->entry = calloc((size_t)(2 * springs) + 1, sizeof *matrix->entry);
    return matrix->mass && matrix->diagonal && matrix->entry_end && matrix->column && matrix->entry;
}

static void put_entry(slv_factor_matrix *matrix, uint32_t row, uint32_t column, double entry) {
    const uint64_t at = matrix->entry_end[row]++;
    matrix->column[at] = column;
    matrix->entry[at] = entry;
}

// Entries by counting: ends of rows are their beginnings until their entries are put.
static void put_springs(slv_factor_matrix *matrix, const spring_list *list, double factor) {
    const float *mass = matrix->mass;
    for (uint64_t s = 0; s < list->count; s++) {
        const spring *one = &list->springs[s];
        if (mass[one->a] > 0.0f && mass[one->b] > 0.0f) {
            matrix->entry_end[one->a]++;
            matrix->entry_end[one->b]++;
        }
    }
    uint64_t end = 0;
    for (uint32_t i = 0; i < matrix->count; i++) {
        const uint64_t count = matrix->entry_end[i];
        matrix->entry_end[i] = end;
        end += count;
        matrix->diagonal[i] = mass[i] > 0.0f ? (double)mass[i] : 1.0;
    }
    for (uint64_t s = 0; s < list->count; s++) {
        const spring *one = &list->springs[s];
        const double value = factor * one->stiffness;
        matrix->diagonal[one->a] += mass[one->a] > 0.0f ? value : 0.0;
        matrix->diagonal[one->b] += mass[one->b] > 0.0f ? value : 0.0;
        if (mass[one->a] > 0.0f && mass[one->b] > 0.0f) {
            put_entry(matrix, one->a, one->b, -value);
            put_entry(matrix, one->b, one->a, -value);
        }
    }
}

slv_result slv_factor_matrix_create(const slv_garment *garment, const slv_factor_options *options,
                                    slv_factor_matrix *matrix, slv_error *error) {
    spring_list list = {.garment = garment};
    *matrix = (slv_factor_matrix){.count = garment->info.particle_count};
    add_pack_springs(&list, options);
    if (garment->grid && (options->shear > 0.0 || options->bending > 0.0)) {
        add_grid_springs(&list, options);
    }
    slv_result result = SLV_OK;
    if (list.failed || !allocate(matrix, list.count)) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the matrix of the factor");
    }
    if (result == SLV_OK) {
        result = find_masses(garment, options, matrix->mass, error);
    }
    if (result == SLV_OK) {
        put_springs(matrix, &list, options->time_step * (options->time_step + options->damping));
    } else {
        slv_factor_matrix_destroy(matrix);
    }
    free(list.springs);
    return result;
}

void slv_factor_matrix_destroy(slv_factor_matrix *matrix) {
    free(matrix->mass);
    free(matrix->diagonal);
    free(matrix->entry_end);
    free(matrix->column);
    free(matrix->entry);
    *matrix = (slv_factor_matrix){.count = 0};
}
