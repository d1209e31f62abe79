// SPDX-License-Identifier: MIT
// Directions on flat grids with shear and bending, each found once (kernels/cloth.h), as in cpu_rows.inl: the
// terms of a row's springs to later cells are kept for the cells at their other ends, which lie up to two rows below.
// All is inlined, so that what only bending needs is left out without it: shared code took a fifth longer.

enum {
    CLOTH_STRIP = 64, // columns at a time
    CLOTH_STRIP_ROOM = CLOTH_STRIP + SLV_ROW_ALIGNMENT,
    CLOTH_FEW_ROWS = 8
};

// One vector a column.
typedef struct slv_cloth_strip {
    _Alignas(64) float x[CLOTH_STRIP_ROOM], y[CLOTH_STRIP_ROOM], z[CLOTH_STRIP_ROOM];
} slv_cloth_strip;

static inline slv_spring_terms cloth_terms_of(slv_cloth_strip *strip) {
    return (slv_spring_terms){strip->x, strip->y, strip->z};
}

// The terms of the springs of one row, by kind and by the cell they start from. Where a term is used one column further
// on, the strip begins one column early: column c is at c + 1.
typedef struct slv_cloth_strips {
    slv_cloth_strip within, across;                // to the next column, as in slv_row_springs
    slv_cloth_strip even_below, odd_below;         // to the next row
    slv_cloth_strip even_falling, even_rising;     // to the next row: one cell on, one cell back
    slv_cloth_strip odd_falling, odd_rising;       // odd_falling begins one column early
    slv_cloth_strip even_far, odd_far;             // two cells on; begin one column early
    slv_cloth_strip even_far_below, odd_far_below; // two rows down
} slv_cloth_strips;

enum { CLOTH_ROWS = 3 }; // of terms: this row and the two above it

// Where the cells of a strip's row and their neighbors lie.
typedef struct slv_cloth_row {
    slv_strip_row near;
    int even_far, odd_far; // of the same cells two rows down
} slv_cloth_row;

static inline slv_cloth_row find_cloth_row(const slv_body_layout *body, int row, int column) {
    slv_cloth_row found;
    found.near = find_strip_row(body, row, column);
    found.even_far = found.near.even + 2 * body->row_step;
    found.odd_far = found.near.odd + 2 * body->row_step;
    return found;
}

// The springs of one kind from one row of cells to another.
static inline void cloth_columns(const float *state, const int *table, const slv_body_layout *body,
                                 int direction, int one, int two, int count, float rest,
                                 slv_cloth_strip *terms) {
    spring_columns(state, table, body, one, 1 << direction, one, two, count, rest,
                   cloth_terms_of(terms));
}

// Springs from a row to the rows below.
SLV_INLINE void find_below(const float *state, const int *table, const slv_body_layout *body,
                           slv_cloth_row at, int count, int bends, slv_cloth_strips *terms) {
    const int more = count + SLV_ROW_ALIGNMENT;
    const int even = at.near.even;
    const int odd = at.near.odd;
    const float diagonal = body->shear_rest;
    cloth_columns(state, table, body, 3, even, at.near.even_below, count, body->rest,
                  &terms->even_below);
    cloth_columns(state, table, body, 3, odd, at.near.odd_below, count, body->rest,
                  &terms->odd_below);
    // The next row's odd cells are in the plane of this row's even ones.
    const int below_even = at.near.even_below;
    const int below_odd = at.near.odd_below;
    cloth_columns(state, table, body, SLV_CLOTH_DIAGONALS + 1, even, below_odd, count, diagonal,
                  &terms->even_falling);
    cloth_columns(state, table, body, SLV_CLOTH_DIAGONALS + 3, even, below_odd - 1, more, diagonal,
                  &terms->even_rising);
    cloth_columns(state, table, body, SLV_CLOTH_DIAGONALS + 1, odd - 1, below_even, more, diagonal,
                  &terms->odd_falling);
    cloth_columns(state, table, body, SLV_CLOTH_DIAGONALS + 3, odd, below_even, count, diagonal,
                  &terms->odd_rising);
    if (bends) {
        cloth_columns(state, table, body, SLV_CLOTH_FAR + 3, even, at.even_far, count,
                      body->bend_rest, &terms->even_far_below);
        cloth_columns(state, table, body, SLV_CLOTH_FAR + 3, odd, at.odd_far, count,
                      body->bend_rest, &terms->odd_far_below);
    }
}

