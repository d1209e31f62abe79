// SPDX-License-Identifier: MIT
// Kernels over rows of particles. Directions of projective dynamics on a flat grid, each found once. The plain kernel finds the
// direction of a spring at both of its ends, and most of its time goes into that square root and that
// division. Here the springs of a row are found together, and both ends use them with opposite signs.
// Sums are the plain kernel's, in its order: the same bits, which a test compares.
//
// In a row, cells with even i and those with odd i lie in different planes, both at column i / 2.

enum {
    STRIP = 160, // columns at a time, so that a strip's vectors stay in the first cache
    STRIP_ROOM = STRIP + SLV_ROW_ALIGNMENT, // one column more, in whole vectors
    FEW_ROWS = 24
};

// One vector a column.
typedef struct slv_strip {
    _Alignas(64) float x[STRIP_ROOM], y[STRIP_ROOM], z[STRIP_ROOM];
} slv_strip;

// Where the terms of springs go, a component each.
typedef struct slv_spring_terms {
    float *x, *y, *z;
} slv_spring_terms;

static inline slv_spring_terms terms_of(slv_strip *strip) {
    return (slv_spring_terms){strip->x, strip->y, strip->z};
}

// Where the cells of a row of a strip lie.
typedef struct slv_strip_row {
    int even, odd;             // slots of the first column
    int even_below, odd_below; // of the same cells in the next row
} slv_strip_row;

static inline slv_strip_row find_strip_row(const slv_body_layout *body, int row, int column) {
    int plane_slot = body->origin + row * body->row_step + column;
    int even_color = row & 1;
    slv_strip_row found;
    found.even = plane_slot + even_color * body->color_step;
    found.odd = plane_slot + (1 - even_color) * body->color_step;
    found.even_below = found.odd + body->row_step;
    found.odd_below = found.even + body->row_step;
    return found;
}

// Terms of the springs from cells `one` on to cells `two` on; `bit` of the first's `present` says
// whether there is one.
static inline void spring_columns(const float *restrict state, const int *restrict table,
                                  const slv_body_layout *body, int holder, int bit, int one,
                                  int two, int count, float rest, slv_spring_terms terms) {
    const float *q = state + body->q;
    const float *u = state + body->u;
    const int *present = table + body->present + holder;
    const int component = body->component;
#pragma omp simd
    for (int c = 0; c < count; c++) {
        float ux = u[one + c] - u[two + c];
        float uy = u[one + c + component] - u[two + c + component];
        float uz = u[one + c + 2 * component] - u[two + c + 2 * component];
        float dx = (q[one + c] - q[two + c]) + ux;
        float dy = (q[one + c + component] - q[two + c + component]) + uy;
        float dz = (q[one + c + 2 * component] - q[two + c + 2 * component]) + uz;
        float square = dx * dx + dy * dy + dz * dz;
        float scale = slv_spring_error(rest / sqrtf(square));
        float x = scale * dx + ux;
        float y = scale * dy + uy;
        float z = scale * dz + uz;
        int pulls = ((present[c] & bit) != 0) & (square > 0.0f);
        terms.x[c] = pulls ? x : 0.0f;
        terms.y[c] = pulls ? y : 0.0f;
        terms.z[c] = pulls ? z : 0.0f;
    }
}

// b of one component: the springs towards -x, +x, the row above and the row below, in this order, each
// with its sign.
static inline void sum_springs(float *restrict state, const slv_body_layout *body, int at_start,
                               int slot, int d, int count, const float *restrict first,
                               const float *restrict second, float sign,
                               const float *restrict above, const float *restrict below) {
    const float *weight = state + body->weight + slot;
    const float *anchor = state + body->anchor + slot;
    const float *q = state + body->q + d * body->component + slot;
    const float *start = state + at_start + d * body->component + slot;
    const float *predicted = state + body->predicted + d * body->component + slot;
    float *b = state + body->b + d * body->component + slot;
#pragma omp simd
    for (int c = 0; c < count; c++) {
        float sum = 0.0f + sign * first[c];
        sum += sign * second[c];
        sum -= above[c];
        sum += below[c];
        b[c] = weight[c] * sum + anchor[c] * (predicted[c] - (q[c] - start[c]));
    }
}

// The spring terms of a strip's row.
typedef struct slv_row_springs {
    slv_strip within; // from even i to i + 1
    slv_strip across; // from i - 1 to even i, seen from even i; one column more than the strip has
    slv_strip
        even[2]; // from the row above to this one and from this one to the row below, alternating
    slv_strip odd[2];
} slv_row_springs;

// Springs to the next row.
static inline void spring_rows(const float *state, const int *table, const slv_body_layout *body,
                               slv_strip_row at, int count, int below, slv_row_springs *terms) {
    const int next_row = 1 << 3;
    spring_columns(state, table, body, at.even, next_row, at.even, at.even_below, count, body->rest,
                   terms_of(&terms->even[below]));
    spring_columns(state, table, body, at.odd, next_row, at.odd, at.odd_below, count, body->rest,
                   terms_of(&terms->odd[below]));
}

// Springs along the row.
static inline void spring_row(const float *state, const int *table, const slv_body_layout *body,
                              slv_strip_row at, int count, slv_row_springs *terms) {
    const int plus_x = 1 << 1;
    spring_columns(state, table, body, at.even, plus_x, at.even, at.odd, count, body->rest,
                   terms_of(&terms->within));
    spring_columns(state, table, body, at.odd - 1, plus_x, at.even, at.odd - 1,
                   count + SLV_ROW_ALIGNMENT, body->rest, terms_of(&terms->across));
}

