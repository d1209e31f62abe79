// SPDX-License-Identifier: MIT
#include "runtime/layout/coarse_layout.h"

#include "kernels/cloth.h"
#include "kernels/coarse.h"
#include "runtime/layout/dense_inverse.h"

#include <string.h>

// The matrix of a level is a sum of squares: of r (u_a - u_b)² over the links of neighbors and m u_a² over the nodes.
// With u = P v of the next level, each of these is a square of a sum over nodes of one square of four. So P'AP has the
// same form and is added up square by square. Links of bending reach over two cells; two links of twice the stiffness
// to the cell between stand for one, which is the same for smooth corrections.

// --- Levels -------------------------------------------------------------------------------------------

static int step_for(int columns) {
    return (columns + SLV_LANES) / SLV_LANES * SLV_LANES; // one node more at least
}

// All levels; returns how many there are.
static int make_levels(const slv_body_layout *body_layout,
                       slv_coarse_level levels[SLV_COARSE_LEVELS], int64_t *nodes) {
    int columns = body_layout->cells;
    int rows = body_layout->rows;
    int count = 0;
    *nodes = SLV_LANES; // node (-1, -1) of the first level is there too
    do {
        columns = columns > 1 ? columns / 2 + 1 : 1;
        rows = rows > 1 ? rows / 2 + 1 : 1;
        const int step = step_for(columns);
        levels[count] = (slv_coarse_level){(int)(*nodes + step), columns, rows, step};
        *nodes += (int64_t)step * (rows + 2);
        count++;
    } while (count < SLV_COARSE_LEVELS && levels[count - 1].step * rows > SLV_COARSE_SOLVED);
    return levels[count - 1].step * rows > SLV_COARSE_SOLVED ? 0 : count;
}

void slv_coarse_layout_reserve(slv_body_layout *body_layout, slv_body_extents *extents,
                               slv_layout_cursor *cursor) {
    slv_coarse_level levels[SLV_COARSE_LEVELS];
    int64_t nodes = 0;
    if (!slv_body_is_grid(body_layout) || body_layout->layers > 1) {
        return;
    }
    const int count = make_levels(body_layout, levels, &nodes);
    if (count == 0) {
        return;
    }
    const slv_coarse_level *last = &levels[count - 1];
    const size_t solved = (size_t)last->step * (size_t)last->rows;
    const size_t room = (size_t)nodes;
    body_layout->coarse_levels = count;
    body_layout->coarse_nodes = (int)nodes;
    body_layout->coarse = slv_reserve_table(cursor, (size_t)count * SLV_COARSE_LEVEL_INTS);
    body_layout->coarse_f = slv_reserve_state(cursor, 3 * room);
    body_layout->coarse_u = slv_reserve_state(cursor, 3 * room);
    body_layout->coarse_next = slv_reserve_state(cursor, 3 * room);
    const size_t first = cursor->state;
    body_layout->coarse_scale = slv_reserve_state(cursor, (size_t)body_layout->slots);
    body_layout->coarse_links = slv_reserve_state(cursor, SLV_COARSE_LINKS * room);
    body_layout->coarse_diagonal = slv_reserve_state(cursor, room);
    body_layout->coarse_inverse = slv_reserve_state(cursor, solved * solved);
    extents->state[SLV_ASPECT_COARSE] = (slv_extent){first, cursor->state - first};
}

void slv_coarse_layout_fill(const slv_body_layout *body_layout, int *table) {
    slv_coarse_level levels[SLV_COARSE_LEVELS];
    int64_t nodes = 0;
    const int count = body_layout->coarse_levels > 0 ? make_levels(body_layout, levels, &nodes) : 0;
    if (count > 0) {
        memcpy(table + body_layout->coarse, levels, (size_t)count * sizeof *levels);
    }
}

// --- Matrices -----------------------------------------------------------------------------------------

// Of all levels: diagonals, then links, one array each, as in state but in double.
typedef struct coarse_matrix {
    double *diagonal;
    double *links[SLV_COARSE_LINKS];
} coarse_matrix;

static coarse_matrix matrix_in(double *sums, int nodes) {
    coarse_matrix matrix = {.diagonal = sums};
    for (int k = 0; k < SLV_COARSE_LINKS; k++) {
        matrix.links[k] = sums + (size_t)(1 + k) * (size_t)nodes;
    }
    return matrix;
}

static size_t count_sums(const slv_body_layout *body_layout) {
    return (1 + (size_t)SLV_COARSE_LINKS) * (size_t)body_layout->coarse_nodes;
}

