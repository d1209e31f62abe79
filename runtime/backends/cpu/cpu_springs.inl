// SPDX-License-Identifier: MIT
// Mass-spring cloth (kernels/springs.h), several particles at a time; the same sums in the same order.

// slv_buckling_scale
static inline slv_wide wide_buckling_scale(float buckling, slv_wide rest, slv_wide length,
                                           slv_wide linear) {
    const slv_wide s = length / rest;
    const slv_wide load = 9.713f - (23.116f - (39.083f - (34.193f - 11.541f * s) * s) * s) * s;
    const slv_wide bent = buckling * load / (rest * rest * length);
    return select_wide(bent < linear, bent, linear);
}

// The sum of slv_sum_springs for the particles of a slice from `lane` on.
static inline slv_wides sum_springs_of_lanes(const float *state, const int *table,
                                             const slv_body_layout *body, int positions,
                                             int velocities, int slice, int lane) {
    const bool damped = body->spring_damping > 0.0f;
    const slv_wides zero = {spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)};
    const slv_wides own = load_slice(state + positions, slice, lane);
    const slv_wides own_velocity = damped ? load_slice(state + velocities, slice, lane) : zero;
    slv_wides total = zero;
    for (int c = 0; c < body->class_count; c++) {
        const slv_span span = slv_graph_span(table, body, slice, c);
        const float buckling = slv_get_buckling(body, c);
        slv_wides part = zero;
        for (int n = span.first; n < span.end; n++) {
            const int *offsets = table + body->neighbors + n * SLV_LANES + lane;
            const slv_wides there = load_particles(state + positions, offsets);
            const slv_wide rest = load_wide(state + body->rests + n * SLV_LANES + lane);
            const slv_wide x = own.x - there.x;
            const slv_wide y = own.y - there.y;
            const slv_wide z = own.z - there.z;
            const slv_wide square = x * x + y * y + z * z;
            const slv_mask pulls = (square > 0.0f) & (rest >= 0.0f);
            const slv_wide length = wide_square_root(square);
            slv_wide linear = rest / length - 1.0f;
            if (buckling > 0.0f) {
                linear = wide_buckling_scale(buckling, rest, length, linear);
            }
            slv_wide scale = select_or_zero(pulls, linear);
            if (damped) {
                const slv_wides other = load_particles(state + velocities, offsets);
                slv_wide closing = x * (own_velocity.x - other.x);
                closing += y * (own_velocity.y - other.y);
                closing += z * (own_velocity.z - other.z);
                scale -= select_or_zero(pulls, body->spring_damping * closing / square);
            }
            part.x += scale * x;
            part.y += scale * y;
            part.z += scale * z;
        }
        total.x += body->ratio[c] * part.x;
        total.y += body->ratio[c] * part.y;
        total.z += body->ratio[c] * part.z;
    }
    const slv_wide response =
        body->spring_response * load_wide(state + body->inverse_mass + slice * SLV_LANES + lane);
    total.x *= response;
    total.y *= response;
    total.z *= response;
    return total;
}

// slv_displace for one component.
static inline void displace_component(slv_wide *q, slv_wide *u, slv_wide displacement) {
    const slv_wide small = *u + displacement;
    const slv_wide sum = *q + small;
    *u = small - (sum - *q);
    *q = sum;
}

static inline void displace_lanes(float *state, const slv_body_layout *body, int slice, int lane,
                                  slv_wides displacement) {
    slv_wides q = load_slice(state + body->q, slice, lane);
    slv_wides u = load_slice(state + body->u, slice, lane);
    displace_component(&q.x, &u.x, displacement.x);
    displace_component(&q.y, &u.y, displacement.y);
    displace_component(&q.z, &u.z, displacement.z);
    store_slice(state + body->q, slice, lane, q);
    store_slice(state + body->u, slice, lane, u);
}

static inline int wide_springs_advance(float *state, const int *table, const slv_body_layout *body,
                                       const slv_launch *launch, int first, int end) {
    const int start = slv_step_start(body, launch);
    for (int slice = first; slice < end; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            displace_lanes(state, body, slice, lane,
                           sum_springs_of_lanes(state, table, body, start, body->b, slice, lane));
        }
    }
    return end;
}
#define SLV_FORM_springs_advance SLV_FORM(springs_advance)

// One component of several particles in a stage.
typedef struct slv_wide_component {
    slv_wide sum, v, e, start, velocity; // given
    slv_wide p, k;                       // changed
    slv_wide next_position, next_velocity, displacement;
} slv_wide_component;

// False where a velocity has left its range.
static inline bool evaluate_component(const slv_spring_stage *stage, float limit,
                                      slv_wide_component *c) {
    const slv_wide a = c->sum + c->e;
    c->p = c->p + stage->position * a;
    c->k = c->k + stage->velocity * a;
    c->next_position = c->start + stage->advance * c->velocity;
    c->next_velocity = c->v + stage->advance * a;
    c->displacement = c->p - c->e;
    const slv_wide shift = c->p - c->k;
    return all_set((shift < limit) & (-shift < limit));
}

static inline slv_wides load_or_zero(bool loads, const float *vectors, int slice, int lane) {
    const slv_wides zero = {spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)};
    return loads ? load_slice(vectors, slice, lane) : zero;
}

