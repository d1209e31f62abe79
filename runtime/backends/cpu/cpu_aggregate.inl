// SPDX-License-Identifier: MIT
// Coarse levels of graphs (kernels/aggregate.h): the rows of a slice side by side. Each sum has the order of the plain
// kernel; that there are eight of them hides how long an addition takes.

typedef struct slv_quad_rows {
    slv_quad rows[SLV_LANES];
} slv_quad_rows;

static inline slv_quad_rows load_quad_rows(const float *from) {
    slv_quad_rows loaded;
    for (int lane = 0; lane < SLV_LANES; lane++) {
        loaded.rows[lane] = load_quad(from + lane * SLV_PARTICLE_FLOATS);
    }
    return loaded;
}

static inline void store_quad_rows(float *to, const slv_quad_rows *sums) {
    for (int lane = 0; lane < SLV_LANES; lane++) {
        store_quad(to + lane * SLV_PARTICLE_FLOATS, sums->rows[lane]);
    }
}

// Adds all rows of a slice of a matrix, times the vectors at `from`, to sums.
static inline slv_quad_rows add_quad_rows(const float *state, const int *table,
                                          const slv_body_layout *body, int ends, int slice,
                                          int from, slv_quad_rows sums) {
    const int end = table[ends + slice + 1];
    for (int n = table[ends + slice]; n < end; n++) {
        const float *values = state + body->aggregate_values + n * SLV_LANES;
        const int *columns = table + body->aggregate_columns + n * SLV_LANES;
        for (int lane = 0; lane < SLV_LANES; lane++) {
            sums.rows[lane] += values[lane] * load_quad(state + from + columns[lane]);
        }
    }
    return sums;
}

static inline slv_quad_rows multiply_quad_rows(const float *state, const int *table,
                                               const slv_body_layout *body, int ends, int slice,
                                               int from) {
    slv_quad_rows sums;
    memset(&sums, 0, sizeof sums);
    return add_quad_rows(state, table, body, ends, slice, from, sums);
}

static inline int wide_aggregate_restrict(float *state, const int *table,
                                          const slv_body_layout *body, const slv_launch *launch,
                                          int first, int end) {
    const slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    const int from = launch->index == 0 ? body->b : body->aggregate_f;
    for (int slice = first; slice < end; slice++) {
        const slv_quad_rows sums =
            multiply_quad_rows(state, table, body, level.restriction_ends, slice, from);
        store_quad_rows(state + body->aggregate_f + slv_aggregate_offset(level, slice, 0), &sums);
    }
    return end;
}
#define SLV_FORM_aggregate_restrict SLV_FORM(aggregate_restrict)

static inline int wide_aggregate_solve(float *state, const int *table, const slv_body_layout *body,
                                       const slv_launch *launch, int first, int end) {
    const slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    for (int slice = first; slice < end; slice++) {
        const slv_quad_rows sums =
            multiply_quad_rows(state, table, body, level.matrix_ends, slice, body->aggregate_f);
        store_quad_rows(state + body->aggregate_u + slv_aggregate_offset(level, slice, 0), &sums);
    }
    return end;
}
#define SLV_FORM_aggregate_solve SLV_FORM(aggregate_solve)

static inline int wide_aggregate_interpolate(float *state, const int *table,
                                             const slv_body_layout *body, const slv_launch *launch,
                                             int first, int end) {
    const slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    const slv_aggregate_level coarser = slv_aggregate_get_level(table, body, launch->index + 1);
    for (int slice = first; slice < end; slice++) {
        const slv_quad_rows sums = multiply_quad_rows(
            state, table, body, coarser.interpolation_ends, slice, body->aggregate_u);
        store_quad_rows(state + body->aggregate_u + slv_aggregate_offset(level, slice, 0), &sums);
    }
    return end;
}
#define SLV_FORM_aggregate_interpolate SLV_FORM(aggregate_interpolate)

static inline int wide_aggregate_relax(float *state, const int *table, const slv_body_layout *body,
                                       const slv_launch *launch, int first, int end) {
    const slv_aggregate_level level = slv_aggregate_get_level(table, body, launch->index);
    const bool back = (launch->flags & SLV_FROM_NEXT) != 0;
    const int from = back ? body->aggregate_next : body->aggregate_u;
    const int to = back ? body->aggregate_u : body->aggregate_next;
    for (int slice = first; slice < end; slice++) {
        const int at = slv_aggregate_offset(level, slice, 0);
        const float *reciprocals =
            state + body->aggregate_diagonal + level.first + slice * SLV_LANES;
        slv_quad_rows sums = add_quad_rows(state, table, body, level.matrix_ends, slice, from,
                                           load_quad_rows(state + body->aggregate_f + at));
        for (int lane = 0; lane < SLV_LANES; lane++) {
            const slv_quad own = load_quad(state + from + at + lane * SLV_PARTICLE_FLOATS);
            sums.rows[lane] =
                own + launch->relaxation * (reciprocals[lane] * sums.rows[lane] - own);
        }
        store_quad_rows(state + to + at, &sums);
    }
    return end;
}
#define SLV_FORM_aggregate_relax SLV_FORM(aggregate_relax)

static inline int wide_aggregate_spread(float *state, const int *table, const slv_body_layout *body,
                                        const slv_launch *launch, int first, int end) {
    (void)launch;
    const slv_aggregate_level level = slv_aggregate_get_level(table, body, 0);
    for (int slice = first; slice < end; slice++) {
        const slv_quad_rows sums = multiply_quad_rows(state, table, body, level.interpolation_ends,
                                                      slice, body->aggregate_u);
        for (int lane = 0; lane < SLV_LANES; lane++) {
            const int slot = slice * SLV_LANES + lane;
            if (state[body->weight + slot] > 0.0f) {
                store_quad(state + body->u + slot * SLV_PARTICLE_FLOATS, sums.rows[lane]);
            }
        }
    }
    return end;
}
#define SLV_FORM_aggregate_spread SLV_FORM(aggregate_spread)