size_t slv_coarse_layout_room(const slv_body_layout *body_layout) {
    return body_layout->coarse_levels > 0 ? count_sums(body_layout) + SLV_DENSE_DOUBLES : 0;
}

// Weights of one cell along an axis on the nodes base and base + 1.
static void weigh_axis(int cell, int base, double weights[2]) {
    const int low = cell / 2;
    const int high = low + (cell & 1);
    weights[0] = weights[1] = 0.0;
    weights[low - base] += 0.5;
    weights[high - base] += 0.5;
}

// Adds r (u_a - u_b)² to a level's matrix, or r u_a² where there is no b. An end that is fixed has factor 0.
static void add_square(const coarse_matrix *matrix, const slv_coarse_level *level,
                       const int cells[2][2], const double factors[2], double r) {
    const int one = factors[1] != 0.0 ? 1 : 0; // an end that counts
    const int column =
        (factors[0] != 0.0 && cells[0][0] < cells[one][0] ? cells[0][0] : cells[one][0]) / 2;
    const int row =
        (factors[0] != 0.0 && cells[0][1] < cells[one][1] ? cells[0][1] : cells[one][1]) / 2;
    double sum[4] = {0.0, 0.0, 0.0, 0.0}; // (0, 0), (1, 0), (0, 1), (1, 1)
    for (int end = 0; end < 2; end++) {
        double across[2];
        double along[2];
        if (factors[end] != 0.0) {
            weigh_axis(cells[end][0], column, across);
            weigh_axis(cells[end][1], row, along);
            for (int n = 0; n < 4; n++) {
                sum[n] += factors[end] * across[n & 1] * along[n >> 1];
            }
        }
    }
    const int at = level->first + row * level->step + column;
    const int nodes[4] = {at, at + 1, at + level->step, at + level->step + 1};
    for (int n = 0; n < 4; n++) {
        if (sum[n] != 0.0) {
            matrix->diagonal[nodes[n]] += r * sum[n] * sum[n];
        }
    }
    matrix->links[0][nodes[0]] -= r * sum[0] * sum[1];
    matrix->links[1][nodes[0]] -= r * sum[0] * sum[2];
    matrix->links[2][nodes[0]] -= r * sum[0] * sum[3];
    if (sum[1] != 0.0) {
        matrix->links[3][nodes[1]] -= r * sum[1] * sum[2];
        matrix->links[1][nodes[1]] -= r * sum[1] * sum[3];
    }
    if (sum[2] != 0.0) {
        matrix->links[0][nodes[2]] -= r * sum[2] * sum[3];
    }
}

// The springs of a cell towards cells that come later.
static const int springs[][4] = {
    // direction, columns, rows, cells
    {1, 1, 0, 1}, {3, 0, 1, 1}, {7, 1, 1, 1}, {9, -1, 1, 1}, {11, 1, 0, 2}, {13, 0, 1, 2}};

static double stiffness_of(const slv_body_layout *body_layout, int direction) {
    return direction < SLV_CLOTH_DIAGONALS ? 1.0
           : direction < SLV_CLOTH_FAR     ? (double)body_layout->shear
                                           : (double)body_layout->bend;
}

static int slot_at(const slv_body_layout *body_layout, int column, int row) {
    return slv_grid_slot(body_layout, (column + row) & 1, row, column / 2);
}

static double factor_at(const slv_body_layout *body_layout, const float *state, int column,
                        int row) {
    return state[body_layout->weight + slot_at(body_layout, column, row)] > 0.0f ? 1.0 : 0.0;
}

// Adds what belongs to a cell of the grid itself.
static void add_cell(const coarse_matrix *matrix, const slv_coarse_level *level,
                     const slv_body_layout *body_layout, const int *table, const float *state,
                     int column, int row) {
    const int slot = slot_at(body_layout, column, row);
    const float weight = state[body_layout->weight + slot];
    const int cell[2][2] = {{column, row}, {column, row}};
    if (weight > 0.0f) {
        const double alone[2] = {1.0, 0.0};
        const double inertia = (double)state[body_layout->anchor + slot] / (double)weight;
        add_square(matrix, level, cell, alone, inertia);
    }
    for (size_t n = 0; n < sizeof springs / sizeof springs[0]; n++) {
        const int *spring = springs[n];
        const double r = stiffness_of(body_layout, spring[0]) * spring[3];
        if ((table[body_layout->present + slot] >> spring[0] & 1) == 0) {
            continue;
        }
        for (int part = 0; part < spring[3]; part++) {
            const int ends[2][2] = {
                {column + part * spring[1], row + part * spring[2]},
                {column + (part + 1) * spring[1], row + (part + 1) * spring[2]}};
            const double factors[2] = {factor_at(body_layout, state, ends[0][0], ends[0][1]),
                                       0.0 - factor_at(body_layout, state, ends[1][0], ends[1][1])};
            if (factors[0] != 0.0 || factors[1] != 0.0) {
                add_square(matrix, level, ends, factors, r);
            }
        }
    }
}

