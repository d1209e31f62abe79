// SPDX-License-Identifier: MIT
#include "runtime/layout/aggregate_layout.h"

#include "runtime/layout/dense_inverse.h"

#include <string.h>

// --- Where matrices lie -------------------------------------------------------------------------------

static uint32_t position_of(const slv_placed_matrix *matrix, uint32_t row) {
    return matrix->slots ? matrix->slots[row] : row;
}

static uint32_t count_slices(uint32_t rows) {
    return (rows + SLV_LANES - 1) / SLV_LANES;
}

// A slice is as wide as its widest row. `end` counts rows of entries of all matrices so far.
static bool place(slv_placed_matrix *matrix, const slv_pattern *pattern, const uint32_t *slots,
                  uint32_t slices, uint32_t *end, slv_memory *memory) {
    *matrix = (slv_placed_matrix){
        .pattern = pattern,
        .slots = slots,
        .slices = slices,
        .ends = slv_memory_take(memory, (size_t)slices + 1, sizeof *matrix->ends)};
    if (!matrix->ends) {
        return false;
    }
    for (uint32_t r = 0; r < pattern->rows; r++) {
        uint32_t *width = &matrix->ends[position_of(matrix, r) / SLV_LANES];
        const uint32_t count = pattern->first[r + 1] - pattern->first[r];
        *width = count > *width ? count : *width;
    }
    for (uint32_t s = 0; s <= slices; s++) {
        const uint32_t width = matrix->ends[s];
        matrix->ends[s] = *end;
        *end += width;
    }
    return true;
}

// All entries of the coarsest level's inverse. A level with many nodes is that of a body in many pieces: no entry of its
// matrix is beside the diagonal, unless springs are many levels long.
static bool place_inverse(slv_aggregate_layout *own, uint32_t nodes, slv_memory *memory) {
    const uint32_t width = nodes <= SLV_AGGREGATE_SOLVED ? nodes : 1;
    slv_pattern *inverse = &own->inverse;
    inverse->rows = nodes;
    inverse->first = slv_memory_take(memory, (size_t)nodes + 1, sizeof *inverse->first);
    inverse->columns = slv_memory_take(memory, (size_t)nodes * width, sizeof *inverse->columns);
    if (!inverse->first || !inverse->columns) {
        return false;
    }
    for (uint32_t row = 0; row < nodes; row++) {
        inverse->first[row + 1] = (row + 1) * width;
        for (uint32_t n = 0; n < width; n++) {
            inverse->columns[(size_t)row * width + n] = width == nodes ? n : row;
        }
    }
    return true;
}

static bool place_levels(slv_aggregate_layout *own, const slv_body_layout *body_layout,
                         const uint32_t *slots, uint32_t *nodes, uint32_t *end,
                         slv_memory *memory) {
    const uint32_t count = own->aggregates.level_count;
    bool done = place_inverse(own, own->aggregates.levels[count - 1].nodes, memory);
    uint32_t finer = (uint32_t)body_layout->slots / SLV_LANES;
    for (uint32_t l = 0; done && l < count; l++) {
        const slv_aggregation *level = &own->aggregates.levels[l];
        slv_placed_aggregation *placed = &own->levels[l];
        const uint32_t slices = count_slices(level->nodes);
        const slv_pattern *matrix = l + 1 < count ? &level->coupling.pattern : &own->inverse;
        placed->first = *nodes;
        *nodes += slices * SLV_LANES;
        done = place(&placed->restriction, &level->restriction, NULL, slices, end, memory) &&
               place(&placed->interpolation, &level->interpolation, l == 0 ? slots : NULL, finer,
                     end, memory) &&
               place(&placed->matrix, matrix, NULL, slices, end, memory);
        finer = slices;
    }
    return done;
}

// Ints of table for the ends of slices.
static size_t count_ends(const slv_aggregate_layout *own) {
    size_t count = 0;
    for (uint32_t l = 0; l < own->aggregates.level_count; l++) {
        const slv_placed_aggregation *level = &own->levels[l];
        count += (size_t)level->restriction.slices + level->interpolation.slices +
                 level->matrix.slices + 3;
    }
    return count;
}

bool slv_aggregate_layout_create(slv_aggregate_layout *own, const slv_body_layout *body_layout,
                                 const slv_body *body, const uint32_t *slots, slv_memory *memory) {
    *own = (slv_aggregate_layout){.nodes = 0};
    return slv_aggregates_build(&own->aggregates, body, memory) &&
           (own->aggregates.level_count == 0 ||
            place_levels(own, body_layout, slots, &own->nodes, &own->entry_rows, memory));
}

