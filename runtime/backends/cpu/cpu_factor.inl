// SPDX-License-Identifier: MIT
// Mass-spring cloth with a constant matrix (kernels/constant_matrix.h, factor.h), several numbers at a time; the same sums in
// the same order.

static inline void evaluate_local_lanes(float *state, const int *table, const slv_body_layout *body,
                                        int start, int slice, int lane) {
    const slv_wides sum =
        sum_springs_of_lanes(state, table, body, body->q, body->step_velocities, slice, lane);
    const slv_wide inverse_mass = load_wide(state + body->inverse_mass + slice * SLV_LANES + lane);
    const slv_mask moves = inverse_mass > 0.0f;
    const slv_wide mass = select_or_zero(moves, 1.0f / inverse_mass);
    const slv_wides q = load_slice(state + body->q, slice, lane);
    const slv_wides u = load_slice(state + body->u, slice, lane);
    const slv_wides from = load_slice(state + start, slice, lane);
    const slv_wides predicted = load_slice(state + body->predicted, slice, lane);
    const slv_wides residual = {
        select_or_zero(moves, mass * ((predicted.x - ((q.x - from.x) + u.x)) + sum.x)),
        select_or_zero(moves, mass * ((predicted.y - ((q.y - from.y) + u.y)) + sum.y)),
        select_or_zero(moves, mass * ((predicted.z - ((q.z - from.z) + u.z)) + sum.z)),
        spread(0.0f)};
    const slv_wides none = {spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)};
    store_slice(state + body->residuals, slice, lane, residual);
    store_slice(state + body->solution, slice, lane, none);
}

static inline int wide_constant_local(float *state, const int *table, const slv_body_layout *body,
                                      const slv_launch *launch, int first, int end) {
    const int start = slv_step_start(body, launch);
    for (int slice = first; slice < end; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            evaluate_local_lanes(state, table, body, start, slice, lane);
        }
    }
    return end;
}
#define SLV_FORM_constant_local SLV_FORM(constant_local)

// A quad for each part of the sum of slv_factor_apply.
static inline int wide_factor_apply(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    const slv_factor_pass pass = slv_get_factor_pass(body, launch->index);
    const int *ends = table + body->factor_ends[launch->index % SLV_FACTOR_PASSES];
    const int *columns = table + body->factor_columns;
    const float *numbers = state + body->factor_numbers;
    const float *from = state + pass.from;
    const slv_quad none = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int row = first; row < end; row++) {
        const int own = table[body->factor_rows + row];
        slv_quad part[SLV_FACTOR_STRIDE] = {none, none, none, none};
        for (int n = ends[row]; n < ends[row + 1]; n += SLV_FACTOR_STRIDE) {
            part[0] += numbers[n] * load_quad(from + columns[n]);
            part[1] += numbers[n + 1] * load_quad(from + columns[n + 1]);
            part[2] += numbers[n + 2] * load_quad(from + columns[n + 2]);
            part[3] += numbers[n + 3] * load_quad(from + columns[n + 3]);
        }
        slv_quad sum = (part[0] + part[2]) + (part[1] + part[3]);
        sum = (pass.start < 0 ? none : load_quad(state + pass.start + own)) + sum;
        store_quad(state + pass.to + own, sum);
    }
    return end;
}
#define SLV_FORM_factor_apply SLV_FORM(factor_apply)
