// SPDX-License-Identifier: MIT
#include "tools/colorize/factor.h"

#include "tools/colorize/dissection.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define NO_BLOCK UINT32_MAX

// A block of the order of elimination, while it is factored.
typedef struct block {
    uint32_t first, end; // its columns
    uint32_t *row;       // [rows] further down, ascending
    uint32_t rows;
    double *update; // [rows][rows] what its columns take from those rows, until it is added
    uint32_t child, next_child; // blocks whose first row is a column of this one
} block;

typedef struct maker {
    const slv_factor_matrix *matrix;
    const slv_dissection *order;
    block *blocks;       // [block_count]
    uint32_t *block_of;  // [count] of each column
    uint32_t *local;     // [count] row of the front of each column
    uint32_t *mark;      // [count] the last block, plus one, that has this row
    uint32_t *candidate; // [count] rows of a block as they are found
    slv_made_factor *made;
    float *pivot;
    float *value;
    uint64_t value_count;
} maker;

static void *own(slv_made_factor *made, size_t count) {
    void *array = calloc(count + 1, sizeof(float));
    made->arrays[made->array_count++] = array;
    return array;
}

// --- Rows of blocks -----------------------------------------------------------------------------------

static int compare_numbers(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void note_row(maker *m, uint32_t number, uint32_t row, uint32_t *count) {
    if (row >= m->blocks[number].end && m->mark[row] != number + 1) {
        m->mark[row] = number + 1;
        m->candidate[(*count)++] = row;
    }
}

// Rows of a block: neighbors of its columns, and rows of the blocks below it.
static bool find_rows(maker *m, uint32_t number) {
    block *now = &m->blocks[number];
    const slv_factor_matrix *matrix = m->matrix;
    uint32_t count = 0;
    for (uint32_t c = now->first; c < now->end; c++) {
        const uint32_t p = m->order->particle[c];
        for (uint64_t e = p > 0 ? matrix->entry_end[p - 1] : 0; e < matrix->entry_end[p]; e++) {
            note_row(m, number, m->order->position[matrix->column[e]], &count);
        }
    }
    for (uint32_t b = now->child; b != NO_BLOCK; b = m->blocks[b].next_child) {
        for (uint32_t r = 0; r < m->blocks[b].rows; r++) {
            note_row(m, number, m->blocks[b].row[r], &count);
        }
    }
    qsort(m->candidate, count, sizeof *m->candidate, compare_numbers);
    now->row = malloc((count + 1) * sizeof *now->row);
    if (!now->row) {
        return false;
    }
    memcpy(now->row, m->candidate, count * sizeof *now->row);
    now->rows = count;
    if (count > 0) {
        block *parent = &m->blocks[m->block_of[now->row[0]]];
        now->next_child = parent->child;
        parent->child = number;
    }
    return true;
}

// --- Fronts -----------------------------------------------------------------------------------------

// Entries of the matrix in the columns of a block, and what the blocks below it take from its rows. front is a lower
// triangle of rows of `size`.
static void assemble(maker *m, const block *now, double *front, size_t size) {
    const slv_factor_matrix *matrix = m->matrix;
    for (uint32_t c = now->first; c < now->end; c++) {
        m->local[c] = c - now->first;
    }
    for (uint32_t r = 0; r < now->rows; r++) {
        m->local[now->row[r]] = now->end - now->first + r;
    }
    for (uint32_t c = now->first; c < now->end; c++) {
        const uint32_t p = m->order->particle[c];
        const size_t column = m->local[c];
        front[column * size + column] += matrix->diagonal[p];
        for (uint64_t e = p > 0 ? matrix->entry_end[p - 1] : 0; e < matrix->entry_end[p]; e++) {
            const uint32_t row = m->order->position[matrix->column[e]];
            if (row > c) {
                front[m->local[row] * size + column] += matrix->entry[e];
            }
        }
    }
    for (uint32_t b = now->child; b != NO_BLOCK; b = m->blocks[b].next_child) {
        block *child = &m->blocks[b];
        for (size_t i = 0; i < child->rows; i++) {
            for (size_t j = 0; j <= i; j++) {
                front[m->local[child->row[i]] * size + m->local[child->row[j]]] +=
                    child->update[i * child->rows + j];
            }
        }
        free(child->update);
        child->update = NULL;
    }
}

// Eliminates the first `columns` columns. False where a pivot is not positive. column: [size] to compute with.
static bool eliminate(double *front, size_t size, size_t columns, double *column) {
    bool positive = true;
    for (size_t k = 0; k < columns; k++) {
        const double pivot = front[k * size + k];
        positive = positive && pivot >= (double)FLT_MIN && pivot <= (double)FLT_MAX;
        for (size_t i = k + 1; i < size; i++) {
            const double l = front[i * size + k] / pivot;
            column[i] = front[i * size + k];
            front[i * size + k] = l;
            for (size_t j = k + 1; j <= i && l != 0.0; j++) {
                front[i * size + j] -= l * column[j];
            }
        }
    }
    return positive;
}

// Stores L and D of a block, and what is left for its rows.
static bool store(maker *m, block *now, const double *front, size_t size) {
    const size_t columns = now->end - now->first;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < columns && j < i; j++) {
            m->value[m->value_count++] = (float)front[i * size + j];
        }
    }
    for (size_t k = 0; k < columns; k++) {
        m->pivot[now->first + k] = (float)front[k * size + k];
    }
    now->update = malloc((size_t)now->rows * now->rows * sizeof *now->update + 1);
    for (size_t i = 0; now->update && i < now->rows; i++) {
        for (size_t j = 0; j <= i; j++) {
            now->update[i * now->rows + j] = front[(columns + i) * size + columns + j];
        }
    }
    return now->update != NULL;
}