// Adds what belongs to a node of a finer level: its links, and what the diagonal has beside them.
static void add_node(const coarse_matrix *matrix, const slv_coarse_level *level,
                     const slv_coarse_level *finer, int column, int row) {
    static const int offsets[SLV_COARSE_LINKS][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    const double alone[2] = {1.0, 0.0};
    const double both[2] = {1.0, -1.0};
    const int node = finer->first + row * finer->step + column;
    double inertia = matrix->diagonal[node];
    for (int k = 0; k < SLV_COARSE_LINKS; k++) {
        const int step = offsets[k][1] * finer->step + offsets[k][0];
        const double r = matrix->links[k][node];
        const int ends[2][2] = {{column, row}, {column + offsets[k][0], row + offsets[k][1]}};
        inertia -= r + matrix->links[k][node - step];
        if (r != 0.0) {
            add_square(matrix, level, ends, both, r);
        }
    }
    const int cell[2][2] = {{column, row}, {column, row}};
    add_square(matrix, level, cell, alone, inertia);
}

// The inverse of the coarsest level's matrix. Nodes that no particle answers to have rows and columns of zeros. `rows` are
// zeros at first.
static void invert(const coarse_matrix *matrix, const slv_coarse_level *level, slv_dense_row *rows,
                   float *inverse) {
    const int offsets[SLV_COARSE_LINKS] = {1, level->step, level->step + 1, level->step - 1};
    const int count = level->rows * level->step;
    for (int n = 0; n < count; n++) {
        rows[n].values[n] = matrix->diagonal[level->first + n];
        for (int k = 0; k < SLV_COARSE_LINKS; k++) {
            const int other = n + offsets[k];
            const double r = matrix->links[k][level->first + n];
            if (other < count && r != 0.0) {
                rows[n].values[other] = rows[other].values[n] = 0.0 - r;
            }
        }
    }
    slv_dense_invert(rows, count);
    for (int n = 0; n < count; n++) {
        for (int m = 0; m < count; m++) {
            inverse[n * count + m] = slv_dense_get_inverse(rows, n, m);
        }
    }
}

static void store(const coarse_matrix *matrix, const slv_body_layout *body_layout, float *state) {
    const int nodes = body_layout->coarse_nodes;
    for (int n = 0; n < nodes; n++) {
        const double diagonal = matrix->diagonal[n];
        state[body_layout->coarse_diagonal + n] = diagonal > 0.0 ? (float)(1.0 / diagonal) : 0.0f;
        for (int k = 0; k < SLV_COARSE_LINKS; k++) {
            state[body_layout->coarse_links + k * nodes + n] = (float)matrix->links[k][n];
        }
    }
    for (int slot = 0; slot < body_layout->slots; slot++) {
        const float weight = state[body_layout->weight + slot];
        state[body_layout->coarse_scale + slot] = weight > 0.0f ? 1.0f / weight : 0.0f;
    }
}

void slv_coarse_layout_set_response(const slv_body_layout *body_layout, const int *table,
                                    double *sums, float *state) {
    const slv_coarse_level *levels = (const slv_coarse_level *)(table + body_layout->coarse);
    const coarse_matrix matrix = matrix_in(sums, body_layout->coarse_nodes);
    const int count = body_layout->coarse_levels;
    memset(sums, 0, slv_coarse_layout_room(body_layout) * sizeof *sums);
    for (int row = 0; row < body_layout->rows; row++) {
        for (int column = 0; column < body_layout->cells; column++) {
            add_cell(&matrix, &levels[0], body_layout, table, state, column, row);
        }
    }
    for (int l = 1; l < count; l++) {
        for (int row = 0; row < levels[l - 1].rows; row++) {
            for (int column = 0; column < levels[l - 1].columns; column++) {
                add_node(&matrix, &levels[l], &levels[l - 1], column, row);
            }
        }
    }
    slv_dense_row *rows = (slv_dense_row *)(sums + count_sums(body_layout));
    invert(&matrix, &levels[count - 1], rows, state + body_layout->coarse_inverse);
    store(&matrix, body_layout, state);
}