void slv_aggregate_layout_reserve(const slv_aggregate_layout *own, slv_body_layout *body_layout,
                                  slv_body_extents *extents, slv_layout_cursor *cursor) {
    const size_t floats = ((size_t)own->nodes + SLV_LANES) * SLV_PARTICLE_FLOATS; // one is zero
    const size_t entries = (size_t)own->entry_rows * SLV_LANES;
    if (own->aggregates.level_count == 0) {
        return;
    }
    body_layout->aggregate_levels = (int)own->aggregates.level_count;
    body_layout->aggregates = slv_reserve_table(
        cursor, own->aggregates.level_count * (size_t)SLV_AGGREGATE_LEVEL_INTS + count_ends(own));
    body_layout->aggregate_columns = slv_reserve_table(cursor, entries);
    body_layout->aggregate_f = slv_reserve_state(cursor, floats);
    body_layout->aggregate_u = slv_reserve_state(cursor, floats);
    body_layout->aggregate_next = slv_reserve_state(cursor, floats);
    const size_t first = cursor->state;
    body_layout->aggregate_diagonal = slv_reserve_state(cursor, own->nodes);
    body_layout->aggregate_values = slv_reserve_state(cursor, entries);
    extents->state[SLV_ASPECT_COARSE] = (slv_extent){first, cursor->state - first};
}

// --- Filling ------------------------------------------------------------------------------------------

// Writes where slices end at *at, which then is behind them, and the columns of a matrix. Column c is the vector of node
// first + c, or of the slot of particle c. Where a row has no entry, the column is that of a vector that nothing writes:
// behind all nodes, or in the last slot.
static int fill_matrix(const slv_body_layout *body_layout, const slv_placed_matrix *matrix,
                       uint32_t nodes, uint32_t first, const uint32_t *slots, int *at, int *table) {
    const slv_pattern *pattern = matrix->pattern;
    const int ends = *at;
    const uint32_t zero = slots ? (uint32_t)body_layout->slots - 1 : nodes;
    for (uint32_t s = 0; s <= matrix->slices; s++) {
        table[(*at)++] = (int)matrix->ends[s];
    }
    for (size_t n = (size_t)matrix->ends[0] * SLV_LANES;
         n < (size_t)matrix->ends[matrix->slices] * SLV_LANES; n++) {
        table[(size_t)body_layout->aggregate_columns + n] = (int)(zero * SLV_PARTICLE_FLOATS);
    }
    for (uint32_t r = 0; r < pattern->rows; r++) {
        const uint32_t position = position_of(matrix, r);
        const uint32_t row = matrix->ends[position / SLV_LANES];
        for (uint32_t n = pattern->first[r]; n < pattern->first[r + 1]; n++) {
            const uint32_t column = pattern->columns[n];
            const uint32_t vector = slots ? slots[column] : first + column;
            table[(size_t)body_layout->aggregate_columns +
                  (size_t)(row + n - pattern->first[r]) * SLV_LANES + position % SLV_LANES] =
                (int)(vector * SLV_PARTICLE_FLOATS);
        }
    }
    return ends;
}

void slv_aggregate_layout_fill(const slv_aggregate_layout *own, const slv_body_layout *body_layout,
                               int *table) {
    const uint32_t count = own->aggregates.level_count;
    int at = body_layout->aggregates + (int)count * SLV_AGGREGATE_LEVEL_INTS;
    for (uint32_t l = 0; l < count; l++) {
        const slv_placed_aggregation *level = &own->levels[l];
        const uint32_t *slots = level->interpolation.slots;
        const uint32_t finer = l > 0 ? own->levels[l - 1].first : 0;
        slv_aggregate_level values = {.first = (int)level->first,
                                      .slices = (int)level->matrix.slices};
        values.restriction_ends =
            fill_matrix(body_layout, &level->restriction, own->nodes, finer, slots, &at, table);
        values.interpolation_ends = fill_matrix(body_layout, &level->interpolation, own->nodes,
                                                level->first, NULL, &at, table);
        values.matrix_ends =
            fill_matrix(body_layout, &level->matrix, own->nodes, level->first, NULL, &at, table);
        memcpy(table + body_layout->aggregates + l * SLV_AGGREGATE_LEVEL_INTS, &values,
               sizeof values);
    }
}

// --- Values -------------------------------------------------------------------------------------------

size_t slv_aggregate_layout_room(const slv_aggregate_layout *own) {
    const size_t count = slv_aggregates_count_values(&own->aggregates);
    return count > 0 ? count + SLV_DENSE_DOUBLES : 0;
}

// Entry number n of a row of the pattern.
static float *value_at(const slv_body_layout *body_layout, const slv_placed_matrix *matrix,
                       uint32_t row, uint32_t n, float *state) {
    const uint32_t position = position_of(matrix, row);
    return state + body_layout->aggregate_values +
           (size_t)(matrix->ends[position / SLV_LANES] + n - matrix->pattern->first[row]) *
               SLV_LANES +
           position % SLV_LANES;
}