// Springs along a row.
SLV_INLINE void find_along(const float *state, const int *table, const slv_body_layout *body,
                           slv_cloth_row at, int count, int bends, slv_cloth_strips *terms) {
    const int more = count + SLV_ROW_ALIGNMENT;
    const int even = at.near.even;
    const int odd = at.near.odd;
    cloth_columns(state, table, body, 1, even, odd, count, body->rest, &terms->within);
    spring_columns(state, table, body, odd - 1, 1 << 1, even, odd - 1, more, body->rest,
                   cloth_terms_of(&terms->across));
    if (bends) {
        cloth_columns(state, table, body, SLV_CLOTH_FAR + 1, even - 1, even, more, body->bend_rest,
                      &terms->even_far);
        cloth_columns(state, table, body, SLV_CLOTH_FAR + 1, odd - 1, odd, more, body->bend_rest,
                      &terms->odd_far);
    }
}

// The terms of one component at a row of cells, each where the strip's first cell is; those with a sign of -1 are seen
// from the other end.
typedef struct slv_cloth_terms {
    const float *back, *on, *above, *below; // along threads
    float sign;                             // of back and on
    const float *diagonals[4];              // in the order of their bits
    const float *far[4];
} slv_cloth_terms;

SLV_INLINE void sum_cloth(float *restrict state, const slv_body_layout *body, int start, int slot,
                          int d, int count, slv_cloth_terms terms, int bends) {
    const float *weight = state + body->weight + slot;
    const float *anchor = state + body->anchor + slot;
    const int at = d * body->component + slot;
    const float *q = state + body->q + at;
    const float *begin = state + start + at;
    const float *predicted = state + body->predicted + at;
    float *b = state + body->b + at;
    const float shear_ratio = body->shear;
    const float bend_ratio = body->bend;
    const float sign = terms.sign;
#pragma omp simd
    for (int c = 0; c < count; c++) {
        float stretch = 0.0f + sign * terms.back[c];
        stretch += sign * terms.on[c];
        stretch -= terms.above[c];
        stretch += terms.below[c];
        float shear = 0.0f - terms.diagonals[0][c];
        shear += terms.diagonals[1][c];
        shear -= terms.diagonals[2][c];
        shear += terms.diagonals[3][c];
        float sum = stretch + shear_ratio * shear;
        if (bends) {
            float bend = 0.0f - terms.far[0][c];
            bend += terms.far[1][c];
            bend -= terms.far[2][c];
            bend += terms.far[3][c];
            sum = sum + bend_ratio * bend;
        }
        b[c] = weight[c] * sum + anchor[c] * (predicted[c] - (q[c] - begin[c]));
    }
}

static inline const float *component_of(const slv_cloth_strip *strip, int d) {
    return d == 0 ? strip->x : d == 1 ? strip->y : strip->z;
}