static slv_result factor_block(maker *m, block *now, slv_error *error) {
    const size_t size = now->end - now->first + (size_t)now->rows;
    double *front = calloc(size * (size + 1) + 1, sizeof *front);
    if (!front) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the factor");
    }
    assemble(m, now, front, size);
    const bool positive = eliminate(front, size, now->end - now->first, front + size * size);
    const bool stored = store(m, now, front, size);
    free(front);
    return !positive
               ? slv_fail(error, SLV_ERROR_ARGUMENT,
                          "the matrix of the factor leaves the range of floats: check its time "
                          "step, mass and stiffness")
           : !stored ? slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the factor")
                     : SLV_OK;
}

// --- The factor -------------------------------------------------------------------------------------

static bool begin(maker *m) {
    const size_t n = m->matrix->count;
    m->blocks = calloc((size_t)m->order->block_count + 1, sizeof *m->blocks);
    m->block_of = calloc(n + 1, sizeof *m->block_of);
    m->local = calloc(n + 1, sizeof *m->local);
    m->mark = calloc(n + 1, sizeof *m->mark);
    m->candidate = calloc(n + 1, sizeof *m->candidate);
    if (!m->blocks || !m->block_of || !m->local || !m->mark || !m->candidate) {
        return false;
    }
    for (uint32_t b = 0; b < m->order->block_count; b++) {
        m->blocks[b].first = b > 0 ? m->order->column_end[b - 1] : 0;
        m->blocks[b].end = m->order->column_end[b];
        m->blocks[b].child = m->blocks[b].next_child = NO_BLOCK;
        for (uint32_t c = m->blocks[b].first; c < m->blocks[b].end; c++) {
            m->block_of[c] = b;
        }
    }
    bool done = true;
    for (uint32_t b = 0; done && b < m->order->block_count; b++) {
        done = find_rows(m, b);
    }
    return done;
}

// Arrays of the view, whose sizes the rows of all blocks give.
static bool allocate(maker *m, double time_step) {
    const uint32_t n = m->matrix->count;
    slv_factor *view = &m->made->view;
    *view = (slv_factor){.time_step = time_step, .block_count = m->order->block_count};
    for (uint32_t b = 0; b < view->block_count; b++) {
        const uint64_t columns = m->blocks[b].end - m->blocks[b].first;
        view->row_count += m->blocks[b].rows;
        view->value_count += columns * (columns - 1) / 2 + columns * m->blocks[b].rows;
    }
    uint32_t *particle = own(m->made, n);
    uint32_t *position = own(m->made, n);
    float *mass = own(m->made, n);
    float *diagonal = own(m->made, n);
    uint32_t *column_end = own(m->made, view->block_count);
    uint32_t *row_end = own(m->made, view->block_count);
    uint32_t *row = own(m->made, view->row_count);
    m->pivot = own(m->made, n);
    m->value = own(m->made, (size_t)view->value_count);
    if (!particle || !position || !mass || !diagonal || !column_end || !row_end || !row ||
        !m->pivot || !m->value) {
        return false;
    }
    memcpy(particle, m->order->particle, n * sizeof *particle);
    memcpy(position, m->order->position, n * sizeof *position);
    memcpy(column_end, m->order->column_end, view->block_count * sizeof *column_end);
    for (uint32_t i = 0; i < n; i++) {
        mass[i] = m->matrix->mass[particle[i]];
        diagonal[i] = (float)m->matrix->diagonal[particle[i]];
    }
    uint32_t rows = 0;
    for (uint32_t b = 0; b < view->block_count; b++) {
        memcpy(row + rows, m->blocks[b].row, m->blocks[b].rows * sizeof *row);
        rows += m->blocks[b].rows;
        row_end[b] = rows;
    }
    *view = (slv_factor){
        time_step, view->block_count, view->row_count, view->value_count, particle, position, mass,
        diagonal,  m->pivot,          column_end,      row_end,           row,      m->value};
    return true;
}

static void end(maker *m) {
    for (uint32_t b = 0; m->blocks && b < m->order->block_count; b++) {
        free(m->blocks[b].row);
        free(m->blocks[b].update);
    }
    free(m->blocks);
    free(m->block_of);
    free(m->local);
    free(m->mark);
    free(m->candidate);
}

static slv_result factor(maker *m, const slv_garment *garment, slv_dissection *order,
                         double time_step, slv_error *error) {
    if (!slv_dissection_create(garment, m->matrix, order) || !begin(m) || !allocate(m, time_step)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the factor");
    }
    slv_result result = SLV_OK;
    for (uint32_t b = 0; result == SLV_OK && b < order->block_count; b++) {
        result = factor_block(m, &m->blocks[b], error);
    }
    return result;
}

slv_result slv_factor_create(const slv_garment *garment, const slv_factor_options *options,
                             slv_made_factor *made, slv_error *error) {
    slv_factor_matrix matrix;
    slv_dissection order = {.particle = NULL};
    maker m = {.matrix = &matrix, .order = &order, .made = made};
    *made = (slv_made_factor){.array_count = 0};
    slv_result result = slv_factor_matrix_create(garment, options, &matrix, error);
    if (result != SLV_OK) {
        return result;
    }
    result = factor(&m, garment, &order, options->time_step, error);
    end(&m);
    slv_dissection_destroy(&order);
    slv_factor_matrix_destroy(&matrix);
    if (result != SLV_OK) {
        slv_factor_destroy(made);
    }
    return result;
}

void slv_factor_destroy(slv_made_factor *made) {
    for (uint32_t i = 0; i < made->array_count; i++) {
        free(made->arrays[i]);
    }
    *made = (slv_made_factor){.array_count = 0};
}