// The right-hand side of a particle is b over its weight: `scales` are these reciprocals, or NULL.
static void store_interpolation(const slv_body_layout *body_layout, const slv_aggregation *level,
                                const slv_placed_aggregation *placed, const double *values,
                                const double *scales, float *state) {
    const slv_pattern *rows = &level->interpolation;
    const slv_pattern *nodes = &level->restriction;
    for (uint32_t r = 0; r < rows->rows; r++) {
        for (uint32_t n = rows->first[r]; n < rows->first[r + 1]; n++) {
            *value_at(body_layout, &placed->interpolation, r, n, state) = (float)values[n];
        }
    }
    for (uint32_t node = 0; node < nodes->rows; node++) {
        for (uint32_t n = nodes->first[node]; n < nodes->first[node + 1]; n++) {
            const double scale = scales ? scales[nodes->columns[n]] : 1.0;
            *value_at(body_layout, &placed->restriction, node, n, state) =
                (float)(scale * values[level->transposed[n]]);
        }
    }
}

static void store_matrix(const slv_body_layout *body_layout, const slv_aggregation *level,
                         const slv_placed_aggregation *placed, const slv_aggregation_values *values,
                         float *state) {
    const slv_pattern *pattern = &level->coupling.pattern;
    for (uint32_t node = 0; node < level->nodes; node++) {
        for (uint32_t n = pattern->first[node]; n < pattern->first[node + 1]; n++) {
            *value_at(body_layout, &placed->matrix, node, n, state) =
                (float)(0.0 - values->entries[n]);
        }
    }
}

// The inverse of the coarsest level's matrix, or of its diagonal.
static void store_inverse(const slv_aggregate_layout *own, const slv_body_layout *body_layout,
                          const slv_aggregation_values *values, slv_dense_row *rows, float *state) {
    const uint32_t last = own->aggregates.level_count - 1;
    const slv_pattern *pattern = &own->aggregates.levels[last].coupling.pattern;
    const slv_placed_matrix *matrix = &own->levels[last].matrix;
    const bool dense = pattern->rows <= SLV_AGGREGATE_SOLVED;
    memset(rows, 0, SLV_DENSE_DOUBLES * sizeof(double));
    for (uint32_t r = 0; dense && r < pattern->rows; r++) {
        rows[r].values[r] = values->diagonal[r];
        for (uint32_t n = pattern->first[r]; n < pattern->first[r + 1]; n++) {
            rows[r].values[pattern->columns[n]] = values->entries[n];
        }
    }
    slv_dense_invert(rows, dense ? (int)pattern->rows : 0);
    for (uint32_t r = 0; r < own->inverse.rows; r++) {
        for (uint32_t n = own->inverse.first[r]; n < own->inverse.first[r + 1]; n++) {
            const float alone = values->diagonal[r] > 0.0 ? (float)(1.0 / values->diagonal[r]) : 0;
            *value_at(body_layout, matrix, r, n, state) =
                dense ? slv_dense_get_inverse(rows, (int)r, (int)own->inverse.columns[n]) : alone;
        }
    }
}

void slv_aggregate_layout_set_response(const slv_aggregate_layout *own,
                                       const slv_body_layout *body_layout, double *sums,
                                       float *state) {
    const uint32_t count = own->aggregates.level_count;
    const uint32_t *slots = own->levels[0].interpolation.slots;
    for (uint32_t p = 0; p < own->aggregates.springs.pattern.rows; p++) {
        const float weight = state[(uint32_t)body_layout->weight + slots[p]];
        sums[p] = weight > 0.0f ? 1.0 / (double)weight : 0.0;
    }
    slv_aggregates_evaluate(&own->aggregates, sums);
    for (uint32_t l = 0; l < count; l++) {
        const slv_aggregation *level = &own->aggregates.levels[l];
        const slv_placed_aggregation *placed = &own->levels[l];
        const slv_aggregation_values values = slv_aggregates_get_values(&own->aggregates, l, sums);
        float *diagonal = state + body_layout->aggregate_diagonal + placed->first;
        store_interpolation(body_layout, level, placed, values.interpolation, l == 0 ? sums : NULL,
                            state);
        for (uint32_t n = 0; n < level->nodes; n++) {
            diagonal[n] = values.diagonal[n] > 0.0 ? (float)(1.0 / values.diagonal[n]) : 0.0f;
        }
        if (l + 1 < count) {
            store_matrix(body_layout, level, placed, &values, state);
        } else {
            store_inverse(own, body_layout, &values,
                          (slv_dense_row *)(sums + slv_aggregates_count_values(&own->aggregates)),
                          state);
        }
    }
}