static inline void sum_row(float *state, const slv_body_layout *body, int start, slv_strip_row at,
                           int count, int below, const slv_row_springs *terms) {
    const slv_strip *even[2] = {&terms->even[1 - below], &terms->even[below]};
    const slv_strip *odd[2] = {&terms->odd[1 - below], &terms->odd[below]};
    const slv_strip *in = &terms->within;
    const slv_strip *over = &terms->across;
    sum_springs(state, body, start, at.even, 0, count, over->x, in->x, 1.0f, even[0]->x,
                even[1]->x);
    sum_springs(state, body, start, at.even, 1, count, over->y, in->y, 1.0f, even[0]->y,
                even[1]->y);
    sum_springs(state, body, start, at.even, 2, count, over->z, in->z, 1.0f, even[0]->z,
                even[1]->z);
    sum_springs(state, body, start, at.odd, 0, count, in->x, over->x + 1, -1.0f, odd[0]->x,
                odd[1]->x);
    sum_springs(state, body, start, at.odd, 1, count, in->y, over->y + 1, -1.0f, odd[0]->y,
                odd[1]->y);
    sum_springs(state, body, start, at.odd, 2, count, in->z, over->z + 1, -1.0f, odd[0]->z,
                odd[1]->z);
}

static inline void project_strip(float *state, const int *table, const slv_body_layout *body,
                                 int start, int first, int end, int column, int count) {
    slv_row_springs terms;
    int below = 0;
    spring_rows(state, table, body, find_strip_row(body, first - 1, column), count, below, &terms);
    for (int row = first; row < end; row++) {
        slv_strip_row at = find_strip_row(body, row, column);
        below = 1 - below;
        spring_row(state, table, body, at, count, &terms);
        spring_rows(state, table, body, at, count, below, &terms);
        sum_row(state, body, start, at, count, below, &terms);
    }
}

// Rows wider than a strip are processed FEW_ROWS at a time, so that memory is read along rows.
static inline int wide_flat_project(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    const int start = slv_step_start(body, launch);
    int rows = body->columns > STRIP ? FEW_ROWS : end - first;
    for (int row = first; row < end; row += rows) {
        int stop = end - row < rows ? end : row + rows;
        for (int column = 0; column < body->columns; column += STRIP) {
            int left = body->columns - column;
            int count = (left < STRIP ? left : STRIP) & -SLV_ROW_ALIGNMENT;
            project_strip(state, table, body, start, row, stop, column, count);
        }
    }
    return end;
}
#define SLV_FORM_flat_project SLV_FORM(flat_project)

// --- Integration --------------------------------------------------------------------------------------

// The components of a block lie side by side: what they need of their particle is laid out as they are. The loop over
// particles, each with four components, was not made of vectors.
static inline int wide_integrate_joined(float *state, const int *table, const slv_body_layout *body,
                                        const slv_launch *launch, int first, int end) {
    enum { A_BLOCK = SLV_BLOCK * SLV_PARTICLE_FLOATS };
    (void)table;
    const int before = slv_step_before(body, launch);
    const int after = slv_step_start(body, launch);
    const int light = launch->velocity_factor > 0.5f;
    const float factor = light ? launch->velocity_factor - 1.0f : launch->velocity_factor;
    float gravity_steps[A_BLOCK];
    float weights[A_BLOCK];
    for (int n = 0; n < A_BLOCK; n++) {
        gravity_steps[n] = launch->gravity_step[n % SLV_PARTICLE_FLOATS];
    }
    for (int row = first; row < end; row++) {
        const float *weight = state + body->weight + row * SLV_BLOCK;
        for (int n = 0; n < A_BLOCK; n++) {
            weights[n] = weight[n / SLV_PARTICLE_FLOATS];
        }
#pragma omp simd
        for (int n = 0; n < A_BLOCK; n++) {
            slv_integrate_component(state, body, before, after, light, factor, weights[n] > 0.0f,
                                    gravity_steps[n], row * A_BLOCK + n);
        }
    }
    return end;
}
#define SLV_FORM_integrate_joined SLV_FORM(integrate_joined)

// --- Applying corrections -----------------------------------------------------------------------------

static inline void apply_columns(float *restrict q, float *restrict u, int count) {
#pragma omp simd
    for (int c = 0; c < count; c++) {
        slv_two_sum moved = slv_add_exactly(q[c], u[c]);
        q[c] = moved.sum;
        u[c] = moved.error;
    }
}

// As slv_apply with gravity, where no particle is at rest.
static inline int wide_apply_split(float *state, const int *table, const slv_body_layout *body,
                                   const slv_launch *launch, int first, int end) {
    (void)table;
    if (slv_is_weightless(launch)) {
        return first;
    }
    const int columns = body->columns & -SLV_ROW_ALIGNMENT;
    for (int row = first; row < end; row++) {
        for (int n = 0; n < 6; n++) { // components of both colors
            const int at = slv_grid_slot(body, n / 3, row, 0) + n % 3 * body->component;
            apply_columns(state + body->q + at, state + body->u + at, columns);
        }
    }
    return end;
}
#define SLV_FORM_apply_split SLV_FORM(apply_split)

static inline int wide_apply_joined(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    (void)table;
    if (slv_is_weightless(launch)) {
        return first;
    }
    const int row = SLV_BLOCK * SLV_PARTICLE_FLOATS;
    apply_columns(state + body->q + first * row, state + body->u + first * row,
                  (end - first) * row);
    return end;
}
#define SLV_FORM_apply_joined SLV_FORM(apply_joined)