static inline void evaluate_lanes(float *state, const int *table, const slv_body_layout *body,
                                  const slv_launch *launch, int slice, int lane) {
    const slv_spring_stage stage = slv_get_spring_stage(launch->index);
    const int start = slv_step_start(body, launch);
    const int positions = stage.positions < 0 ? start : body->stage_positions[stage.positions & 1];
    const int velocities =
        stage.velocities < 0 ? body->b : body->stage_velocities[stage.velocities & 1];
    const slv_wides sum =
        sum_springs_of_lanes(state, table, body, positions, velocities, slice, lane);
    const slv_wides v = load_slice(state + body->b, slice, lane);
    const slv_wides e = load_slice(state + body->external, slice, lane);
    const slv_wides from = load_slice(state + start, slice, lane);
    const slv_wides velocity = load_slice(state + velocities, slice, lane);
    const slv_wides p = load_or_zero(!stage.first, state + body->position_sums, slice, lane);
    const slv_wides k = load_or_zero(!stage.first, state + body->velocity_sums, slice, lane);
    const slv_wide none = spread(0.0f);
    slv_wide_component x = {sum.x, v.x, e.x, from.x, velocity.x, p.x, k.x, none, none, none};
    slv_wide_component y = {sum.y, v.y, e.y, from.y, velocity.y, p.y, k.y, none, none, none};
    slv_wide_component z = {sum.z, v.z, e.z, from.z, velocity.z, p.z, k.z, none, none, none};
    const bool x_in_range = evaluate_component(&stage, launch->limit, &x);
    const bool y_in_range = evaluate_component(&stage, launch->limit, &y);
    const bool z_in_range = evaluate_component(&stage, launch->limit, &z);
    if (stage.next < 0) {
        const slv_wides moved = {x.displacement, y.displacement, z.displacement, none};
        displace_lanes(state, body, slice, lane, moved);
    } else {
        const slv_wides next = {x.next_position, y.next_position, z.next_position, none};
        const slv_wides next_velocity = {x.next_velocity, y.next_velocity, z.next_velocity, none};
        store_slice(state + body->stage_positions[stage.next & 1], slice, lane, next);
        store_slice(state + body->stage_velocities[stage.next & 1], slice, lane, next_velocity);
    }
    const slv_wides p_after = {x.p, y.p, z.p, none};
    const slv_wides k_after = {x.k, y.k, z.k, none};
    store_slice(state + body->position_sums, slice, lane, p_after);
    store_slice(state + body->velocity_sums, slice, lane, k_after);
    if (!x_in_range || !y_in_range || !z_in_range) {
        slv_set_flag(&state[SLV_DIVERGED]);
    }
}

static inline int wide_springs_evaluate(float *state, const int *table, const slv_body_layout *body,
                                        const slv_launch *launch, int first, int end) {
    for (int slice = first; slice < end; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            evaluate_lanes(state, table, body, launch, slice, lane);
        }
    }
    return end;
}
#define SLV_FORM_springs_evaluate SLV_FORM(springs_evaluate)

// --- Begin and end of a step --------------------------------------------------------------------------

// Components of a block lie side by side, as in integration (cpu_rows.inl).
enum { SPRINGS_BLOCK = SLV_BLOCK * SLV_PARTICLE_FLOATS };

static inline void spread_inverse_masses(const float *state, const slv_body_layout *body, int row,
                                         float *spread_out) {
    const float *inverse_mass = state + body->inverse_mass + row * SLV_BLOCK;
    for (int n = 0; n < SPRINGS_BLOCK; n++) {
        spread_out[n] = inverse_mass[n / SLV_PARTICLE_FLOATS];
    }
}

static inline int wide_springs_begin(float *state, const int *table, const slv_body_layout *body,
                                     const slv_launch *launch, int first, int end) {
    const int start = slv_step_start(body, launch);
    const int before = slv_step_before(body, launch);
    const slv_body_layout own = *body; // not changed by what is stored
    const slv_launch values = *launch;
    float inverse_masses[SPRINGS_BLOCK];
    (void)table;
    for (int row = first; row < end; row++) {
        spread_inverse_masses(state, body, row, inverse_masses);
#pragma omp simd
        for (int n = 0; n < SPRINGS_BLOCK; n++) {
            slv_springs_begin_component(state, &own, &values, start, before,
                                        inverse_masses[n] > 0.0f, row * SPRINGS_BLOCK + n);
        }
    }
    return end;
}
#define SLV_FORM_springs_begin SLV_FORM(springs_begin)

static inline int wide_springs_end(float *state, const int *table, const slv_body_layout *body,
                                   const slv_launch *launch, int first, int end) {
    const int start = slv_step_start(body, launch);
    float inverse_masses[SPRINGS_BLOCK];
    (void)table;
    for (int row = first; row < end; row++) {
        spread_inverse_masses(state, body, row, inverse_masses);
#pragma omp simd
        for (int n = 0; n < SPRINGS_BLOCK; n++) {
            slv_springs_end_component(state, body, start, inverse_masses[n] > 0.0f,
                                      row * SPRINGS_BLOCK + n);
        }
    }
    return end;
}
#define SLV_FORM_springs_end SLV_FORM(springs_end)