// own: the terms of this row; above, far_above: of the row above it and of the one above that.
SLV_INLINE void sum_cloth_row(float *state, const slv_body_layout *body, int start,
                              slv_cloth_row at, int count, int bends, const slv_cloth_strips *own,
                              const slv_cloth_strips *above, const slv_cloth_strips *far_above) {
    for (int d = 0; d < 3; d++) {
        const slv_cloth_terms even = {
            component_of(&own->across, d),
            component_of(&own->within, d),
            component_of(&above->even_below, d),
            component_of(&own->even_below, d),
            1.0f,
            {component_of(&above->odd_falling, d), component_of(&own->even_falling, d),
             component_of(&above->odd_rising, d), component_of(&own->even_rising, d)},
            {component_of(&own->even_far, d), component_of(&own->even_far, d) + 1,
             component_of(&far_above->even_far_below, d), component_of(&own->even_far_below, d)}};
        const slv_cloth_terms odd = {
            component_of(&own->within, d),
            component_of(&own->across, d) + 1,
            component_of(&above->odd_below, d),
            component_of(&own->odd_below, d),
            -1.0f,
            {component_of(&above->even_falling, d), component_of(&own->odd_falling, d) + 1,
             component_of(&above->even_rising, d) + 1, component_of(&own->odd_rising, d)},
            {component_of(&own->odd_far, d), component_of(&own->odd_far, d) + 1,
             component_of(&far_above->odd_far_below, d), component_of(&own->odd_far_below, d)}};
        sum_cloth(state, body, start, at.near.even, d, count, even, bends);
        sum_cloth(state, body, start, at.near.odd, d, count, odd, bends);
    }
}

SLV_INLINE void project_cloth_strip(float *state, const int *table, const slv_body_layout *body,
                                    int start, int first, int end, int column, int count,
                                    int bends) {
    slv_cloth_strips terms[CLOTH_ROWS];
    for (int row = bends ? first - 2 : first - 1; row < first; row++) {
        find_below(state, table, body, find_cloth_row(body, row, column), count, bends,
                   &terms[(row + CLOTH_ROWS) % CLOTH_ROWS]);
    }
    for (int row = first; row < end; row++) {
        const slv_cloth_row at = find_cloth_row(body, row, column);
        slv_cloth_strips *own = &terms[row % CLOTH_ROWS];
        find_below(state, table, body, at, count, bends, own);
        find_along(state, table, body, at, count, bends, own);
        sum_cloth_row(state, body, start, at, count, bends, own,
                      &terms[(row + CLOTH_ROWS - 1) % CLOTH_ROWS],
                      &terms[(row + CLOTH_ROWS - 2) % CLOTH_ROWS]);
    }
}

SLV_INLINE int project_cloth(float *state, const int *table, const slv_body_layout *body,
                             const slv_launch *launch, int first, int end, int bends) {
    const int start = slv_step_start(body, launch);
    const int rows = body->columns > CLOTH_STRIP ? CLOTH_FEW_ROWS : end - first;
    for (int row = first; row < end; row += rows) {
        const int stop = end - row < rows ? end : row + rows;
        for (int column = 0; column < body->columns; column += CLOTH_STRIP) {
            const int left = body->columns - column;
            const int count = (left < CLOTH_STRIP ? left : CLOTH_STRIP) & -SLV_ROW_ALIGNMENT;
            project_cloth_strip(state, table, body, start, row, stop, column, count, bends);
        }
    }
    return end;
}

static inline int wide_shear_project(float *state, const int *table, const slv_body_layout *body,
                                     const slv_launch *launch, int first, int end) {
    return project_cloth(state, table, body, launch, first, end, 0);
}
#define SLV_FORM_shear_project SLV_FORM(shear_project)

static inline int wide_bend_project(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    return project_cloth(state, table, body, launch, first, end, 1);
}
#define SLV_FORM_bend_project SLV_FORM(bend_project)

// Rows of the other parity are left out as a whole.
static inline int wide_cloth_relax(float *state, const int *table, const slv_body_layout *body,
                                   const slv_launch *launch, int first, int end) {
    (void)table;
    const int columns = body->columns & -SLV_ROW_ALIGNMENT;
    for (int row = first; row < end; row++) {
        if (!slv_cloth_has_color(launch, row)) {
            continue;
        }
        for (int d = 0; d < 3; d++) {
#pragma omp simd
            for (int column = 0; column < columns; column++) {
                slv_cloth_relax_cell(state, body, launch, row, column, d);
            }
        }
    }
    return end;
}
#define SLV_FORM_cloth_relax SLV_FORM(cloth_relax)
